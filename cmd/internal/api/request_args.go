package api

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/registry"
	"bailiff/cmd/internal/run"
	"bailiff/judge"
	"bailiff/rubric"
)

// readArgs reads metric_args into a metric. What one takes stands in
// judge.Metrics; that a registered rubric may stand for the text is known here
// alone.
func (b *bodyReader) readArgs(n node, pointer string, m *run.Metric) {
	o := b.object(n, pointer)
	a := judge.Args{IncludeReason: true}
	for _, arg := range argsOf(m.Metric) {
		b.readArg(o, arg, &a)
	}
	if m.Metric == judge.GEval {
		m.Rubric = b.namedRubric(o)
		if o != nil && !o.has("eval_definition") && !o.has("evaluation_steps") && !o.has("rubric") {
			b.fault(o.at("eval_definition"), "missing", "eval_definition is missing: say what a good output is, or give evaluation_steps")
		}
	}
	o.done()
	m.Args = a
}

func argsOf(metric string) []string {
	for _, m := range judge.Metrics() {
		if m.Name == metric {
			names := make([]string, len(m.Args))
			for i, arg := range m.Args {
				names[i] = arg.Name
			}
			return names
		}
	}
	return nil
}

// readArg reads one argument into its place.
func (b *bodyReader) readArg(o *object, name string, a *judge.Args) {
	switch name {
	case "eval_definition":
		a.Definition = b.definition(o, name, optional)
	case "evaluation_fields":
		a.Fields = b.fields(o, name)
	case "evaluation_steps":
		a.Steps = b.steps(o, name)
	case "task":
		a.Task, _ = o.text(name, optional, b.limits.Definition)
	case "name":
		a.Name = b.metricName(o)
	case "strict_mode":
		a.Strict, _ = o.flag(name, optional)
	case "include_reason":
		if yes, ok := o.flag(name, optional); ok {
			a.IncludeReason = yes
		}
	case "samples":
		a.Samples, _ = o.whole(name, optional, 1, judge.MaxSamples)
	}
}

// definition reads a definition: text that says something.
func (b *bodyReader) definition(o *object, name string, n need) string {
	text, ok := o.text(name, n, b.limits.Definition)
	if ok && judge.Blank(text) {
		b.fault(o.at(name), "empty", "%s is empty: say what a good output is", name)
	}
	return text
}

func (b *bodyReader) metricName(o *object) string {
	name, ok := o.text("name", optional, maxName)
	if ok && judge.Blank(name) {
		b.fault(o.at("name"), "empty", "name is empty; leave it out for the metric's own name")
	}
	return name
}

// steps reads steps of the caller's: at least one, none empty, together no
// longer than a definition.
func (b *bodyReader) steps(o *object, name string) []string {
	steps, ok := o.texts(name, optional, maxSteps, b.limits.Definition)
	if !ok {
		return nil
	}
	if len(steps) == 0 {
		b.fault(o.at(name), "empty", "%s is empty: leave it out, or give at least one step", name)
	}
	size := 0
	for i, s := range steps {
		size += len(s)
		if judge.Blank(s) {
			b.fault(item(o.at(name), i), "empty", "a step is empty")
		}
	}
	if size > b.limits.Definition {
		b.fault(o.at(name), "too_long", "%s has %d bytes in all; at most %d are taken", name, size, b.limits.Definition)
	}
	return steps
}

// fields reads which fields of a record are judged.
func (b *bodyReader) fields(o *object, name string) []rubric.Field {
	items, ok := o.texts(name, optional, len(rubric.Fields())*4, maxName)
	if !ok {
		return nil
	}
	if len(items) == 0 {
		b.fault(o.at(name), "empty", "%s is empty: leave it out for all fields, or name at least one", name)
	}
	var fields []rubric.Field
	for i, s := range items {
		f := rubric.Field(s)
		if !slices.Contains(rubric.Fields(), f) {
			b.fault(item(o.at(name), i), "unknown_field", "there is no field of this name; there are %s", fieldNames())
			continue
		}
		if !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	return fields
}

func fieldNames() string {
	names := make([]string, 0, len(rubric.Fields()))
	for _, f := range rubric.Fields() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// namedRubric reads a registered rubric that stands in place of a text.
func (b *bodyReader) namedRubric(o *object) string {
	name, ok := o.text("rubric", optional, maxName)
	if !ok {
		return ""
	}
	pointer := o.at("rubric")
	if _, _, ok := registry.ParseRef(name); !ok {
		b.fault(pointer, "out_of_range", "rubric must be a registered rubric's name and version, such as tone@3")
		return ""
	}
	if o.has("eval_definition") || o.has("evaluation_steps") {
		b.fault(pointer, "ambiguous", "rubric stands in place of eval_definition and evaluation_steps; give one or the other")
		return ""
	}
	b.rubrics = append(b.rubrics, rubricUse{name, pointer})
	return name
}

// readRow reads one record.
func (b *bodyReader) readRow(n node, pointer string) run.Record {
	o := b.object(n, pointer)
	r := run.Record{Judged: b.record(o)}
	r.Judged.ID, _ = o.text("id", nullable, maxName)
	_, _ = o.structure("metadata", nullable, maxMetadata, "{")
	o.done()
	r.Shown = shown(n)
	return r
}

// record reads the judged fields, which /v1/evaluate has beside others.
func (b *bodyReader) record(o *object) judge.Record {
	var r judge.Record
	r.Prompt, _ = o.text("prompt", nullable, b.limits.Field)
	r.Input, _ = o.text("input", nullable, b.limits.Field)
	r.Output, _ = o.text("output", nullable, b.limits.Field)
	r.GoldenAnswer, _ = o.text("golden_answer", nullable, b.limits.Field)
	r.Context, _ = o.textOrTexts("context", nullable, maxContexts, b.limits.Field)
	if trace, ok := o.structure("trace", nullable, tracePerField*b.limits.Field, "{["); ok {
		r.Trace = trace.Clone()
	}
	return r
}

// shown is what was sent, without its white space.
func shown(n node) jsontext.Value {
	if n.kind != '{' {
		return jsontext.Value("{}")
	}
	v := n.raw.Clone()
	if err := v.Compact(); err != nil { // it was read before
		return jsontext.Value("{}")
	}
	return v
}
