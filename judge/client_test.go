package judge

import (
	"math"
	"strings"
	"testing"
	"time"

	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
)

// upstream is a model behind real HTTP with a scripted answer to the score
// stage.
func upstream(t *testing.T, edit func(*model.ClientConfig), score ...modeltest.Reply) (*modeltest.Server, *model.Client) {
	t.Helper()
	up := modeltest.New(t)
	up.Script("resolve", modeltest.Steps("Check whether the response names the date.", "Check whether the response is polite."))
	if len(score) > 0 {
		up.Script("score", score...)
	}
	cfg := model.ClientConfig{Slug: "any-model", BaseURL: up.URL(), Key: "sk-test"}
	if edit != nil {
		edit(&cfg)
	}
	client, err := model.NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return up, client
}

// whole is an answer of the score stage as it may come, with a mark for the
// number.
const whole = `{"findings": [{"step": 1, "evidence": "It says 8 {\"score\": 3}.", "verdict": "met"}], "reason": "8 of 8.", "score": #}`

func TestScoresThroughTheClient(t *testing.T) {
	b := newBench(t)
	top := map[string]float64{"8": 0.5, "7": 0.3, "9": 0.2}
	content := func(text string) modeltest.Reply { return modeltest.Content(text) }
	number := func(n string) string { return strings.Replace(whole, "#", n, 1) }
	for _, c := range []struct {
		name   string
		reply  modeltest.Reply
		score  float64
		method string
	}{
		{"weighted", modeltest.Score(8).Logprobs(top), 79, MethodLogprob},
		{"no log probabilities", modeltest.Score(8), 80, MethodRaw},
		{"a number quoted in the evidence", content(number("8")).Logprobs(top), 79, MethodLogprob},
		{"spread over lines", content("{\n  \"findings\": [],\n  \"reason\": \"8\",\n  \"score\":\n    8\n}").Logprobs(top), 79, MethodLogprob},
		{"compact", content(`{"findings":[],"reason":"8","score":8}`).Logprobs(top), 79, MethodLogprob},
		{"in a code fence", content("```json\n" + number("8") + "\n```").Logprobs(top), 79, MethodLogprob},
		{"between prose", content("I would say 8:\n" + number("8") + "\nAsk me for more.").Logprobs(top), 79, MethodLogprob},
		{"after a thought", content("<think>{\"score\": 2}? No, 3.</think>\n" + number("8")).Logprobs(top), 79, MethodLogprob},
		{"a string", content(number(`"8"`)).Logprobs(top), 79, MethodLogprob},
		{"characters in pieces", modeltest.Object(map[string]any{"reason": "Sehr schön 👍🏽 – gut", "score": 8}).Logprobs(top).SplitUTF8(), 79, MethodLogprob},
		{"zero", modeltest.Score(0).Logprobs(map[string]float64{"0": 0.7, "1": 0.3}), 3, MethodLogprob},
		{"neighbours off the scale", modeltest.Score(10).Logprobs(map[string]float64{"10": 0.6, "100": 0.3, "50": 0.1}), 100, MethodLogprob},
		{"little mass", modeltest.Score(8).Logprobs(map[string]float64{"\"": 0.9, "8": 0.011, "1": 0.012}), 80, MethodRaw},
		{"nothing over the floor", modeltest.Score(8).Logprobs(map[string]float64{"8": 0.009, "7": 0.008}), 80, MethodRaw},
		{"an exponent", content(number("1e1")), 100, MethodRaw},
	} {
		t.Run(c.name, func(t *testing.T) {
			up, client := upstream(t, nil, c.reply)
			o := b.judge.Evaluate(t.Context(), b.request(client))
			if o.Status != Scored || *o.Score != c.score || o.Meta.Method != c.method {
				t.Errorf("%s %v by %s (%s), fault %+v", o.Status, o.Score, o.Meta.Method, o.Meta.MethodReason, o.Fault)
			}
			if up.Count("score") != 1 {
				t.Errorf("%d score calls", up.Count("score"))
			}
		})
	}
}

