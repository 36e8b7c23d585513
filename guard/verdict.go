package guard

import (
	"slices"
	"time"
)

// Decision is the policy's word on a text. There are three; anything else a
// policy might answer is a fault, never a decision.
type Decision string

// The three decisions.
const (
	Allow  Decision = "allow"  // goes on to one safety check
	Review Decision = "review" // cleared only by two independent safety checks
	Deny   Decision = "deny"   // rejected, no model call is made
)

// Finding is one place where a pattern or a text transformation gave cause for
// concern. Start and End are byte offsets into the original text of Part,
// 0 ≤ Start ≤ End ≤ len.
type Finding struct {
	RuleID   string `json:"rule_id"`
	Category string `json:"category"`
	Severity string `json:"severity"` // critical | high | medium | low
	Layer    string `json:"layer"`    // "text" or the decodings that led to it, outermost first: "base64>rot13"
	Part     string `json:"part"`     // "definition", "steps/0", or a record field
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Excerpt  string `json:"excerpt"` // at most 60 characters, controls made visible, secrets masked
	Quoted   bool   `json:"quoted"`  // talked about (quoted, an example, a condition on the response), not said
	Mode     string `json:"mode,omitempty"`
}

// Reason is one ground of a decision, written for the person whose text it is.
type Reason struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	RuleIDs []string `json:"rule_ids"`
}

// Report is the deterministic half of a check: what was found and what the
// policy made of it. The same text under the same revision gives the same
// report, Took apart.
type Report struct {
	Decision Decision       `json:"decision"`
	Reasons  []Reason       `json:"reasons"`
	Findings []Finding      `json:"findings"`
	Features map[string]any `json:"features"`
	Revision string         `json:"policy_revision"`
	Took     time.Duration  `json:"-"`
}

// RuleIDs lists the rules that the decision rests on, each once, in order.
func (r Report) RuleIDs() []string {
	seen := map[string]bool{}
	ids := []string{}
	for _, reason := range r.Reasons {
		for _, id := range reason.RuleIDs {
			if !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// Stage is one step of an evaluation as the caller sees it. Names are those of
// the HTTP contract: fields, scan, policy, safety, semantic, steps, task, score.
type Stage struct {
	Name    string
	Outcome string // ok | allow | review | deny | safe | unsafe | rejected | skipped | error | ...
	Took    time.Duration
	Model   string // slug of the model asked, "" when none was
	Cached  bool
}

// Rejection says that a gate decided against a text. It is not an error.
type Rejection struct {
	Stage    string    `json:"stage"`
	Code     string    `json:"code"`
	Message  string    `json:"-"` // a sentence for a person: what was refused, what to write instead
	RuleIDs  []string  `json:"rule_ids"`
	Findings []Finding `json:"findings"`
	Revision string    `json:"policy_revision"`
}

// Fault says that a stage could not be worked. A fault never clears anything.
type Fault struct {
	Stage     string `json:"stage"`
	Code      string `json:"code"`
	Message   string `json:"-"` // a sentence for a person, without upstream text
	Retryable bool   `json:"retryable"`
	Attempts  int    `json:"attempts"` // model calls made for this stage, 0 when none
	Cause     error  `json:"-"`        // for the operator's log alone: it may quote what failed; nil when there is no more to say
}

// Safety is the answer of one LLM safety check.
type Safety struct {
	Verdict       string   `json:"verdict"` // safe | unsafe
	Categories    []string `json:"categories"`
	Rationale     string   `json:"rationale"`
	Model         string   `json:"model"`
	PromptVersion string   `json:"prompt_version"`
}

// Verdict is the whole answer of the guard. Exactly one of Cleared.OK(),
// Rejection and Fault holds.
type Verdict struct {
	Report    Report
	Safety    []Safety // the checks that answered, first to last
	Cleared   Cleared
	Rejection *Rejection
	Fault     *Fault
	Stages    []Stage // scan, policy, safety: those that ran
}

// Subject is a definition as a tenant hands it in, with all that a model will
// see of it.
type Subject struct {
	Definition string
	Steps      []string       // evaluation steps the caller gave; scanned like the definition
	Fields     []string       // selected record fields
	Tenant     map[string]any // the tenant's policy data; can only make the decision stricter
}

// clone copies all that the caller could still change, so that what was cleared
// is what was checked.
func (s Subject) clone() Subject {
	s.Steps = slices.Clone(s.Steps)
	s.Fields = slices.Clone(s.Fields)
	s.Tenant = cloneObject(s.Tenant)
	return s
}

func cloneObject(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = cloneJSON(v)
	}
	return out
}

func cloneJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return cloneObject(v)
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = cloneJSON(x)
		}
		return out
	}
	return v
}

// Cleared is a definition that the guard has cleared. Only Policy.Check makes
// one; the zero value clears nothing and every consumer must refuse it.
type Cleared struct {
	subject  Subject
	revision string
	ok       bool
}

// OK reports whether the guard has cleared this text.
func (c Cleared) OK() bool { return c.ok }

// Definition is the cleared text, byte for byte as submitted.
func (c Cleared) Definition() string { return c.subject.Definition }

// Steps are the caller's own steps, cleared with the text.
func (c Cleared) Steps() []string { return append([]string(nil), c.subject.Steps...) }

// Fields are the selected record fields.
func (c Cleared) Fields() []string { return append([]string(nil), c.subject.Fields...) }

// Tenant is a copy of the tenant's policy data the clearance was decided under.
func (c Cleared) Tenant() map[string]any { return cloneObject(c.subject.Tenant) }

// Revision is the policy revision that cleared the text.
func (c Cleared) Revision() string { return c.revision }
