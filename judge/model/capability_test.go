package model_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
)

// TestLearns sends two calls to an endpoint that refuses something: the first
// costs one extra request for each refusal, the second none, and the refused is
// not sent again.
func TestLearns(t *testing.T) {
	absent := func(names ...string) func(modeltest.Request) bool {
		return func(r modeltest.Request) bool {
			for _, n := range names {
				if _, ok := r.Body[n]; ok {
					return false
				}
			}
			return true
		}
	}
	format := func(kind string) func(modeltest.Request) bool {
		return func(r modeltest.Request) bool {
			f, _ := r.Body["response_format"].(map[string]any)
			return f["type"] == kind && strings.Contains(r.Text(), `"additionalProperties":false`)
		}
	}
	role := func(role string, messages int) func(modeltest.Request) bool {
		return func(r modeltest.Request) bool {
			list, _ := r.Body["messages"].([]any)
			first, _ := list[0].(map[string]any)
			return len(list) == messages && first["role"] == role && strings.Contains(r.Text(), "Judge it.") && strings.Contains(r.Text(), "The text.")
		}
	}
	tests := []struct {
		name  string
		rules []modeltest.Rule
		extra int
		holds func(modeltest.Request) bool
	}{
		{"temperature", []modeltest.Rule{modeltest.Param("temperature")}, 1, absent("temperature")},
		{"temperature other than 1", []modeltest.Rule{modeltest.Param("temperature").Only(1)}, 1, absent("temperature")},
		{"seed, azure", []modeltest.Rule{modeltest.Param("seed").In(modeltest.Azure)}, 1, absent("seed")},
		{"logprobs", []modeltest.Rule{modeltest.Param("logprobs")}, 1, absent("logprobs", "top_logprobs")},
		{"logprobs, vllm", []modeltest.Rule{modeltest.Param("logprobs").In(modeltest.VLLM)}, 1, absent("logprobs", "top_logprobs")},
		{"logprobs by 403", []modeltest.Rule{modeltest.Param("logprobs").Status(403)}, 1, absent("logprobs", "top_logprobs")},
		{"five alternatives", []modeltest.Rule{modeltest.Param("top_logprobs").AtMost(5)}, 1, func(r modeltest.Request) bool { return r.Body["top_logprobs"] == 5.0 && r.Body["logprobs"] == true }},
		{"no alternatives", []modeltest.Rule{modeltest.Param("top_logprobs")}, 2, absent("logprobs", "top_logprobs")},
		{"max_completion_tokens", []modeltest.Rule{modeltest.Param("max_completion_tokens").In(modeltest.Azure)}, 1, func(r modeltest.Request) bool {
			return r.Body["max_tokens"] == 2048.0 && absent("max_completion_tokens")(r)
		}},
		{"no bound at all", []modeltest.Rule{modeltest.Param("max_completion_tokens"), modeltest.Param("max_tokens")}, 2, absent("max_completion_tokens", "max_tokens")},
		{"fewer tokens", []modeltest.Rule{modeltest.Param("max_completion_tokens").AtMost(1000)}, 1, func(r modeltest.Request) bool { return r.Body["max_completion_tokens"] == 1000.0 }},
		{"json_schema", []modeltest.Rule{modeltest.Param("response_format.json_schema")}, 1, format("json_object")},
		{"json_schema by 422", []modeltest.Rule{modeltest.Param("response_format.json_schema").Status(422)}, 1, format("json_object")},
		{"response_format", []modeltest.Rule{modeltest.Param("response_format")}, 1, func(r modeltest.Request) bool {
			return absent("response_format")(r) && strings.Contains(r.Text(), `"additionalProperties":false`)
		}},
		{"role system", []modeltest.Rule{modeltest.Param("role:system")}, 1, role("developer", 2)},
		{"roles system and developer", []modeltest.Rule{modeltest.Param("role:system"), modeltest.Param("role:developer")}, 2, role("user", 1)},
		{"several", []modeltest.Rule{
			modeltest.Param("temperature"), modeltest.Param("logprobs"), modeltest.Param("response_format.json_schema"),
			modeltest.Param("seed").In(modeltest.Azure), modeltest.Param("max_completion_tokens").In(modeltest.VLLM),
		}, 5, absent("temperature", "logprobs", "seed", "max_completion_tokens")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			up := modeltest.New(t)
			up.Reject(tt.rules...)
			c := client(t, up, nil)
			if r := ask(t, c); r.Attempts != 1+tt.extra || r.Usage.Calls != 1+tt.extra {
				t.Errorf("the first call made %d requests (%d metered), want %d", r.Attempts, r.Usage.Calls, 1+tt.extra)
			}
			if r := ask(t, c); r.Attempts != 1 {
				t.Errorf("the second call made %d requests, want 1", r.Attempts)
			}
			requests := up.Requests("score")
			if last := requests[len(requests)-1]; !tt.holds(last) {
				t.Errorf("the last request is %s", last.Raw)
			}
			if c.Capabilities().LearnedTill.IsZero() {
				t.Error("nothing is said to be learned")
			}
		})
	}
}