func TestFaultsThroughTheClient(t *testing.T) {
	b := newBench(t)
	number := func(n string) string { return strings.Replace(whole, "#", n, 1) }
	for _, c := range []struct {
		name    string
		replies []modeltest.Reply
		code    string
		calls   int
		retry   bool
	}{
		{"two objects", []modeltest.Reply{modeltest.Content(number("9") + "\n" + number("2"))}, "judge_output_invalid", 2, true},
		{"a name twice", []modeltest.Reply{modeltest.Content(strings.Replace(number("9"), "{", `{"score": 2, `, 1))}, "judge_output_invalid", 2, true},
		{"free text", []modeltest.Reply{modeltest.Content("I found 0 problems. Score: 9")}, "judge_output_invalid", 2, true},
		{"an empty answer", []modeltest.Reply{modeltest.Empty()}, "judge_output_invalid", 2, true},
		{"no answer in it", []modeltest.Reply{modeltest.NoChoices()}, "judge_output_invalid", 2, true},
		{"off the scale", []modeltest.Reply{modeltest.Score(11)}, "judge_output_invalid", 2, true},
		{"a refusal", []modeltest.Reply{modeltest.Refusal("I can't.")}, "judge_refused", 1, false},
		{"a content filter", []modeltest.Reply{modeltest.ContentFilter()}, "judge_refused", 1, false},
		{"cut twice", []modeltest.Reply{modeltest.Length()}, "judge_truncated", 2, false},
		{"no access", []modeltest.Reply{modeltest.Status(401)}, "model_auth", 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			up, client := upstream(t, nil, c.replies...)
			o := b.judge.Evaluate(t.Context(), b.request(client))
			if o.Status != Errored || o.Fault.Code != c.code || o.Fault.Stage != "score" || o.Fault.Retryable != c.retry || o.Score != nil {
				t.Fatalf("%s %+v", o.Status, o.Fault)
			}
			if got := up.Count("score"); got != c.calls || o.Fault.Attempts != c.calls {
				t.Errorf("%d calls, %d attempts told, want %d", got, o.Fault.Attempts, c.calls)
			}
		})
	}
}

func TestACutAnswerIsAskedForWithMoreRoom(t *testing.T) {
	b := newBench(t)
	for _, slug := range []string{"any-model", "o4-mini"} {
		up, client := upstream(t, func(cfg *model.ClientConfig) { cfg.Slug = slug }, modeltest.Length(), modeltest.Score(8))
		o := b.judge.Evaluate(t.Context(), b.request(client))
		if o.Status != Scored || up.Count("score") != 2 {
			t.Fatalf("%s: %s after %d calls", slug, o.Status, up.Count("score"))
		}
		var limits []float64
		for _, r := range up.Requests("score") {
			for _, name := range []string{"max_tokens", "max_completion_tokens"} {
				if v, ok := r.Body[name].(float64); ok {
					limits = append(limits, v)
				}
			}
		}
		if len(limits) != 2 || limits[1] <= limits[0] {
			t.Errorf("%s: limits %v", slug, limits)
		}
	}
}

// A model that lacks a parameter costs one more call once, not per record.
func TestWhatAModelLacksIsLearnedOnce(t *testing.T) {
	b := newBench(t)
	up, client := upstream(t, nil, modeltest.Score(8))
	up.Reject(modeltest.Param("temperature"), modeltest.Param("logprobs"))
	const records = 10
	for i := range records {
		o := b.judge.Evaluate(t.Context(), b.request(client))
		if o.Status != Scored || o.Meta.Method != MethodRaw || o.Meta.MethodReason != ReasonNoLogprobs {
			t.Fatalf("record %d: %s %+v %s", i, o.Status, o.Fault, o.Meta.MethodReason)
		}
	}
	if extra := up.Count("score") + up.Count("safety") + up.Count("resolve") - records - 2; extra > 2 {
		t.Errorf("%d calls more than were needed", extra)
	}
}

func TestDeadlinesThroughTheClient(t *testing.T) {
	b := newBench(t)
	for name, reply := range map[string]modeltest.Reply{
		"never answers":    modeltest.Hang(),
		"limited for ever": modeltest.Status(429).Header("Retry-After", "1"),
	} {
		t.Run(name, func(t *testing.T) {
			_, client := upstream(t, func(cfg *model.ClientConfig) { cfg.Attempts = 100 }, reply)
			req := b.request(client)
			req.Timeout = 700 * time.Millisecond
			began := time.Now()
			o := b.judge.Evaluate(t.Context(), req)
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
			if o.Status != Errored || (o.Fault.Code != "model_timeout" && o.Fault.Code != "model_rate_limited") || !o.Fault.Retryable {
				t.Errorf("%s %+v", o.Status, o.Fault)
			}
		})
	}
}

