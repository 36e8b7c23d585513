// Package judge scores records by a rubric, and says how each number came to
// be.
//
// Judge.Evaluate takes one record under one metric and gives one Outcome:
// scored, rejected, skipped or error. Only a scored outcome has a number. The
// number is found by the byte span of the JSON member score in the judge's
// answer, weighted by the log probabilities of the token at that span where
// the model gives them, averaged over samples where the caller wants some, and
// otherwise taken as it stands; Meta.Method tells which. Nothing is clamped
// and nothing is guessed: an answer without a usable number is asked for once
// more, naming the mistake, and is then an error.
//
// A definition reaches a judge only as a rubric.Rubric, which only a
// rubric.Resolver makes and only from a text that the guard has cleared.
// Records and traces are untrusted too: they are scanned and travel as data
// between random boundary lines.
package judge

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"bailiff/guard"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// DefaultTimeout bounds one evaluation when Request.Timeout is 0.
const DefaultTimeout = 120 * time.Second

// Config holds what a Judge needs. Resolver is required.
type Config struct {
	Resolver *rubric.Resolver
	// Now is the clock; nil takes time.Now.
	Now func() time.Time
	// Panicked is told of a panic that Evaluate turned into an error outcome,
	// with the stage that ran, the value and the stack. nil ignores it.
	Panicked func(stage string, value any, stack []byte)
}

// Judge evaluates records. It is safe for concurrent use.
type Judge struct {
	resolver *rubric.Resolver
	now      func() time.Time
	panicked func(stage string, value any, stack []byte)
}

// New makes a Judge.
func New(cfg Config) *Judge {
	j := &Judge{resolver: cfg.Resolver, now: cfg.Now, panicked: cfg.Panicked}
	if j.now == nil {
		j.now = time.Now
	}
	if j.panicked == nil {
		j.panicked = func(string, any, []byte) {}
	}
	return j
}

// errDeadline is the cause of a context that ended at the evaluation's own
// deadline.
var errDeadline = errors.New("the evaluation's deadline passed")

// Evaluate judges one record. It ends at req.Timeout, never panics and never
// returns an Outcome without a Status.
func (j *Judge) Evaluate(ctx context.Context, req Request) (out Outcome) {
	e := j.begin(req)
	ctx, cancel := context.WithTimeoutCause(ctx, e.timeout(), errDeadline)
	defer cancel()
	defer func() {
		if v := recover(); v != nil {
			j.panicked(e.stage, v, debug.Stack())
			e.fail(&guard.Fault{Stage: e.stage, Code: brokenCode(e.stage), Message: sentenceBroken(e.stage)})
		}
		out = e.finish(j.now())
	}()

	m, ok := metricByName(req.Metric)
	if problem := checkArgs(req); !ok || problem != "" {
		e.fail(&guard.Fault{Stage: stageFields, Code: CodeInvalidRequest, Message: problem})
		return e.out
	}
	e.open()
	for _, stage := range m.stages() {
		if !stage(ctx, e) {
			break
		}
	}
	return e.out
}

// Resolve works the definition's path alone, without a record: guard, safety,
// semantic check and steps. It returns what that took; nothing when the
// definition was resolved before. req.Policy and req.Model are required.
func (j *Judge) Resolve(ctx context.Context, req Request) (rubric.Resolution, model.Usage) {
	e := j.begin(req)
	e.open()
	ctx, cancel := context.WithTimeoutCause(ctx, e.timeout(), errDeadline)
	defer cancel()
	res := j.resolver.Resolve(ctx, e.rubricRequest())
	return res, e.usage()
}

// Kept returns what Resolve would give without asking a model, when an equal
// definition was resolved before and is kept.
func (j *Judge) Kept(ctx context.Context, req Request) (rubric.Resolution, bool) {
	e := j.begin(req)
	e.open()
	return j.resolver.Kept(ctx, e.rubricRequest())
}

// begin makes an evaluation of which nothing is worked yet.
func (j *Judge) begin(req Request) *evaluation {
	e := &evaluation{judge: j, req: req, stage: stageFields, fields: selectedFields(req.Args.Fields)}
	e.out = Outcome{Metric: req.Metric, Threshold: req.Threshold, Started: j.now(), Stages: []guard.Stage{}}
	if req.Args.Strict {
		e.out.Threshold = strictThreshold
	}
	return e
}
