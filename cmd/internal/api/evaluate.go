package api

import (
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/run"
	"bailiff/guard"
	"bailiff/judge"
	"bailiff/rubric"
)

// evaluate judges one record by one metric while the caller waits.
func (a *API) evaluate(c *call) error {
	n, r, err := c.document()
	if err != nil {
		return err
	}
	b := &bodyReader{reader: r, limits: a.cfg.Limits}
	t, err := b.readEvaluate(n, a.defaults(c))
	if err != nil {
		return err
	}
	if err := a.checkModels(c, append(b.models, modelUse{slug: t.Metric.Model})); err != nil {
		return err
	}
	if err := a.findRubrics(c, b.rubrics, []*run.Metric{&t.Metric}); err != nil {
		return err
	}
	return a.once(c, "evaluate", func() (run.Reply, error) {
		d, err := a.one(c, t)
		if err != nil {
			return run.Reply{}, err
		}
		o, err := evaluationOf(d)
		if err != nil {
			return run.Reply{}, err
		}
		body, err := json.Marshal(o, json.Deterministic(true))
		return run.Reply{Status: http.StatusCreated, Body: body}, err
	})
}

// one works a task while the caller waits, never longer than a blocking call.
func (a *API) one(c *call, t run.Task) (run.Done, error) {
	return a.cfg.Runs.One(c.Request.Context(), c.origin(), c.caller.Tenant.Settings.PolicyData, t, a.cfg.BlockingTimeout)
}

func (b *bodyReader) readEvaluate(n node, defaults scope) (run.Task, error) {
	o := b.object(n, "")
	name, ok := o.text("metric_shortname", required, maxName)
	in := b.scope(o, defaults)
	args, given := o.take("metric_args", optional)
	if !given {
		args = node{kind: '{'}
	}
	m := run.Metric{Metric: name, Model: in.model, Threshold: in.threshold}
	if ok && b.known(name, "/metric_shortname") {
		b.readArgs(args, "/metric_args", &m)
	}
	m.Key = m.Args.Name
	if m.Key == "" {
		m.Key = name
	}
	t := run.Task{Metric: m, Record: run.Record{Judged: b.record(o), Shown: shownRecord(n)}}
	o.done()
	return t, b.err()
}

// shownRecord is the record among the members of a body.
func shownRecord(n node) jsontext.Value {
	names := []string{"prompt", "input", "context", "output", "golden_answer", "trace"}
	record := map[string]jsontext.Value{}
	for _, m := range n.members {
		if slices.Contains(names, m.name) {
			record[m.name] = m.value.encode()
		}
	}
	body, err := json.Marshal(record, json.Deterministic(true))
	if err != nil { // it was read before
		return jsontext.Value("{}")
	}
	return body
}

// encode writes a value again.
func (n node) encode() jsontext.Value {
	switch n.kind {
	case '{', '[':
		v := n.raw.Clone()
		_ = v.Compact() // it was read before
		return v
	case '"':
		text, err := json.Marshal(n.text)
		if err != nil { // it was read as valid UTF-8
			return jsontext.Value("null")
		}
		return text
	case '0':
		return jsontext.Value(n.text)
	case 't':
		return jsontext.Value("true")
	case 'f':
		return jsontext.Value("false")
	}
	return jsontext.Value("null")
}

// gevalAnswer is the answer of /api/geval.
type gevalAnswer struct {
	Score      *float64         `json:"score"` // 0..1
	Reason     string           `json:"reason"`
	Status     string           `json:"status"`
	Rejection  *guard.Rejection `json:"rejection"`
	Error      *guard.Fault     `json:"error"`
	Evaluation Evaluation       `json:"evaluation"`
}

// geval judges one record in the form of Pype's clients.
func (a *API) geval(c *call) error {
	n, r, err := c.document()
	if err != nil {
		return err
	}
	b := &bodyReader{reader: r, limits: a.cfg.Limits}
	t, err := b.readGEval(n, a.defaults(c))
	if err != nil {
		return err
	}
	if err := a.checkModels(c, []modelUse{{slug: t.Metric.Model}}); err != nil {
		return err
	}
	d, err := a.one(c, t)
	if err != nil {
		return err
	}
	o, err := evaluationOf(d)
	if err != nil {
		return err
	}
	answer := gevalAnswer{Status: o.Status, Reason: textOf(o.Explanation), Rejection: o.Rejection, Error: o.Error, Evaluation: o}
	if o.Result != nil {
		score := *o.Result / 100
		answer.Score = &score
	}
	return c.json(http.StatusOK, answer)
}

// readGEval reads a body of Pype's. What is given is judged; a context of its
// own for retrieval is a second one.
func (b *bodyReader) readGEval(n node, defaults scope) (run.Task, error) {
	o := b.object(n, "")
	args := judge.Args{IncludeReason: true, Fields: []rubric.Field{rubric.Output, rubric.Input}}
	var rec judge.Record
	args.Name, _ = o.text("name", required, maxName)
	rec.Input, _ = o.text("input", required, b.limits.Field)
	rec.Output, _ = o.text("actualOutput", required, b.limits.Field)
	args.Definition = b.definition(o, "criteria", optional)
	args.Steps = b.steps(o, "evaluationSteps")
	if golden, ok := o.text("expectedOutput", nullable, b.limits.Field); ok {
		rec.GoldenAnswer = golden
		args.Fields = append(args.Fields, rubric.GoldenAnswer)
	}
	own, hasOwn := o.textOrTexts("context", nullable, maxContexts, b.limits.Field)
	retrieved, hasRetrieved := o.textOrTexts("retrievalContext", nullable, maxContexts, b.limits.Field)
	if hasOwn || hasRetrieved {
		rec.Context, rec.RetrievalContext = own, retrieved
		args.Fields = append(args.Fields, rubric.Context)
	}
	if o != nil && !o.has("criteria") && !o.has("evaluationSteps") {
		b.fault("/criteria", "missing", "criteria is missing: give criteria or evaluationSteps")
	}
	o.done()
	if slices.ContainsFunc(b.problems, func(p Problem) bool { return p.Code == "missing" }) {
		b.status = http.StatusBadRequest // as this address has always answered
	}
	m := run.Metric{Metric: judge.GEval, Key: args.Name, Model: defaults.model, Threshold: defaults.threshold, Args: args}
	return run.Task{Metric: m, Record: run.Record{Judged: rec, Shown: shownGEval(rec, args.Fields)}}, b.err()
}

// shownGEval is the record under our names.
func shownGEval(r judge.Record, fields []rubric.Field) jsontext.Value {
	record := map[string]any{"input": r.Input, "output": r.Output}
	if slices.Contains(fields, rubric.GoldenAnswer) {
		record["golden_answer"] = r.GoldenAnswer
	}
	if r.Context != nil {
		record["context"] = r.Context
	}
	if r.RetrievalContext != nil {
		record["retrieval_context"] = r.RetrievalContext
	}
	body, err := json.Marshal(record, json.Deterministic(true))
	if err != nil { // texts read as valid UTF-8 always encode
		return jsontext.Value("{}")
	}
	return body
}
