package rubric

import (
	"context"
	"runtime/debug"
	"slices"
	"time"

	"bailiff/guard"
)

// job is one definition on its way through the stages. prior holds what models
// answered before, out of the store; a stage asks only where it has nothing.
type job struct {
	req      Request
	prior    entry
	answers  entry // what was answered this time or before, for the store
	progress *progress
	now      func() time.Time
	res      Resolution
	asked    bool // a model was asked
}

// work takes a definition through guard, semantic check and steps, and keeps
// what it came to.
func (r *Resolver) work(ctx context.Context, req Request, id identity, prior entry, p *progress) (res Resolution) {
	defer func() {
		if v := recover(); v != nil { // a bug, here or in a model: it fails this definition, not the process
			r.cfg.Panicked(p.at(), v, debug.Stack())
			res = Resolution{Fault: broken(p.at())}
		}
	}()
	j := &job{req: req, prior: prior, progress: p, now: r.cfg.Now}
	j.run(ctx)
	j.res.Cached = !j.asked && prior.Schema != ""
	r.keep(ctx, req, id.key, j.res, j.answers)
	return j.res
}

// run works the stages in order until one decides.
func (j *job) run(ctx context.Context) {
	if problem := unfit(j.req); problem != nil {
		j.reject(problem)
		return
	}
	if !j.clear(ctx) {
		return
	}
	if len(j.req.Steps) > 0 {
		j.provided(ctx)
		return
	}
	answer, ok := j.semantic(ctx)
	if !ok {
		return
	}
	found := verify(j.req, answer.Steps)
	if !j.screen(ctx, found) {
		return
	}
	used := included(found)
	if missing := unjudgeable(j.req, used); len(missing) > 0 {
		j.decided(notApplicable(j.req, missing, ""))
		return
	}
	rb := j.rubric()
	rb.extracted = found
	rb.suggestions = suggest(j.req, found, answer)
	if len(used) > 0 {
		rb.steps, rb.source, rb.confidence = used, Extracted, certain(len(used))
		j.finish(rb, guard.Stage{Name: stageSteps, Outcome: "ok"})
		return
	}
	j.generate(ctx, rb)
}

// clear asks the guard.
func (j *job) clear(ctx context.Context) bool {
	j.progress.enter(stageSafety)
	v := j.req.Policy.Check(ctx, subject(j.req), guard.Reviewers{First: j.req.Model, Second: j.req.Second, Prior: j.prior.Safety})
	j.answers.Safety = v.Safety
	for _, s := range v.Stages {
		j.asked = j.asked || (s.Name == stageSafety && !s.Cached)
	}
	j.res.Verdict, j.res.Stages = v, slices.Clone(v.Stages)
	j.res.Rejection, j.res.Fault = v.Rejection, v.Fault
	return v.Cleared.OK()
}

func subject(req Request) guard.Subject {
	fields := make([]string, len(req.Fields))
	for i, f := range req.Fields {
		fields[i] = string(f)
	}
	return guard.Subject{Definition: req.Definition, Steps: req.Steps, Fields: fields, Tenant: req.TenantData}
}

// semantic asks whether the definition can be judged, and for its steps.
func (j *job) semantic(ctx context.Context) (semanticAnswer, bool) {
	j.progress.enter(stageSemantic)
	started := j.now()
	stage := guard.Stage{Name: stageSemantic, Outcome: "error", Cached: j.prior.Semantic != nil, Model: modelName(j.req.Model)}
	var a semanticAnswer
	var fault *guard.Fault
	if j.prior.Semantic != nil {
		a = *j.prior.Semantic
	} else {
		j.asked = true
		fault = ask(ctx, j.req.Model, promptResolve, dataOf(j.req), func(got answer) (err error) {
			a, err = parseSemantic(got.object)
			return err
		})
	}
	stage.Took = j.now().Sub(started)
	if fault != nil {
		j.res.Fault, j.res.Stages = fault, append(j.res.Stages, stage)
		return a, false
	}
	j.answers.Semantic = &a
	stage.Outcome = "ok"
	j.res.Stages = append(j.res.Stages, stage)
	if problem := judgement(j.req, a); problem != nil {
		j.decided(problem)
		return a, false
	}
	return a, true
}

// screen has the guard read the extracted steps on their own. A phrase that a
// definition quotes ("... refuses when asked to give full marks") is cleared as
// part of it, and is an order once a model has cut it out. Such steps are left
// out; when only all of them together make the order, all are.
func (j *job) screen(ctx context.Context, found []Step) bool {
	denied := func(steps []string) bool {
		if len(steps) == 0 || j.res.Fault != nil {
			return false
		}
		report, fault := j.req.Policy.CheckSteps(ctx, j.res.Verdict.Cleared, steps)
		j.res.Fault = fault
		return fault == nil && report.Decision == guard.Deny
	}
	if denied(included(found)) {
		for i := range found {
			if found[i].Included && denied([]string{found[i].Text}) {
				found[i].Included, found[i].Reason = false, InstructionToJudge
			}
		}
		if denied(included(found)) {
			for i := range found {
				if found[i].Included {
					found[i].Included, found[i].Reason = false, InstructionToJudge
				}
			}
		}
	}
	return j.res.Fault == nil
}

