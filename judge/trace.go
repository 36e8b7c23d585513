package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bailiff/guard"
)

// Bounds of what the judge is shown of a trace. What is left out is said.
const (
	maxTraceBytes  = 16 << 20 // of the JSON
	maxTraceSteps  = 400
	maxTraceDepth  = 32      // of nested steps
	maxValueBytes  = 8 << 10 // of one input, output or error
	maxShownBytes  = 256 << 10
	shortenedBytes = 512 // of each value once the trace is over maxShownBytes
)

// Types of a TraceStep that this package gives. A trace may bring others.
const (
	stepLLM       = "llm"
	stepTool      = "tool"
	stepRetriever = "retriever"
	stepAgent     = "agent"
	stepUser      = "user"
	stepSystem    = "system"
	stepOther     = "step"
)

// Trace is what an agent did, in one shape whatever shape it came in.
type Trace struct {
	Shape string // steps | messages | otlp
	Steps []TraceStep
	Notes []string // what was left out, for people
}

// TraceStep is one step. Input and Output are JSON; nil when there is none.
type TraceStep struct {
	Step   int             `json:"step"` // from 1
	Type   string          `json:"type"`
	Name   string          `json:"name"`
	Parent int             `json:"parent,omitempty"` // the step this one is part of, 0 when none
	Input  json.RawMessage `json:"input"`
	Output json.RawMessage `json:"output"`
	Error  string          `json:"error,omitempty"`
	// Other holds the members that have no place above, as they came.
	Other map[string]json.RawMessage `json:"other,omitempty"`
}

// given reports whether the step is what the agent was handed, not what it did.
func (s TraceStep) given() bool { return s.Type == stepUser || s.Type == stepSystem }

// ParseTrace reads a trace in one of three shapes: a list of steps
// {type, name, input, output, error}, possibly nested under "steps" or
// "children"; chat messages with tool calls; OTLP/JSON with gen_ai.* attributes.
// A trace without steps, null included, is no error; JSON of another shape is.
func ParseTrace(raw []byte) (Trace, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return Trace{}, nil
	}
	if len(raw) > maxTraceBytes {
		return Trace{}, fmt.Errorf("trace: %d bytes, more than the %d that are read", len(raw), maxTraceBytes)
	}
	t, err := shapeOf(raw)
	if err != nil {
		return Trace{}, err
	}
	t.number()
	t.bound()
	return t, nil
}

// shapeOf tells the shapes apart by their outer members.
func shapeOf(raw []byte) (Trace, error) {
	if raw[0] == '{' {
		var outer map[string]json.RawMessage
		if err := json.Unmarshal(raw, &outer); err != nil {
			return Trace{}, fmt.Errorf("trace: %w", err)
		}
		for _, key := range []string{"resourceSpans", "resource_spans"} {
			if spans, ok := outer[key]; ok {
				return parseSpans([]json.RawMessage{spans})
			}
		}
		for _, key := range []string{"steps", "messages", "trace"} {
			if list, ok := outer[key]; ok && len(list) > 0 && list[0] == '[' {
				return shapeOf(list)
			}
		}
		return Trace{}, fmt.Errorf("trace: an object without resourceSpans, steps or messages")
	}
	var items []map[string]json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return Trace{}, fmt.Errorf("trace: not a list of objects: %w", err)
	}
	return parseList(items)
}

func parseList(items []map[string]json.RawMessage) (Trace, error) {
	var batches []json.RawMessage
	messages := false
	for _, item := range items {
		if spans, ok := item["resourceSpans"]; ok {
			batches = append(batches, spans)
		}
		_, role := item["role"]
		_, call := item["call_id"]
		messages = messages || role || call
	}
	switch {
	case len(batches) > 0:
		return parseSpans(batches)
	case messages:
		return parseMessages(items), nil
	}
	t := Trace{Shape: "steps"}
	for _, item := range items {
		t.addPlain(item, 0, 0)
	}
	return t, nil
}

// addPlain adds a step of the plain shape and those nested in it.
func (t *Trace) addPlain(item map[string]json.RawMessage, parent, depth int) {
	s := TraceStep{Parent: parent}
	rest := maps.Clone(item)
	s.Type = takeText(rest, "type")
	s.Name = takeText(rest, "name", "tool", "tool_name")
	s.Input = take(rest, "input", "arguments", "args")
	s.Output = take(rest, "output", "result")
	s.Error = errorText(take(rest, "error"))
	nested := take(rest, "steps", "children")
	if s.Type == "" {
		s.Type = stepOther
	}
	s.Other = rest
	t.Steps = append(t.Steps, s)
	at := len(t.Steps)
	if nested == nil || depth >= maxTraceDepth {
		return
	}
	var children []map[string]json.RawMessage
	if json.Unmarshal(nested, &children) != nil {
		t.Steps[at-1].Other["steps"] = nested
		return
	}
	for _, child := range children {
		t.addPlain(child, at, depth+1)
	}
}

