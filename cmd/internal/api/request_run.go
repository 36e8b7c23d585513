package api

import (
	"fmt"
	"strings"
	"unicode"

	"bailiff/cmd/internal/run"
	"bailiff/judge"
)

// Bounds of names and of what is only echoed, in bytes.
const (
	maxName       = 200
	maxMetadata   = 64 << 10
	maxSteps      = 100
	maxContexts   = 1000
	tracePerField = 4 // a trace may be so many times as long as a field
)

// runRequest is a run's body, checked.
type runRequest struct {
	threshold float64
	model     string
	blocking  bool
	alias     string
	spec      run.Spec
	metrics   int
	models    []modelUse
	rubrics   []rubricUse
}

// modelUse is where a slug is named.
type modelUse struct{ slug, pointer string }

// scope is what a group or metric inherits.
type scope struct {
	threshold float64
	model     string
}

// bodyReader reads bodies that hold records and metrics.
type bodyReader struct {
	*reader
	limits  Limits
	models  []modelUse
	rubrics []rubricUse
}

// readRun reads the body of a run.
func (b *bodyReader) readRun(n node, defaults scope) (runRequest, error) {
	o := b.object(n, "")
	in := b.scope(o, defaults)
	req := runRequest{threshold: in.threshold, model: in.model}
	req.blocking, _ = o.flag("is_blocking", optional)
	req.alias = b.alias(o)
	collection := b.collection(o)
	groups, ok := o.list("evaluations", required, 0)
	if ok && len(groups) == 0 {
		b.fault("/evaluations", "empty", "evaluations is empty: there is nothing to judge")
		b.status = 400
	}
	rows := 0
	for i, g := range groups {
		group := b.readGroup(g, item("/evaluations", i), in)
		rows += len(group.Records)
		req.metrics += len(group.Metrics)
		req.spec.Groups = append(req.spec.Groups, group)
	}
	o.done()
	if rows > b.limits.Rows {
		b.fault("/evaluations", "too_many", "there are %d rows; at most %d are taken", rows, b.limits.Rows)
	}
	if n := req.spec.Total(); n > b.limits.Evaluations {
		b.fault("/evaluations", "too_many", "rows times metrics are %d; at most %d are taken", n, b.limits.Evaluations)
	}
	if err := b.err(); err != nil {
		return runRequest{}, err
	}
	req.models, req.rubrics = b.models, b.rubrics
	if collection {
		return runRequest{}, unknownCollection()
	}
	return req, nil
}

func unknownCollection() error {
	return &refusal{
		status: 404, code: "data_collection_unknown", title: "The data collection is not known", detail: "There is no data collection with this id; send the records in evaluations[].data.",
		problems: []Problem{{"/data_collection_id", "unknown", "there is no data collection with this id"}},
	}
}

// scope reads threshold and model_slug, which every level may give.
func (b *bodyReader) scope(o *object, outer scope) scope {
	in := outer
	if t, ok := o.number("threshold", nullable, 0, 100); ok {
		in.threshold = t
	}
	in.model = b.modelSlug(o, outer.model)
	return in
}

// modelSlug reads which model is to be used.
func (b *bodyReader) modelSlug(o *object, inherited string) string {
	slug, ok := o.text("model_slug", nullable, maxName)
	if !ok {
		return inherited
	}
	if slug == "" {
		b.fault(o.at("model_slug"), "empty", "model_slug is empty; leave it out for the default model")
	}
	b.models = append(b.models, modelUse{slug, o.at("model_slug")})
	return slug
}

func (b *bodyReader) alias(o *object) string {
	alias, ok := o.text("alias", nullable, maxName)
	if ok && (strings.TrimSpace(alias) == "" || strings.ContainsFunc(alias, unicode.IsControl)) {
		b.fault("/alias", "out_of_range", "alias must be a name without control characters")
	}
	return alias
}

// collection reports whether a data collection is named. There are none.
func (b *bodyReader) collection(o *object) bool {
	v, ok := o.take("data_collection_id", nullable)
	if ok && v.kind != '"' && v.kind != '0' {
		b.fault("/data_collection_id", "wrong_type", "data_collection_id must be a number or text")
	}
	return ok
}

func (b *bodyReader) readGroup(n node, pointer string, outer scope) run.Group {
	o := b.object(n, pointer)
	in := b.scope(o, outer)
	var g run.Group
	metrics, ok := o.list("metrics", required, b.limits.Metrics)
	if ok && len(metrics) == 0 {
		b.fault(o.at("metrics"), "empty", "metrics is empty: name at least one")
	}
	for i, m := range metrics {
		g.Metrics = append(g.Metrics, b.readMetric(m, item(o.at("metrics"), i), in))
	}
	setKeys(g.Metrics)
	rows, ok := o.list("data", required, b.limits.Rows)
	if ok && len(rows) == 0 {
		b.fault(o.at("data"), "empty", "data is empty: there is nothing to judge")
	}
	for i, r := range rows {
		g.Records = append(g.Records, b.readRow(r, item(o.at("data"), i)))
	}
	o.done()
	return g
}

// setKeys names the results of each metric: its name, numbered where several
// of a group share it.
func setKeys(metrics []run.Metric) {
	count, seen := map[string]int{}, map[string]int{}
	for i := range metrics {
		m := &metrics[i]
		m.Key = m.Args.Name
		if m.Key == "" {
			m.Key = m.Metric
		}
		count[m.Key]++
	}
	for i := range metrics {
		name := metrics[i].Key
		if count[name] > 1 {
			seen[name]++
			metrics[i].Key = fmt.Sprintf("%s#%d", name, seen[name])
		}
	}
}

// readMetric reads a metric's bare name, or the metric with its arguments.
func (b *bodyReader) readMetric(n node, pointer string, outer scope) run.Metric {
	if n.kind == '"' {
		m := run.Metric{Metric: n.text, Model: outer.model, Threshold: outer.threshold}
		if b.known(n.text, pointer) {
			b.readArgs(node{kind: '{'}, child(pointer, "metric_args"), &m)
		}
		return m
	}
	if n.kind != '{' {
		b.fault(pointer, "wrong_type", "a metric must be a name or an object")
		return run.Metric{}
	}
	o := b.object(n, pointer)
	name, ok := o.text("metric", required, maxName)
	in := b.scope(o, outer)
	args, given := o.take("metric_args", optional)
	m := run.Metric{Metric: name, Model: in.model, Threshold: in.threshold}
	if !given {
		args = node{kind: '{'}
	}
	if ok && b.known(name, o.at("metric")) {
		b.readArgs(args, o.at("metric_args"), &m)
	}
	o.done()
	return m
}

// known reports whether there is a metric of this name. That there is none is
// a bad request, not a bad argument.
func (b *bodyReader) known(name, pointer string) bool {
	var names []string
	for _, m := range judge.Metrics() {
		if m.Name == name {
			return true
		}
		names = append(names, m.Name)
	}
	b.fault(pointer, "unknown_metric", "there is no metric of this name; there are %s", strings.Join(names, ", "))
	b.status = 400
	return false
}
