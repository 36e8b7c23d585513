package api

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"bailiff/cmd/internal/tenant"
	"bailiff/guard"
	"bailiff/judge"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// validateAnswer is the whole path of a definition, without a score.
type validateAnswer struct {
	Valid       bool             `json:"valid"`
	Explanation string           `json:"explanation"`
	Rejection   *guard.Rejection `json:"rejection"`
	Error       *guard.Fault     `json:"error"`
	Guard       guardObject      `json:"guard"`
	Steps       []string         `json:"steps"`
	AllSteps    AllSteps         `json:"all_steps"`
	StepsSource *string          `json:"steps_source"`
	Suggestions []string         `json:"suggestions"`
	Signature   *string          `json:"signature"`
	Cached      bool             `json:"cached"`
	Stages      []Stage          `json:"stages"`
	Usage       Usage            `json:"usage"`
	Estimate    recordEstimate   `json:"estimate"`
	Revision    string           `json:"policy_revision"`
}

type guardObject struct {
	Decision string        `json:"decision"`
	Safety   *safetyObject `json:"safety"`
}

// recordEstimate is what scoring one record would take, its own text apart.
type recordEstimate struct {
	CostPerRecord *string `json:"cost_per_record"`
	ModelCalls    int     `json:"model_calls"`
	InputTokens   int     `json:"input_tokens"`
	OutputTokens  int     `json:"output_tokens"`
}

// validateRubric works a definition as a run would, and scores nothing.
func (a *API) validateRubric(c *call) error {
	n, r, err := c.document()
	if err != nil {
		return err
	}
	b := &bodyReader{reader: r, limits: a.cfg.Limits}
	o := b.object(n, "")
	d := definitionRequest{text: b.definition(o, "eval_definition", optional), steps: b.steps(o, "evaluation_steps"), fields: b.fields(o, "evaluation_fields")}
	d.model = b.modelSlug(o, a.defaults(c).model)
	_, _ = o.flag("safety_check", optional) // always made: scanning and validating take the same bodies
	if o != nil && !o.has("eval_definition") && !o.has("evaluation_steps") {
		b.fault("/eval_definition", "missing", "eval_definition is missing")
	}
	o.done()
	if err := b.err(); err != nil {
		return err
	}
	if err := a.checkModels(c, append(b.models, modelUse{slug: d.model})); err != nil {
		return err
	}
	res, usage, err := a.decide(c, d)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, a.validated(c, d, res, usage))
}

// decide works a definition and records what was decided.
func (a *API) decide(c *call, d definitionRequest) (rubric.Resolution, model.Usage, error) {
	res, usage, err := a.resolve(c, d)
	if err != nil {
		return res, usage, err
	}
	return res, usage, a.recordDefinition(c, d, res.Stages, res.Rejection, res.Fault, res.Verdict.Report, usage)
}

// resolve works a definition.
func (a *API) resolve(c *call, d definitionRequest) (rubric.Resolution, model.Usage, error) {
	req, err := a.judgeRequest(c, d)
	if err != nil {
		return rubric.Resolution{}, model.Usage{}, err
	}
	req.Timeout = a.cfg.BlockingTimeout
	res, usage := a.cfg.Judge.Resolve(c.Request.Context(), req)
	return res, usage, nil
}

// candidateData is the tenant's policy data for a text that is to be registered
// or only tried: that it is not registered yet says nothing against it.
func (a *API) candidateData(c *call) map[string]any {
	return tenant.PolicyFacts(c.caller.Tenant.Settings.PolicyData, true)
}

func (a *API) judgeRequest(c *call, d definitionRequest) (judge.Request, error) {
	m, err := a.cfg.Models.Open(d.model, c.caller.Tenant.Name)
	if err != nil {
		return judge.Request{}, err
	}
	return judge.Request{
		Tenant: c.tenantID(), TenantData: a.candidateData(c), Policy: a.cfg.Guard.Active(),
		Metric: judge.GEval, Args: judge.Args{Definition: d.text, Steps: d.steps, Fields: d.fields}, Model: m,
	}, nil
}

func (a *API) validated(c *call, d definitionRequest, res rubric.Resolution, usage model.Usage) validateAnswer {
	rub := res.Rubric
	v := validateAnswer{
		Valid: rub.OK(), Explanation: explain(res), Rejection: res.Rejection, Error: res.Fault,
		Guard: guardOf(res.Verdict),
		Steps: orEmpty(rub.Steps()), AllSteps: AllSteps{Extracted: newExtracted(rub.Extracted()), Generated: orEmpty(rub.Generated())}, StepsSource: text(string(rub.Source())), Suggestions: suggestionTexts(rub.Suggestions()),
		Signature: text(res.Signature), Cached: res.Cached, Stages: newStages(res.Stages), Usage: NewUsage(usage), Revision: a.cfg.Guard.Active().Revision(),
	}
	if rub.OK() {
		v.Estimate = a.perRecord(c, d)
	}
	return v
}

