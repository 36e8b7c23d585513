package api

import (
	"math"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"bailiff/guard"
	"bailiff/judge"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// Evaluation is the contract's evaluation object. Every member is always
// there; what does not apply is null or empty.
type Evaluation struct {
	ID              string           `json:"id"`
	RunID           *string          `json:"run_id"`
	RecordIndex     int              `json:"record_index"`
	RecordID        *string          `json:"record_id"`
	Metric          string           `json:"metric"`
	MetricShortname string           `json:"metric_shortname"`
	Key             string           `json:"key"`
	Record          Record           `json:"record"`
	Status          string           `json:"status"`
	Result          *float64         `json:"result"`
	Threshold       float64          `json:"threshold"`
	IsSuccess       *bool            `json:"is_success"`
	IsGteThreshold  *bool            `json:"is_gte_threshold"`
	Explanation     *string          `json:"explanation"`
	ModelSlug       string           `json:"model_slug"`
	StartedAt       *time.Time       `json:"started_at"`
	FinishedAt      *time.Time       `json:"finished_at"`
	EvaluationCost  *string          `json:"evaluation_cost"`
	EvalMetadata    *EvalMetadata    `json:"eval_metadata"`
	Rejection       *guard.Rejection `json:"rejection"`
	Error           *guard.Fault     `json:"error"`
	Skip            *Skip            `json:"skip"`
	Stages          []Stage          `json:"stages"`
}

// Record is a record as it was submitted. Members that were not submitted are
// left out.
type Record struct {
	ID           string         `json:"id,omitzero"`
	Prompt       *string        `json:"prompt,omitzero"`
	Input        *string        `json:"input,omitzero"`
	Context      jsontext.Value `json:"context,omitzero"` // a string or a list of strings, as submitted
	Output       *string        `json:"output,omitzero"`
	GoldenAnswer *string        `json:"golden_answer,omitzero"`
	// RetrievalContext is the second context of /api/geval.
	RetrievalContext jsontext.Value `json:"retrieval_context,omitzero"`
	Trace            jsontext.Value `json:"trace,omitzero"`
	Metadata         jsontext.Value `json:"metadata,omitzero"`
}

// Skip says why nothing was judged.
type Skip struct {
	Stage string `json:"stage"`
	Code  string `json:"code"`
}

// Stage is one stage that ran.
type Stage struct {
	Name    string  `json:"name"`
	Outcome string  `json:"outcome"`
	TookMS  float64 `json:"took_ms"`
	Model   *string `json:"model"`
	Cached  bool    `json:"cached"`
}

// Usage is what calls took.
type Usage struct {
	InputTokens     int     `json:"input_tokens"`
	OutputTokens    int     `json:"output_tokens"`
	CachedTokens    int     `json:"cached_tokens"`
	ReasoningTokens int     `json:"reasoning_tokens"`
	ModelCalls      int     `json:"model_calls"`
	Cost            *string `json:"cost"`       // US dollars, null when a price is unknown
	CostKnown       string  `json:"cost_known"` // the part whose price is known
	CostComplete    bool    `json:"cost_complete"`
}

// EvalMetadata tells how a score came to be.
type EvalMetadata struct {
	AllSteps          AllSteps            `json:"all_steps"`
	Suggestions       []string            `json:"suggestions"`
	StepsSource       *string             `json:"steps_source"`
	StepsHash         *string             `json:"steps_hash"`
	DefinitionHash    *string             `json:"definition_hash"`
	Cached            bool                `json:"cached"`
	ScoreMethod       *string             `json:"score_method"`
	ScoreMethodReason *string             `json:"score_method_reason"`
	ScoreMass         *float64            `json:"score_mass"`
	NSamples          int                 `json:"n_samples"`
	Spread            *float64            `json:"spread"`
	Interval          *[2]float64         `json:"interval"`
	Borderline        bool                `json:"borderline"`
	Coerced           bool                `json:"coerced"`
	StepFindings      []judge.StepFinding `json:"step_findings"`
	RecordFindings    []guard.Finding     `json:"record_findings"`
	Notes             []string            `json:"notes"`
	Judge             JudgeInfo           `json:"judge"`
	UsageByStage      map[string]Usage    `json:"usage_by_stage"`
	PolicyRevision    string              `json:"policy_revision"`
	Task              *string             `json:"task,omitzero"`
	Facts             []judge.Fact        `json:"facts,omitzero"`
	Rubric            *string             `json:"rubric,omitzero"` // the registered one that was named
}

// AllSteps are the steps of a definition, used or not.
type AllSteps struct {
	Extracted []ExtractedStep `json:"extracted"`
	Generated []string        `json:"generated"`
}

// ExtractedStep is a step that the definition states. Start and End are byte
// offsets into it.
type ExtractedStep struct {
	Step     string  `json:"step"`
	Included bool    `json:"included"`
	Reason   *string `json:"reason"`
	Start    int     `json:"start"`
	End      int     `json:"end"`
}

// JudgeInfo is who judged.
type JudgeInfo struct {
	Model         string  `json:"model"`
	Fingerprint   *string `json:"fingerprint"`
	PromptVersion string  `json:"prompt_version"`
	Offline       bool    `json:"offline"`
}

// NewEvaluation is an outcome as the contract shows it. What only the caller
// knows (ids, the record, the key) is left for it to fill in.
func NewEvaluation(o judge.Outcome) Evaluation {
	e := Evaluation{
		Metric: o.Metric, MetricShortname: o.Metric, Key: o.Metric,
		Status: string(o.Status), Result: o.Score, Threshold: o.Threshold,
		IsSuccess: ref(o.Status == judge.Scored), IsGteThreshold: o.Passed,
		ModelSlug: o.Model, StartedAt: ref(o.Started), FinishedAt: ref(o.Finished),
		EvaluationCost: costText(o.Usage.Cost), EvalMetadata: newMetadata(o),
		Rejection: o.Rejection, Error: o.Fault, Stages: newStages(o.Stages),
	}
	if o.Explanation != "" {
		e.Explanation = ref(o.Explanation)
	}
	if o.Skip != nil {
		e.Skip = &Skip{Stage: o.Skip.Stage, Code: o.Skip.Code}
	}
	if r := o.Rejection; r != nil {
		shown := *r
		shown.RuleIDs, shown.Findings = orEmpty(r.RuleIDs), orEmpty(r.Findings)
		e.Rejection = &shown
	}
	return e
}

func newMetadata(o judge.Outcome) *EvalMetadata {
	m := o.Meta
	out := &EvalMetadata{
		AllSteps:    AllSteps{Extracted: newExtracted(m.Extracted), Generated: orEmpty(m.Generated)},
		Suggestions: suggestionTexts(m.Suggestions), StepsSource: text(string(m.StepsSource)), StepsHash: text(m.StepsHash),
		DefinitionHash: text(m.DefinitionHash), Cached: m.Cached,
		ScoreMethod: text(m.Method), ScoreMethodReason: text(m.MethodReason), ScoreMass: round(m.Mass, 1e6),
		NSamples: m.Samples, Spread: round(m.Spread, 1e4), Borderline: m.Borderline, Coerced: m.Coerced,
		StepFindings: orEmpty(m.StepFindings), RecordFindings: orEmpty(m.RecordFindings), Notes: orEmpty(m.Notes),
		Judge:        JudgeInfo{Model: or(m.JudgeModel, o.Model), Fingerprint: text(m.Fingerprint), PromptVersion: m.PromptVersion, Offline: m.Offline},
		UsageByStage: map[string]Usage{}, PolicyRevision: m.PolicyRevision,
		Task: text(m.Task), Facts: m.Facts,
	}
	if m.Low != nil && m.High != nil {
		out.Interval = &[2]float64{*round(m.Low, 1e2), *round(m.High, 1e2)}
	}
	for stage, usage := range o.UsageByStage {
		out.UsageByStage[stage] = NewUsage(usage)
	}
	return out
}

func newExtracted(steps []rubric.Step) []ExtractedStep {
	out := make([]ExtractedStep, len(steps))
	for i, s := range steps {
		out[i] = ExtractedStep{Step: s.Text, Included: s.Included, Reason: text(s.Reason), Start: s.Start, End: s.End}
	}
	return out
}

func suggestionTexts(suggestions []rubric.Suggestion) []string {
	out := make([]string, len(suggestions))
	for i, s := range suggestions {
		out[i] = s.Text
	}
	return out
}

func newStages(stages []guard.Stage) []Stage {
	out := make([]Stage, len(stages))
	for i, s := range stages {
		out[i] = Stage{
			Name: s.Name, Outcome: s.Outcome, Model: text(s.Model), Cached: s.Cached,
			TookMS: math.Round(float64(s.Took)/float64(time.Millisecond)*1e3) / 1e3,
		}
	}
	return out
}

// NewUsage is a usage as the contract shows it.
func NewUsage(u model.Usage) Usage {
	return Usage{
		InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CachedTokens: u.CachedTokens, ReasoningTokens: u.ReasoningTokens,
		ModelCalls: u.Calls, Cost: costText(u.Cost), CostKnown: u.Cost.Known(), CostComplete: u.Cost.Complete(),
	}
}

// costText is a cost as a decimal string, nil when a price is unknown.
func costText(c model.Cost) *string {
	if !c.Complete() {
		return nil
	}
	return ref(c.Known())
}

func ref[T any](v T) *T { return &v }

// text is a text, nil when it is empty.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func round(v *float64, places float64) *float64 {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return nil
	}
	return ref(math.Round(*v*places) / places)
}
