package offline

import "encoding/json"

// request is the union of what the stages put into the data fence.
type request struct {
	Definition string          `json:"eval_definition"`
	Steps      []string        `json:"evaluation_steps"`
	Fields     []string        `json:"evaluation_fields"`
	Findings   json.RawMessage `json:"findings"`
	Record     record          `json:"record"`
	Task       string          `json:"task"`
	Trace      []traceStep     `json:"trace"`
	Facts      []fact          `json:"facts"`
}

// record is the selected fields of one record. A nil one is not selected; an
// empty one is, and empty.
type record struct {
	Input            string    `json:"input"`
	Output           *string   `json:"output"` // nil when it is not selected
	Prompt           string    `json:"prompt"`
	Context          *[]string `json:"context"`
	GoldenAnswer     *string   `json:"golden_answer"`
	RetrievalContext []string  `json:"retrieval_context"`
}

// traceStep is one step of an agent's trace.
type traceStep struct {
	Step   int             `json:"step"`
	Type   string          `json:"type"`
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	Output json.RawMessage `json:"output"`
	Error  string          `json:"error"`
}

// fact is something counted in a trace before a judge saw it.
type fact struct {
	Kind  string `json:"kind"`
	Steps []int  `json:"steps"`
	Text  string `json:"text"`
}

// The answers, members in the order of the contract's schemas.

type safetyAnswer struct {
	Rationale  string   `json:"rationale"`
	Categories []string `json:"categories"`
	Verdict    string   `json:"verdict"`
}

type resolveAnswer struct {
	Steps         []resolvedStep `json:"steps"`
	MissingFields []string       `json:"missing_fields"`
	Suggestions   []string       `json:"suggestions"`
	Explanation   string         `json:"explanation"`
	IsRubric      bool           `json:"is_rubric"`
	Coherent      bool           `json:"coherent"`
	Applicable    bool           `json:"applicable"`
}

type resolvedStep struct {
	Step     string  `json:"step"`
	Included bool    `json:"included"`
	Reason   *string `json:"reason"`
}

type generateAnswer struct {
	Steps []string `json:"steps"`
}

type finding struct {
	Step     int    `json:"step"`
	Evidence string `json:"evidence"`
	Verdict  string `json:"verdict"`
}

type scoreAnswer struct {
	Findings []finding `json:"findings"`
	Reason   string    `json:"reason"`
	Score    int       `json:"score"`
}

type strictAnswer struct {
	Findings []finding `json:"findings"`
	Reason   string    `json:"reason"`
	Verdict  string    `json:"verdict"`
}

type taskAnswer struct {
	Task string `json:"task"`
}
