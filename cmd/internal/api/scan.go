package api

import (
	"context"
	"net/http"

	"bailiff/guard"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// scanAnswer is what the guard makes of a definition.
type scanAnswer struct {
	Decision guard.Decision  `json:"decision"`
	Cleared  bool            `json:"cleared"` // the policy allows it and a safety check found it safe
	Reasons  []guard.Reason  `json:"reasons"`
	Findings []guard.Finding `json:"findings"`
	Features map[string]any  `json:"features"`
	Revision string          `json:"policy_revision"`
	Safety   *safetyObject   `json:"safety"`
	Error    *guard.Fault    `json:"error"` // why the safety check gave no answer
	TookUS   int64           `json:"took_us"`
}

type safetyObject struct {
	Verdict    string   `json:"verdict"`
	Categories []string `json:"categories"`
	Rationale  string   `json:"rationale"`
}

// definitionRequest is a definition without a record.
type definitionRequest struct {
	text   string
	steps  []string
	fields []rubric.Field
	safety bool
	model  string

	rubric  string // its registered name, "" when it has none
	version int
}

// scan decides about a definition. Without safety_check no model is asked.
func (a *API) scan(c *call) error {
	n, r, err := c.document()
	if err != nil {
		return err
	}
	b := &bodyReader{reader: r, limits: a.cfg.Limits}
	o := b.object(n, "")
	d := definitionRequest{text: b.definition(o, "eval_definition", required), fields: b.fields(o, "evaluation_fields"), model: a.defaults(c).model}
	d.safety, _ = o.flag("safety_check", optional)
	o.done()
	if err := b.err(); err != nil {
		return err
	}
	answer, err := a.check(c, d)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, answer)
}

// check scans and, when asked for, has a model check too.
func (a *API) check(c *call, d definitionRequest) (scanAnswer, error) {
	ctx, started := c.Request.Context(), a.cfg.Now()
	subject := guard.Subject{Definition: d.text, Fields: texts(selected(d.fields)), Tenant: a.candidateData(c)}
	policy := a.cfg.Guard.Active()
	var v guard.Verdict
	var usage model.Usage
	if d.safety {
		m, err := a.cfg.Models.Open(d.model, c.caller.Tenant.Name)
		if err != nil {
			return scanAnswer{}, err
		}
		timed, cancel := context.WithTimeout(ctx, a.cfg.BlockingTimeout)
		defer cancel()
		meter := model.NewMeter(m, nil)
		v = policy.Check(timed, subject, guard.Reviewers{First: meter})
		usage = meter.Usage()
	} else {
		v.Report, v.Fault = policy.Scan(ctx, subject)
		v.Stages = []guard.Stage{{Name: "policy", Outcome: string(v.Report.Decision), Took: v.Report.Took}}
	}
	if v.Report.Decision == "" {
		return scanAnswer{}, &refusal{status: http.StatusServiceUnavailable, code: "policy_unavailable", title: "The policy could not decide", detail: v.Fault.Message, retryAfter: 1}
	}
	answer := scanAnswer{
		Decision: v.Report.Decision, Cleared: v.Cleared.OK(), Reasons: v.Report.Reasons, Findings: v.Report.Findings, Features: v.Report.Features,
		Revision: v.Report.Revision, Error: v.Fault, TookUS: a.cfg.Now().Sub(started).Microseconds(),
	}
	if n := len(v.Safety); n > 0 {
		last := v.Safety[n-1]
		answer.Safety = &safetyObject{Verdict: last.Verdict, Categories: last.Categories, Rationale: last.Rationale}
	}
	return answer, a.recordDefinition(c, d, v.Stages, v.Rejection, v.Fault, v.Report, usage)
}

// selected is every field where none was named.
func selected(fields []rubric.Field) []rubric.Field {
	if fields == nil {
		return rubric.Fields()
	}
	return fields
}

// recordDefinition writes the one event of a definition that was decided about.
func (a *API) recordDefinition(c *call, d definitionRequest, stages []guard.Stage, rejection *guard.Rejection, fault *guard.Fault, report guard.Report, u model.Usage) error {
	e := a.cfg.Runs.DefinitionEvent(c.origin(), d.text, selected(d.fields), stages, u)
	e.Decision, e.PolicyRevision, e.RuleIDs = string(report.Decision), report.Revision, report.RuleIDs()
	e.Status = "decided"
	e.Definition.Rubric, e.Definition.Version = d.rubric, d.version
	switch {
	case rejection != nil:
		e.Status, e.Stage, e.Code = "rejected", rejection.Stage, rejection.Code
	case fault != nil:
		e.Status, e.Stage, e.Code = "error", fault.Stage, fault.Code
	}
	return c.record(e)
}
