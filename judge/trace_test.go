package judge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func parse(t *testing.T, raw string) Trace {
	t.Helper()
	tr, err := ParseTrace([]byte(raw))
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return tr
}

// sketch is a trace in one line for each step.
func sketch(t Trace) []string {
	var out []string
	for _, s := range t.Steps {
		line := fmt.Sprintf("%d %s %s in=%s out=%s", s.Step, s.Type, s.Name, s.Input, s.Output)
		if s.Parent > 0 {
			line += fmt.Sprintf(" under=%d", s.Parent)
		}
		if s.Error != "" {
			line += " error=" + s.Error
		}
		if len(s.Other) > 0 {
			b, _ := json.Marshal(s.Other)
			line += " other=" + string(b)
		}
		out = append(out, line)
	}
	return out
}

func TestTraceOfPlainSteps(t *testing.T) {
	tr := parse(t, `[
		{"type":"tool","name":"lookup","input":{"id":7},"output":"found","cost":0.2},
		{"type":"agent","name":"clerk","steps":[{"type":"tool","name":"print","args":{"n":1},"error":{"code":5}}]},
		{"tool":"mail","result":true,"error":null},
		{"note":"only this"}
	]`)
	want := []string{
		`1 tool lookup in={"id":7} out="found" other={"cost":0.2}`,
		`2 agent clerk in= out=`,
		`3 tool print in={"n":1} out= under=2 error={"code":5}`,
		`4 step mail in= out=true`,
		`5 step  in= out= other={"note":"only this"}`,
	}
	if diff := cmp.Diff(want, sketch(tr)); diff != "" {
		t.Error(diff)
	}
}

func TestTraceOfChatMessages(t *testing.T) {
	tr := parse(t, `{"messages":[
		{"role":"developer","content":"Be brief."},
		{"role":"user","content":[{"type":"text","text":"What is due?"}]},
		{"role":"assistant","content":"Looking.","tool_calls":[
			{"id":"a","type":"function","function":{"name":"invoices","arguments":"{\"open\": true}"}},
			{"id":"b","type":"function","function":{"name":"today","arguments":""}}]},
		{"role":"tool","tool_call_id":"b","content":"{\"error\": \"no clock\"}"},
		{"role":"tool","tool_call_id":"a","content":"[{\"no\": 12}]"},
		{"role":"assistant","content":"Invoice 12."}
	]}`)
	want := []string{
		`1 system developer in="Be brief." out=`,
		`2 user user in="What is due?" out=`,
		`3 llm assistant in= out="Looking."`,
		`4 tool invoices in={"open": true} out=[{"no": 12}]`,
		`5 tool today in="" out={"error": "no clock"} error=no clock`,
		`6 llm assistant in= out="Invoice 12."`,
	}
	if diff := cmp.Diff(want, sketch(tr)); diff != "" {
		t.Error(diff)
	}
}

func TestTraceOfToolBlocksAndResponseItems(t *testing.T) {
	blocks := parse(t, `[
		{"role":"user","content":"Stock of bolts?"},
		{"role":"assistant","content":[{"type":"text","text":"I check."},{"type":"tool_use","id":"u1","name":"stock","input":{"part":"bolt"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"u1","content":"offline","is_error":true}]}
	]`)
	want := []string{
		`1 user user in="Stock of bolts?" out=`,
		`2 llm assistant in= out="I check."`,
		`3 tool stock in={"part":"bolt"} out= error=offline`,
	}
	if diff := cmp.Diff(want, sketch(blocks)); diff != "" {
		t.Error(diff)
	}
	picture := parse(t, `[{"role":"user","content":[{"type":"text","text":"What is it?"},{"type":"image_url","image_url":{"url":"u"}}]},{"role":"assistant","content":[{"type":"text","text":"A bolt."},{"type":"text","text":"M8."}]}]`)
	want = []string{
		`1 user user in=[{"text":"What is it?","type":"text"},{"image_url":{"url":"u"},"type":"image_url"}] out=`,
		`2 llm assistant in= out="A bolt.\nM8."`,
	}
	if diff := cmp.Diff(want, sketch(picture)); diff != "" {
		t.Error(diff)
	}
	items := parse(t, `[
		{"role":"user","content":"Stock of bolts?"},
		{"type":"function_call","call_id":"c1","name":"stock","arguments":"{\"part\":\"bolt\"}"},
		{"type":"function_call_output","call_id":"c1","output":"{\"n\":40}"},
		{"type":"message","role":"assistant","content":[{"type":"output_text","text":"40"}]}
	]`)
	want = []string{
		`1 user user in="Stock of bolts?" out=`,
		`2 tool stock in={"part":"bolt"} out={"n":40}`,
		`3 llm assistant in= out="40"`,
	}
	if diff := cmp.Diff(want, sketch(items)); diff != "" {
		t.Error(diff)
	}
}

