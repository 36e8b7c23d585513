package judge

import (
	"time"

	"bailiff/guard"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// Status of one evaluation. Only Scored has a number.
type Status string

// The four statuses.
const (
	Scored   Status = "scored"
	Rejected Status = "rejected" // a gate decided against the definition or the record
	Skipped  Status = "skipped"  // nothing to judge
	Errored  Status = "error"    // something failed; trying again may help
)

// Outcome is the answer to one evaluation: one record under one metric.
type Outcome struct {
	Metric       string
	Status       Status
	Score        *float64 // 0..100, rounded to 2 decimals; nil unless Scored
	Threshold    float64
	Passed       *bool  // Score ≥ Threshold on the published score; nil unless Scored
	Explanation  string // a sentence for a person; "" only when scored without a reason
	Rejection    *guard.Rejection
	Fault        *guard.Fault
	Skip         *Skip
	Stages       []guard.Stage
	Usage        model.Usage
	UsageByStage map[string]model.Usage
	Started      time.Time
	Finished     time.Time
	Model        string // slug
	Meta         Meta
}

// Skip says why nothing was judged.
type Skip struct {
	Stage string
	Code  string // no_field_value | nothing_to_evaluate
}

// Meta is how the score came to be.
type Meta struct {
	Extracted      []rubric.Step
	Generated      []string
	Suggestions    []rubric.Suggestion
	StepsSource    rubric.Source
	Steps          []string // the steps in use
	StepsHash      string   // SHA-256 hex over the steps in use
	DefinitionHash string   // SHA-256 hex of the definition's bytes
	Cached         bool     // the definition was resolved before
	Method         string   // logprob | sampled | raw, "" when not scored
	MethodReason   string   // why it is not logprob: no_logprobs, low_digit_mass, several_tokens, decimal, ...
	Mass           *float64 // probability mass of the alternatives that count, logprob only
	Samples        int
	Spread         *float64 // standard deviation of the score on 0..100, nil when unknown
	Low, High      *float64 // interval of the verdict on 0..100
	Borderline     bool
	Coerced        bool // the number came as a JSON string
	StepFindings   []StepFinding
	RecordFindings []guard.Finding
	Notes          []string // per record: "golden_answer is empty"
	Fingerprint    string
	JudgeModel     string // what the endpoint said it was
	PromptVersion  string
	Offline        bool
	PolicyRevision string
	Facts          []Fact // step_efficiency: what was counted in the trace
	Task           string // step_efficiency
}

// StepFinding is what the judge found for one step. Step counts from 1.
type StepFinding struct {
	Step     int    `json:"step"`
	Verdict  string `json:"verdict"` // met | partly | not_met | not_applicable
	Evidence string `json:"evidence"`
}

// Fact is something counted in an agent's trace, without a model.
type Fact struct {
	Kind  string `json:"kind"`
	Steps []int  `json:"steps"` // positions in the trace, from 1
	Text  string `json:"text"`
}