// take removes the first member of a name that has a value, and returns it.
func take(members map[string]json.RawMessage, names ...string) json.RawMessage {
	for _, name := range names {
		v, ok := members[name]
		if !ok {
			continue
		}
		delete(members, name)
		if string(v) != "null" {
			return v
		}
	}
	return nil
}

// takeText is take for a member that is a text; another kind stays where it is.
func takeText(members map[string]json.RawMessage, names ...string) string {
	for _, name := range names {
		var s string
		if v, ok := members[name]; ok && json.Unmarshal(v, &s) == nil {
			delete(members, name)
			if s != "" {
				return s
			}
		}
	}
	return ""
}

// errorText is an error as a text, whatever JSON it came as. false and {} say
// that there was none.
func errorText(v json.RawMessage) string {
	var s string
	switch {
	case v == nil, string(v) == "false", string(v) == "{}":
		return ""
	case json.Unmarshal(v, &s) == nil:
		return s
	}
	return string(v)
}

// number gives each step its position and puts an empty JSON null where there
// is no input or output.
func (t *Trace) number() {
	for i := range t.Steps {
		t.Steps[i].Step = i + 1
		if len(t.Steps[i].Other) == 0 {
			t.Steps[i].Other = nil
		}
	}
}

// bound keeps a trace within what a judge can be shown. The first and the last
// steps are kept; what is cut is marked in place and noted.
func (t *Trace) bound() {
	if n := len(t.Steps); n > maxTraceSteps {
		head, tail := maxTraceSteps/2, maxTraceSteps-maxTraceSteps/2
		t.Steps = slices.Concat(t.Steps[:head], t.Steps[n-tail:])
		t.Notes = append(t.Notes, fmt.Sprintf("steps %d to %d of %d are not shown to the judge", head+1, n-tail, n))
	}
	if t.cut(maxValueBytes) {
		t.Notes = append(t.Notes, fmt.Sprintf("values longer than %d bytes are shown to the judge cut", maxValueBytes))
	}
	if t.size() > maxShownBytes {
		t.cut(shortenedBytes)
		t.Notes = append(t.Notes, fmt.Sprintf("the trace is large: values are shown to the judge cut to %d bytes", shortenedBytes))
	}
}

func (t *Trace) size() int {
	total := 0
	for _, s := range t.Steps {
		total += len(s.Name) + len(s.Type) + len(s.Input) + len(s.Output) + len(s.Error)
		for k, v := range s.Other {
			total += len(k) + len(v)
		}
	}
	return total
}

// cut shortens every value to limit bytes and reports whether any was longer.
func (t *Trace) cut(limit int) bool {
	cut := false
	short := func(s string) string {
		if len(s) <= limit {
			return s
		}
		cut = true
		return shorten(s, limit)
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		s.Name, s.Type, s.Error = short(s.Name), short(s.Type), short(s.Error)
		for _, v := range []*json.RawMessage{&s.Input, &s.Output} {
			if len(*v) > limit {
				cut = true
				*v = quoteJSON(shorten(string(*v), limit))
			}
		}
		if other, err := json.Marshal(s.Other); err == nil && len(other) > limit {
			cut = true
			s.Other = map[string]json.RawMessage{"cut": quoteJSON(shorten(string(other), limit))}
		}
	}
	return cut
}

// shorten keeps the beginning and the end of a text and says how much is gone.
func shorten(s string, limit int) string {
	head, tail := limit*3/4, limit/4
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	from := len(s) - tail
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[:head] + "…[" + strconv.Itoa(from-head) + " bytes left out]…" + s[from:]
}

func quoteJSON(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return b
}

// parts are the texts of the trace, for the record scan: of each step its
// name, input, output, error and the rest.
func (t *Trace) parts() []guard.Part {
	var parts []guard.Part
	for _, s := range t.Steps {
		at := "trace/" + strconv.Itoa(s.Step-1) + "/"
		parts = addPart(parts, at+"name", s.Name)
		parts = addPart(parts, at+"input", readable(s.Input))
		parts = addPart(parts, at+"output", readable(s.Output))
		parts = addPart(parts, at+"error", s.Error)
		for _, k := range slices.Sorted(maps.Keys(s.Other)) {
			parts = addPart(parts, at+k, readable(s.Other[k]))
		}
	}
	return parts
}

// readable is a JSON value as its reader sees it: the texts in it, decoded,
// one on a line, and everything else as it stands.
func readable(v json.RawMessage) string {
	var value any
	dec := json.NewDecoder(bytes.NewReader(v))
	dec.UseNumber()
	if len(v) == 0 || dec.Decode(&value) != nil {
		return string(v)
	}
	var b strings.Builder
	walk(value, func(leaf string) { b.WriteString(leaf + "\n") })
	return strings.TrimSuffix(b.String(), "\n")
}

// walk calls f with each name and scalar of a JSON value, names sorted.
func walk(value any, f func(string)) {
	switch v := value.(type) {
	case nil:
	case string:
		f(v)
	case []any:
		for _, item := range v {
			walk(item, f)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			f(k)
			walk(v[k], f)
		}
	default:
		f(fmt.Sprint(v))
	}
}
