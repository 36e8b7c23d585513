package model_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
)

// TestUnusableAnswers gives 200 with everything that is no answer. None is
// tried again by the client: the caller may ask anew in other words.
func TestUnusableAnswers(t *testing.T) {
	object := `{"score": 8}`
	tests := []struct {
		name  string
		reply modeltest.Reply
		code  string
	}{
		{"refusal", modeltest.Refusal("I can't help with that."), model.CodeRefused},
		{"refusal beside an object", modeltest.Content(object).Finish("content_filter"), model.CodeRefused},
		{"content filter", modeltest.ContentFilter(), model.CodeRefused},
		{"cut", modeltest.Length(), model.CodeTruncated},
		{"cut behind a whole object", modeltest.Content(object + "\nand").Finish("length"), model.CodeTruncated},
		{"cut before the first word", modeltest.NullContent().Finish("length"), model.CodeTruncated},
		{"no choices", modeltest.NoChoices(), model.CodeMalformed},
		{"null", modeltest.NullContent(), model.CodeMalformed},
		{"empty", modeltest.Empty(), model.CodeMalformed},
		{"white space", modeltest.Content(" \n\t"), model.CodeMalformed},
		{"prose", modeltest.Content("The score is 8."), model.CodeMalformed},
		{"a number", modeltest.Content("8"), model.CodeMalformed},
		{"a list", modeltest.Content("[" + object + "]"), model.CodeMalformed},
		{"two objects", modeltest.Content(object + "\n" + object), model.CodeMalformed},
		{"a member twice", modeltest.Content(`{"score": 9, "score": 2}`), model.CodeMalformed},
		{"a member twice, escaped", modeltest.Content(`{"score": 9, "sc\u006fre": 2}`), model.CodeMalformed},
		{"a member twice, deep", modeltest.Content(`{"findings": [{"step": 1, "step": 2}], "score": 2}`), model.CodeMalformed},
		{"bad escape", modeltest.Content(`{"reason": "C:\path", "score": 2}`), model.CodeMalformed},
		{"line break in a string", modeltest.Content("{\"reason\": \"a\nb\", \"score\": 2}"), model.CodeMalformed},
		{"NaN", modeltest.Content(`{"score": NaN}`), model.CodeMalformed},
		{"single quotes", modeltest.Content(`{'score': 8}`), model.CodeMalformed},
		{"trailing comma", modeltest.Content(`{"score": 8,}`), model.CodeMalformed},
		{"not closed", modeltest.Content(`{"score": 8`), model.CodeMalformed},
		{"deep", modeltest.Content(strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)), model.CodeMalformed},
		{"object in a thought", modeltest.Content(`<think>{"score": 8}</think> No.`), model.CodeMalformed},
		{"thought without end", modeltest.Content(`<think>so {"score": 8}`), model.CodeMalformed},
		{"garbage", modeltest.Garbage(), model.CodeMalformed},
		{"a page", modeltest.HTML(), model.CodeMalformed},
		{"a page that holds JSON", modeltest.Score(8).Header("Content-Type", "text/html"), model.CodeMalformed},
		{"an event stream", modeltest.Body("data: {}\n\n").Header("Content-Type", "text/event-stream"), model.CodeMalformed},
		{"empty body", modeltest.Body(""), model.CodeMalformed},
		{"list body", modeltest.Body("[]"), model.CodeMalformed},
		{"null body", modeltest.Body("null"), model.CodeMalformed},
		{"whole body cut inside", modeltest.Body(`{"choices":[{"message":{"content":"{\"score\": 8}"}`), model.CodeMalformed},
		{"invalid UTF-8", modeltest.Body("{\"choices\":[{\"message\":{\"content\":\"{\\\"reason\\\":\\\"\xff\\\"}\"},\"finish_reason\":\"stop\"}]}"), model.CodeMalformed},
		{"choices of another type", modeltest.Body(`{"choices":{"message":{"content":"{}"}}}`), model.CodeMalformed},
		{"tool call", modeltest.Body(`{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"arguments":"{\"score\":9}"}}]},"finish_reason":"tool_calls"}]}`), model.CodeMalformed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			up := modeltest.New(t)
			up.Script("score", tt.reply)
			_, err := client(t, up, nil).Chat(t.Context(), scoreRequest())
			failed := wantCode(t, err, tt.code, 1)
			if failed.Usage.Calls != 1 {
				t.Errorf("%d calls are metered, want 1", failed.Usage.Calls)
			}
		})
	}
}

