package judge

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bailiff/judge/model"
	"bailiff/rubric"
)

// want is what an outcome has to be.
type want struct {
	status Status
	code   string // of the fault, rejection or skip
	stage  string
	score  float64
	method string
	calls  map[string]int
}

func (w want) check(t *testing.T, o Outcome, m *scripted) {
	t.Helper()
	if o.Status != w.status {
		t.Fatalf("status %s, want %s; fault %+v rejection %+v", o.Status, w.status, o.Fault, o.Rejection)
	}
	code, stage := codeAndStage(o)
	if code != w.code || stage != w.stage {
		t.Errorf("code %s at %s, want %s at %s", code, stage, w.code, w.stage)
	}
	switch {
	case w.status != Scored:
		if o.Score != nil || o.Passed != nil {
			t.Errorf("score %v passed %v without being scored", o.Score, o.Passed)
		}
		if len(o.Explanation) < 20 || !strings.Contains(o.Explanation, " ") {
			t.Errorf("explanation %q is no sentence", o.Explanation)
		}
	case o.Score == nil || math.Abs(*o.Score-w.score) > 1e-9:
		t.Errorf("score %v, want %v", o.Score, w.score)
	case o.Passed == nil || *o.Passed != (*o.Score >= o.Threshold):
		t.Errorf("passed %v with %v against %v", o.Passed, *o.Score, o.Threshold)
	}
	if w.method != "" && o.Meta.Method != w.method {
		t.Errorf("method %s (%s), want %s", o.Meta.Method, o.Meta.MethodReason, w.method)
	}
	for stage, n := range w.calls {
		if got := m.count(stage); got != n {
			t.Errorf("%d calls of %s, want %d", got, stage, n)
		}
	}
}

func codeAndStage(o Outcome) (string, string) {
	switch {
	case o.Fault != nil:
		return o.Fault.Code, o.Fault.Stage
	case o.Rejection != nil:
		return o.Rejection.Code, o.Rejection.Stage
	case o.Skip != nil:
		return o.Skip.Code, o.Skip.Stage
	}
	return "", ""
}

