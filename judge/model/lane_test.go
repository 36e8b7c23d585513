package model_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
)

// TestBreaker stops asking an endpoint that fails all calls, and asks again
// after a pause.
func TestBreaker(t *testing.T) {
	if testing.Short() {
		t.Skip("waits until the breaker lets a call through")
	}
	t.Parallel()
	up := modeltest.New(t)
	up.Script("score", modeltest.Status(500))
	c := client(t, up, func(cfg *model.ClientConfig) {
		cfg.Slug, cfg.Provider, cfg.Attempts, cfg.Timeout = "gpt-4o", "openai", 1, 10*time.Second
	})
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() { _, _ = c.Chat(t.Context(), scoreRequest()) })
	}
	wg.Wait()
	before := up.Count("")
	_, err := c.Chat(t.Context(), scoreRequest())
	wantCode(t, err, model.CodeUnavailable, 0)
	if n := up.Count(""); n != before {
		t.Errorf("%d requests came through an open breaker", n-before)
	}
	// A caller with attempts left waits for the trial.
	up.Script("score", modeltest.Score(8))
	patient := time.Now()
	for time.Since(patient) < 9*time.Second {
		if _, err = c.Chat(t.Context(), scoreRequest()); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil {
		t.Errorf("the breaker did not close: %v", err)
	}
}

// TestBreakerIsNotForCallersMistakes keeps asking after refusals and limits.
func TestBreakerIsNotForCallersMistakes(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Status(401))
	up.Script("strict", modeltest.Refusal("No."))
	up.Script("safety", modeltest.Status(429))
	c := client(t, up, func(cfg *model.ClientConfig) { cfg.Attempts = 1 })
	for range 30 {
		for _, stage := range []string{"score", "strict", "safety"} {
			_, _ = c.Ask(t.Context(), stage, "s", "u", []byte(schema))
		}
	}
	if n := up.Count(""); n != 90 {
		t.Errorf("%d of 90 requests came through", n)
	}
}

// TestBreakerWaits lets a call with attempts left wait until the endpoint is
// asked again.
func TestBreakerWaits(t *testing.T) {
	if testing.Short() {
		t.Skip("waits until the breaker lets a call through")
	}
	t.Parallel()
	up := modeltest.New(t)
	up.Script("strict", modeltest.Status(500))
	c := client(t, up, func(cfg *model.ClientConfig) {
		cfg.Slug, cfg.Provider, cfg.Timeout = "gpt-4o", "openai", 20*time.Second
	})
	ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	for range 30 {
		wg.Go(func() { _, _ = c.Ask(ctx, "strict", "s", "u", []byte(schema)) })
	}
	wg.Wait()
	r := ask(t, c)
	if r.Attempts != 1 || r.Took < 3*time.Second {
		t.Errorf("%d attempts in %v, want 1 after the breaker's pause", r.Attempts, r.Took)
	}
}