// TestWrappedAnswers gives an object with what models put around it.
func TestWrappedAnswers(t *testing.T) {
	object := `{"reason": "é {x} <think>", "score": 8}`
	for name, wrap := range map[string][2]string{
		"nothing":       {"", ""},
		"prose":         {"Here is my verdict:\n\n", "\n\nI hope this helps!"},
		"fence":         {"```json\n", "\n```"},
		"fence, tilde":  {"~~~\n", "\n~~~"},
		"thought":       {"<think>Maybe {\"score\": 2}? No.</think>\n", ""},
		"long thought":  {"<THINKING>\n" + strings.Repeat("{", 500) + "</thinking>", ""},
		"reasoning":     {"<reasoning>a < b</reasoning>Answer: ", ""},
		"prefix":        {"Reasoning: []\n", ""},
		"byte order":    {"\ufeff", ""},
		"comparison":    {"Since 3 < 4 and <b>so</b>: ", ""},
		"thought after": {"", "\n<think>Was {that} right?</think>"},
	} {
		t.Run(name, func(t *testing.T) {
			up := modeltest.New(t)
			up.Script("score", modeltest.Content(object).Wrap(wrap[0], wrap[1]))
			r := ask(t, client(t, up, nil))
			if string(r.Object) != object || r.ObjectStart != len(wrap[0]) || r.Content != wrap[0]+object+wrap[1] {
				t.Errorf("object %q at %d of %q", r.Object, r.ObjectStart, r.Content)
			}
		})
	}
}

// TestContentParts reads an answer that came in parts.
func TestContentParts(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Body(`{"choices":[{"finish_reason":"stop","message":{"content":[{"type":"thinking","thinking":[{"text":"{}"}]},{"type":"text","text":"{\"score\":"},{"type":"text","text":" 8}"}]}}]}`))
	if r := ask(t, client(t, up, nil)); string(r.Object) != `{"score": 8}` {
		t.Errorf("object is %q", r.Object)
	}
}

// TestTokens reads log probabilities as endpoints give them.
func TestTokens(t *testing.T) {
	content := `{"reason": "naïve 漢字 🦊 says 7", "score": 8}`
	top := map[string]float64{"8": 0.5, "7": 0.3, "9": 0.2}
	for name, reply := range map[string]modeltest.Reply{
		"bytes":        modeltest.Content(content).Logprobs(top),
		"null bytes":   modeltest.Content(content).Logprobs(top).TokenBytes("null"),
		"absent bytes": modeltest.Content(content).Logprobs(top).TokenBytes("absent"),
		"split":        modeltest.Content(content).Logprobs(top).SplitUTF8(),
	} {
		t.Run(name, func(t *testing.T) {
			up := modeltest.New(t)
			up.Script("score", reply)
			r := ask(t, client(t, up, nil))
			var spelled []byte
			weighted := 0
			for _, tok := range r.Tokens {
				spelled = append(spelled, tok.Bytes...)
				if len(tok.Top) == 3 && math.Abs(tok.Logprob-math.Log(0.5)) < 1e-9 {
					weighted++
				}
			}
			if string(spelled) != content || weighted != 1 {
				t.Errorf("tokens spell %q, %d of them with alternatives", spelled, weighted)
			}
		})
	}
}

// TestTokenOfHalfACharacter has a text that is no text, but bytes.
func TestTokenOfHalfACharacter(t *testing.T) {
	up := modeltest.New(t)
	half := `{"token":"\ud83e","bytes":[240,159],"logprob":-0.1,"top_logprobs":[{"token":"\ud83e","logprob":-0.1}]}`
	up.Script("score", modeltest.Body(`{"choices":[{"finish_reason":"stop","message":{"content":"{\"score\": 8}"},"logprobs":{"content":[`+half+`]}}]}`))
	if r := ask(t, client(t, up, nil)); len(r.Tokens) != 1 || string(r.Tokens[0].Bytes) != "\xf0\x9f" {
		t.Errorf("tokens are %v", r.Tokens)
	}
}

