package store

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bailiff/cmd/internal/run"
	"bailiff/judge/model"
)

func testRuns(t *testing.T, s backend) {
	ctx := t.Context()
	addTenant(t, s, "a")
	want := addRun(t, s, "a", "r1", "nightly")
	got, err := s.Run(ctx, "a", "r1")
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	spec, err := s.Spec(ctx, "r1")
	if must(t, err); string(spec) != `{"groups":[]}` {
		t.Errorf("spec %s", spec)
	}
	again := want
	again.ID = "r2"
	wantErr(t, s.CreateRun(ctx, again, nil), run.ErrAliasTaken)
	if _, err := s.Spec(ctx, "r2"); err == nil {
		t.Error("a run that was refused has left its spec")
	}
	addRun(t, s, "a", "r2", "")
	addRun(t, s, "a", "r3", "")
	_, err = s.FinishRun(ctx, "r2", run.Completed, at(9))
	must(t, err)
	for _, tc := range []struct {
		f    run.ListFilter
		want string
	}{
		{run.ListFilter{Limit: 2}, "r3 r2 "},
		{run.ListFilter{Before: "r2", Limit: 2}, "r1 "},
		{run.ListFilter{Status: run.Completed, Limit: 9}, "r2 "},
		{run.ListFilter{Alias: "nightly", Limit: 9}, "r1 "},
		{run.ListFilter{Alias: "nobody", Limit: 9}, ""},
	} {
		runs, err := s.Runs(ctx, "a", tc.f)
		must(t, err)
		ids := ""
		for _, r := range runs {
			ids += r.ID + " "
		}
		if ids != tc.want {
			t.Errorf("%+v: %q, want %q", tc.f, ids, tc.want)
		}
	}
	must(t, s.DeleteRun(ctx, "a", "r1"))
	_, err = s.Run(ctx, "a", "r1")
	wantErr(t, err, run.ErrNotFound)
	_, err = s.Spec(ctx, "r1")
	wantErr(t, err, run.ErrNotFound)
	addRun(t, s, "a", "r4", "nightly") // the alias is free again
}

func testRunStates(t *testing.T, s backend) {
	ctx := t.Context()
	addTenant(t, s, "a")
	addRun(t, s, "a", "r1", "")
	addRun(t, s, "a", "r2", "")
	r, err := s.StartRun(ctx, "r1", "second", at(2))
	must(t, err)
	if r.Status != run.Running || r.Attempts != 1 || r.Revision != "second" || !r.StartedAt.Equal(at(2)) {
		t.Errorf("begun: %+v", r)
	}
	r, err = s.StartRun(ctx, "r1", "third", at(3))
	must(t, err)
	if r.Attempts != 2 || r.Revision != "second" || !r.StartedAt.Equal(at(2)) {
		t.Errorf("begun again: %+v", r)
	}
	open, err := s.OpenRuns(ctx)
	if must(t, err); len(open) != 2 || open[0].ID != "r1" {
		t.Errorf("open runs: %+v", open)
	}
	must(t, s.CancelRun(ctx, "a", "r1", at(4)))
	must(t, s.CancelRun(ctx, "a", "r1", at(5)))
	for i, want := range []bool{true, false} {
		did, err := s.FinishRun(ctx, "r1", run.Cancelled, at(6+i))
		if must(t, err); did != want {
			t.Errorf("finishing %d: %v", i, did)
		}
	}
	r, err = s.Run(ctx, "a", "r1")
	must(t, err)
	if r.Status != run.Cancelled || !r.CancelAt.Equal(at(4)) || !r.FinishedAt.Equal(at(6)) {
		t.Errorf("finished: %+v", r)
	}
	if r, err = s.StartRun(ctx, "r1", "x", at(9)); err != nil || r.Status != run.Cancelled || r.Attempts != 2 {
		t.Errorf("begun after its end: %+v, %v", r, err)
	}
	_, err = s.StartRun(ctx, "nothing", "x", at(9))
	wantErr(t, err, run.ErrNotFound)
}

// result is a result at a position.
func result(runID string, position int, status string, score *float64) run.Result {
	var passed *bool
	if score != nil {
		yes := *score >= 50
		passed = &yes
	}
	price := &model.Price{Input: 1, Output: 2}
	return run.Result{
		ID: fmt.Sprintf("e%d", position), RunID: runID, TenantID: "a", Position: position, Index: position / 2, RecordID: "rec", Key: []string{"x", "y"}[position%2],
		Status: status, Score: score, Passed: passed, Usage: model.Usage{InputTokens: 10, OutputTokens: 5, Calls: 1, Cost: price.Of(10, 5, 0)}, Body: []byte(fmt.Sprintf(`{"n":%d}`, position)),
	}
}

func ref(f float64) *float64 { return &f }

