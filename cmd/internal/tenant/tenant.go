// Package tenant knows who may ask for what: tenants, their keys and roles.
//
// A key is shown once, when it is made, and kept as a keyed sum. Whoever has
// the database alone can neither read a key nor try keys out. Everything that
// belongs to a tenant is asked for with the tenant's id; what is another
// tenant's is not found, just as what never was.
package tenant

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Errors of a Store. Both are told to callers in the same words for what is
// not there and for what is another's.
var (
	ErrNotFound = errors.New("not found")
	ErrConflict = errors.New("the name is taken")
)

// Role is what a key may be used for.
type Role string

// The roles.
const (
	Evaluate Role = "evaluate" // score, scan, read the own runs
	Policy   Role = "policy"   // scan, validate, read and change policies
	Audit    Role = "audit"    // read the audit log
	Admin    Role = "admin"    // all of it, and tenants and keys
)

// Roles lists every role.
func Roles() []Role { return []Role{Evaluate, Policy, Audit, Admin} }

// Known reports whether r is a role.
func (r Role) Known() bool { return slices.Contains(Roles(), r) }

// May reports whether a key of role r may do what is open to the roles given.
// An admin may do everything.
func (r Role) May(open ...Role) bool { return r == Admin || slices.Contains(open, r) }

// Tenant is a customer of the operator.
type Tenant struct {
	ID        string
	Name      string // unique
	Settings  Settings
	Disabled  bool // its keys are refused
	CreatedAt time.Time
}

// Settings are what an operator decides for one tenant.
type Settings struct {
	Model      string         `json:"model,omitzero"`       // default slug; "" takes the gateway's
	Models     []string       `json:"models,omitzero"`      // allowed slugs; nil allows all
	PolicyData map[string]any `json:"policy_data,omitzero"` // can only make the policy stricter
}

// Allows reports whether the tenant may use a model.
func (s Settings) Allows(slug string) bool { return s.Models == nil || slices.Contains(s.Models, slug) }

// Key is a key without its secret.
type Key struct {
	ID        string
	TenantID  string
	Name      string // what it is for, "" when nobody said
	Role      Role
	Hint      string // the last characters, to tell keys apart
	Sum       []byte // keyed sum of the secret
	CreatedAt time.Time
	ExpiresAt *time.Time
	RevokedAt *time.Time
	LastUsed  *time.Time
}

// Live reports whether the key may be used at a time.
func (k Key) Live(at time.Time) bool {
	return (k.RevokedAt == nil || k.RevokedAt.After(at)) && (k.ExpiresAt == nil || k.ExpiresAt.After(at))
}

// Caller is who a request comes from.
type Caller struct {
	Tenant Tenant
	Key    Key
}

// Store keeps tenants and keys.
type Store interface {
	// Pepper is a secret of the store, made with it, 32 bytes.
	Pepper(ctx context.Context) ([]byte, error)

	CreateTenant(ctx context.Context, t Tenant) error // ErrConflict
	Tenant(ctx context.Context, id string) (Tenant, error)
	// Tenants are those whose id is greater than after, in order of id.
	Tenants(ctx context.Context, after string, limit int) ([]Tenant, error)
	UpdateTenant(ctx context.Context, t Tenant) error // ErrNotFound, ErrConflict

	CreateKey(ctx context.Context, k Key) error
	KeyBySum(ctx context.Context, sum []byte) (Key, Tenant, error)
	Keys(ctx context.Context, tenantID, after string, limit int) ([]Key, error)
	// RevokeKey notes the time of the first revocation and gives the key.
	RevokeKey(ctx context.Context, tenantID, id string, at time.Time) (Key, error)
	TouchKey(ctx context.Context, id string, at time.Time) error
}
