package tenant

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"
)

// ErrBadKey says that a key lets nobody in: it is unknown, revoked, expired,
// or its tenant is disabled. Which of them is not told.
var ErrBadKey = errors.New("the key is not valid")

// DefaultName is the name of the first tenant.
const DefaultName = "default"

// touchEvery is how exact Key.LastUsed is.
const touchEvery = time.Minute

// Registry admits callers and makes tenants and keys.
type Registry struct {
	store  Store
	pepper []byte
	now    func() time.Time
}

// NewRegistry makes a Registry. A nil now takes time.Now.
func NewRegistry(ctx context.Context, store Store, now func() time.Time) (*Registry, error) {
	if now == nil {
		now = time.Now
	}
	pepper, err := store.Pepper(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the secret of the keys: %w", err)
	}
	return &Registry{store: store, pepper: pepper, now: now}, nil
}

// Admit finds who a key belongs to. The error is ErrBadKey, or the store's.
func (r *Registry) Admit(ctx context.Context, text string) (Caller, error) {
	if text == "" || malformed(text) {
		return Caller{}, ErrBadKey
	}
	sum := keyedSum(r.pepper, text)
	key, owner, err := r.store.KeyBySum(ctx, sum)
	if errors.Is(err, ErrNotFound) {
		return Caller{}, ErrBadKey
	}
	if err != nil {
		return Caller{}, fmt.Errorf("look up a key: %w", err)
	}
	now := r.now()
	if !hmac.Equal(sum, key.Sum) || !key.Live(now) || owner.Disabled {
		return Caller{}, ErrBadKey
	}
	if key.LastUsed == nil || now.Sub(*key.LastUsed) >= touchEvery {
		if err := r.store.TouchKey(ctx, key.ID, now); err != nil {
			return Caller{}, fmt.Errorf("note the use of a key: %w", err)
		}
	}
	return Caller{Tenant: owner, Key: key}, nil
}

// Create makes a tenant. The error is ErrConflict when the name is taken.
func (r *Registry) Create(ctx context.Context, name string, s Settings) (Tenant, error) {
	t := Tenant{ID: ulid.Make().String(), Name: name, Settings: s, CreatedAt: r.now().UTC()}
	if err := r.store.CreateTenant(ctx, t); err != nil {
		return Tenant{}, err
	}
	return t, nil
}

// Issue makes a key of a tenant and returns its secret, which cannot be had
// again. The error is ErrNotFound when there is no such tenant.
func (r *Registry) Issue(ctx context.Context, tenantID, name string, role Role, expires *time.Time) (Key, string, error) {
	if _, err := r.store.Tenant(ctx, tenantID); err != nil {
		return Key{}, "", err
	}
	secret := newSecret()
	key, err := r.add(ctx, tenantID, name, role, expires, secret)
	return key, secret, err
}

func (r *Registry) add(ctx context.Context, tenantID, name string, role Role, expires *time.Time, secret string) (Key, error) {
	key := Key{
		ID: ulid.Make().String(), TenantID: tenantID, Name: name, Role: role, Hint: hint(secret), Sum: keyedSum(r.pepper, secret),
		CreatedAt: r.now().UTC(), ExpiresAt: expires,
	}
	if err := r.store.CreateKey(ctx, key); err != nil {
		return Key{}, fmt.Errorf("keep a key: %w", err)
	}
	return key, nil
}

// Revoke ends a key at once.
func (r *Registry) Revoke(ctx context.Context, tenantID, id string) (Key, error) {
	return r.store.RevokeKey(ctx, tenantID, id, r.now().UTC())
}

// Bootstrap sees to it that there is a first tenant with an admin key. chosen
// is the operator's key, "" to have one made. made is the secret of a key that
// was made now, "" when there was one or the operator chose it; key has an id
// when one was added.
func (r *Registry) Bootstrap(ctx context.Context, chosen string) (key Key, made string, err error) {
	tenants, err := r.store.Tenants(ctx, "", 1)
	if err != nil {
		return Key{}, "", fmt.Errorf("look for tenants: %w", err)
	}
	if len(tenants) == 0 {
		first, err := r.Create(ctx, DefaultName, Settings{})
		if err != nil {
			return Key{}, "", fmt.Errorf("make the first tenant: %w", err)
		}
		tenants = []Tenant{first}
	}
	there, err := r.bootstrapped(ctx, tenants[0].ID, chosen)
	if err != nil || there {
		return Key{}, "", err
	}
	secret := chosen
	if chosen == "" {
		made = newSecret()
		secret = made
	}
	key, err = r.add(ctx, tenants[0].ID, "bootstrap", Admin, nil, secret)
	return key, made, err
}

// bootstrapped reports whether the first tenant has the chosen key, or any key
// when none was chosen.
func (r *Registry) bootstrapped(ctx context.Context, tenantID, chosen string) (bool, error) {
	if chosen == "" {
		keys, err := r.store.Keys(ctx, tenantID, "", 1)
		return len(keys) > 0, err
	}
	_, _, err := r.store.KeyBySum(ctx, keyedSum(r.pepper, chosen))
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
