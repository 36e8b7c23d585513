package judge

import (
	"context"
	"time"

	"bailiff/guard"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// Names of the stages that this package works itself.
const (
	stageFields = "fields"
	stageScan   = "scan"
	stagePolicy = "policy"
	stageTask   = "task"
	stageScore  = "score"
)

// evaluation is one call of Evaluate on its way: the request, what has been
// found out so far, and the outcome that grows from it.
type evaluation struct {
	judge  *Judge
	req    Request
	out    Outcome
	stage  string // the one that runs
	meter  *model.Meter
	second *model.Meter // nil when Model reviews its own safety check

	fields []rubric.Field // selected, in the contract's order
	rubric rubric.Rubric  // g_eval
	trace  Trace          // step_efficiency
	task   string         // step_efficiency
}

// step is one stage of a metric. It returns false when the outcome is decided.
type step func(ctx context.Context, e *evaluation) bool

// open puts meters before the models and notes what is judged with.
func (e *evaluation) open() {
	e.meter = model.NewMeter(e.req.Model, nil)
	if e.req.Second != nil {
		e.second = model.NewMeter(e.req.Second, nil)
	}
	e.out.Model = e.req.Model.Name()
	e.out.Meta.Offline = e.req.Model.Info().Offline
	if e.req.Policy != nil {
		e.out.Meta.PolicyRevision = e.req.Policy.Revision()
	}
}

func (e *evaluation) timeout() time.Duration {
	if e.req.Timeout > 0 {
		return e.req.Timeout
	}
	return DefaultTimeout
}

// rubricRequest is the definition's path of this evaluation.
func (e *evaluation) rubricRequest() rubric.Request {
	r := rubric.Request{
		Tenant:     e.req.Tenant,
		TenantData: e.req.TenantData,
		Policy:     e.req.Policy,
		Definition: e.req.Args.Definition,
		Steps:      e.req.Args.Steps,
		Fields:     e.fields,
		Model:      e.meter,
	}
	if e.second != nil {
		r.Second = e.second
	}
	return r
}

// enter notes which stage runs; the function it returns adds it to the
// outcome's stages with the word that came of it.
func (e *evaluation) enter(name string) (leave func(outcome, asked string)) {
	e.stage = name
	started := e.judge.now()
	return func(outcome, asked string) {
		e.out.Stages = append(e.out.Stages, guard.Stage{
			Name: name, Outcome: outcome, Took: e.judge.now().Sub(started), Model: asked,
		})
	}
}

// fail ends the evaluation with an error.
func (e *evaluation) fail(f *guard.Fault) {
	e.out.Status, e.out.Fault, e.out.Explanation = Errored, f, f.Message
	if f.Message == "" {
		e.out.Explanation = sentenceFault(f.Stage, f.Code)
	}
}

// reject ends it with a gate's decision.
func (e *evaluation) reject(r *guard.Rejection) {
	e.out.Status, e.out.Rejection, e.out.Explanation = Rejected, r, r.Message
}

// skip ends it because there is nothing to judge.
func (e *evaluation) skip(code, explanation string) {
	e.out.Status, e.out.Explanation = Skipped, explanation
	e.out.Skip = &Skip{Stage: stageFields, Code: code}
}

// usage is what every model asked so far took.
func (e *evaluation) usage() model.Usage {
	var u model.Usage
	for _, m := range e.meters() {
		u = u.Add(m.Usage())
	}
	return u
}

// usageByStage is usage, by the stage that asked.
func (e *evaluation) usageByStage() map[string]model.Usage {
	by := map[string]model.Usage{}
	for _, m := range e.meters() {
		for stage, u := range m.ByStage() {
			by[stage] = by[stage].Add(u)
		}
	}
	return by
}

// meters are those that were opened.
func (e *evaluation) meters() []*model.Meter {
	var meters []*model.Meter
	for _, m := range []*model.Meter{e.meter, e.second} {
		if m != nil {
			meters = append(meters, m)
		}
	}
	return meters
}

// finish closes the outcome. A panic or a stage that decided nothing leaves an
// error, never an empty status.
func (e *evaluation) finish(now time.Time) Outcome {
	if e.out.Status == "" {
		e.fail(&guard.Fault{Stage: e.stage, Code: brokenCode(e.stage), Message: sentenceBroken(e.stage)})
	}
	e.out.Usage, e.out.UsageByStage = e.usage(), e.usageByStage()
	e.out.Finished = now
	return e.out
}
