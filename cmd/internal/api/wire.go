package api

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/run"
)

// evaluationOf is a worked task as callers see it.
func evaluationOf(d run.Done) (Evaluation, error) {
	e := NewEvaluation(d.Outcome)
	e.ID, e.RunID, e.RecordIndex, e.RecordID, e.Key = d.ID, text(d.RunID), d.Index, text(d.Record.Judged.ID), d.Metric.Key
	e.ModelSlug = or(e.ModelSlug, d.Metric.Model)
	e.EvalMetadata.Rubric = text(d.Metric.Rubric)
	*e.StartedAt, *e.FinishedAt = e.StartedAt.UTC(), e.FinishedAt.UTC()
	if err := json.Unmarshal(d.Record.Shown, &e.Record); err != nil {
		return e, fmt.Errorf("show a record: %w", err)
	}
	return e, nil
}

// Render is a worked task of a run as callers see it.
func Render(d run.Done) (jsontext.Value, error) {
	e, err := evaluationOf(d)
	if err != nil {
		return nil, err
	}
	return json.Marshal(e, json.Deterministic(true))
}

// usageOf is what a run took.
func usageOf(u run.Usage) Usage {
	known := dollars(u.CostPico)
	out := Usage{
		InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CachedTokens: u.CachedTokens, ReasoningTokens: u.ReasoningTokens,
		ModelCalls: u.Calls, CostKnown: known, CostComplete: u.Unpriced == 0,
	}
	if out.CostComplete { // an unknown price is never nothing
		out.Cost = &known
	}
	return out
}

// dollars is an amount in 1e-12 US dollars as a decimal in US dollars.
func dollars(pico int64) string {
	s := new(big.Rat).SetFrac64(pico, 1_000_000_000_000).FloatString(12)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}
