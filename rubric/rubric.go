// Package rubric turns a definition that the guard has cleared into the steps
// that every record is judged by: once per definition, never per record.
//
// Resolver.Resolve takes a text through the guard, asks a model whether it sets
// criteria that the selected fields can answer and which steps it states, and
// has steps written when it states none. It ends in one of five ways: a usable
// Rubric; a rejection by the guard, by the semantic check, or of the steps that
// were written; or a Fault, when a stage gave no usable answer.
//
// It guarantees that every step in use is a span of the definition, byte for
// byte, or was written by a model and then allowed by the guard's second
// reading. A model can take steps away and can add none: what it rewords,
// stitches, shortens by its "not" or cuts out of a quotation is reported and
// not used. A model's answer is taken exactly as asked for or not at all; a
// malformed one is asked for once more, an outage or a refusal is not.
//
// Results are kept under a key of everything that decides them, the tenant
// first: rubrics for long, rejections briefly, faults never. A store keeps what
// models answered and never what was concluded from it, so an entry that was
// tampered with is found out when it is worked again.
//
// What the package tells from the text alone (fields, scales, placeholders,
// negations) it tells by words of 21 languages; a phrase it does not know is
// left to the model. Only words that can mean nothing else decide anything.
package rubric

import (
	"bailiff/guard"
)

// Field is a part of a record that a definition may be about.
type Field string

// The fields a caller may select, in the contract's default order.
const (
	Output       Field = "output"
	Prompt       Field = "prompt"
	Input        Field = "input"
	Context      Field = "context"
	GoldenAnswer Field = "golden_answer"
)

// Fields lists every field in the contract's default order.
func Fields() []Field { return []Field{Output, Prompt, Input, Context, GoldenAnswer} }

// Source says where the steps came from.
type Source string

// The sources of steps.
const (
	Extracted Source = "extracted" // stated in the definition, verbatim
	Generated Source = "generated" // written by a model, re-scanned by the guard
	Provided  Source = "provided"  // given by the caller
)

// Reasons why an extracted step is not used. The list is closed.
const (
	NotEvaluable            = "not_evaluable"
	RefersToUnselectedField = "refers_to_unselected_field"
	Duplicate               = "duplicate"
	InstructionToJudge      = "instruction_to_judge"
	NotInDefinition         = "not_in_definition" // the model's step is not a span of the definition; dropped
)

// Step is one step that was found in, or offered for, a definition. Start and
// End are byte offsets into the definition, both 0 when the step is not in it.
type Step struct {
	Text     string
	Included bool
	Reason   string // "" when included
	Start    int
	End      int
}

// Suggestion says what would make a definition better. Start and End tie it to
// a span of the definition, both 0 when it is about the whole.
type Suggestion struct {
	Code  string // one of the constants from ScaleInDefinition to FromModel
	Text  string
	Start int
	End   int
}

// Scale is a scale that a definition states for itself ("rate 1 to 5").
type Scale struct {
	Min, Max   float64
	Start, End int // span in the definition
}

// Rubric is a definition with its steps, ready to judge by. Only a Resolver
// makes one; the zero value judges nothing.
type Rubric struct {
	cleared     guard.Cleared
	steps       []string
	source      Source
	extracted   []Step
	generated   []string
	suggestions []Suggestion
	scales      []Scale
	confidence  []*float64 // of each used step, nil when unknown
}

// OK reports whether there is something to judge by.
func (r Rubric) OK() bool { return r.cleared.OK() && len(r.steps) > 0 }

// Cleared is the definition behind the steps.
func (r Rubric) Cleared() guard.Cleared { return r.cleared }

// Steps are the steps in use, in order.
func (r Rubric) Steps() []string { return append([]string(nil), r.steps...) }

// Source says where Steps came from.
func (r Rubric) Source() Source { return r.source }

// Extracted are the steps found in the definition, used or not.
func (r Rubric) Extracted() []Step { return append([]Step(nil), r.extracted...) }

// Generated are the steps a model wrote; empty when an extracted one is used.
func (r Rubric) Generated() []string { return append([]string(nil), r.generated...) }

// Suggestions say what would make the definition better.
func (r Rubric) Suggestions() []Suggestion { return append([]Suggestion(nil), r.suggestions...) }

// Scales are the scales that the definition states for itself.
func (r Rubric) Scales() []Scale { return append([]Scale(nil), r.scales...) }

// Confidence of each used step: 1 for provided and extracted ones, the mean
// token probability of generated ones, nil when that is unknown.
func (r Rubric) Confidence() []*float64 { return append([]*float64(nil), r.confidence...) }

// Resolution is everything that is decided once per definition. Exactly one of
// Rubric.OK(), Rejection and Fault holds.
type Resolution struct {
	Verdict   guard.Verdict
	Rubric    Rubric
	Rejection *guard.Rejection
	Fault     *guard.Fault
	Stages    []guard.Stage // scan, policy, safety, semantic, steps: those that ran
	Cached    bool          // nothing was asked of a model for this request
	Signature string        // 24 hex digits: what decides the steps, without the tenant; "" for steps that the caller gave
}