func TestUsageThroughTheClient(t *testing.T) {
	b := newBench(t)
	up, client := upstream(t, func(cfg *model.ClientConfig) { cfg.Price = &model.Price{Input: 2, Output: 10, Cached: 1} }, modeltest.Score(8).Usage(300, 30, 50, 5).As("judge-2", "fp_9"))
	up.Script("safety", modeltest.Safe().Usage(100, 10, 0, 0))
	up.Script("resolve", modeltest.Steps("Check whether the response is polite.").Usage(200, 20, 0, 0))
	o := b.judge.Evaluate(t.Context(), b.request(client))
	u := o.Usage
	if u.InputTokens != 600 || u.OutputTokens != 60 || u.CachedTokens != 50 || u.ReasoningTokens != 5 || u.Calls != 3 {
		t.Errorf("%+v", u)
	}
	// 550 × 2 + 50 × 1 + 60 × 10 millionths of a dollar.
	if u.Cost.String() != "0.00175" || o.UsageByStage["score"].InputTokens != 300 {
		t.Errorf("cost %s, by stage %+v", u.Cost.String(), o.UsageByStage)
	}
	if o.Meta.JudgeModel != "judge-2" || o.Meta.Fingerprint != "fp_9" {
		t.Errorf("judge %s %s", o.Meta.JudgeModel, o.Meta.Fingerprint)
	}
}

func TestWeightingVectorsThroughTheClient(t *testing.T) {
	b := newBench(t)
	for _, v := range vectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			content, tokens := v.content()
			reply := modeltest.Content(content)
			if len(tokens) > 0 {
				lead, first := tokens[0], tokens[1]
				list := []modeltest.Token{{Text: string(lead.Bytes)}, {Text: string(first.Bytes)}}
				for _, tk := range v.Tokens[1:] {
					list = append(list, modeltest.Token{Text: tk.Token, Top: tk.Top})
				}
				reply = reply.Tokens(list...)
			}
			scale := v.Scale[1]
			up, client := upstream(t, func(cfg *model.ClientConfig) { cfg.Scale = scale }, reply)
			o := b.judge.Evaluate(t.Context(), b.request(client))
			if v.Want.Score == nil {
				if o.Status != Errored || o.Fault.Code != "judge_output_invalid" || up.Count("score") != 2 {
					t.Errorf("%s %+v after %d calls", o.Status, o.Fault, up.Count("score"))
				}
				return
			}
			want := round2(*v.Want.Score * 100 / float64(scale))
			if o.Status != Scored || math.Abs(*o.Score-want) > 1e-9 || o.Meta.Method != *v.Want.Method {
				t.Errorf("%s %v by %s, want %v by %s", o.Status, o.Score, o.Meta.Method, want, *v.Want.Method)
			}
		})
	}
}

// TestConfidenceOfWrittenSteps takes token probabilities from the wire to the
// rubric, through meters as every evaluation does.
func TestConfidenceOfWrittenSteps(t *testing.T) {
	tokens := func(texts ...string) (list []modeltest.Token) {
		for _, text := range texts {
			list = append(list, modeltest.Token{Text: text, Top: map[string]float64{text: 0.8}})
		}
		return list
	}
	for _, c := range []struct {
		name  string
		slug  string
		reply modeltest.Reply
		want  float64 // NaN is unknown
	}{
		{"given", "any-model", modeltest.Content(`{"steps": ["Check the date.", "Check the room."]}`).
			Tokens(tokens(`{"steps": [`, `"`, "Check", " the date.", `"`, ", ", `"Check`, ` the room."`, "]}")...), 0.8},
		{"not given", "any-model", modeltest.Steps("Check the date.", "Check the room."), math.NaN()},
		{"a model without", "o4-mini", modeltest.Steps("Check the date.", "Check the room.").Logprobs(map[string]float64{}), math.NaN()},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			up, client := upstream(t, func(cfg *model.ClientConfig) { cfg.Slug = c.slug })
			up.Script("resolve", modeltest.Steps())
			up.Script("generate", c.reply)
			res, used := b.judge.Resolve(t.Context(), b.request(client))
			list := res.Rubric.Confidence()
			if len(list) != 2 || used.Calls != 3 {
				t.Fatalf("%d confidences after %d calls, fault %+v", len(list), used.Calls, res.Fault)
			}
			for i, got := range list {
				if (got == nil) != math.IsNaN(c.want) || got != nil && math.Abs(*got-c.want) > 1e-9 {
					t.Errorf("step %d: %v, want %v", i+1, got, c.want)
				}
			}
		})
	}
}
