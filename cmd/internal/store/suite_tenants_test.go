package store

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bailiff/cmd/internal/tenant"
)

func testTenants(t *testing.T, s backend) {
	ctx := t.Context()
	first, err := s.Pepper(ctx)
	must(t, err)
	second, err := s.Pepper(ctx)
	must(t, err)
	if len(first) != 32 || !bytes.Equal(first, second) {
		t.Errorf("pepper %x, then %x", first, second)
	}

	want := tenant.Tenant{ID: "t1", Name: "one", CreatedAt: at(0), Settings: tenant.Settings{Model: "m", Models: []string{"m", "n"}, PolicyData: map[string]any{"strict": true}}}
	must(t, s.CreateTenant(ctx, want))
	got, err := s.Tenant(ctx, "t1")
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	wantErr(t, s.CreateTenant(ctx, tenant.Tenant{ID: "t2", Name: "one"}), tenant.ErrConflict)
	_, err = s.Tenant(ctx, "nobody")
	wantErr(t, err, tenant.ErrNotFound)

	addTenant(t, s, "t0")
	addTenant(t, s, "t2")
	want.Disabled, want.Name = true, "renamed"
	must(t, s.UpdateTenant(ctx, want))
	wantErr(t, s.UpdateTenant(ctx, tenant.Tenant{ID: "nobody", Name: "x"}), tenant.ErrNotFound)
	wantErr(t, s.UpdateTenant(ctx, tenant.Tenant{ID: "t2", Name: "renamed"}), tenant.ErrConflict)

	page, err := s.Tenants(ctx, "t0", 1)
	must(t, err)
	if len(page) != 1 || !page[0].Disabled || page[0].Name != "renamed" {
		t.Errorf("page after t0: %+v", page)
	}
}

func testKeys(t *testing.T, s backend) {
	ctx := t.Context()
	addTenant(t, s, "a")
	addTenant(t, s, "b")
	expires := at(50)
	want := tenant.Key{ID: "k1", TenantID: "a", Name: "ci", Role: tenant.Evaluate, Hint: "wxyz", Sum: []byte{1, 2, 3}, CreatedAt: at(1), ExpiresAt: &expires}
	must(t, s.CreateKey(ctx, want))
	got, owner, err := s.KeyBySum(ctx, []byte{1, 2, 3})
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" || owner.ID != "a" {
		t.Errorf("owner %q, key %s", owner.ID, diff)
	}
	_, _, err = s.KeyBySum(ctx, []byte{9})
	wantErr(t, err, tenant.ErrNotFound)

	must(t, s.TouchKey(ctx, "k1", at(5)))
	_, err = s.RevokeKey(ctx, "b", "k1", at(6))
	wantErr(t, err, tenant.ErrNotFound)
	for _, second := range []int{7, 9} {
		got, err = s.RevokeKey(ctx, "a", "k1", at(second))
		must(t, err)
	}
	if got.RevokedAt == nil || !got.RevokedAt.Equal(at(7)) || got.LastUsed == nil || !got.LastUsed.Equal(at(5)) {
		t.Errorf("revoked at %v, used at %v", got.RevokedAt, got.LastUsed)
	}
	for _, id := range []string{"k0", "k2"} {
		must(t, s.CreateKey(ctx, tenant.Key{ID: id, TenantID: "a", Role: tenant.Audit, Sum: []byte(id), CreatedAt: at(1)}))
	}
	page, err := s.Keys(ctx, "a", "k0", 10)
	must(t, err)
	if len(page) != 2 || page[0].ID != "k1" || page[1].ID != "k2" {
		t.Errorf("keys after k0: %+v", page)
	}
	if page, err = s.Keys(ctx, "b", "", 10); err != nil || len(page) != 0 {
		t.Errorf("another tenant's keys: %+v, %v", page, err)
	}
	if live := want.Live(at(49)) && !want.Live(expires) && !got.Live(at(8)) && got.Live(time.Time{}); !live {
		t.Error("a key lives past its end, or not up to it")
	}
}
