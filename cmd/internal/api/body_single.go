package api

import (
	"bailiff/cmd/internal/casefile"
	"bailiff/cmd/internal/run"
	"bailiff/judge"
	"bailiff/rubric"
)

// evaluate reads the body of POST /v1/evaluate: one record under one metric.
func (b bodies) evaluate(v *value) (run.Metric, run.Record, *Problem) {
	r := &reader{}
	m, rec := b.readEvaluate(r, v)
	if len(r.found) > 0 {
		return m, rec, bodyProblem(r.found, codeUnknownMetric)
	}
	return m, rec, nil
}

func (b bodies) readEvaluate(r *reader, v *value) (m run.Metric, rec run.Record) {
	o := r.object(v)
	if o == nil {
		return m, rec
	}
	defer o.done()
	name := o.required("metric_shortname")
	args := o.optional("metric_args")
	m.Threshold = judge.DefaultThreshold
	if t := r.number(o.optional("threshold"), 0, 100); t != nil {
		m.Threshold = *t
	}
	m.Model, _ = r.text(o.optional("model_slug"), maxName)
	rec = keep(b.record(r, o))
	text, ok := r.text(name, maxName)
	if !ok || !known(r, name, text) {
		return m, rec
	}
	if args == nil {
		args = &value{pointer: v.pointer + "/metric_args", kind: '{'}
	}
	m.Metric, m.Args = text, b.args(r, text, args)
	m.Key = or(m.Args.Name, m.Metric)
	return m, rec
}

// geval reads the body of POST /api/geval. A member that is there counts as
// given, whatever it holds; every field that is given is judged.
func (b bodies) geval(v *value) (run.Metric, run.Record, *Problem) {
	r := &reader{}
	m, rec := b.readGEval(r, v)
	if len(r.found) > 0 {
		return m, rec, bodyProblem(r.found, codeMissing)
	}
	return m, rec, nil
}

func (b bodies) readGEval(r *reader, v *value) (m run.Metric, rec run.Record) {
	o := r.object(v)
	if o == nil {
		return m, rec
	}
	defer o.done()
	m.Metric, m.Threshold, m.Args.IncludeReason = judge.GEval, judge.DefaultThreshold, true
	m.Args.Name, _ = r.text(o.required("name"), maxName)
	var (
		judged judge.Record
		shown  Record
	)
	for _, f := range []struct {
		name     string
		required bool
		field    rubric.Field
		to       *string
		shown    **string
	}{
		{"input", true, rubric.Input, &judged.Input, &shown.Input},
		{"actualOutput", true, rubric.Output, &judged.Output, &shown.Output},
		{"expectedOutput", false, rubric.GoldenAnswer, &judged.GoldenAnswer, &shown.GoldenAnswer},
	} {
		given := o.optional(f.name)
		if f.required {
			given = o.required(f.name)
		}
		if s, ok := r.text(given, b.limits.Field); ok {
			*f.to, *f.shown = s, &s
			m.Args.Fields = append(m.Args.Fields, f.field)
		}
	}
	own, retrieved := o.optional("context"), o.optional("retrievalContext")
	if own != nil {
		judged.Context = b.context(r, own)
		shown.Context = own.encode()
	}
	if retrieved != nil {
		judged.RetrievalContext = b.context(r, retrieved)
	}
	if own != nil || retrieved != nil {
		m.Args.Fields = append(m.Args.Fields, rubric.Context)
	}
	fields := m.Args.Fields
	b.definition(r, o, "criteria", "evaluationSteps", "", &m.Args)
	m.Args.Fields = fields
	m.Key = or(m.Args.Name, m.Metric)
	return m, keep(judged, shown)
}

// definitionBody is the body of a scan or a validation.
type definitionBody struct {
	Args        judge.Args
	SafetyCheck bool
	Model       string
}

// definitionOnly reads the body of POST /v1/guard/scan and of POST
// /v1/rubrics/validate.
func (b bodies) definitionOnly(v *value, scan bool) (out definitionBody, p *Problem) {
	r := &reader{}
	if o := r.object(v); o != nil {
		d := o.required("eval_definition")
		if out.Args.Definition, _ = r.text(d, b.limits.Definition); d != nil && d.kind == '"' && blank(d.text) {
			r.errorf(d.pointer, codeEmpty, "is empty; say what a good submission should satisfy")
		}
		out.Args.Fields = b.fields(r, o.optional("evaluation_fields"))
		out.Model, _ = r.text(o.optional("model_slug"), maxName)
		if scan {
			out.SafetyCheck = r.flag(o.optional("safety_check"), false)
		}
		o.done()
	}
	if len(r.found) > 0 {
		return out, bodyProblem(r.found)
	}
	return out, nil
}

// stepsMetric is one metric of POST /v1/rubrics/steps.
type stepsMetric struct {
	Name       string
	ItemFields []string
	Args       judge.Args
}

// steps reads the body of POST /v1/rubrics/steps.
func (b bodies) steps(v *value) (metrics []stepsMetric, slug string, p *Problem) {
	r := &reader{}
	if o := r.object(v); o != nil {
		slug, _ = r.text(o.optional("model_slug"), maxName)
		metrics = b.stepsMetrics(r, o.required("metrics"))
		o.done()
	}
	if len(r.found) > 0 {
		return nil, "", bodyProblem(r.found)
	}
	return metrics, slug, nil
}

func (b bodies) stepsMetrics(r *reader, list *value) (out []stepsMetric) {
	switch {
	case list == nil:
		return nil
	case list.kind != '[':
		r.wrongType(list, "a list of metrics")
		return nil
	case len(list.items) == 0:
		r.errorf(list.pointer, codeEmpty, "is empty; name at least one metric")
		return nil
	case len(list.items) > b.limits.Metrics:
		r.errorf(list.pointer, codeTooLong, "has %d metrics; at most %d are allowed", len(list.items), b.limits.Metrics)
		return nil
	}
	for _, item := range list.items {
		o := r.object(item)
		if o == nil {
			continue
		}
		var m stepsMetric
		m.Name, _ = r.text(o.required("name"), maxName)
		m.Args.Definition, _ = r.text(o.optional("criteria"), b.limits.Definition)
		m.Args.Steps = r.texts(o.optional("evaluation_steps"), maxSteps, b.limits.Definition)
		m.ItemFields, m.Args.Fields = b.itemFields(r, o.optional("item_fields"))
		o.done()
		out = append(out, m)
	}
	return out
}

// itemFields reads field names as nexa-gauge spells them.
func (b bodies) itemFields(r *reader, v *value) (names []string, fields []rubric.Field) {
	names = r.texts(v, maxSteps, maxName)
	for i, name := range names {
		f, err := casefile.FieldOf(name)
		if err != nil {
			r.errorf(v.items[i].pointer, codeValue, "is not a field; there are question (or input), generation (or output), reference (or golden_answer), context, prompt")
			continue
		}
		fields = append(fields, f)
	}
	return names, fields
}
