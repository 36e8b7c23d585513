package main

import (
	"cmp"
	"math"
	"slices"

	"bailiff/judge"
	"bailiff/judge/model"
)

// totals sums up a run as it goes. Its size does not grow with the records.
type totals struct {
	Cases    int             `json:"cases"`
	Summary  counts          `json:"summary"`
	Metrics  []*metricTotals `json:"metrics"`
	Result   *float64        `json:"result"` // mean over the scored, null when none was
	Usage    usageTotals     `json:"usage"`
	Reasons  map[string]int  `json:"reasons"` // code -> how many were not scored for it
	Offline  bool            `json:"offline"`
	Policy   string          `json:"policy_revision"`
	byKey    map[string]*metricTotals
	lastCase int
	usage    model.Usage
}

// counts are the numbers of the contract's summary.
type counts struct {
	Total    int `json:"n_total"`
	Scored   int `json:"n_scored"`
	Rejected int `json:"n_rejected"`
	Skipped  int `json:"n_skipped"`
	Errors   int `json:"n_error"`
	Passed   int `json:"n_passed"`
	Failed   int `json:"n_failed"`
}

type metricTotals struct {
	Key       string   `json:"key"`
	Summary   counts   `json:"summary"`
	Mean      *float64 `json:"mean"`
	Histogram [10]int  `json:"histogram"` // scores 0–9, 10–19, … 90–100
	sum       float64
}

type usageTotals struct {
	ModelCalls   int     `json:"model_calls"`
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
	Cost         *string `json:"cost"` // US dollars, null when a price is unknown
	CostKnown    string  `json:"cost_known"`
}

func newTotals(policy string, offline bool) *totals {
	return &totals{byKey: map[string]*metricTotals{}, Reasons: map[string]int{}, Policy: policy, Offline: offline, lastCase: -1}
}

func (t *totals) add(j job) {
	if j.index != t.lastCase {
		t.lastCase = j.index
		t.Cases++
	}
	m := t.byKey[j.key]
	if m == nil {
		m = &metricTotals{Key: j.key}
		t.byKey[j.key] = m
		t.Metrics = append(t.Metrics, m)
	}
	t.Summary.add(j.done)
	m.Summary.add(j.done)
	if s := j.done.Score; s != nil {
		m.sum += *s
		m.Histogram[min(9, int(*s/10))]++
	}
	if code := notScored(j.done); code != "" {
		t.Reasons[code]++
	}
	t.usage = t.usage.Add(j.done.Usage)
}

// finish computes the means.
func (t *totals) finish() {
	sum := 0.0
	for _, m := range t.Metrics {
		m.Mean = mean(m.sum, m.Summary.Scored)
		sum += m.sum
	}
	slices.SortStableFunc(t.Metrics, func(a, b *metricTotals) int { return cmp.Compare(a.Key, b.Key) })
	t.Result = mean(sum, t.Summary.Scored)
	t.Usage = newUsageTotals(t.usage)
}

func newUsageTotals(u model.Usage) usageTotals {
	t := usageTotals{ModelCalls: u.Calls, InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CostKnown: u.Cost.Known()}
	if u.Cost.Complete() {
		known := u.Cost.Known()
		t.Cost = &known
	}
	return t
}

func mean(sum float64, n int) *float64 {
	if n == 0 {
		return nil
	}
	m := math.Round(100*sum/float64(n)) / 100
	return &m
}

func (c *counts) add(o judge.Outcome) {
	c.Total++
	switch o.Status {
	case judge.Scored:
		c.Scored++
	case judge.Rejected:
		c.Rejected++
	case judge.Skipped:
		c.Skipped++
	default:
		c.Errors++
	}
	if o.Passed != nil && *o.Passed {
		c.Passed++
	} else if o.Passed != nil {
		c.Failed++
	}
}

// notScored is the code of what kept a record from being scored, "" when it
// was.
func notScored(o judge.Outcome) string {
	switch {
	case o.Rejection != nil:
		return o.Rejection.Code
	case o.Fault != nil:
		return o.Fault.Code
	case o.Skip != nil:
		return o.Skip.Code
	}
	return ""
}
