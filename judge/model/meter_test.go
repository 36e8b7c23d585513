package model_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
)

// purse is a budget that notes what is asked of it.
type purse struct {
	mu       sync.Mutex
	left     int64 // in pico-dollars
	held     int
	settled  []model.Usage
	estimate model.Cost
}

var errEmpty = errors.New("the purse is empty")

func (p *purse) Reserve(_ context.Context, estimate model.Cost) (func(model.Usage), error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.estimate = estimate; p.left < estimate.Pico() {
		return nil, errEmpty
	}
	p.held++
	return func(u model.Usage) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.held--
		p.left -= u.Cost.Pico()
		p.settled = append(p.settled, u)
	}, nil
}

func TestMeterCountsByStage(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Score(8).Usage(300, 30, 0, 0), modeltest.Status(401))
	up.Script("safety", modeltest.Refusal("No.").Usage(100, 10, 0, 0))
	m := model.NewMeter(client(t, up, func(cfg *model.ClientConfig) { cfg.Price = &model.Price{Input: 1, Output: 1} }), nil)
	if _, err := m.Chat(t.Context(), scoreRequest()); err != nil {
		t.Fatal(err)
	}
	_, err := m.Chat(t.Context(), scoreRequest())
	wantCode(t, err, model.CodeAuth, 1)
	_, err = m.Ask(t.Context(), "safety", "s", "u", []byte(schema))
	wantCode(t, err, model.CodeRefused, 1)

	price := &model.Price{Input: 1, Output: 1}
	want := map[string]model.Usage{
		"score":  {InputTokens: 300, OutputTokens: 30, Calls: 2, Cost: price.Of(300, 30, 0)},
		"safety": {InputTokens: 100, OutputTokens: 10, Calls: 1, Cost: price.Of(100, 10, 0)},
	}
	if diff := cmp.Diff(want, m.ByStage(), cmp.AllowUnexported(model.Cost{})); diff != "" {
		t.Errorf("by stage (-want +got):\n%s", diff)
	}
	if got, want := m.Usage(), want["score"].Add(want["safety"]); got != want {
		t.Errorf("the sum is %+v, want %+v", got, want)
	}
	if m.Name() != "some-model" || m.Info().Slug != "some-model" {
		t.Errorf("the meter's name is %q", m.Name())
	}
}

func TestMeterReservesAndSettles(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Score(8).Usage(1000, 1000, 0, 0))
	p := &purse{left: 2_500_000_000 * 4} // four cents of cents: enough for the estimate of one call
	m := model.NewMeter(client(t, up, func(cfg *model.ClientConfig) { cfg.Price = &model.Price{Input: 1, Output: 1} }), p)
	calls := 0
	for ; calls < 100; calls++ {
		if _, err := m.Chat(t.Context(), scoreRequest()); err != nil {
			failed := wantCode(t, err, model.CodeBudget, 0)
			if !errors.Is(failed, errEmpty) {
				t.Errorf("the error does not hold the budget's: %v", failed.Err)
			}
			break
		}
	}
	if calls == 0 || calls == 100 || up.Count("") != calls {
		t.Errorf("%d calls went through, %d requests", calls, up.Count(""))
	}
	if p.held != 0 || len(p.settled) != calls || p.settled[0].OutputTokens != 1000 {
		t.Errorf("%d reservations are open, %d settled: %+v", p.held, len(p.settled), p.settled)
	}
	if p.estimate.Pico() < 2048*1_000_000 {
		t.Errorf("the estimate %s does not cover the answer's bound", p.estimate)
	}
}

// TestMeterCountsThoughts reserves more for a model that thinks before it answers.
func TestMeterCountsThoughts(t *testing.T) {
	up := modeltest.New(t)
	estimate := func(slug string) int64 {
		p := &purse{left: 1 << 60}
		c := client(t, up, func(cfg *model.ClientConfig) { cfg.Slug, cfg.Price = slug, &model.Price{Output: 1} })
		ask(t, model.NewMeter(model.NewMeter(c, p), nil))
		return p.estimate.Pico()
	}
	if plain, thinking := estimate("gpt-4o"), estimate("o3"); thinking < 2*plain {
		t.Errorf("a call is estimated at %d, one with thoughts at %d", plain, thinking)
	}
}

// TestMeterSettlesFailures gives reservations back whatever happens.
func TestMeterSettlesFailures(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Status(400))
	p := &purse{left: 1 << 60}
	m := model.NewMeter(client(t, up, nil), p)
	if _, err := m.Chat(t.Context(), scoreRequest()); err == nil {
		t.Fatal("no error")
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = model.NewMeter(panicking{}, p).Chat(t.Context(), scoreRequest())
	}()
	if p.held != 0 || len(p.settled) != 2 {
		t.Errorf("%d reservations are open, %d settled", p.held, len(p.settled))
	}
}

type panicking struct{ model.Model }

func (panicking) Info() model.Info { return model.Info{} }

func (panicking) Chat(context.Context, model.Request) (model.Reply, error) { panic("a bug") }

func TestMeterIsSafeForConcurrentUse(t *testing.T) {
	up := modeltest.New(t)
	up.Script(modeltest.Any, modeltest.Score(8).Usage(10, 1, 0, 0))
	p := &purse{left: 1 << 60}
	m := model.NewMeter(client(t, up, nil), p)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := m.Chat(t.Context(), scoreRequest()); err != nil {
				t.Error(err)
			}
			_ = m.ByStage()
		})
	}
	wg.Wait()
	if u := m.Usage(); u.Calls != 20 || u.InputTokens != 200 || p.held != 0 {
		t.Errorf("usage is %+v, %d reservations are open", u, p.held)
	}
}
