package judge

import (
	"encoding/json"
	"maps"
	"strings"
)

// messageReader turns chat messages into steps: each tool call is a tool step
// whose output is the message that answers it.
type messageReader struct {
	trace Trace
	calls map[string]int // id of a tool call → its index in trace.Steps
}

// parseMessages reads OpenAI chat messages, the items of OpenAI's Responses
// API, and messages whose content is a list of tool_use and tool_result blocks.
func parseMessages(items []map[string]json.RawMessage) Trace {
	r := messageReader{trace: Trace{Shape: "messages"}, calls: map[string]int{}}
	for _, item := range items {
		r.add(maps.Clone(item))
	}
	return r.trace
}

func (r *messageReader) add(m map[string]json.RawMessage) {
	role := takeText(m, "role")
	switch kind := takeText(m, "type"); {
	case kind == "function_call" || kind == "tool_call":
		r.call(takeText(m, "call_id", "id"), takeText(m, "name"), take(m, "arguments", "input"), m)
		return
	case kind == "function_call_output":
		r.answer(takeText(m, "call_id"), "", take(m, "output"), "", m)
		return
	case kind != "" && kind != "message":
		m["type"] = quoteJSON(kind)
	}
	content := take(m, "content")
	calls := take(m, "tool_calls")
	switch role {
	case "tool", "function":
		r.answer(takeText(m, "tool_call_id"), takeText(m, "name"), content, errorText(take(m, "error")), m)
	case "user":
		r.content(TraceStep{Type: stepUser, Name: nameOr(m, role), Other: m}, content, true)
	case "system", "developer":
		r.content(TraceStep{Type: stepSystem, Name: nameOr(m, role), Other: m}, content, true)
	default:
		if role == "" {
			role = stepOther
		}
		r.content(TraceStep{Type: stepLLM, Name: nameOr(m, role), Other: m}, content, false)
	}
	r.toolCalls(calls)
	if fn := take(m, "function_call"); fn != nil {
		r.toolCall(map[string]json.RawMessage{"function": fn})
	}
}

func nameOr(m map[string]json.RawMessage, role string) string {
	if name := takeText(m, "name"); name != "" {
		return name
	}
	return role
}

// content adds the step of a message with a text, then the tool steps of the
// blocks in it. A message that only calls tools is no step of its own.
func (r *messageReader) content(s TraceStep, content json.RawMessage, isInput bool) {
	shown, tools := splitBlocks(content)
	if shown != nil {
		if isInput {
			s.Input = shown
		} else {
			s.Output = shown
		}
		r.trace.Steps = append(r.trace.Steps, s)
	}
	for _, block := range tools {
		if takeText(block, "type") == "tool_use" {
			r.call(takeText(block, "id"), takeText(block, "name"), take(block, "input"), block)
			continue
		}
		failed := string(take(block, "is_error")) == "true"
		result, id := take(block, "content"), takeText(block, "tool_use_id")
		if failed {
			r.answer(id, "", nil, readable(result), block)
		} else {
			r.answer(id, "", result, "", block)
		}
	}
}

// splitBlocks parts a content into what is shown as the message's text, nil
// when there is nothing, and its tool_use and tool_result blocks. Texts are
// joined; a list that holds something else, an image say, stays a list.
func splitBlocks(content json.RawMessage) (shown json.RawMessage, tools []map[string]json.RawMessage) {
	var text string
	if content == nil || (json.Unmarshal(content, &text) == nil && strings.TrimSpace(text) == "") {
		return nil, nil
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(content, &list) != nil {
		return content, nil
	}
	var texts []string
	var others []map[string]json.RawMessage
	for _, block := range list {
		var kind string
		_ = json.Unmarshal(block["type"], &kind) // another kind of JSON is no kind of block
		switch kind {
		case "tool_use", "tool_result":
			tools = append(tools, block)
		case "text", "input_text", "output_text":
			texts = append(texts, takeText(maps.Clone(block), "text"))
			others = append(others, block)
		default:
			others = append(others, block)
		}
	}
	switch {
	case len(others) > len(texts):
		if b, err := json.Marshal(others); err == nil {
			return b, tools
		}
	case len(texts) > 0:
		return quoteJSON(strings.Join(texts, "\n")), tools
	}
	return nil, tools
}

func (r *messageReader) toolCalls(calls json.RawMessage) {
	var list []map[string]json.RawMessage
	if calls == nil || json.Unmarshal(calls, &list) != nil {
		return
	}
	for _, c := range list {
		r.toolCall(c)
	}
}

func (r *messageReader) toolCall(c map[string]json.RawMessage) {
	var fn map[string]json.RawMessage
	if raw := take(c, "function", "custom"); raw != nil && json.Unmarshal(raw, &fn) == nil {
		maps.Copy(c, fn)
	}
	if kind := takeText(c, "type"); kind != "" && kind != "function" {
		c["type"] = quoteJSON(kind)
	}
	r.call(takeText(c, "id"), takeText(c, "name"), take(c, "arguments", "input", "args"), c)
}

// call adds a tool step that waits for its answer.
func (r *messageReader) call(id, name string, input json.RawMessage, other map[string]json.RawMessage) {
	r.trace.Steps = append(r.trace.Steps, TraceStep{Type: stepTool, Name: name, Input: unquoteJSON(input), Other: other})
	if id != "" {
		r.calls[id] = len(r.trace.Steps) - 1
	}
}

// answer completes the tool step it belongs to; an answer without its call is
// a step of its own.
func (r *messageReader) answer(id, name string, output json.RawMessage, failed string, other map[string]json.RawMessage) {
	output = unquoteJSON(output)
	at, ok := r.calls[id]
	if !ok {
		r.trace.Steps = append(r.trace.Steps, TraceStep{Type: stepTool, Name: name, Output: output, Error: failed, Other: other})
		return
	}
	s := &r.trace.Steps[at]
	s.Output, s.Error = output, failed
	if s.Error == "" {
		s.Error = reportedError(output)
	}
	for k, v := range other {
		if s.Other == nil {
			s.Other = map[string]json.RawMessage{}
		}
		s.Other[k] = v
	}
}

// reportedError is the error that a tool's answer consists of: {"error": …}
// with nothing beside it that would be a result.
func reportedError(output json.RawMessage) string {
	var o map[string]json.RawMessage
	if json.Unmarshal(output, &o) != nil {
		return ""
	}
	e := errorText(take(o, "error"))
	for _, k := range []string{"status", "code", "message", "success", "ok"} {
		delete(o, k)
	}
	if len(o) > 0 {
		return ""
	}
	return e
}

// unquoteJSON is the JSON that a string holds, where it holds an object or a
// list: tools get and give their values so.
func unquoteJSON(v json.RawMessage) json.RawMessage {
	var s string
	if v == nil || json.Unmarshal(v, &s) != nil {
		return v
	}
	s = strings.TrimSpace(s)
	if s == "" || (s[0] != '{' && s[0] != '[') || !json.Valid([]byte(s)) {
		return v
	}
	return json.RawMessage(s)
}
