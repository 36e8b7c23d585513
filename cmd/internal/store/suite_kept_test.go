package store

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/run"
)

func testClaims(t *testing.T, s backend) {
	ctx := t.Context()
	addTenant(t, s, "a")
	claim := func(tenantID, key, sum string, second int) (run.Claim, run.ClaimState, run.Reply) {
		t.Helper()
		c := run.Claim{TenantID: tenantID, Key: key, Sum: sum, Now: at(second), Lease: 10 * time.Second}
		state, reply, err := s.Claim(ctx, c)
		must(t, err)
		return c, state, reply
	}
	first, state, _ := claim("a", "k", "s", 0)
	steps := []struct {
		name             string
		tenant, key, sum string
		second           int
		want             run.ClaimState
	}{
		{"the same again", "a", "k", "s", 1, run.InProgress},
		{"another body", "a", "k", "z", 1, run.Mismatch},
		{"another tenant", "b", "k", "z", 1, run.Claimed},
		{"another key", "a", "l", "z", 1, run.Claimed},
	}
	if state != run.Claimed {
		t.Errorf("first: %s", state)
	}
	for _, st := range steps {
		if _, state, _ := claim(st.tenant, st.key, st.sum, st.second); state != st.want {
			t.Errorf("%s: %s, want %s", st.name, state, st.want)
		}
	}
	want := run.Reply{Status: 201, Location: "/x", Body: []byte(`{"a":1}`)}
	must(t, s.Settle(ctx, first, want, time.Minute))
	if _, state, reply := claim("a", "k", "s", 30); state != run.Settled || cmp.Diff(want, reply) != "" {
		t.Errorf("settled: %s %s", state, cmp.Diff(want, reply))
	}
	must(t, s.Release(ctx, first)) // a settled claim stays
	if _, state, _ := claim("a", "k", "z", 30); state != run.Mismatch {
		t.Errorf("another body after settling: %s", state)
	}
	if _, state, _ := claim("a", "k", "z", 61); state != run.Claimed {
		t.Errorf("after its time: %s", state)
	}
	released, _, _ := claim("a", "r", "s", 0)
	must(t, s.Release(ctx, released))
	if _, state, _ := claim("a", "r", "other", 1); state != run.Claimed {
		t.Errorf("after release: %s", state)
	}
	abandoned, _, _ := claim("a", "d", "s", 0)
	if _, state, _ := claim("a", "d", "s", 11); state != run.Claimed {
		t.Errorf("after the lease of %s: %s", abandoned.Lease, state)
	}
}

func testCache(t *testing.T, s backend) {
	ctx := t.Context()
	_, found, err := s.Get(ctx, "a", "k")
	if must(t, err); found {
		t.Error("found before it was put")
	}
	must(t, s.Put(ctx, "a", "k", []byte(`{"v":1}`), time.Hour))
	must(t, s.Put(ctx, "a", "k", []byte(`{"v":2}`), time.Hour))
	payload, found, err := s.Get(ctx, "a", "k")
	if must(t, err); !found || string(payload) != `{"v":2}` {
		t.Errorf("found %v: %s", found, payload)
	}
	if _, found, err := s.Get(ctx, "b", "k"); err != nil || found {
		t.Errorf("another tenant found it: %v", err)
	}
	must(t, s.Put(ctx, "b", "k", []byte(`{"v":3}`), time.Hour))
	if payload, _, err := s.Get(ctx, "a", "k"); err != nil || string(payload) != `{"v":2}` {
		t.Errorf("another tenant overwrote it: %s, %v", payload, err)
	}
	must(t, s.Put(ctx, "a", "old", []byte(`{}`), -time.Second))
	if _, found, err := s.Get(ctx, "a", "old"); err != nil || found {
		t.Errorf("found after its time: %v", err)
	}
}

func testSweep(t *testing.T, s backend) {
	ctx := t.Context()
	now := time.Now()
	must(t, s.Put(ctx, "a", "old", []byte(`{}`), time.Second))
	must(t, s.Put(ctx, "a", "new", []byte(`{}`), time.Hour))
	for key, lease := range map[string]time.Duration{"old": time.Second, "new": time.Hour} {
		_, _, err := s.Claim(ctx, run.Claim{TenantID: "a", Key: key, Sum: "s", Now: now, Lease: lease})
		must(t, err)
	}
	must(t, s.Sweep(ctx, now.Add(time.Minute)))
	if _, found, err := s.Get(ctx, "a", "new"); err != nil || !found {
		t.Errorf("what had time left is gone: %v", err)
	}
	if _, found, err := s.Get(ctx, "a", "old"); err != nil || found {
		t.Errorf("what had expired is there: %v", err)
	}
	for key, want := range map[string]run.ClaimState{"old": run.Claimed, "new": run.InProgress} {
		state, _, err := s.Claim(ctx, run.Claim{TenantID: "a", Key: key, Sum: "s", Now: now, Lease: time.Hour})
		if must(t, err); state != want {
			t.Errorf("claim %s: %s, want %s", key, state, want)
		}
	}
	must(t, s.Ping(ctx))
}

func testAudit(t *testing.T, s backend, sink func(string) audit.Sink) {
	for range 2 { // the second time goes on where the first ended
		log, err := audit.Open(audit.Config{Sink: sink("gw"), Gateway: "gw"})
		must(t, err)
		must(t, errors.Join(
			log.Record(t.Context(), audit.Event{Kind: audit.EvaluationDecided, TenantID: "a", RunID: "r"}, audit.Event{Kind: audit.RunFinished, TenantID: "b"}),
			log.Close(),
		))
	}
	for _, tc := range []struct {
		f    audit.Filter
		want []uint64
	}{
		{audit.Filter{}, []uint64{1, 2, 3, 4}},
		{audit.Filter{Tenant: "a"}, []uint64{1, 3}},
		{audit.Filter{Kind: audit.RunFinished, After: 2}, []uint64{4}},
		{audit.Filter{RunID: "r", Limit: 1}, []uint64{1}},
		{audit.Filter{From: time.Now().Add(time.Hour)}, nil},
		{audit.Filter{To: time.Now().Add(time.Hour), Limit: 2}, []uint64{1, 2}},
	} {
		lines, err := s.Events(t.Context(), tc.f)
		must(t, err)
		var seqs []uint64
		for _, l := range lines {
			seqs = append(seqs, l.Seq)
		}
		if diff := cmp.Diff(tc.want, seqs); diff != "" {
			t.Errorf("%+v: %s", tc.f, diff)
		}
	}
}
