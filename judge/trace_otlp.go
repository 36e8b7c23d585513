package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The parts of OTLP/JSON that are read (opentelemetry-proto, trace/v1).
type (
	otlpResource struct {
		ScopeSpans []otlpScope `json:"scopeSpans"`
		Old        []otlpScope `json:"instrumentationLibrarySpans"`
	}
	otlpScope struct {
		Spans []otlpSpan `json:"spans"`
	}
	otlpSpan struct {
		SpanID     string          `json:"spanId"`
		ParentID   string          `json:"parentSpanId"`
		Name       string          `json:"name"`
		Start      json.RawMessage `json:"startTimeUnixNano"`
		Attributes []otlpAttribute `json:"attributes"`
		Events     []otlpEvent     `json:"events"`
		Status     otlpStatus      `json:"status"`
	}
	otlpEvent struct {
		Name       string          `json:"name"`
		Attributes []otlpAttribute `json:"attributes"`
	}
	otlpStatus struct {
		Code    json.RawMessage `json:"code"`
		Message string          `json:"message"`
	}
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpValue struct {
		String *string         `json:"stringValue"`
		Bool   *bool           `json:"boolValue"`
		Int    json.RawMessage `json:"intValue"`
		Double json.RawMessage `json:"doubleValue"`
		Bytes  *string         `json:"bytesValue"`
		Array  *struct {
			Values []otlpValue `json:"values"`
		} `json:"arrayValue"`
		List *struct {
			Values []otlpAttribute `json:"values"`
		} `json:"kvlistValue"`
	}
)

// Attributes that hold a step's type, name, input and output, the first that
// is there counts: OpenTelemetry's generative AI conventions, then OpenInference
// and OpenLLMetry, which many libraries still write.
var (
	typeKeys   = []string{"gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind"}
	nameKeys   = []string{"gen_ai.tool.name", "gen_ai.agent.name", "tool.name", "traceloop.entity.name"}
	inputKeys  = []string{"gen_ai.tool.call.arguments", "gen_ai.retrieval.query.text", "gen_ai.input.messages", "gen_ai.prompt", "input.value", "traceloop.entity.input"}
	outputKeys = []string{"gen_ai.tool.call.result", "gen_ai.retrieval.documents", "gen_ai.output.messages", "gen_ai.completion", "output.value", "traceloop.entity.output"}
)

// spanTypes says what an operation is, by the words of all three conventions.
func spanType(operation string) string {
	switch strings.ToLower(operation) {
	case "chat", "text_completion", "generate_content", "llm":
		return stepLLM
	case "execute_tool", "tool":
		return stepTool
	case "invoke_agent", "create_agent", "invoke_workflow", "agent", "workflow":
		return stepAgent
	case "retrieval", "embeddings", "retriever", "embedding", "reranker":
		return stepRetriever
	}
	return stepOther
}

// parseSpans reads batches of resourceSpans. Spans are put in the order in
// which they began.
func parseSpans(batches []json.RawMessage) (Trace, error) {
	var spans []otlpSpan
	for _, batch := range batches {
		var resources []otlpResource
		if err := json.Unmarshal(batch, &resources); err != nil {
			return Trace{}, fmt.Errorf("trace: resourceSpans: %w", err)
		}
		for _, r := range resources {
			for _, scope := range slices.Concat(r.ScopeSpans, r.Old) {
				spans = append(spans, scope.Spans...)
			}
		}
	}
	slices.SortStableFunc(spans, func(a, b otlpSpan) int { return cmp.Compare(nanos(a.Start), nanos(b.Start)) })
	index := map[string]int{}
	for i, s := range spans {
		if s.SpanID != "" {
			index[s.SpanID] = i + 1
		}
	}
	t := Trace{Shape: "otlp", Steps: make([]TraceStep, 0, len(spans))}
	for _, s := range spans {
		step := s.step()
		step.Parent = index[s.ParentID]
		t.Steps = append(t.Steps, step)
	}
	return t, nil
}

// nanos is a time that may have come as a number or, as the convention for
// 64-bit integers has it, as a string.
func nanos(v json.RawMessage) uint64 {
	n, err := strconv.ParseUint(strings.Trim(string(v), `"`), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func (s otlpSpan) step() TraceStep {
	attrs := map[string]json.RawMessage{}
	for _, a := range s.Attributes {
		attrs[a.Key] = a.Value.json(0)
	}
	operation := takeText(attrs, typeKeys...)
	step := TraceStep{
		Type:   spanType(operation),
		Name:   takeText(attrs, nameKeys...),
		Input:  unquoteJSON(take(attrs, inputKeys...)),
		Output: unquoteJSON(take(attrs, outputKeys...)),
		Error:  s.failure(attrs),
	}
	if step.Name == "" {
		step.Name = s.Name
	}
	if len(s.Events) > 0 {
		if b, err := json.Marshal(plainEvents(s.Events)); err == nil {
			attrs["events"] = b
		}
	}
	step.Other = attrs
	return step
}

// failure is what went wrong in a span: its status, else its error.type.
func (s otlpSpan) failure(attrs map[string]json.RawMessage) string {
	kind := takeText(attrs, "error.type")
	code := strings.Trim(string(s.Status.Code), `"`)
	if code != "2" && code != "STATUS_CODE_ERROR" {
		return kind
	}
	for _, text := range []string{s.Status.Message, exceptionMessage(s.Events), kind} {
		if text != "" {
			return text
		}
	}
	return "error"
}

func exceptionMessage(events []otlpEvent) string {
	for _, e := range events {
		for _, a := range e.Attributes {
			if a.Key == "exception.message" && a.Value.String != nil {
				return *a.Value.String
			}
		}
	}
	return ""
}

func plainEvents(events []otlpEvent) []map[string]json.RawMessage {
	plain := make([]map[string]json.RawMessage, len(events))
	for i, e := range events {
		plain[i] = map[string]json.RawMessage{"event": quoteJSON(e.Name)}
		for _, a := range e.Attributes {
			if a.Key != "exception.stacktrace" {
				plain[i][a.Key] = a.Value.json(0)
			}
		}
	}
	return plain
}

// json is an AnyValue as plain JSON.
func (v otlpValue) json(depth int) json.RawMessage {
	null := json.RawMessage("null")
	if depth > maxTraceDepth {
		return null
	}
	var plain any
	switch {
	case v.String != nil:
		plain = *v.String
	case v.Bool != nil:
		plain = *v.Bool
	case v.Bytes != nil:
		plain = *v.Bytes
	case len(v.Int) > 0:
		plain = unquotedNumber(v.Int)
	case len(v.Double) > 0:
		plain = unquotedNumber(v.Double)
	case v.Array != nil:
		items := make([]json.RawMessage, len(v.Array.Values))
		for i, item := range v.Array.Values {
			items[i] = item.json(depth + 1)
		}
		plain = items
	case v.List != nil:
		members := map[string]json.RawMessage{}
		for _, a := range v.List.Values {
			members[a.Key] = a.Value.json(depth + 1)
		}
		plain = members
	default:
		return null
	}
	b, err := json.Marshal(plain)
	if err != nil {
		return null
	}
	return b
}

// unquotedNumber is a number that may have come as a string; what is no number
// stays the string it was.
func unquotedNumber(v json.RawMessage) json.RawMessage {
	if s := strings.Trim(string(v), `"`); json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return v
}
