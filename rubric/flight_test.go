package rubric

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// gate is a reply that waits until it is opened, or for its context.
type gate struct {
	entered, open chan struct{}
	once          sync.Once
	then          reply
}

func newGate(then reply) *gate {
	return &gate{entered: make(chan struct{}), open: make(chan struct{}), then: then}
}

func (g *gate) reply(ctx context.Context, c call) (string, error) {
	g.once.Do(func() { close(g.entered) })
	select {
	case <-g.open:
		return g.then(ctx, c)
	case <-ctx.Done():
		return "", &modelError{"cancelled", 1}
	}
}

func TestAThousandAtOnceCostOneResolution(t *testing.T) {
	g := newGate(says(safe))
	m := script(map[string][]reply{"safety": {g.reply}})
	r := NewResolver(Config{Cache: newStore()})
	req := request(t, m, prose)
	results := make([]Resolution, 1000)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() { results[i] = r.Resolve(t.Context(), req) })
	}
	<-g.entered
	close(g.open)
	wg.Wait()
	cached := 0
	for _, res := range results {
		if end(res) != "usable generated" {
			t.Fatal(end(res))
		}
		if res.Cached {
			cached++
		}
	}
	if m.count("*") != 3 || cached != len(results)-1 {
		t.Errorf("%d calls, want 3; %d of %d say cached", m.count("*"), cached, len(results))
	}
}

func TestTenantsDoNotWaitForOneAnother(t *testing.T) {
	g := newGate(says(safe))
	slow, quick := script(map[string][]reply{"safety": {g.reply}}), script(nil)
	r := NewResolver(Config{})
	done := make(chan Resolution)
	go func() { done <- r.Resolve(t.Context(), request(t, slow, prose)) }()
	<-g.entered
	req := request(t, quick, prose)
	req.Tenant = "globex"
	if res := r.Resolve(t.Context(), req); end(res) != "usable generated" || res.Cached {
		t.Errorf("the other tenant: %s, cached %v", end(res), res.Cached)
	}
	close(g.open)
	<-done
}

func TestACallerThatGivesUpDoesNotFailTheOthers(t *testing.T) {
	g := newGate(says(safe))
	m := script(map[string][]reply{"safety": {g.reply}})
	r := NewResolver(Config{})
	req := request(t, m, prose)
	first, cancel := context.WithCancel(t.Context())
	gone, stayed := make(chan Resolution, 1), make(chan Resolution, 1)
	go func() { gone <- r.Resolve(first, req) }()
	<-g.entered
	go func() { stayed <- r.Resolve(t.Context(), req) }()
	waitFor(t, func() bool { return r.flights.waiting() == 2 })
	cancel()
	if got := end(<-gone); got != "fault run cancelled" {
		t.Errorf("the one that gave up: %s", got)
	}
	close(g.open)
	if got := end(<-stayed); got != "usable generated" || m.count("safety") != 1 {
		t.Errorf("the one that stayed: %s after %d checks", got, m.count("safety"))
	}
}

func TestWorkThatNobodyWaitsForIsGivenUp(t *testing.T) {
	g := newGate(says(safe))
	m := script(map[string][]reply{"safety": {g.reply, says(safe)}})
	r := NewResolver(Config{})
	req := request(t, m, prose)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan Resolution, 1)
	go func() { gone <- r.Resolve(ctx, req) }()
	<-g.entered
	cancel()
	<-gone
	if got := end(r.Resolve(t.Context(), req)); got != "usable generated" {
		t.Errorf("the next one: %s", got)
	}
	if m.count("safety") != 2 {
		t.Errorf("%d checks; the one that was given up must not be joined", m.count("safety"))
	}
}

func TestACallersDeadlineIsKept(t *testing.T) {
	m := script(map[string][]reply{"resolve": {hangs}})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	r := NewResolver(Config{})
	if got := end(r.Resolve(ctx, request(t, m, prose))); got != "fault semantic semantic_unavailable" {
		t.Error(got)
	}
	waitFor(t, func() bool { return r.flights.waiting() == 0 })
}

func TestACancelledRequestIsNotBegun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m := script(nil)
	if got := end(NewResolver(Config{}).Resolve(ctx, request(t, m, prose))); got != "fault run cancelled" || m.count("*") != 0 {
		t.Errorf("%s after %d calls", got, m.count("*"))
	}
}

func TestOneRunsBudgetDoesNotEndAnothers(t *testing.T) {
	g := newGate(fails("budget_exhausted"))
	poor, rich := script(map[string][]reply{"resolve": {g.reply}}), script(nil)
	r := NewResolver(Config{})
	broke, fine := make(chan Resolution, 1), make(chan Resolution, 1)
	go func() { broke <- r.Resolve(t.Context(), request(t, poor, prose)) }()
	<-g.entered
	go func() { fine <- r.Resolve(t.Context(), request(t, rich, prose)) }()
	waitFor(t, func() bool { return r.flights.waiting() == 2 })
	close(g.open)
	if got := end(<-broke); got != "fault meter budget_exhausted" {
		t.Errorf("the run that ran out: %s", got)
	}
	if got := end(<-fine); got != "usable generated" {
		t.Errorf("the run that waited for it: %s", got)
	}
}

func TestABugFailsOneDefinition(t *testing.T) {
	for _, anew := range []bool{false, true} {
		var told []string
		r := NewResolver(Config{Panicked: func(stage string, v any, stack []byte) {
			told = append(told, fmt.Sprint(stage, " ", v, " ", len(stack) > 0))
		}})
		req := request(t, script(map[string][]reply{"generate": {panics}}), prose)
		req.NoCache = anew
		if got := end(r.Resolve(t.Context(), req)); got != "fault steps steps_unavailable" || r.flights.waiting() != 0 {
			t.Error(got)
		}
		if !slices.Equal(told, []string{"steps a bug in a client true"}) {
			t.Errorf("told %q", told)
		}
	}
}

// waiting counts the callers on board of all flights.
func (fs *flights) waiting() int {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	n := 0
	for _, f := range fs.byKey {
		n += f.waiting
	}
	return n
}

func waitFor(t *testing.T, cond func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); !cond(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("waited in vain")
		}
	}
}