// TestKnownReasoningModel is never asked what it is known to refuse, and has
// room to think.
func TestKnownReasoningModel(t *testing.T) {
	up := modeltest.New(t)
	up.Reject(modeltest.Param("temperature"), modeltest.Param("logprobs"), modeltest.Param("max_tokens"))
	c := client(t, up, func(cfg *model.ClientConfig) { cfg.Slug = "o4-mini" })
	if r := ask(t, c); r.Attempts != 1 || r.Tokens != nil {
		t.Errorf("it took %d requests, tokens %v", r.Attempts, r.Tokens)
	}
	if n, _ := up.Requests("")[0].Body["max_completion_tokens"].(float64); n < 4096 {
		t.Errorf("it may answer %v tokens, thoughts included", n)
	}
}

// TestForgets asks anew when what was learned is old.
func TestForgets(t *testing.T) {
	up := modeltest.New(t)
	up.Reject(modeltest.Param("temperature"))
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := client(t, up, func(cfg *model.ClientConfig) { cfg.Now = func() time.Time { return now } })
	ask(t, c)
	up.Reject()
	now = now.Add(59 * time.Minute)
	ask(t, c)
	if up.Requests("")[2].Body["temperature"] != nil {
		t.Error("the refused parameter was sent again within the hour")
	}
	now = now.Add(2 * time.Minute)
	ask(t, c)
	if got := up.Requests("")[3].Body["temperature"]; got != 0.0 {
		t.Errorf("after an hour temperature is %v, want 0", got)
	}
}

// TestRefusalThatNamesNothing is final: it is not tried again and nothing is learned.
func TestRefusalThatNamesNothing(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Body(`{"error":{"message":"Sorry, temperature 30 degrees is what the text says.","param":null,"code":"invalid_prompt"}}`).Code(400), modeltest.Score(8))
	c := client(t, up, nil)
	_, err := c.Chat(t.Context(), scoreRequest())
	wantCode(t, err, model.CodeUnavailable, 1)
	ask(t, c)
	if up.Requests("")[1].Body["temperature"] != 0.0 {
		t.Error("a mention was taken for a refusal")
	}
}

// TestFirstCallGoesAhead starts many calls at once: what one learns the others
// do not learn again.
func TestFirstCallGoesAhead(t *testing.T) {
	up := modeltest.New(t)
	up.Reject(modeltest.Param("temperature"), modeltest.Param("seed"))
	c := client(t, up, nil)
	const callers = 32
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			if _, err := c.Chat(t.Context(), scoreRequest()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := up.Count(""); n != callers+2 {
		t.Errorf("%d calls made %d requests, want %d", callers, n, callers+2)
	}
}

// TestWaitsForTheFirstCallBoundedly lets others through when the first hangs.
func TestWaitsForTheFirstCallBoundedly(t *testing.T) {
	t.Parallel()
	up := modeltest.New(t)
	up.Script("score", modeltest.Hang(), modeltest.Score(8))
	c := client(t, up, func(cfg *model.ClientConfig) { cfg.Timeout = 20 * time.Second })
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan struct{})
	go func() {
		defer close(first)
		_, _ = c.Chat(ctx, scoreRequest()) // ends with its context
	}()
	for up.Count("") == 0 {
		time.Sleep(time.Millisecond)
	}
	if r := ask(t, c); r.Took > 10*time.Second {
		t.Errorf("the second call took %v", r.Took)
	}
	cancel()
	<-first
}
