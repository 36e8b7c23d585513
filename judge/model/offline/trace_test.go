package offline

import (
	"encoding/json"
	"strings"
	"testing"
)

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func call(n int, name string) traceStep {
	return traceStep{Step: n, Type: "tool", Name: name, Input: raw(map[string]int{"id": n}), Output: raw("ok")}
}

// TestScoreTrace: every kind of waste lowers the score, and graver waste more.
func TestScoreTrace(t *testing.T) {
	t.Parallel()
	trace := []traceStep{{Step: 1, Type: "user", Input: raw("Book a table.")}, call(2, "find"), call(3, "find"), call(4, "book"), call(5, "mail")}
	of := func(facts ...fact) (int, string) {
		in := request{Trace: trace, Facts: facts}
		return score(in).Score, strict(in).Verdict
	}
	if s, v := of(); s != 10 || v != "pass" {
		t.Errorf("no facts: %d %s, want 10 pass", s, v)
	}
	for _, c := range []struct {
		fact fact
		want int
	}{
		{fact{Kind: "duplicate_call", Steps: []int{2, 3}, Text: "Step 3 repeats step 2."}, 8},
		{fact{Kind: "repeated_result", Steps: []int{2, 3}, Text: "Step 3 gave what was known."}, 8},
		{fact{Kind: "unused_result", Steps: []int{3}, Text: "Nothing used step 3."}, 9},
		{fact{Kind: "dead_end", Steps: []int{3}, Text: "Step 3 failed."}, 8},
		{fact{Kind: "failed_then_retried", Steps: []int{2, 3}, Text: "Step 2 failed, 3 tried again."}, 9},
		{fact{Kind: "loop", Steps: []int{2, 3, 4}, Text: "Steps 2 to 4 are a loop."}, 5},
		{fact{Kind: "something_new", Steps: []int{3}, Text: "Step 3 is odd."}, 9},
	} {
		s, v := of(c.fact)
		if s != c.want || v != "fail" {
			t.Errorf("%s: %d %s, want %d fail", c.fact.Kind, s, v, c.want)
		}
	}
	all, _ := of(fact{Kind: "loop", Steps: []int{2, 3, 4, 5}, Text: "x"}, fact{Kind: "dead_end", Steps: []int{2}, Text: "y"})
	if all > 1 {
		t.Errorf("all steps wasted: %d, want at most 1", all)
	}
	if s := score(request{Trace: []traceStep{}}); s.Score != 0 {
		t.Errorf("empty trace: %d, want 0", s.Score)
	}
}

func TestTraceFindings(t *testing.T) {
	t.Parallel()
	in := request{
		Trace: []traceStep{{Step: 1, Type: "user", Input: raw("Go.")}, call(2, "find"), call(3, "find")},
		Facts: []fact{{Kind: "duplicate_call", Steps: []int{2, 3}, Text: "Step 3 repeats step 2."}},
	}
	a := score(in)
	if len(a.Findings) != 2 || a.Findings[0].Verdict != verdictMet || a.Findings[1].Verdict != verdictNotMet || a.Findings[1].Evidence != "Step 3 repeats step 2." {
		t.Errorf("findings = %+v", a.Findings)
	}
	if !strings.Contains(a.Reason, "Offline baseline") || !strings.Contains(a.Reason, "Step 3 repeats step 2.") {
		t.Errorf("reason = %q", a.Reason)
	}
}

func TestTaskOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trace []traceStep
		want  string
	}{
		"user message":   {[]traceStep{{Type: "system", Input: raw("Be brief.")}, {Type: "user", Input: raw("Book a  table\nfor two.")}}, "Book a table for two."},
		"user output":    {[]traceStep{{Type: "user", Output: raw("Find a train.")}}, "Find a train."},
		"agent input":    {[]traceStep{{Type: "agent", Name: "run", Input: raw(map[string]any{"task": "Sort the mail."})}}, "Sort the mail."},
		"chat messages":  {[]traceStep{{Type: "llm", Input: raw([]any{map[string]any{"role": "system", "content": "Be brief."}, map[string]any{"role": "user", "content": "Name a river."}})}}, "Name a river."},
		"content parts":  {[]traceStep{{Type: "user", Input: raw(map[string]any{"content": []any{map[string]any{"type": "text", "text": "Name a lake."}}})}}, "Name a lake."},
		"names alone":    {[]traceStep{{Type: "tool", Name: "fetch"}}, "Carry out the steps that begin with fetch."},
		"nothing at all": {nil, "Carry out the steps of the trace."},
		"numbers only":   {[]traceStep{{Type: "tool", Name: "add", Input: raw(7)}}, "Carry out the steps that begin with add."},
		"broken JSON":    {[]traceStep{{Type: "tool", Name: "add", Input: json.RawMessage(`{`)}}, "Carry out the steps that begin with add."},
		"very long":      {[]traceStep{{Type: "user", Input: raw(strings.Repeat("go ", 400))}}, strings.TrimSpace(strings.Repeat("go ", 400))[:500] + "…"},
	} {
		if got := taskOf(c.trace); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
