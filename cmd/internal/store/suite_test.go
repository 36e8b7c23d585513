package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/registry"
	"bailiff/cmd/internal/run"
	"bailiff/cmd/internal/tenant"
	"bailiff/rubric"
)

// backend is everything that a backend serves.
type backend interface {
	tenant.Store
	run.Store
	run.Claims
	rubric.Cache
	registry.Store
	audit.Reader
	Sweep(ctx context.Context, now time.Time) error
	Ping(ctx context.Context) error
}

// opener opens an empty store that ends with the test, and the audit sink of a
// gateway in it.
type opener func(t *testing.T) (s backend, sink func(gateway string) audit.Sink)

// conform runs what every backend has to do; a backend calls it in one line.
func conform(t *testing.T, open opener) {
	t.Helper()
	for _, part := range []struct {
		name string
		test func(*testing.T, backend)
	}{
		{"tenants", testTenants},
		{"keys", testKeys},
		{"runs", testRuns},
		{"run states", testRunStates},
		{"results", testResults},
		{"totals", testTotals},
		{"isolation", testIsolation},
		{"claims", testClaims},
		{"cache", testCache},
		{"sweep", testSweep},
		{"rubrics", testRubrics},
		{"isolation of rubrics", testRubricIsolation},
		{"checks of rubrics", testRubricChecks},
		{"rubrics at once", testRubricRace},
	} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			s, _ := open(t)
			part.test(t, s)
		})
	}
	t.Run("audit", func(t *testing.T) {
		t.Parallel()
		s, sink := open(t)
		testAudit(t, s, sink)
	})
	t.Run("concurrency", func(t *testing.T) {
		t.Parallel()
		s, _ := open(t)
		testConcurrency(t, s)
	})
}

// at is a time with the exactness that stores keep.
func at(second int) time.Time { return time.Date(2026, 3, 14, 9, 0, second, 123456000, time.UTC) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("err = %v, want %v", err, want)
	}
}

func addTenant(t *testing.T, s backend, id string) {
	t.Helper()
	must(t, s.CreateTenant(t.Context(), tenant.Tenant{ID: id, Name: "name of " + id, CreatedAt: at(0)}))
}

func addRun(t *testing.T, s backend, tenantID, id, alias string) run.Run {
	t.Helper()
	r := run.Run{ID: id, TenantID: tenantID, KeyID: "k", Alias: alias, Status: run.Queued, Threshold: 80.5, Model: "m", Metrics: 2, Total: 4, Revision: "first", CreatedAt: at(1)}
	must(t, s.CreateRun(t.Context(), r, []byte(`{"groups":[]}`)))
	return r
}
