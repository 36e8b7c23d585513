package api

import (
	"bailiff/cmd/internal/run"
	"bailiff/judge"
)

// runBody is the body of a run.
type runBody struct {
	Threshold  *float64
	Model      string
	Blocking   bool
	Collection bool // a data collection was named
	Alias      string
	Spec       run.Spec
}

// run reads the body of POST /v1/runs/custom and POST /v1/estimate. Models
// that nobody names stay "", for the tenant's default.
func (b bodies) run(v *value) (runBody, *Problem) {
	r := &reader{}
	out := b.readRun(r, v)
	if len(r.found) > 0 {
		return out, bodyProblem(r.found, codeNoEvaluations, codeUnknownMetric)
	}
	return out, nil
}

func (b bodies) readRun(r *reader, v *value) (out runBody) {
	o := r.object(v)
	if o == nil {
		return out
	}
	defer o.done()
	out.Threshold = r.number(o.optional("threshold"), 0, 100)
	out.Model, _ = r.text(o.optional("model_slug"), maxName)
	out.Blocking = r.flag(o.optional("is_blocking"), false)
	out.Alias, _ = r.text(o.optional("alias"), maxName)
	if c := o.optional("data_collection_id"); c != nil {
		if out.Collection = true; c.kind != '"' && c.kind != '0' {
			r.wrongType(c, "a text or a number")
		}
	}
	groups := o.required("evaluations")
	switch {
	case groups == nil:
		return out
	case groups.kind != '[':
		r.wrongType(groups, "a list")
		return out
	case len(groups.items) == 0:
		r.errorf(groups.pointer, codeNoEvaluations, "is empty: evaluations must have at least one entry with metrics and data")
		return out
	}
	rows := 0
	for _, g := range groups.items {
		group, n := b.group(r, g, out)
		rows += n
		out.Spec.Groups = append(out.Spec.Groups, group)
	}
	if rows > b.limits.Rows {
		r.errorf(groups.pointer, codeTooLong, "has %d rows of data; at most %d are allowed", rows, b.limits.Rows)
	}
	if total := out.Spec.Total(); total > b.limits.Evaluations {
		r.errorf(groups.pointer, codeTooLong, "asks for %d evaluations; at most %d are allowed", total, b.limits.Evaluations)
	}
	return out
}

// group reads one entry of evaluations.
func (b bodies) group(r *reader, v *value, whole runBody) (g run.Group, rows int) {
	o := r.object(v)
	if o == nil {
		return g, 0
	}
	defer o.done()
	threshold := firstOf(r.number(o.optional("threshold"), 0, 100), whole.Threshold)
	slug, _ := r.text(o.optional("model_slug"), maxName)
	slug = or(slug, whole.Model)
	g.Metrics = b.metrics(r, o.required("metrics"), threshold, slug)
	data := o.required("data")
	switch {
	case data == nil:
	case data.kind != '[':
		r.wrongType(data, "a list of rows")
	case len(data.items) == 0:
		r.errorf(data.pointer, codeEmpty, "is empty; give at least one row of data")
	case len(data.items) > b.limits.Rows:
		r.errorf(data.pointer, codeTooLong, "has %d rows; at most %d are allowed", len(data.items), b.limits.Rows)
	default:
		rows = len(data.items)
		for _, row := range data.items {
			g.Records = append(g.Records, b.row(r, row))
		}
	}
	return g, rows
}

func (b bodies) metrics(r *reader, list *value, threshold *float64, slug string) []run.Metric {
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
	out := make([]run.Metric, 0, len(list.items))
	for _, item := range list.items {
		m, own, ownSlug := b.metric(r, item)
		m.Threshold = judge.DefaultThreshold
		if t := firstOf(own, threshold); t != nil {
			m.Threshold = *t
		}
		m.Model = or(ownSlug, slug)
		out = append(out, m)
	}
	number(out)
	return out
}

func firstOf(values ...*float64) *float64 {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}