// Every way in which the judge may answer, and what becomes of it.
func TestAnswersOfTheJudge(t *testing.T) {
	b := newBench(t)
	even := map[string]float64{"8": 0.5, "7": 0.3, "9": 0.2}
	bad := func(code string, calls int) want {
		return want{status: Errored, code: code, stage: "score", calls: map[string]int{"score": calls}}
	}
	good := func(score float64, method string, calls int) want {
		return want{status: Scored, score: score, method: method, calls: map[string]int{"score": calls}}
	}
	for _, c := range []struct {
		name  string
		score []reply
		want  want
	}{
		{"a number", []reply{scores(8)}, good(80, MethodRaw, 1)},
		{"zero is a number", []reply{scores(0)}, good(0, MethodRaw, 1)},
		{"a decimal is kept", []reply{scores(7.25)}, good(72.5, MethodRaw, 1)},
		{"an exponent", []reply{scores("1e1")}, good(100, MethodRaw, 1)},
		{"a quoted number", []reply{scores(`"9"`)}, good(90, MethodRaw, 1)},
		{"weighted", []reply{weighs("8", even)}, good(79, MethodLogprob, 1)},
		{"weighted to just under the next cent", []reply{weighs("8", map[string]float64{"8": 0.7996, "7": 0.1004, "9": 0.1})}, good(80, MethodLogprob, 1)},
		{"too little mass", []reply{weighs("8", map[string]float64{"\"": 0.9, "8": 0.02})}, good(80, MethodRaw, 1)},

		{"off the scale, then on it", []reply{scores(85), scores(8)}, good(80, MethodRaw, 2)},
		{"off the scale twice", []reply{scores(11)}, bad("judge_output_invalid", 2)},
		{"under the scale", []reply{scores(-1)}, bad("judge_output_invalid", 2)},
		{"a little over it", []reply{scores(10.01)}, bad("judge_output_invalid", 2)},
		{"a word, then a number", []reply{scores(`"eight"`), scores(8)}, good(80, MethodRaw, 2)},
		{"a word twice", []reply{scores(`"eight"`)}, bad("judge_output_invalid", 2)},
		{"a fraction", []reply{scores(`"8/10"`)}, bad("judge_output_invalid", 2)},
		{"true", []reply{scores(true)}, bad("judge_output_invalid", 2)},
		{"null", []reply{scores("null")}, bad("judge_output_invalid", 2)},
		{"a list", []reply{scores("[8]")}, bad("judge_output_invalid", 2)},
		{"no score", []reply{says(`{"findings":[],"reason":"r"}`)}, bad("judge_output_invalid", 2)},
		{"no reason", []reply{says(`{"findings":[],"score":8}`)}, bad("judge_output_invalid", 2)},
		{"no findings", []reply{says(`{"reason":"r","score":8}`)}, bad("judge_output_invalid", 2)},
		{"another name", []reply{says(`{"findings":[],"reason":"r","SCORE":8}`)}, bad("judge_output_invalid", 2)},
		{"the score twice", []reply{says(`{"findings":[],"reason":"r","score":8,"score":9}`)}, bad("judge_output_invalid", 2)},
		{"no object, then a number", []reply{fails(model.CodeMalformed), scores(6)}, good(60, MethodRaw, 2)},
		{"no object twice", []reply{fails(model.CodeMalformed)}, bad("judge_output_invalid", 2)},
		{"no object, then off the scale", []reply{fails(model.CodeMalformed), scores(85), scores(8)}, bad("judge_output_invalid", 2)},

		{"cut, then whole", []reply{fails(model.CodeTruncated), scores(8)}, good(80, MethodRaw, 2)},
		{"cut twice", []reply{fails(model.CodeTruncated)}, bad("judge_truncated", 2)},
		{"cut, then off the scale, then good", []reply{fails(model.CodeTruncated), scores(85), scores(8)}, good(80, MethodRaw, 3)},
		{"off the scale, then cut twice", []reply{scores(85), fails(model.CodeTruncated)}, bad("judge_truncated", 3)},
		{"a refusal", []reply{fails(model.CodeRefused)}, bad("judge_refused", 1)},
		{"off the scale, then a refusal", []reply{scores(85), fails(model.CodeRefused)}, bad("judge_refused", 2)},

		{"unreachable", []reply{fails(model.CodeUnavailable)}, bad("model_unavailable", 1)},
		{"limited", []reply{fails(model.CodeRateLimited)}, bad("model_rate_limited", 1)},
		{"no access", []reply{fails(model.CodeAuth)}, bad("model_auth", 1)},
		{"slow", []reply{fails(model.CodeTimeout)}, bad("model_timeout", 1)},
		{"no budget", []reply{fails(model.CodeBudget)}, want{status: Errored, code: "budget_exhausted", stage: "meter"}},
		{"cancelled", []reply{fails(model.CodeCancelled)}, want{status: Errored, code: "cancelled", stage: "run"}},
		{"a class nobody knows", []reply{fails("teapot")}, bad("model_unavailable", 1)},
		{"a bug", []reply{panics}, bad("judge_output_invalid", 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := script(map[string][]reply{"score": c.score})
			o := b.judge.Evaluate(t.Context(), b.request(m))
			c.want.check(t, o, m)
			if strings.Contains(o.Explanation, "sk-secret") {
				t.Errorf("the explanation repeats an upstream: %q", o.Explanation)
			}
			if o.Fault != nil && o.Fault.Stage == "score" && o.Fault.Code != "judge_output_invalid" && o.Fault.Attempts != m.count("score") {
				t.Errorf("%d attempts are told of %d calls", o.Fault.Attempts, m.count("score"))
			}
		})
	}
}

