package model_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
)

// TestTriesAgain gives one failure and then an answer.
func TestTriesAgain(t *testing.T) {
	t.Parallel()
	again := map[string]modeltest.Reply{
		"reset":             modeltest.Reset(),
		"body breaks off":   modeltest.Score(8).Truncate(40),
		"header only":       modeltest.Score(8).Truncate(1),
		"retry-after 0":     modeltest.Status(429).Header("Retry-After", "0"),
		"retry-after bogus": modeltest.Status(503).Header("Retry-After", "soon"),
		"502 within a 200":  modeltest.Body(`{"error":{"message":"Provider returned error","code":502},"user_id":"u"}`),
		"429 within a 200":  modeltest.Body(`{"error":{"message":"Slow down","code":429}}`),
		"error within 200":  modeltest.Body(`{"error":{"message":"Internal","code":"server_error"}}`),
		"should not retry":  modeltest.Status(500).Header("X-Should-Retry", "false"),
	}
	for _, status := range []int{408, 409, 429, 500, 502, 503, 504, 520, 529} {
		again[strconv.Itoa(status)] = modeltest.Status(status)
	}
	for name, failure := range again {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			up := modeltest.New(t)
			up.Script("score", failure, modeltest.Score(8))
			r := ask(t, client(t, up, nil))
			if r.Attempts != 2 || r.Usage.Calls != 2 || up.Count("") != 2 {
				t.Errorf("attempts %d, metered %d, requests %d; want 2 each", r.Attempts, r.Usage.Calls, up.Count(""))
			}
		})
	}
}

// TestDoesNotTryAgain gives failures that another attempt cannot help.
func TestDoesNotTryAgain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		failure modeltest.Reply
		code    string
	}{
		{"400", modeltest.Status(400), model.CodeUnavailable},
		{"400 that wants a retry", modeltest.Status(400).Header("X-Should-Retry", "true"), model.CodeUnavailable},
		{"401", modeltest.Status(401), model.CodeAuth},
		{"402", modeltest.Status(402), model.CodeAuth},
		{"403", modeltest.Status(403), model.CodeAuth},
		{"401 within a 200", modeltest.Body(`{"error":{"message":"No auth credentials found","code":401}}`), model.CodeAuth},
		{"404", modeltest.Status(404), model.CodeUnavailable},
		{"413", modeltest.Status(413), model.CodeUnavailable},
		{"422", modeltest.Status(422), model.CodeUnavailable},
		{"501", modeltest.Status(501), model.CodeUnavailable},
		{"quota", modeltest.Quota(), model.CodeRateLimited},
		{"waits longer than there is time", modeltest.Status(429).Header("Retry-After", "3600"), model.CodeRateLimited},
		{"waits for ever", modeltest.Status(503).Header("Retry-After", "1e300"), model.CodeUnavailable},
		{"content filter by status", modeltest.Body(`{"error":{"code":"content_filter","message":"The prompt was filtered."}}`).Code(400), model.CodeRefused},
		{"redirect", modeltest.Body("").Code(307).Header("Location", "http://127.0.0.1:1/v1/chat/completions"), model.CodeUnavailable},
		{"not modified", modeltest.Body("").Code(304), model.CodeUnavailable},
		{"too large", modeltest.Score(8).Huge(5 << 20), model.CodeUnavailable},
		{"too large an error", modeltest.Status(500).Huge(5 << 20), model.CodeUnavailable},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			up := modeltest.New(t)
			up.Script("score", tt.failure, modeltest.Score(8))
			_, err := client(t, up, nil).Chat(t.Context(), scoreRequest())
			wantCode(t, err, tt.code, 1)
			if up.Count("") != 1 {
				t.Errorf("%d requests, want 1", up.Count(""))
			}
		})
	}
}

// TestCostOfLostAnswers: an attempt whose answer was lost may have been billed,
// one that was refused was not.
func TestCostOfLostAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		failure modeltest.Reply
		known   bool
	}{
		"body breaks off": {modeltest.Score(8).Truncate(40), false},
		"reset":           {modeltest.Reset(), false},
		"500":             {modeltest.Status(500), true},
		"429":             {modeltest.Status(429), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			up := modeltest.New(t)
			up.Script("score", tt.failure, modeltest.Score(8).Usage(1000, 100, 0, 0))
			price := &model.Price{Input: 1, Output: 1}
			r := ask(t, client(t, up, func(cfg *model.ClientConfig) { cfg.Price = price }))
			if got := r.Usage.Cost; got.Complete() != tt.known || got.Pico() != price.Of(1000, 100, 0).Pico() {
				t.Errorf("the cost is %s, complete %v", got.Known(), got.Complete())
			}
		})
	}
}

func TestWaitsAsTold(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]func() (name, value string){
		"seconds":      func() (string, string) { return "Retry-After", "1" },
		"milliseconds": func() (string, string) { return "Retry-After-Ms", "900" },
		"date": func() (string, string) {
			return "Retry-After", time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			up := modeltest.New(t)
			up.Script("score", modeltest.Status(429).Header(header()), modeltest.Score(8))
			ask(t, client(t, up, nil))
			requests := up.Requests("score")
			if gap := requests[1].At.Sub(requests[0].At); gap < 850*time.Millisecond || gap > 4*time.Second {
				t.Errorf("it waited %v", gap)
			}
		})
	}
}