func TestTraceOfSpans(t *testing.T) {
	tr := parse(t, `{"resourceSpans":[{"scopeSpans":[{"spans":[
		{"spanId":"t2","parentSpanId":"r","name":"execute_tool fetch","startTimeUnixNano":"30","attributes":[
			{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}},{"key":"gen_ai.tool.name","value":{"stringValue":"fetch"}},
			{"key":"gen_ai.tool.call.arguments","value":{"stringValue":"{\"url\":\"x\"}"}}],
		 "status":{"code":2},"events":[{"name":"exception","attributes":[{"key":"exception.message","value":{"stringValue":"404"}},{"key":"exception.stacktrace","value":{"stringValue":"long"}}]}]},
		{"spanId":"r","name":"invoke_agent scout","startTimeUnixNano":10,"attributes":[
			{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}},{"key":"gen_ai.agent.name","value":{"stringValue":"scout"}},
			{"key":"gen_ai.usage.input_tokens","value":{"intValue":"31"}}]},
		{"spanId":"t1","parentSpanId":"r","name":"retrieve","startTimeUnixNano":"20","attributes":[
			{"key":"openinference.span.kind","value":{"stringValue":"RETRIEVER"}},{"key":"input.value","value":{"stringValue":"moon"}},
			{"key":"output.value","value":{"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"id","value":{"intValue":4}}]}},{"boolValue":true},{"doubleValue":0.5}]}}}]}
	]}]}]}`)
	want := []string{
		`1 agent scout in= out= other={"gen_ai.usage.input_tokens":31}`,
		`2 retriever retrieve in="moon" out=[{"id":4},true,0.5] under=1`,
		`3 tool fetch in={"url":"x"} out= under=1 error=404 other={"events":[{"event":"exception","exception.message":"404"}]}`,
	}
	if diff := cmp.Diff(want, sketch(tr)); diff != "" {
		t.Error(diff)
	}
}

func TestTraceWithoutSteps(t *testing.T) {
	for _, raw := range []string{"", "null", "[]", " [ ] ", `{"resourceSpans":[]}`, `{"resourceSpans":[{"scopeSpans":[{"spans":[]}]}]}`, `{"steps":[]}`, `{"messages":[]}`} {
		if tr := parse(t, raw); len(tr.Steps) != 0 {
			t.Errorf("%q has %d steps", raw, len(tr.Steps))
		}
	}
}

func TestTraceOfAnotherShapeIsAnError(t *testing.T) {
	for _, raw := range []string{`"steps"`, `7`, `true`, `{}`, `{"steps":3}`, `[1,2]`, `["a"]`, `{"resourceSpans":3}`, `[{"type":"tool"}`, `{"resourceSpans":[{"scopeSpans":3}]}`} {
		if tr, err := ParseTrace([]byte(raw)); err == nil {
			t.Errorf("%s was read as %v", raw, sketch(tr))
		}
	}
}

func TestTraceIsBounded(t *testing.T) {
	var many []string
	for i := range 3000 {
		many = append(many, fmt.Sprintf(`{"type":"tool","name":"t%d","output":"%s"}`, i, strings.Repeat("x", 2000)))
	}
	tr := parse(t, "["+strings.Join(many, ",")+"]")
	if len(tr.Steps) != maxTraceSteps || tr.size() > 2*maxShownBytes {
		t.Errorf("%d steps of %d bytes", len(tr.Steps), tr.size())
	}
	if first, last := tr.Steps[0].Name, tr.Steps[len(tr.Steps)-1].Name; first != "t0" || last != "t2999" {
		t.Errorf("steps %s to %s, want the first and the last", first, last)
	}
	if len(tr.Notes) < 2 {
		t.Errorf("notes %q do not tell what was left out", tr.Notes)
	}

	long := parse(t, `[{"type":"tool","name":"a","input":"`+strings.Repeat("é", maxValueBytes)+`"}]`)
	if s := string(long.Steps[0].Input); len(s) > maxValueBytes+200 || !json.Valid([]byte(s)) || !strings.Contains(s, "left out") {
		t.Errorf("a long value became %d bytes: %.80s", len(s), s)
	}

	deep := strings.Repeat(`[{"name":"n","steps":`, 200) + "[]" + strings.Repeat("}]", 200)
	if tr := parse(t, deep); len(tr.Steps) > maxTraceDepth+1 {
		t.Errorf("%d nested steps", len(tr.Steps))
	}
}

// Whatever a trace holds, its steps are valid JSON for a prompt and counted
// from 1, and facts point at steps that are there.
func TestTraceProperties(t *testing.T) {
	value := rapid.SampledFrom([]string{`null`, `"a\nb"`, `{"k":[1,2]}`, `"{\"x\": 1}"`, `"\u2028 <<<END"`, `12345`, `[]`, `false`, `"ICE 147 departs"`})
	rapid.Check(t, func(t *rapid.T) {
		var items []string
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			item := fmt.Sprintf(`{"type":%q,"name":%q,"input":%s,"output":%s,"error":%s}`,
				rapid.SampledFrom([]string{"tool", "llm", "retriever", "agent", "user", "x"}).Draw(t, "type"),
				rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"),
				value.Draw(t, "input"), value.Draw(t, "output"), value.Draw(t, "error"))
			items = append(items, item)
		}
		tr, err := ParseTrace([]byte("[" + strings.Join(items, ",") + "]"))
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(tr.Steps)
		if err != nil || strings.ContainsAny(string(b), "\n\r") {
			t.Fatalf("%s: %v", b, err)
		}
		for i, s := range tr.Steps {
			if s.Step != i+1 {
				t.Fatalf("step %d is numbered %d", i+1, s.Step)
			}
		}
		for _, f := range Facts(tr) {
			for _, at := range f.Steps {
				if at < 1 || at > len(tr.Steps) {
					t.Fatalf("%+v points outside %d steps", f, len(tr.Steps))
				}
			}
		}
	})
}

func FuzzParseTrace(f *testing.F) {
	f.Add([]byte(`[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"n","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":[]}]`))
	f.Add([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"k","value":{"kvlistValue":{"values":[]}}}]}]}]}]}`))
	f.Add([]byte(`[{"steps":[{"children":[null]}]}]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tr, err := ParseTrace(raw)
		if err != nil {
			return
		}
		if _, err := json.Marshal(tr.Steps); err != nil {
			t.Errorf("steps cannot be written: %v", err)
		}
		Facts(tr)
		tr.parts()
	})
}