func TestTheRetryNamesTheMistakeAndGrantsMoreRoom(t *testing.T) {
	b := newBench(t)
	m := script(map[string][]reply{"score": {scores(85), fails(model.CodeTruncated), scores(8)}})
	o := b.judge.Evaluate(t.Context(), b.request(m))
	want{status: Scored, score: 80}.check(t, o, m)
	asked := m.requests("score")
	if strings.Contains(asked[0].User, "could not be used") || !strings.Contains(asked[1].User, "score is 85, which is outside 0 to 10") {
		t.Errorf("the second request does not name the mistake:\n%s", asked[1].User)
	}
	if !strings.Contains(asked[2].User, "score is 85") || asked[2].MaxTokens <= asked[1].MaxTokens {
		t.Errorf("the third request has %d tokens after %d", asked[2].MaxTokens, asked[1].MaxTokens)
	}
}

func TestSamples(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		name      string
		score     []reply
		samples   int
		adaptive  int
		threshold float64
		want      want
		border    bool
	}{
		{"one", []reply{scores(7)}, 1, 0, 80, want{status: Scored, score: 70, method: MethodRaw, calls: map[string]int{"score": 1}}, false},
		{"three around the threshold", []reply{scores(8), scores(9), scores(7)}, 3, 0, 80, want{status: Scored, score: 80, method: MethodSampled, calls: map[string]int{"score": 3}}, true},
		{"three with a mean of no round number", []reply{scores(8), scores(8), scores(7)}, 3, 0, 20, want{status: Scored, score: 76.67, method: MethodSampled, calls: map[string]int{"score": 3}}, false},
		{"exact even when clear", []reply{scores(10)}, 5, 0, 10, want{status: Scored, score: 100, method: MethodSampled, calls: map[string]int{"score": 5}}, false},
		{"weighted ones", []reply{weighs("8", map[string]float64{"8": 1}), weighs("6", map[string]float64{"6": 1})}, 2, 0, 10, want{status: Scored, score: 70, method: MethodLogprob, calls: map[string]int{"score": 2}}, false},
		{"one of them fails", []reply{scores(8), fails(model.CodeRefused)}, 3, 0, 80, want{status: Errored, code: "judge_refused", stage: "score"}, false},
		{"one of them is corrected", []reply{scores(8), scores(85), scores(8)}, 2, 0, 10, want{status: Scored, score: 80, method: MethodSampled, calls: map[string]int{"score": 3}}, false},

		{"adaptive and clear", []reply{scores(10)}, 0, 5, 50, want{status: Scored, score: 100, method: MethodRaw, calls: map[string]int{"score": 1}}, false},
		{"adaptive and close", []reply{scores(8), scores(9), scores(7)}, 0, 5, 80, want{status: Scored, score: 76, method: MethodSampled, calls: map[string]int{"score": 5}}, true},
		{"adaptive, close, then clear", []reply{scores(7), scores(6), scores(6)}, 0, 5, 75, want{status: Scored, score: 63.33, method: MethodSampled, calls: map[string]int{"score": 3}}, false},
		{"adaptive and weighted close", []reply{weighs("8", map[string]float64{"8": 0.5, "7": 0.5}), scores(8)}, 0, 2, 75, want{status: Scored, score: 77.5, method: MethodSampled, calls: map[string]int{"score": 2}}, true},
		{"adaptive never beyond the caller's number", []reply{scores(8)}, 1, 5, 80, want{status: Scored, score: 80, method: MethodRaw, calls: map[string]int{"score": 1}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := script(map[string][]reply{"score": c.score})
			req := b.request(m)
			req.Args.Samples, req.AdaptiveSamples, req.Threshold = c.samples, c.adaptive, c.threshold
			o := b.judge.Evaluate(t.Context(), req)
			c.want.check(t, o, m)
			if o.Status != Scored {
				return
			}
			if o.Meta.Borderline != c.border {
				t.Errorf("borderline %v, interval %v..%v around %v", o.Meta.Borderline, o.Meta.Low, o.Meta.High, *o.Score)
			}
			if o.Meta.Samples != c.want.calls["score"] && !strings.Contains(c.name, "corrected") {
				t.Errorf("%d samples are told", o.Meta.Samples)
			}
			for i, r := range m.requests("score") {
				if r.Sample != (i > 0) && !strings.Contains(c.name, "corrected") {
					t.Errorf("request %d: further sample %v", i, r.Sample)
				}
			}
		})
	}
}