// TestGivesUp ends calls to an endpoint that fails for ever.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		failure modeltest.Reply
		timeout time.Duration
		code    string
	}{
		{"429, attempts", modeltest.Status(429).Header("Retry-After", "0"), 30 * time.Second, model.CodeRateLimited},
		{"500, attempts", modeltest.Status(500).Header("Retry-After", "0"), 30 * time.Second, model.CodeUnavailable},
		{"429, deadline", modeltest.Status(429), 700 * time.Millisecond, model.CodeRateLimited},
		{"reset, deadline", modeltest.Reset(), 700 * time.Millisecond, model.CodeUnavailable},
		{"drip", modeltest.Score(8).Drip(20 * time.Millisecond), 300 * time.Millisecond, model.CodeTimeout},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			up := modeltest.New(t)
			up.Script("score", tt.failure)
			started := time.Now()
			_, err := client(t, up, func(cfg *model.ClientConfig) { cfg.Timeout = tt.timeout }).Chat(t.Context(), scoreRequest())
			failed, ok := errors.AsType[*model.Error](err)
			if !ok || failed.Code != tt.code || failed.Attempts != up.Count("") || failed.Attempts > model.DefaultAttempts {
				t.Errorf("error %v after %d requests, want %s", err, up.Count(""), tt.code)
			}
			if took := time.Since(started); took > min(tt.timeout+time.Second, 10*time.Second) {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestCallersDeadline ends a call with the context of its caller.
func TestCallersDeadline(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Hang())
	c := client(t, up, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := c.Chat(ctx, scoreRequest())
	wantCode(t, err, model.CodeTimeout, 1)
	_, err = c.Chat(ctx, scoreRequest())
	wantCode(t, err, model.CodeTimeout, 0)
}

// TestUnreachable asks where nobody listens.
func TestUnreachable(t *testing.T) {
	up := modeltest.New(t)
	c := client(t, up, func(cfg *model.ClientConfig) { cfg.Attempts = 2 })
	up.Close()
	_, err := c.Chat(t.Context(), scoreRequest())
	failed := wantCode(t, err, model.CodeUnavailable, 2)
	if !failed.Usage.Cost.Complete() {
		t.Error("requests that were never sent have an unknown cost")
	}
}

// TestKeyStaysAtItsOrigin answers with a redirect to another server.
func TestKeyStaysAtItsOrigin(t *testing.T) {
	elsewhere := modeltest.New(t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		up := modeltest.New(t)
		up.Script("score", modeltest.Body("").Code(status).Header("Location", elsewhere.URL()+"/chat/completions"))
		if _, err := client(t, up, nil).Chat(t.Context(), scoreRequest()); err == nil {
			t.Errorf("%d: no error", status)
		}
	}
	if n := elsewhere.Count(""); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// TestCertificateIsChecked asks a TLS server that nobody vouches for.
func TestCertificateIsChecked(t *testing.T) {
	asked := false
	up := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	up.Config.ErrorLog = log.New(io.Discard, "", 0)
	up.StartTLS()
	t.Cleanup(up.Close)
	c, err := model.NewClient(model.ClientConfig{Slug: "m", BaseURL: up.URL + "/v1", Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Chat(t.Context(), scoreRequest())
	wantCode(t, err, model.CodeUnavailable, 1)
	if asked {
		t.Error("a request came through")
	}
}

// TestHeaderFlood answers with more headers than are read.
func TestHeaderFlood(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Score(8).Header("X-Flood", strings.Repeat("x", 200<<10)))
	_, err := client(t, up, func(cfg *model.ClientConfig) { cfg.Attempts = 1 }).Chat(t.Context(), scoreRequest())
	wantCode(t, err, model.CodeUnavailable, 1)
}

// TestErrorsTellNothing looks for the key, the texts and the upstream's words in errors.
func TestErrorsTellNothing(t *testing.T) {
	t.Parallel()
	secret := `The text. sk-test-123 Judge it. Incorrect API key provided: sk-test-123; secret-body-text`
	for name, reply := range map[string]modeltest.Reply{
		"status":   modeltest.Body(`{"error":{"message":"` + secret + `","code":"` + secret + `","type":"` + secret + `"}}`).Code(401),
		"400":      modeltest.Body(`{"error":{"message":"` + secret + `","param":"` + secret + `"}}`).Code(400),
		"html":     modeltest.Body(secret).Code(502),
		"garbage":  modeltest.Body(secret),
		"content":  modeltest.Content(secret),
		"bad JSON": modeltest.Content(`{"reason": ` + secret),
		"refusal":  modeltest.Refusal(secret),
		"two":      modeltest.Content(`{"secret-body-text":1} {"a":2}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			up := modeltest.New(t)
			up.Script("score", reply)
			_, err := client(t, up, func(cfg *model.ClientConfig) { cfg.Attempts = 1 }).Chat(t.Context(), scoreRequest())
			for e := err; e != nil; e = errors.Unwrap(e) {
				for _, word := range []string{"sk-test", "The text", "Judge it", "secret", "Incorrect", "127.0.0.1"} {
					if strings.Contains(e.Error(), word) {
						t.Errorf("%q holds %q", e, word)
					}
				}
			}
			if err == nil {
				t.Error("no error")
			}
		})
	}
}
