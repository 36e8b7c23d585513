package store

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bailiff/cmd/internal/registry"
	"bailiff/guard"
	"bailiff/rubric"
)

func rubricVersion(tenantID, name, text string, n int) registry.Version {
	v := registry.Version{
		ID: fmt.Sprintf("v%02d", n), TenantID: tenantID, Name: name, Definition: text, Steps: []string{"a step"}, Fields: []rubric.Field{rubric.Output},
		Model: "m", Revision: "r1", Verdict: []byte(`{"valid":true}`), CreatedAt: at(n), CreatedBy: "k",
		Check: registry.Check{Revision: "r1", Decision: guard.Allow, RuleIDs: []string{}, At: at(n)},
	}
	v.Sum = registry.Sum(v.Definition, v.Steps, v.Fields)
	return v
}

func testRubrics(t *testing.T, s backend) {
	ctx := t.Context()
	addTenant(t, s, "a")
	addTenant(t, s, "b")
	add := func(v registry.Version) (registry.Version, bool) {
		t.Helper()
		kept, added, err := s.AddVersion(ctx, v)
		must(t, err)
		return kept, added
	}
	first, added := add(rubricVersion("a", "tone", "one", 1))
	second, _ := add(rubricVersion("a", "tone", "two", 2))
	if !added || first.Number != 1 || second.Number != 2 {
		t.Errorf("added %v: versions %d and %d", added, first.Number, second.Number)
	}
	if again, added := add(rubricVersion("a", "tone", "one", 3)); added || again.ID != first.ID || again.Number != 1 {
		t.Errorf("the same text is version %d of %s, added %v", again.Number, again.ID, added)
	}
	other, _ := add(rubricVersion("a", "dates", "one", 4))
	theirs, _ := add(rubricVersion("b", "tone", "theirs", 5))
	if other.Number != 1 || theirs.Number != 1 {
		t.Errorf("another name begins with %d, another tenant's with %d", other.Number, theirs.Number)
	}

	got, err := s.Version(ctx, "a", "tone", 2)
	must(t, err)
	if diff := cmp.Diff(second, got); diff != "" {
		t.Errorf("version 2: %s", diff)
	}
	bySum, err := s.VersionBySum(ctx, "a", "tone", first.Sum)
	must(t, err)
	if bySum.ID != first.ID {
		t.Errorf("by its sum: %s", bySum.ID)
	}
	list, err := s.Versions(ctx, "a", "tone", 0, 9)
	must(t, err)
	if len(list) != 2 || list[0].Number != 2 {
		t.Errorf("versions: %+v", list)
	}
	if older, err := s.Versions(ctx, "a", "tone", 2, 9); err != nil || len(older) != 1 || older[0].Number != 1 {
		t.Errorf("before version 2: %+v, %v", older, err)
	}
	names, err := s.Names(ctx, "a", "", 9)
	must(t, err)
	if len(names) != 2 || names[0].Name != "dates" || names[1].Versions != 2 || names[1].Newest.Number != 2 || !names[1].CreatedAt.Equal(at(1)) {
		t.Errorf("names: %+v", names)
	}
	if page, err := s.Names(ctx, "a", "dates", 1); err != nil || len(page) != 1 || page[0].Name != "tone" {
		t.Errorf("names after dates: %+v, %v", page, err)
	}
}

func testRubricIsolation(t *testing.T, s backend) {
	ctx := t.Context()
	addTenant(t, s, "a")
	addTenant(t, s, "b")
	v, _, err := s.AddVersion(ctx, rubricVersion("a", "tone", "one", 1))
	must(t, err)
	_, err = s.Version(ctx, "b", "tone", 1)
	wantErr(t, err, registry.ErrNotFound)
	_, err = s.VersionBySum(ctx, "b", "tone", v.Sum)
	wantErr(t, err, registry.ErrNotFound)
	_, err = s.Version(ctx, "a", "tone", 2)
	wantErr(t, err, registry.ErrNotFound)
	if list, err := s.Versions(ctx, "b", "tone", 0, 9); err != nil || len(list) != 0 {
		t.Errorf("versions: %v, %v", list, err)
	}
	if list, err := s.Names(ctx, "b", "", 9); err != nil || len(list) != 0 {
		t.Errorf("names: %v, %v", list, err)
	}
}

func testRubricChecks(t *testing.T, s backend) {
	ctx := t.Context()
	addTenant(t, s, "a")
	for n := range 3 {
		_, _, err := s.AddVersion(ctx, rubricVersion("a", "tone", fmt.Sprint(n), n))
		must(t, err)
	}
	ids := func(revision, after string, limit int) (out string) {
		t.Helper()
		list, err := s.Unchecked(ctx, revision, after, limit)
		must(t, err)
		for _, v := range list {
			out += v.ID + " "
		}
		return out
	}
	if got := ids("r1", "", 9); got != "" {
		t.Errorf("unchecked by their own revision: %s", got)
	}
	if got := ids("r2", "", 2) + ids("r2", "v01", 2); got != "v00 v01 v02 " {
		t.Errorf("unchecked by another: %s", got)
	}
	refused := registry.Check{Revision: "r2", Decision: guard.Deny, RuleIDs: []string{"x.y"}, Explanation: "No.", At: at(9)}
	must(t, s.SetCheck(ctx, "v01", refused))
	if got := ids("r2", "", 9); got != "v00 v02 " {
		t.Errorf("left: %s", got)
	}
	got, err := s.Version(ctx, "a", "tone", 2)
	must(t, err)
	if diff := cmp.Diff(refused, got.Check); diff != "" || !got.Check.Refused() || got.Revision != "r1" {
		t.Errorf("revision %s, check: %s", got.Revision, diff)
	}
}

// testRubricRace has many writers add the same and other texts: each text gets
// one number and no number is used twice.
func testRubricRace(t *testing.T, s backend) {
	addTenant(t, s, "a")
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			v := rubricVersion("a", "tone", fmt.Sprint(i/2), i)
			if _, _, err := s.AddVersion(t.Context(), v); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	list, err := s.Versions(t.Context(), "a", "tone", 0, 99)
	must(t, err)
	for i, v := range list {
		if v.Number != len(list)-i {
			t.Errorf("place %d has number %d", i, v.Number)
		}
	}
	if len(list) != 8 {
		t.Errorf("%d versions of 8 texts", len(list))
	}
}
