package api

import (
	"net/http"

	"bailiff/cmd/internal/run"
	"bailiff/cmd/internal/tenant"
	"bailiff/judge"
)

// estimateAnswer is what a run would take.
type estimateAnswer struct {
	ModelCalls        int              `json:"model_calls"`
	InputTokens       int              `json:"input_tokens"`
	OutputTokens      int              `json:"output_tokens"`
	Cost              *string          `json:"cost"`
	CostComplete      bool             `json:"cost_complete"`
	ByStage           map[string]Usage `json:"by_stage"`
	Definitions       int              `json:"definitions"`
	CachedDefinitions int              `json:"cached_definitions"`
	DeniedDefinitions int              `json:"denied_definitions"`
	SkippedRecords    int              `json:"skipped_records"`
	ScoredRecords     int              `json:"scored_records"`
}

// estimate says what a run would take. It asks no model.
func (a *API) estimate(c *call) error {
	req, err := a.readRunRequest(c)
	if err != nil {
		return err
	}
	sum := judge.Estimator{Known: a.cfg.Judge.Kept}
	for t := range req.spec.Tasks {
		if err := a.addEstimate(c, &sum, req.spec, t); err != nil {
			return err
		}
	}
	total := sum.Sum()
	u := NewUsage(total.Total)
	answer := estimateAnswer{
		ModelCalls: u.ModelCalls, InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, Cost: u.Cost, CostComplete: u.CostComplete,
		ByStage: map[string]Usage{}, Definitions: total.Definitions, CachedDefinitions: total.CachedDefinitions, DeniedDefinitions: total.DeniedDefinitions,
		SkippedRecords: total.SkippedRecords, ScoredRecords: total.ScoredRecords,
	}
	for stage, used := range total.By {
		answer.ByStage[stage] = NewUsage(used)
	}
	return c.json(http.StatusOK, answer)
}

func (a *API) addEstimate(c *call, sum *judge.Estimator, spec run.Spec, t run.Task) error {
	ctx := c.Request.Context()
	if err := ctx.Err(); err != nil {
		return err
	}
	m, err := a.cfg.Models.Open(t.Metric.Model, c.caller.Tenant.Name)
	if err != nil {
		return err
	}
	sum.Add(ctx, judge.Request{
		Tenant: c.tenantID(), TenantData: tenant.PolicyFacts(spec.TenantData, t.Metric.Rubric != ""), Policy: a.cfg.Guard.Active(), Metric: t.Metric.Metric, Args: t.Metric.Args,
		Record: t.Record.Judged, Threshold: t.Metric.Threshold, Model: m,
	})
	return nil
}
