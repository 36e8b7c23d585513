package api

import (
	"math"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/run"
)

// runObject is a run as callers see it. Every member is always there, but for
// evaluations in lists.
type runObject struct {
	ID               string              `json:"id"`
	Status           run.Status          `json:"status"`
	User             string              `json:"user"`
	OrgID            string              `json:"org_id"`
	RunType          string              `json:"run_type"`
	RunSource        string              `json:"run_source"`
	Dataset          *string             `json:"dataset"`
	DataCollection   *string             `json:"data_collection"`
	Alias            *string             `json:"alias"`
	NumberOfMetrics  int                 `json:"number_of_metrics"`
	Threshold        float64             `json:"threshold"`
	ModelSlug        string              `json:"model_slug"`
	CreatedAt        time.Time           `json:"created_at"`
	StartedAt        *time.Time          `json:"started_at"`
	FinishedAt       *time.Time          `json:"finished_at"`
	Result           *float64            `json:"result"`
	IsGTEThreshold   *bool               `json:"is_gte_threshold"`
	AggregateResults map[string]*float64 `json:"aggregate_results"`
	Summary          summaryObject       `json:"summary"`
	Usage            Usage               `json:"usage"`
	PolicyRevision   string              `json:"policy_revision"`
	Evaluations      []jsontext.Value    `json:"evaluations,omitzero"`
}

type summaryObject struct {
	Total    int `json:"n_total"`
	Scored   int `json:"n_scored"`
	Rejected int `json:"n_rejected"`
	Skipped  int `json:"n_skipped"`
	Errors   int `json:"n_error"`
	Passed   int `json:"n_passed"`
	Failed   int `json:"n_failed"`
}

// runOf converts a run with what it has so far. Means are of scored results
// alone, and there is no verdict on a run of which anything was not scored.
func runOf(r run.Run, t run.Totals) runObject {
	sum := t.All()
	o := runObject{
		ID: r.ID, Status: r.Status, User: r.KeyID, OrgID: r.TenantID, RunType: "Custom", RunSource: "API", Alias: text(r.Alias),
		NumberOfMetrics: r.Metrics, Threshold: r.Threshold, ModelSlug: r.Model, CreatedAt: r.CreatedAt, StartedAt: r.StartedAt, FinishedAt: r.FinishedAt,
		AggregateResults: map[string]*float64{}, Usage: usageOf(t.Usage), PolicyRevision: r.Revision,
		Summary: summaryObject{Total: r.Total, Scored: sum.Scored, Rejected: sum.Rejected, Skipped: sum.Skipped, Errors: sum.Errors, Passed: sum.Passed, Failed: sum.Failed},
	}
	for key, k := range t.Keys {
		o.AggregateResults[key] = mean(k.Sum, k.Scored)
	}
	if !r.Status.Done() {
		return o
	}
	o.Result = mean(sum.Sum, sum.Scored)
	if sum.Scored > 0 && sum.Scored == r.Total {
		passed := *o.Result >= r.Threshold
		o.IsGTEThreshold = &passed
	}
	return o
}

// mean is rounded to the 2 decimals that are published.
func mean(sum float64, n int) *float64 {
	if n == 0 {
		return nil
	}
	m := math.Round(100*sum/float64(n)) / 100
	return &m
}