// TestWorthlessTokens gives log probabilities that are none: an answer without
// them, never wrong ones.
func TestWorthlessTokens(t *testing.T) {
	for name, logprobs := range map[string]string{
		"null":                   `null`,
		"null list":              `{"content":null}`,
		"old form":               `{"tokens":["8"],"token_logprobs":[-0.1]}`,
		"text for a number":      `{"content":[{"token":"8","logprob":"-0.1","top_logprobs":[]}]}`,
		"no number":              `{"content":[{"token":"8","top_logprobs":[]}]}`,
		"no text":                `{"content":[{"logprob":-0.1,"top_logprobs":[]}]}`,
		"alternative, no number": `{"content":[{"token":"8","logprob":-0.1,"top_logprobs":[{"token":"7"}]}]}`,
		"alternative, no text":   `{"content":[{"token":"8","logprob":-0.1,"top_logprobs":[{"logprob":-2}]}]}`,
		"no list":                `{"content":{"token":"8"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			up := modeltest.New(t)
			up.Script("score", modeltest.Body(`{"choices":[{"finish_reason":"stop","message":{"content":"{\"score\": 8}"},"logprobs":`+logprobs+`}]}`))
			if r := ask(t, client(t, up, nil)); r.Tokens != nil {
				t.Errorf("tokens are %v", r.Tokens)
			}
		})
	}
}

// TestUsage reads what endpoints report, and what they do not.
func TestUsage(t *testing.T) {
	tests := []struct {
		name      string
		usage     string
		estimated bool
		want      model.Usage
	}{
		{"openai", `{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":40},"completion_tokens_details":{"reasoning_tokens":8}}`, false, model.Usage{InputTokens: 100, OutputTokens: 20, CachedTokens: 40, ReasoningTokens: 8}},
		{"deepseek", `{"prompt_tokens":100,"completion_tokens":20,"prompt_cache_hit_tokens":60}`, false, model.Usage{InputTokens: 100, OutputTokens: 20, CachedTokens: 60}},
		{"more cached than read", `{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":4000}}`, false, model.Usage{InputTokens: 100, OutputTokens: 20, CachedTokens: 100}},
		{"null", `null`, true, model.Usage{}},
		{"zero", `{"prompt_tokens":0,"completion_tokens":0}`, true, model.Usage{}},
		{"negative", `{"prompt_tokens":-5,"completion_tokens":20}`, true, model.Usage{}},
		{"absurd", `{"prompt_tokens":1e18,"completion_tokens":20}`, true, model.Usage{}},
		{"text", `{"prompt_tokens":"100","completion_tokens":"20"}`, true, model.Usage{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			up := modeltest.New(t)
			up.Script("score", modeltest.Body(`{"choices":[{"finish_reason":"stop","message":{"content":"{\"score\": 8}"}}],"usage":`+tt.usage+`}`))
			r := ask(t, client(t, up, func(cfg *model.ClientConfig) { cfg.Price = &model.Price{Input: 1, Output: 1} }))
			got := r.Usage
			if tt.estimated {
				if got.Estimated != 1 || got.InputTokens == 0 || got.OutputTokens == 0 || got.Cost.Complete() {
					t.Errorf("usage is %+v: it has to be estimated and its cost unknown", got)
				}
				return
			}
			if got.InputTokens != tt.want.InputTokens || got.OutputTokens != tt.want.OutputTokens || got.CachedTokens != tt.want.CachedTokens || got.ReasoningTokens != tt.want.ReasoningTokens || !got.Cost.Complete() {
				t.Errorf("usage is %+v, want %+v", got, tt.want)
			}
		})
	}
}

// TestUnknownPrice is never a price of nothing.
func TestUnknownPrice(t *testing.T) {
	up := modeltest.New(t)
	r := ask(t, client(t, up, nil))
	if r.Usage.Cost.Complete() || r.Usage.Cost.String() != "" {
		t.Errorf("cost is %q", r.Usage.Cost)
	}
	r = ask(t, client(t, up, func(cfg *model.ClientConfig) { cfg.Slug = "gpt-4o-mini" }))
	if !r.Usage.Cost.Complete() || r.Usage.Cost.Pico() <= 0 {
		t.Errorf("cost of a model on the price list is %q", r.Usage.Cost)
	}
}

// TestConcurrencyIsBounded counts calls under way at the endpoint.
func TestConcurrencyIsBounded(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Hang())
	c := client(t, up, func(cfg *model.ClientConfig) { cfg.Slug, cfg.Provider, cfg.Concurrency = "gpt-4o", "openai", 3 })
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	for range 10 {
		go func() {
			_, err := c.Chat(ctx, scoreRequest())
			done <- err
		}()
	}
	for up.Count("") < 3 {
		select {
		case err := <-done:
			t.Fatalf("a call ended: %v", err)
		default:
		}
	}
	cancel()
	waited := 0
	for range 10 {
		err := <-done
		failed, ok := errors.AsType[*model.Error](err)
		switch {
		case !ok || failed.Code != model.CodeCancelled:
			t.Errorf("a call ended with %v", err)
		case failed.Attempts == 0:
			waited++
		}
	}
	if waited != 7 || up.Count("") != 3 {
		t.Errorf("%d calls waited and %d came through, want 7 and 3", waited, up.Count(""))
	}
}
