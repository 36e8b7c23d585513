package api

import (
	"fmt"
	"slices"
	"strings"

	"bailiff/cmd/internal/config"
	"bailiff/cmd/internal/run"
	"bailiff/judge"
	"bailiff/rubric"
)

// Bounds of lists and names in a body.
const (
	maxSteps   = 50
	maxContext = 1000 // texts of one context
	maxName    = 200  // bytes of a name, an alias, an id
)

// Codes of mistakes that make a request a bad one (400) when there is no
// other.
const (
	codeNoEvaluations = "no_evaluations"
	codeUnknownMetric = "unknown_metric"
)

// bodies reads the bodies of requests, within the limits of the gateway.
type bodies struct {
	limits config.Limits
}

// metric reads an entry of metrics: a name, or a name with arguments.
func (b bodies) metric(r *reader, v *value) (m run.Metric, threshold *float64, slug string) {
	if v.kind == '"' {
		m.Metric = v.text
		if known(r, v, v.text) {
			m.Args = b.args(r, m.Metric, &value{pointer: v.pointer + "/metric_args", kind: '{'})
		}
		return m, nil, ""
	}
	o := r.object(v)
	if o == nil {
		return m, nil, ""
	}
	defer o.done()
	name := o.required("metric")
	args := o.optional("metric_args")
	threshold = r.number(o.optional("threshold"), 0, 100)
	slug, _ = r.text(o.optional("model_slug"), maxName)
	text, ok := r.text(name, maxName)
	if !ok || !known(r, name, text) {
		return m, threshold, slug
	}
	m.Metric = text
	if args == nil {
		args = &value{pointer: v.pointer + "/metric_args", kind: '{'}
	}
	m.Args = b.args(r, text, args)
	return m, threshold, slug
}

// known reports whether there is a metric of that name, and notes it when
// there is none.
func known(r *reader, v *value, name string) bool {
	names := []string{}
	for _, m := range judge.Metrics() {
		if m.Name == name {
			return true
		}
		names = append(names, m.Name)
	}
	r.errorf(v.pointer, codeUnknownMetric, "names a metric that is not known; there are %s", strings.Join(names, " and "))
	return false
}

// args reads metric_args.
func (b bodies) args(r *reader, metric string, v *value) judge.Args {
	a := judge.Args{IncludeReason: true}
	o := r.object(v)
	if o == nil {
		return a
	}
	defer o.done()
	a.Strict = r.flag(o.optional("strict_mode"), false)
	a.IncludeReason = r.flag(o.optional("include_reason"), true)
	a.Name, _ = r.text(o.optional("name"), maxName)
	samples := o.optional("samples")
	if n := r.integer(samples, 1, judge.MaxSamples); n != nil {
		if a.Samples = *n; a.Samples > 1 && a.Strict {
			r.errorf(samples.pointer, codeClash, "cannot be more than 1 beside strict_mode, which takes one verdict")
		}
	}
	if metric == judge.StepEfficiency {
		a.Task, _ = r.text(o.optional("task"), b.limits.Definition)
		return a
	}
	if named := o.optional("rubric"); named != nil {
		r.errorf(named.pointer, codeValue, "names a rubric that is not registered; give eval_definition instead")
	}
	b.definition(r, o, "eval_definition", "evaluation_steps", "evaluation_fields", &a)
	return a
}

// definition reads a definition, the caller's steps and the selected fields.
func (b bodies) definition(r *reader, o *object, text, steps, fields string, a *judge.Args) {
	d := o.optional(text)
	s := o.optional(steps)
	if d == nil && s == nil {
		r.errorf(o.v.pointer+"/"+text, codeMissing, "is missing; it says what a good submission should satisfy (or give %s)", steps)
	}
	if t, ok := r.text(d, b.limits.Definition); ok {
		if a.Definition = t; blank(t) {
			r.errorf(d.pointer, codeEmpty, "is empty; say what a good submission should satisfy")
		}
	}
	if s != nil {
		a.Steps = r.texts(s, maxSteps, b.limits.Definition)
		if s.kind == '[' && len(s.items) == 0 {
			r.errorf(s.pointer, codeEmpty, "is an empty list; leave it out or give steps")
		}
		for i, step := range a.Steps {
			if blank(step) {
				r.errorf(fmt.Sprintf("%s/%d", s.pointer, i), codeEmpty, "is empty")
			}
		}
	}
	if fields != "" {
		a.Fields = b.fields(r, o.optional(fields))
	}
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// fields reads evaluation_fields; nil selects all.
func (b bodies) fields(r *reader, v *value) []rubric.Field {
	if v == nil {
		return nil
	}
	if v.kind != '[' {
		r.wrongType(v, "a list of field names")
		return nil
	}
	if len(v.items) == 0 {
		r.errorf(v.pointer, codeEmpty, "is an empty list; leave it out to select every field")
		return nil
	}
	var out []rubric.Field
	for _, item := range v.items {
		name, ok := r.text(item, maxName)
		switch f := rubric.Field(name); {
		case !ok:
		case !slices.Contains(rubric.Fields(), f):
			r.errorf(item.pointer, codeValue, "is not a field; there are output, prompt, input, context, golden_answer")
		case slices.Contains(out, f):
			r.errorf(item.pointer, codeClash, "is there twice")
		default:
			out = append(out, f)
		}
	}
	return out
}

// number gives every metric of a list its key: its name, numbered where it
// repeats.
func number(metrics []run.Metric) {
	count, seen := map[string]int{}, map[string]int{}
	for i := range metrics {
		metrics[i].Key = or(metrics[i].Args.Name, metrics[i].Metric)
		count[metrics[i].Key]++
	}
	for i := range metrics {
		key := metrics[i].Key
		if count[key] > 1 {
			seen[key]++
			metrics[i].Key = fmt.Sprintf("%s#%d", key, seen[key])
		}
	}
}