func TestStrictMode(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		name    string
		strict  []reply
		samples int
		want    want
	}{
		{"pass", []reply{verdicts("pass")}, 0, want{status: Scored, score: 100, method: MethodRaw, calls: map[string]int{"strict": 1, "score": 0}}},
		{"fail", []reply{verdicts("fail")}, 0, want{status: Scored, score: 0, method: MethodRaw, calls: map[string]int{"strict": 1, "score": 0}}},
		{"neither, then pass", []reply{verdicts("mostly"), verdicts("pass")}, 0, want{status: Scored, score: 100, calls: map[string]int{"strict": 2}}},
		{"neither twice", []reply{verdicts("PASS")}, 0, want{status: Errored, code: "judge_output_invalid", stage: "score", calls: map[string]int{"strict": 2}}},
		{"a number", []reply{scores(10)}, 0, want{status: Errored, code: "judge_output_invalid", stage: "score"}},
		{"most of three pass", []reply{verdicts("pass"), verdicts("fail"), verdicts("pass")}, 3, want{status: Scored, score: 100, method: MethodSampled, calls: map[string]int{"strict": 3}}},
		{"half of two pass", []reply{verdicts("pass"), verdicts("fail")}, 2, want{status: Scored, score: 0, method: MethodSampled}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := script(map[string][]reply{"strict": c.strict})
			req := b.request(m)
			req.Args.Strict, req.Args.Samples = true, c.samples
			o := b.judge.Evaluate(t.Context(), req)
			c.want.check(t, o, m)
			if o.Threshold != 100 {
				t.Errorf("threshold %v", o.Threshold)
			}
			if r := m.requests("strict")[0]; r.Logprobs {
				t.Error("a verdict is asked for with log probabilities")
			}
			if o.Status == Scored && strings.Contains(o.Explanation, "pass") != (*o.Score == 100) {
				t.Errorf("score %v with the reason %q", *o.Score, o.Explanation)
			}
		})
	}
}

func TestScales(t *testing.T) {
	b := newBench(t)
	ofHundred := script(map[string][]reply{"score": {weighs("85", map[string]float64{"85": 0.4, "80": 0.3, "90": 0.2, "88": 0.05})}})
	ofHundred.info.Scale = 100
	o := b.judge.Evaluate(t.Context(), b.request(ofHundred))
	want{status: Scored, score: 84.63, method: MethodLogprob}.check(t, o, ofHundred)
	if s := ofHundred.requests("score")[0].System; !strings.Contains(s, "from 0 to 100") {
		t.Error("the judge is not told of its scale of 0 to 100")
	}

	// Under a definition with a scale of 0 to 1, a number between them may be
	// meant on either scale.
	between := script(map[string][]reply{"score": {scores(0.9), scores(9)}})
	req := b.request(between)
	req.Args.Definition += " Give a score between 0 and 1."
	o = b.judge.Evaluate(t.Context(), req)
	want{status: Scored, score: 90, calls: map[string]int{"score": 2}}.check(t, o, between)
	twice := script(map[string][]reply{"score": {scores(0.9)}})
	req.Model = twice
	o = b.judge.Evaluate(t.Context(), req)
	want{status: Errored, code: "judge_output_invalid", stage: "score"}.check(t, o, twice)
	low := script(map[string][]reply{"score": {scores(0.5)}})
	o = b.judge.Evaluate(t.Context(), b.request(low))
	want{status: Scored, score: 5}.check(t, o, low)
}