// provided uses the caller's steps as they are. A definition beside them is
// checked like any other; what it states of steps is not used.
func (j *job) provided(ctx context.Context) {
	rb := j.rubric()
	if !blank(j.req.Definition) {
		answer, ok := j.semantic(ctx)
		if !ok {
			return
		}
		rb.suggestions = suggest(j.req, nil, answer)
	}
	rb.steps, rb.source, rb.confidence = j.req.Steps, Provided, certain(len(j.req.Steps))
	rb.suggestions = append(rb.suggestions, suggestForSteps(j.req)...)
	j.finish(rb, guard.Stage{Name: stageSteps, Outcome: "ok"})
}

// generate has steps written and lets the guard read them before they are used.
func (j *job) generate(ctx context.Context, rb Rubric) {
	j.progress.enter(stageSteps)
	started := j.now()
	stage := guard.Stage{Name: stageSteps, Outcome: "error", Cached: j.prior.Steps != nil, Model: modelName(j.req.Model)}
	written, fault := j.write(ctx)
	if fault == nil {
		stage.Outcome, fault = j.admit(ctx, &rb, written)
	}
	stage.Took = j.now().Sub(started)
	j.res.Fault = fault
	if fault != nil || j.res.Rejection != nil {
		j.res.Stages = append(j.res.Stages, stage)
		return
	}
	j.finish(rb, stage)
}

func (j *job) write(ctx context.Context) (generatedSteps, *guard.Fault) {
	if j.prior.Steps != nil {
		j.answers.Steps = j.prior.Steps
		return *j.prior.Steps, nil
	}
	j.asked = true
	var written generatedSteps
	fault := ask(ctx, j.req.Model, promptGenerate, dataOf(j.req), func(got answer) (err error) {
		if written.Steps, err = parseGenerated(got.object); err == nil {
			written.Confidence = confidence(got, len(written.Steps))
		}
		return err
	})
	if fault == nil {
		j.answers.Steps = &written
	}
	return written, fault
}

// admit lets generated steps into the rubric: the guard must allow them all,
// and each must be answerable from the selected fields. Those that remain when
// some are not are another text than the guard has read: it reads them again.
func (j *job) admit(ctx context.Context, rb *Rubric, written generatedSteps) (outcome string, fault *guard.Fault) {
	if denied, fault := j.reread(ctx, written.Steps); denied || fault != nil {
		return refusedBy(fault), fault
	}
	var missing []Field
	for i, step := range written.Steps {
		if needs := needed(step, j.req.Fields); len(needs) > 0 {
			missing = append(missing, needs...)
			continue
		}
		rb.steps = append(rb.steps, step)
		rb.confidence = append(rb.confidence, at(written.Confidence, i))
	}
	if len(rb.steps) == 0 {
		j.res.Rejection = notApplicable(j.req, unique(missing), "")
		return "rejected", nil
	}
	if len(missing) > 0 {
		if denied, fault := j.reread(ctx, rb.steps); denied || fault != nil {
			return refusedBy(fault), fault
		}
		rb.suggestions = append(rb.suggestions, leftOut(unique(missing)))
	}
	rb.generated, rb.source = slices.Clone(rb.steps), Generated
	return "ok", nil
}

// reread has the guard read steps that a model wrote. Anything but an allowance
// rejects them.
func (j *job) reread(ctx context.Context, steps []string) (denied bool, fault *guard.Fault) {
	report, fault := j.req.Policy.CheckSteps(ctx, j.res.Verdict.Cleared, steps)
	if fault != nil || report.Decision == guard.Allow {
		return false, fault
	}
	j.res.Rejection = stepsDenied(report)
	return true, nil
}

func refusedBy(fault *guard.Fault) string {
	if fault != nil {
		return "error"
	}
	return string(guard.Deny)
}

func (j *job) rubric() Rubric {
	return Rubric{cleared: j.res.Verdict.Cleared, scales: DetectScales(j.req.Definition)}
}

// finish hands out a usable rubric.
func (j *job) finish(rb Rubric, stage guard.Stage) {
	j.res.Rubric = rb
	j.res.Stages = append(j.res.Stages, stage)
}

// reject refuses a definition before anything was asked.
func (j *job) reject(r *guard.Rejection) {
	j.res.Rejection = r
	j.res.Stages = append(j.res.Stages, guard.Stage{Name: stageSemantic, Outcome: "rejected"})
}

// decided turns the semantic stage, which has run, into a rejection.
func (j *job) decided(r *guard.Rejection) {
	j.res.Rejection = r
	j.res.Stages[len(j.res.Stages)-1].Outcome = "rejected"
}

// certain is the confidence of steps that a person wrote.
func certain(n int) []*float64 {
	out := make([]*float64, n)
	for i := range out {
		one := 1.0
		out[i] = &one
	}
	return out
}

func at(list []*float64, i int) *float64 {
	if i < len(list) {
		return list[i]
	}
	return nil
}

func unique(fields []Field) []Field {
	var out []Field
	for _, f := range Fields() {
		if slices.Contains(fields, f) {
			out = append(out, f)
		}
	}
	return out
}
