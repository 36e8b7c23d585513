package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// trail builds a trace of tool calls: "name(input)=output" or "name(input)!error";
// "say:text" is a model that writes.
func trail(t *testing.T, steps ...string) Trace {
	t.Helper()
	var items []string
	for _, s := range steps {
		if text, ok := strings.CutPrefix(s, "say:"); ok {
			items = append(items, fmt.Sprintf(`{"type":"llm","name":"say","output":%q}`, text))
			continue
		}
		name, rest, _ := strings.Cut(s, "(")
		input, result, _ := strings.Cut(rest, ")")
		item := fmt.Sprintf(`{"type":"tool","name":%q,"input":%q`, name, input)
		switch {
		case strings.HasPrefix(result, "="):
			item += fmt.Sprintf(`,"output":%q`, result[1:])
		case strings.HasPrefix(result, "!"):
			item += fmt.Sprintf(`,"error":%q`, result[1:])
		}
		items = append(items, item+"}")
	}
	return parse(t, "["+strings.Join(items, ",")+"]")
}

func TestFacts(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []string
		want  map[string][][]int
	}{
		{"a straight path", []string{"find(lamp)=lamp 42 in hall", "buy(42)=order 9001", "say:Ordered as 9001."}, nil},
		{"the same call twice", []string{"find(lamp)=lamp 42", "find(lamp)=lamp 42", "say:It is 42, a lamp."}, map[string][][]int{FactDuplicateCall: {{1, 2}}}},
		{"the same tool with another input", []string{"find(lamp)=lamp 421", "find(desk)=desk 433", "say:421 and 433."}, nil},
		{"a retry that works", []string{"pay(5)!timeout", "pay(5)=receipt 7788", "say:Receipt 7788."}, map[string][][]int{FactFailedThenRetry: {{1, 2}}}},
		{"a retry with another input", []string{"pay(x)!bad amount", "pay(5)=receipt 7788", "say:Receipt 7788."}, map[string][][]int{FactFailedThenRetry: {{1, 2}}}},
		{"a retry that never works", []string{"pay(5)!timeout", "pay(5)!timeout", "say:It failed."}, map[string][][]int{FactFailedThenRetry: {{1, 2}}}},
		{"a failure left alone", []string{"pay(5)!timeout", "say:It failed."}, map[string][][]int{FactDeadEnd: {{1}}}},
		{"a result that nothing uses", []string{"weather(Oslo)=rain 9 degrees", "find(lamp)=lamp 42", "say:The lamp is number 42 in the list of lamp."}, map[string][][]int{FactUnusedResult: {{1}}}},
		{"a result used by the next call", []string{"find(lamp)=item-4711", "buy(item-4711)=order 9001", "say:9001"}, nil},
		{"the last step needs no user", []string{"find(lamp)=item-4711"}, nil},
		{"a loop of one", []string{"poll()=wait", "poll()=wait", "poll()=wait", "say:wait"}, map[string][][]int{FactLoop: {{1, 2, 3}}, FactDuplicateCall: {{1, 2, 3}}}},
		{"a loop of two", []string{"a()=xxx", "b()=yyy", "a()=xxx", "b()=yyy", "a()=xxx", "b()=yyy", "say:xxx yyy"}, map[string][][]int{FactLoop: {{1, 2, 3, 4, 5, 6}}, FactDuplicateCall: {{1, 3, 5}, {2, 4, 6}}}},
		{"what was known already", []string{"book(7)=reference QX12, seat 4A", "show(QX12)=reference QX12, seat 4A", "say:QX12, seat 4A"}, map[string][][]int{FactRepeatedResult: {{1, 2}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := map[string][][]int{}
			for _, f := range Facts(trail(t, c.steps...)) {
				got[f.Kind] = append(got[f.Kind], f.Steps)
				if f.Text == "" {
					t.Errorf("%s says nothing", f.Kind)
				}
			}
			if c.want == nil {
				c.want = map[string][][]int{}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFactsComeFromEveryShapeAlike(t *testing.T) {
	plain := parse(t, `[{"type":"tool","name":"find","input":{"b":1,"a":2},"output":"lamp 42"},{"type":"tool","name":"find","input":{"a":2,"b":1},"output":"lamp 42"}]`)
	chat := parse(t, `[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"find","arguments":"{\"b\":1,\"a\":2}"}},{"id":"2","function":{"name":"find","arguments":"{ \"a\": 2, \"b\": 1 }"}}]},
		{"role":"tool","tool_call_id":"1","content":"lamp 42"},{"role":"tool","tool_call_id":"2","content":"lamp 42"}]`)
	span := func(id, args string) string {
		return fmt.Sprintf(`{"spanId":%q,"startTimeUnixNano":%q,"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"find"}},{"key":"gen_ai.tool.call.arguments","value":{"stringValue":%q}},{"key":"gen_ai.tool.call.result","value":{"stringValue":"lamp 42"}}]}`, id, id, args)
	}
	spans := parse(t, `{"resourceSpans":[{"scopeSpans":[{"spans":[`+span("1", `{"b":1,"a":2}`)+","+span("2", `{"a":2,"b":1}`)+`]}]}]}`)
	want := Facts(plain)
	if len(want) != 1 || want[0].Kind != FactDuplicateCall {
		t.Fatalf("plain steps give %+v", want)
	}
	for name, tr := range map[string]Trace{"messages": chat, "spans": spans} {
		if diff := cmp.Diff(want, Facts(tr)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
