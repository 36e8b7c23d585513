package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const schema = `{"type":"object","properties":{"score":{"type":"integer"}},"required":["score"],"additionalProperties":false}`

// client is a client of a scripted server; change may alter its settings.
func client(tb testing.TB, up *modeltest.Server, change func(*model.ClientConfig)) *model.Client {
	tb.Helper()
	cfg := model.ClientConfig{Slug: "some-model", BaseURL: up.URL(), Key: "sk-test-123", Timeout: 5 * time.Second}
	if change != nil {
		change(&cfg)
	}
	c, err := model.NewClient(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c
}

func scoreRequest() model.Request {
	return model.Request{Stage: "score", System: "Judge it. Answer with JSON.", User: "The text.", Schema: []byte(schema), Logprobs: true}
}

func ask(tb testing.TB, c model.Model) model.Reply {
	tb.Helper()
	r, err := c.Chat(tb.Context(), scoreRequest())
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func TestAnswerWithLogprobs(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Score(8).Logprobs(map[string]float64{"8": 0.5, "7": 0.3, "9": 0.2}).Usage(300, 30, 50, 5).As("some-model-2", "fp_1"))
	c := client(t, up, func(cfg *model.ClientConfig) { cfg.Price = &model.Price{Input: 1, Output: 2, Cached: 0.5} })
	r := ask(t, c)

	if got, want := string(r.Object), r.Content; got != want || r.ObjectStart != 0 {
		t.Errorf("object %q at %d, want the whole content %q", got, r.ObjectStart, want)
	}
	var spelled strings.Builder
	var score model.Token
	for _, tok := range r.Tokens {
		spelled.Write(tok.Bytes)
		if string(tok.Bytes) == "8" {
			score = tok
		}
	}
	if spelled.String() != r.Content {
		t.Errorf("tokens spell %q, want %q", spelled.String(), r.Content)
	}
	if len(score.Top) != 3 || score.Top[0].Text != "8" || score.Top[1].Text != "7" {
		t.Errorf("alternatives of the score are %v", score.Top)
	}
	want := model.Usage{InputTokens: 300, OutputTokens: 30, CachedTokens: 50, ReasoningTokens: 5, Calls: 1}
	want.Cost = (&model.Price{Input: 1, Output: 2, Cached: 0.5}).Of(300, 30, 50)
	if diff := cmp.Diff(want, r.Usage, cmp.AllowUnexported(model.Cost{})); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	if r.Model != "some-model-2" || r.Fingerprint != "fp_1" || r.Attempts != 1 || r.Took <= 0 {
		t.Errorf("model %q, fingerprint %q, attempts %d, took %v", r.Model, r.Fingerprint, r.Attempts, r.Took)
	}
}

func TestRequestAsSent(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-from-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/elsewhere")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Elsewhere: yes")
	t.Setenv("OPENAI_ORG_ID", "org-elsewhere")
	up := modeltest.New(t)
	c := client(t, up, nil)
	ctx := model.WithRequestID(t.Context(), "req-1")
	if _, err := c.Chat(ctx, scoreRequest()); err != nil {
		t.Fatal(err)
	}
	sample := scoreRequest()
	sample.Sample, sample.MaxTokens = true, 333
	if _, err := c.Chat(t.Context(), sample); err != nil {
		t.Fatal(err)
	}
	requests := up.Requests("score")
	first, second := requests[0], requests[1]
	for name, want := range map[string]string{
		"X-Bailiff-Stage": "score", "X-Request-Id": "req-1", "Authorization": "Bearer sk-test-123",
		"Content-Type": "application/json", "X-Elsewhere": "", "Openai-Organization": "",
	} {
		if got := first.Header.Get(name); got != want {
			t.Errorf("header %s is %q, want %q", name, got, want)
		}
	}
	format, _ := first.Body["response_format"].(map[string]any)
	js, _ := format["json_schema"].(map[string]any)
	if format["type"] != "json_schema" || js["name"] != "bailiff_score" || js["strict"] != true {
		t.Errorf("response_format is %v", format)
	}
	if first.Body["temperature"] != 0.0 || first.Body["logprobs"] != true || first.Body["top_logprobs"] != 20.0 || first.Body["seed"] == nil {
		t.Errorf("settings are %v", first.Body)
	}
	if second.Body["temperature"] != 1.0 || second.Body["seed"] != nil || second.Body["max_completion_tokens"] != 333.0 {
		t.Errorf("settings of a sample are %v", second.Body)
	}
	if second.Header.Get("X-Request-Id") == "" {
		t.Error("a call without a request id carries none")
	}
}

func TestHangEndsAtTheDeadline(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Hang())
	c := client(t, up, func(cfg *model.ClientConfig) { cfg.Timeout = 200 * time.Millisecond })
	started := time.Now()
	_, err := c.Chat(t.Context(), scoreRequest())
	wantCode(t, err, model.CodeTimeout, 1)
	if took := time.Since(started); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = c.Chat(ctx, scoreRequest())
	wantCode(t, err, model.CodeCancelled, 1)
}

func wantCode(tb testing.TB, err error, code string, attempts int) *model.Error {
	tb.Helper()
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		tb.Fatalf("error is %T %v, want *model.Error", err, err)
	}
	if e.Code != code || e.Attempts != attempts {
		tb.Fatalf("error is %s after %d attempts (%v), want %s after %d", e.Code, e.Attempts, e, code, attempts)
	}
	return e
}