func TestEmptyRecordsAreSkippedWithoutACall(t *testing.T) {
	b := newBench(t)
	for name, r := range map[string]Record{
		"nothing":         {},
		"white space":     {Input: " \n", Output: "\t"},
		"invisible":       {Input: "\u200b", Output: "\u3164"},
		"unselected only": {Prompt: "a prompt", GoldenAnswer: "gold", Context: []string{"c"}},
	} {
		m := script(nil)
		req := b.request(m)
		req.Record = r
		o := b.judge.Evaluate(t.Context(), req)
		want{status: Skipped, code: CodeNoFieldValue, stage: "fields"}.check(t, o, m)
		if len(m.asked) != 0 || o.Usage.Calls != 0 || o.Usage.Cost.String() != "0" || len(o.Stages) != 1 {
			t.Errorf("%s: %d calls, cost %q, stages %v", name, len(m.asked), o.Usage.Cost.String(), o.Stages)
		}
		if !strings.Contains(o.Explanation, "input") || !strings.Contains(o.Explanation, "output") {
			t.Errorf("%s: %q does not name the fields", name, o.Explanation)
		}
	}
}

func TestTheJudgeSeesWhatIsSelected(t *testing.T) {
	b := newBench(t)
	m := script(nil)
	req := b.request(m)
	req.Args.Fields = []rubric.Field{rubric.Output, rubric.Context}
	req.Record = Record{Output: "shown output", Input: "unselected-4711", GoldenAnswer: "unselected-4712", Context: []string{"first", "second"}, RetrievalContext: []string{"third"}}
	b.judge.Evaluate(t.Context(), req)
	var data map[string]any
	r := m.requests("score")[0]
	if err := json.Unmarshal(fenced(r.User), &data); err != nil {
		t.Fatal(err)
	}
	wantRecord := map[string]any{"output": "shown output", "context": []any{"first", "second"}, "retrieval_context": []any{"third"}}
	if diff := cmp.Diff(wantRecord, data["record"]); diff != "" {
		t.Error(diff)
	}
	if data["eval_definition"] != req.Args.Definition || len(data["evaluation_steps"].([]any)) != 2 {
		t.Errorf("the judge does not see the definition and its steps: %v", data)
	}
	for _, r := range m.asked {
		if strings.Contains(r.User+r.System, "unselected-471") || strings.Contains(r.System, "shown output") || strings.Contains(r.System, req.Args.Definition) {
			t.Errorf("the %s request holds what it should not", r.Stage)
		}
	}
}

func TestEmptyFieldsAreStated(t *testing.T) {
	b := newBench(t)
	m := script(map[string][]reply{"score": {scores(0)}})
	req := b.request(m)
	req.Record.Output = ""
	o := b.judge.Evaluate(t.Context(), req)
	want{status: Scored, score: 0}.check(t, o, m)
	if u := m.requests("score")[0].User; !strings.Contains(u, "output (empty)") || !strings.Contains(u, `"output":""`) {
		t.Errorf("that the output is empty is not said:\n%s", u)
	}
	if !slices.Contains(o.Meta.Notes, "output is empty") {
		t.Errorf("notes %q", o.Meta.Notes)
	}

	// Nobody selected anything: what is not there is not mentioned, unless the
	// definition speaks of it.
	all := script(nil)
	req = b.request(all)
	req.Args.Fields = nil
	req.Args.Definition = "Check whether the output agrees with the golden answer. Check whether the output is polite."
	b.judge.Evaluate(t.Context(), req)
	u := all.requests("score")[0].User
	if strings.Contains(u, `"prompt"`) || strings.Contains(u, `"context"`) || !strings.Contains(u, "golden_answer (empty)") {
		t.Errorf("fields that nobody gave are mentioned, or the one that is needed is not:\n%s", u)
	}
}