func guardOf(v guard.Verdict) guardObject {
	g := guardObject{Decision: string(v.Report.Decision)}
	if n := len(v.Safety); n > 0 {
		last := v.Safety[n-1]
		g.Safety = &safetyObject{Verdict: last.Verdict, Categories: last.Categories, Rationale: last.Rationale}
	}
	return g
}

func explain(res rubric.Resolution) string {
	switch {
	case res.Rejection != nil:
		return res.Rejection.Message
	case res.Fault != nil:
		return res.Fault.Message
	}
	return fmt.Sprintf("The definition can be judged by %d steps.", len(res.Rubric.Steps()))
}

// perRecord estimates the scoring of one short record.
func (a *API) perRecord(c *call, d definitionRequest) recordEstimate {
	req, err := a.judgeRequest(c, d)
	if err != nil {
		return recordEstimate{}
	}
	req.Record = judge.Record{Input: "-", Output: "-", Prompt: "-", GoldenAnswer: "-", Context: []string{"-"}}
	var s judge.Estimator
	s.Add(c.Request.Context(), req)
	u := NewUsage(s.Sum().By["score"])
	return recordEstimate{CostPerRecord: u.Cost, ModelCalls: u.ModelCalls, InputTokens: u.InputTokens, OutputTokens: u.OutputTokens}
}

// stepsMetric is one metric of a batch.
type stepsMetric struct {
	name  string
	items []string
	definitionRequest
}

// resolveSteps resolves the steps of a batch of metrics in the form of
// nexa-gauge. A metric with neither criteria nor steps is left out.
func (a *API) resolveSteps(c *call) error {
	n, r, err := c.document()
	if err != nil {
		return err
	}
	b := &bodyReader{reader: r, limits: a.cfg.Limits}
	metrics, err := b.readStepsBatch(n, a.defaults(c).model)
	if err != nil {
		return err
	}
	answer := ResolvedSteps{Steps: []ResolvedMetric{}}
	var sum model.Usage
	for _, m := range metrics {
		res, usage, err := a.decide(c, m.definitionRequest)
		if err != nil {
			return err
		}
		sum = sum.Add(usage)
		answer.Steps = append(answer.Steps, NewResolvedMetric(m.name, m.name, m.items, res))
	}
	numberKeys(answer.Steps)
	answer.Cost = NewStepsCost(sum)
	return c.json(http.StatusOK, answer)
}

func (b *bodyReader) readStepsBatch(n node, slug string) ([]stepsMetric, error) {
	o := b.object(n, "")
	items, ok := o.list("metrics", required, b.limits.Metrics)
	if ok && len(items) == 0 {
		b.fault("/metrics", "empty", "metrics is empty: there is nothing to resolve")
	}
	var metrics []stepsMetric
	for i, v := range items {
		m := b.readStepsMetric(v, item("/metrics", i))
		m.model = slug
		if m.text != "" || len(m.steps) > 0 {
			metrics = append(metrics, m)
		}
	}
	o.done()
	return metrics, b.err()
}

func (b *bodyReader) readStepsMetric(n node, pointer string) stepsMetric {
	o := b.object(n, pointer)
	var m stepsMetric
	m.name, _ = o.text("name", required, maxName)
	m.items, m.fields = b.itemFields(o)
	m.text, _ = o.text("criteria", nullable, b.limits.Definition)
	if judge.Blank(m.text) {
		m.text = "" // as if it were not there: nexa-gauge leaves such a metric out
	}
	if v, ok := o.take("evaluation_steps", nullable); ok && (v.kind != '[' || len(v.items) > 0) {
		m.steps = b.steps(o, "evaluation_steps")
	}
	o.done()
	return m
}

// itemFields reads the fields by nexa-gauge's names or ours.
func (b *bodyReader) itemFields(o *object) ([]string, []rubric.Field) {
	items, ok := o.texts("item_fields", required, 20, maxName)
	if ok && len(items) == 0 {
		b.fault(o.at("item_fields"), "empty", "item_fields is empty: name at least one")
	}
	var fields []rubric.Field
	for i, s := range items {
		f := nexaField(s)
		if !slices.Contains(rubric.Fields(), f) {
			b.fault(item(o.at("item_fields"), i), "unknown_field", "there is no field of this name; there are question, generation, reference, context, and %s", fieldNames())
			continue
		}
		if !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	return items, fields
}

func nexaField(name string) rubric.Field {
	switch name {
	case "question":
		return rubric.Input
	case "generation":
		return rubric.Output
	case "reference":
		return rubric.GoldenAnswer
	}
	return rubric.Field(name)
}

// numberKeys tells apart metrics that share a name.
func numberKeys(list []ResolvedMetric) {
	count, seen := map[string]int{}, map[string]int{}
	for _, r := range list {
		count[r.Name]++
	}
	for i := range list {
		if name := list[i].Name; count[name] > 1 {
			seen[name]++
			list[i].Key = name + "#" + strconv.Itoa(seen[name])
		}
	}
}