func testResults(t *testing.T, s backend) {
	ctx := t.Context()
	addTenant(t, s, "a")
	addRun(t, s, "a", "r1", "")
	for _, position := range []int{2, 0, 3, 1} {
		added, err := s.AddResult(ctx, result("r1", position, "scored", ref(40)))
		if must(t, err); !added {
			t.Errorf("position %d was not added", position)
		}
	}
	added, err := s.AddResult(ctx, result("r1", 3, "error", nil))
	if must(t, err); added {
		t.Error("a position was added twice")
	}
	all, err := s.Results(ctx, "a", "r1", run.ResultFilter{After: -1})
	must(t, err)
	for i, r := range all {
		want := result("r1", i, "scored", ref(40))
		want.Order, want.Usage = r.Order, model.Usage{}
		if diff := cmp.Diff(want, r, cmpopts.EquateComparable(model.Cost{})); diff != "" {
			t.Error(diff)
		}
	}
	order, err := s.Results(ctx, "a", "r1", run.ResultFilter{ByOrder: true, Ordered: 1, Limit: 2})
	must(t, err)
	if len(order) != 2 || order[0].Position != 0 || order[0].Order != 2 || order[1].Position != 3 {
		t.Errorf("in order of arrival after the first: %+v", order)
	}
	page, err := s.Results(ctx, "a", "r1", run.ResultFilter{After: 1, Status: "scored", Limit: 1})
	if must(t, err); len(page) != 1 || page[0].Position != 2 {
		t.Errorf("a page after position 1: %+v", page)
	}
	have, err := s.Positions(ctx, "r1")
	if must(t, err); len(have) != 4 || !have[3] {
		t.Errorf("positions %v", have)
	}
	_, err = s.FinishRun(ctx, "r1", run.Completed, at(5))
	must(t, err)
	if added, err := s.AddResult(ctx, result("r1", 7, "scored", nil)); err != nil || added {
		t.Errorf("a result was added after the end: %v, %v", added, err)
	}
	if added, err := s.AddResult(ctx, result("gone", 0, "scored", nil)); err != nil || added {
		t.Errorf("a result was added to no run: %v, %v", added, err)
	}
	must(t, s.DeleteRun(ctx, "a", "r1"))
	if all, err := s.Results(ctx, "a", "r1", run.ResultFilter{After: -1}); err != nil || len(all) != 0 {
		t.Errorf("results of a deleted run: %d, %v", len(all), err)
	}
}

func testTotals(t *testing.T, s backend) {
	ctx := t.Context()
	addTenant(t, s, "a")
	addRun(t, s, "a", "r1", "")
	empty, err := s.Totals(ctx, "a", "r1")
	if must(t, err); len(empty.Keys) != 0 {
		t.Errorf("totals of nothing: %+v", empty)
	}
	unpriced := result("r1", 5, "error", nil)
	unpriced.Usage = model.Usage{Calls: 1, Cost: (*model.Price)(nil).Of(1, 1, 0)}
	for _, r := range []run.Result{
		result("r1", 0, "scored", ref(90.25)), result("r1", 2, "scored", ref(10.5)), result("r1", 4, "rejected", nil),
		result("r1", 1, "skipped", nil), result("r1", 3, "scored", ref(0)), unpriced,
	} {
		_, err := s.AddResult(ctx, r)
		must(t, err)
	}
	got, err := s.Totals(ctx, "a", "r1")
	must(t, err)
	want := run.Totals{
		Keys: map[string]run.KeyTotals{
			"x": {Scored: 2, Rejected: 1, Passed: 1, Failed: 1, Sum: 100.75},
			"y": {Scored: 1, Skipped: 1, Errors: 1, Failed: 1},
		},
		Usage: run.Usage{InputTokens: 50, OutputTokens: 25, Calls: 6, CostPico: 5 * 20_000_000, Unpriced: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// testIsolation asks for everything of tenant a as tenant b.
func testIsolation(t *testing.T, s backend) {
	ctx := t.Context()
	addTenant(t, s, "a")
	addTenant(t, s, "b")
	addRun(t, s, "a", "r1", "shared")
	_, err := s.AddResult(ctx, result("r1", 0, "scored", ref(1)))
	must(t, err)
	_, err = s.Run(ctx, "b", "r1")
	wantErr(t, err, run.ErrNotFound)
	wantErr(t, s.DeleteRun(ctx, "b", "r1"), run.ErrNotFound)
	must(t, s.CancelRun(ctx, "b", "r1", at(3)))
	if r, err := s.Run(ctx, "a", "r1"); err != nil || r.CancelAt != nil {
		t.Errorf("another tenant cancelled it: %+v, %v", r, err)
	}
	if list, err := s.Runs(ctx, "b", run.ListFilter{Limit: 9}); err != nil || len(list) != 0 {
		t.Errorf("runs: %v, %v", list, err)
	}
	if list, err := s.Results(ctx, "b", "r1", run.ResultFilter{After: -1}); err != nil || len(list) != 0 {
		t.Errorf("results: %v, %v", list, err)
	}
	if sum, err := s.Totals(ctx, "b", "r1"); err != nil || len(sum.Keys) != 0 {
		t.Errorf("totals: %+v, %v", sum, err)
	}
	foreign := result("r1", 5, "scored", nil)
	foreign.TenantID = "b"
	if added, err := s.AddResult(ctx, foreign); err != nil || added {
		t.Errorf("another tenant's result was added: %v, %v", added, err)
	}
	addRun(t, s, "b", "r2", "shared") // aliases are a tenant's own
}

// testConcurrency has many writers at one position each, and at the same one.
func testConcurrency(t *testing.T, s backend) {
	addTenant(t, s, "a")
	addRun(t, s, "a", "r1", "")
	var all sync.WaitGroup
	var mu sync.Mutex
	wins := 0
	for i := range 16 {
		all.Go(func() {
			for _, position := range []int{i, 100} {
				added, err := s.AddResult(t.Context(), result("r1", position, "scored", ref(1)))
				if err != nil {
					t.Error(err)
				}
				if added && position == 100 {
					mu.Lock()
					wins++
					mu.Unlock()
				}
			}
			if _, err := s.Totals(t.Context(), "a", "r1"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := s.Results(t.Context(), "a", "r1", run.ResultFilter{ByOrder: true})
	must(t, err)
	if len(got) != 17 || wins != 1 {
		t.Fatalf("%d results, position 100 was won %d times", len(got), wins)
	}
	for i, r := range got {
		if r.Order != int64(i+1) {
			t.Errorf("arrival %d has the number %d", i+1, r.Order)
		}
	}
}
