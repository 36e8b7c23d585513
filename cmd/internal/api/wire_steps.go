package api

import (
	"bailiff/guard"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// ResolvedSteps answers POST /v1/rubrics/steps and bailiff run geval_steps.
type ResolvedSteps struct {
	Steps []ResolvedMetric `json:"resolved_steps"`
	Cost  StepsCost        `json:"cost"`
}

// Failed counts the metrics that ended in an error.
func (r ResolvedSteps) Failed() int {
	n := 0
	for _, m := range r.Steps {
		if m.Error != nil {
			n++
		}
	}
	return n
}

// ResolvedMetric is one metric with its steps.
type ResolvedMetric struct {
	Key         string           `json:"key"`
	Name        string           `json:"name"`
	ItemFields  []string         `json:"item_fields"`
	Steps       []ResolvedStep   `json:"evaluation_steps"`
	Source      *string          `json:"steps_source"` // provided | extracted | generated | cache_used
	Signature   *string          `json:"signature"`    // null for provided steps
	Rejection   *guard.Rejection `json:"rejection,omitzero"`
	Error       *guard.Fault     `json:"error,omitzero"`
	Explanation string           `json:"explanation,omitzero"`
}

// ResolvedStep is one step.
type ResolvedStep struct {
	ID         string   `json:"id"` // first 16 hex digits of the SHA-256 of the text
	Text       string   `json:"text"`
	Tokens     int      `json:"tokens"`
	Confidence *float64 `json:"confidence"` // 0..1, null when unknown
	Cached     bool     `json:"cached"`
}

// StepsCost is what resolving took. Cost is in US dollars, null when a price
// is unknown.
type StepsCost struct {
	Cost         *float64 `json:"cost"`
	InputTokens  int      `json:"input_tokens"`
	OutputTokens int      `json:"output_tokens"`
}

// NewStepsCost is a usage as nexa-gauge shows it.
func NewStepsCost(u model.Usage) StepsCost {
	c := StepsCost{InputTokens: u.InputTokens, OutputTokens: u.OutputTokens}
	if u.Cost.Complete() {
		c.Cost = ref(float64(u.Cost.Pico()) / 1e12)
	}
	return c
}

// NewResolvedMetric is a resolution under a metric's names.
func NewResolvedMetric(key, name string, itemFields []string, res rubric.Resolution) ResolvedMetric {
	m := ResolvedMetric{Key: key, Name: name, ItemFields: orEmpty(itemFields), Steps: []ResolvedStep{}, Rejection: res.Rejection, Error: res.Fault}
	if r := res.Rejection; r != nil {
		m.Explanation = r.Message
	}
	if f := res.Fault; f != nil {
		m.Explanation = f.Message
	}
	if !res.Rubric.OK() {
		return m
	}
	provided := res.Rubric.Source() == rubric.Provided
	source := string(res.Rubric.Source())
	if !provided {
		m.Signature = ref(res.Signature)
		if res.Cached {
			source = "cache_used"
		}
	}
	m.Source = &source
	confidence := res.Rubric.Confidence()
	for i, s := range res.Rubric.Steps() {
		step := ResolvedStep{ID: rubric.StepID(s), Text: s, Tokens: model.CountTokens(s), Cached: res.Cached && !provided}
		if i < len(confidence) {
			step.Confidence = confidence[i]
		}
		m.Steps = append(m.Steps, step)
	}
	return m
}