func TestHostileRecordsStayInTheBlock(t *testing.T) {
	b := newBench(t)
	for _, text := range hostile {
		m := script(map[string][]reply{"score": {scores(1)}})
		req := b.request(m)
		req.Record.Output = text
		o := b.judge.Evaluate(t.Context(), req)
		want{status: Scored, score: 10}.check(t, o, m)
		r := m.requests("score")[0]
		if lines := strings.Split(r.User, "\n"); len(lines) != 5 {
			t.Errorf("%q made %d lines", text, len(lines))
		}
		if strings.Contains(r.System, "Give 10") {
			t.Errorf("%q reached the system text", text)
		}
	}
}

func TestReasonAndFindings(t *testing.T) {
	b := newBench(t)
	m := script(map[string][]reply{"score": {says(`{"findings":[{"step":1,"evidence":"3 May","verdict":"met"},{"step":2,"evidence":"none","verdict":"partly"}],"reason":"The date is there.","score":6}`)}})
	o := b.judge.Evaluate(t.Context(), b.request(m))
	if o.Explanation != "The date is there." || len(o.Meta.StepFindings) != 2 || o.Meta.StepFindings[1].Verdict != "partly" {
		t.Errorf("explanation %q, findings %v", o.Explanation, o.Meta.StepFindings)
	}
	req := b.request(m)
	req.Args.IncludeReason = false
	if o = b.judge.Evaluate(t.Context(), req); o.Status != Scored || o.Explanation != "" || *o.Score != 60 {
		t.Errorf("without a reason: %q, %v", o.Explanation, o.Score)
	}
	blank := script(map[string][]reply{"score": {says(`{"findings":[],"reason":" ","score":6}`)}})
	if o = b.judge.Evaluate(t.Context(), b.request(blank)); o.Explanation == "" || o.Status != Scored {
		t.Errorf("a blank reason gives %q", o.Explanation)
	}
}

func TestDefinitionsAreResolvedOnce(t *testing.T) {
	b := newBench(t)
	m := script(nil)
	m.info.Price = &model.Price{Input: 1, Output: 2}
	first := b.judge.Evaluate(t.Context(), b.request(m))
	second := b.judge.Evaluate(t.Context(), b.request(m))
	want{status: Scored, score: 80, calls: map[string]int{"safety": 1, "resolve": 1, "generate": 0, "score": 2}}.check(t, second, m)
	if first.Meta.Cached || !second.Meta.Cached {
		t.Errorf("cached %v and %v", first.Meta.Cached, second.Meta.Cached)
	}
	if first.Usage.Calls != 3 || second.Usage.Calls != 1 || second.UsageByStage["safety"].Calls != 0 || second.UsageByStage["score"].Calls != 1 {
		t.Errorf("usage %+v and %+v", first.UsageByStage, second.UsageByStage)
	}
	if first.Usage.Cost.String() != "0.00036" || second.Usage.Cost.String() != "0.00012" {
		t.Errorf("cost %s and %s", first.Usage.Cost.String(), second.Usage.Cost.String())
	}
	if first.Meta.StepsHash == "" || first.Meta.StepsHash != second.Meta.StepsHash || first.Meta.DefinitionHash != second.Meta.DefinitionHash {
		t.Errorf("hashes %s %s", first.Meta.StepsHash, second.Meta.StepsHash)
	}
	var names []string
	for _, s := range first.Stages {
		names = append(names, s.Name)
		if s.Cached {
			t.Errorf("stage %s of the first evaluation is told to be cached", s.Name)
		}
	}
	if diff := cmp.Diff([]string{"fields", "scan", "policy", "safety", "semantic"}, names[:5]); diff != "" || names[len(names)-1] != "score" {
		t.Errorf("stages %v", names)
	}
}
