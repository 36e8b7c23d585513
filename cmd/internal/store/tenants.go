package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"github.com/go-json-experiment/json"

	"bailiff/cmd/internal/tenant"
)

// Pepper makes the secret at its first call.
func (db *DB) Pepper(ctx context.Context) ([]byte, error) {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails
	_, err := db.write.ExecContext(ctx, `INSERT INTO secrets (name, value) VALUES ('pepper', ?) ON CONFLICT (name) DO NOTHING`, hex.EncodeToString(raw[:]))
	if err != nil {
		return nil, err
	}
	var text string
	if err := db.write.QueryRowContext(ctx, `SELECT value FROM secrets WHERE name = 'pepper'`).Scan(&text); err != nil {
		return nil, err
	}
	return hex.DecodeString(text)
}

const tenantColumns = `tenants.id, tenants.name, tenants.settings, tenants.disabled, tenants.created_at`

// tenantRow receives a tenant.
type tenantRow struct {
	t        tenant.Tenant
	settings string
	disabled int
	created  int64
}

func (r *tenantRow) into() []any {
	return []any{&r.t.ID, &r.t.Name, &r.settings, &r.disabled, &r.created}
}

func (r *tenantRow) tenant() (tenant.Tenant, error) {
	r.t.Disabled, r.t.CreatedAt = r.disabled != 0, timeOf(r.created)
	err := json.Unmarshal([]byte(r.settings), &r.t.Settings)
	return r.t, err
}

func scanTenant(s scanner) (tenant.Tenant, error) {
	var r tenantRow
	if err := s.Scan(r.into()...); err != nil {
		return tenant.Tenant{}, tenantError(err)
	}
	return r.tenant()
}

func tenantError(err error) error {
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return tenant.ErrNotFound
	case isUnique(err):
		return tenant.ErrConflict
	}
	return err
}

// CreateTenant implements tenant.Store.
func (db *DB) CreateTenant(ctx context.Context, t tenant.Tenant) error {
	settings, err := json.Marshal(t.Settings, json.Deterministic(true))
	if err != nil {
		return err
	}
	_, err = db.write.ExecContext(ctx, `INSERT INTO tenants (id, name, settings, disabled, created_at) VALUES (?, ?, ?, ?, ?)`,
		t.ID, t.Name, string(settings), number(t.Disabled), micros(t.CreatedAt))
	return tenantError(err)
}

// Tenant implements tenant.Store.
func (db *DB) Tenant(ctx context.Context, id string) (tenant.Tenant, error) {
	return scanTenant(db.read.QueryRowContext(ctx, `SELECT `+tenantColumns+` FROM tenants WHERE id = ?`, id))
}

// Tenants implements tenant.Store.
func (db *DB) Tenants(ctx context.Context, after string, limit int) ([]tenant.Tenant, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT `+tenantColumns+` FROM tenants WHERE id > ? ORDER BY id LIMIT ?`, after, limit)
	return collect(rows, err, scanTenant)
}

// UpdateTenant implements tenant.Store.
func (db *DB) UpdateTenant(ctx context.Context, t tenant.Tenant) error {
	settings, err := json.Marshal(t.Settings, json.Deterministic(true))
	if err != nil {
		return err
	}
	res, err := db.write.ExecContext(ctx, `UPDATE tenants SET name = ?, settings = ?, disabled = ? WHERE id = ?`, t.Name, string(settings), number(t.Disabled), t.ID)
	if err != nil {
		return tenantError(err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(tenant.ErrNotFound, err)
	}
	return nil
}

const keyColumns = `api_keys.id, api_keys.tenant_id, api_keys.name, api_keys.role, api_keys.hint, api_keys.sum,
	api_keys.created_at, api_keys.expires_at, api_keys.revoked_at, api_keys.last_used`

// keyRow receives a key.
type keyRow struct {
	k                      tenant.Key
	sum                    string
	created                int64
	expires, revoked, used sql.NullInt64
}

func (r *keyRow) into() []any {
	return []any{&r.k.ID, &r.k.TenantID, &r.k.Name, &r.k.Role, &r.k.Hint, &r.sum, &r.created, &r.expires, &r.revoked, &r.used}
}

func (r *keyRow) key() (tenant.Key, error) {
	sum, err := hex.DecodeString(r.sum)
	r.k.Sum, r.k.CreatedAt = sum, timeOf(r.created)
	r.k.ExpiresAt, r.k.RevokedAt, r.k.LastUsed = timeOrNil(r.expires), timeOrNil(r.revoked), timeOrNil(r.used)
	return r.k, err
}

func scanKey(s scanner) (tenant.Key, error) {
	var r keyRow
	if err := s.Scan(r.into()...); err != nil {
		return tenant.Key{}, tenantError(err)
	}
	return r.key()
}

// CreateKey implements tenant.Store.
func (db *DB) CreateKey(ctx context.Context, k tenant.Key) error {
	_, err := db.write.ExecContext(ctx, `INSERT INTO api_keys (id, tenant_id, name, role, hint, sum, created_at, expires_at, revoked_at, last_used) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		k.ID, k.TenantID, k.Name, string(k.Role), k.Hint, hex.EncodeToString(k.Sum), micros(k.CreatedAt), microsOf(k.ExpiresAt), microsOf(k.RevokedAt), microsOf(k.LastUsed))
	return tenantError(err)
}

// KeyBySum implements tenant.Store.
func (db *DB) KeyBySum(ctx context.Context, sum []byte) (tenant.Key, tenant.Tenant, error) {
	var k keyRow
	var t tenantRow
	row := db.read.QueryRowContext(ctx, `SELECT `+keyColumns+`, `+tenantColumns+` FROM api_keys JOIN tenants ON tenants.id = api_keys.tenant_id WHERE api_keys.sum = ?`, hex.EncodeToString(sum))
	if err := row.Scan(append(k.into(), t.into()...)...); err != nil {
		return tenant.Key{}, tenant.Tenant{}, tenantError(err)
	}
	key, err := k.key()
	if err != nil {
		return tenant.Key{}, tenant.Tenant{}, err
	}
	owner, err := t.tenant()
	return key, owner, err
}

// Keys implements tenant.Store.
func (db *DB) Keys(ctx context.Context, tenantID, after string, limit int) ([]tenant.Key, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT `+keyColumns+` FROM api_keys WHERE tenant_id = ? AND id > ? ORDER BY id LIMIT ?`, tenantID, after, limit)
	return collect(rows, err, scanKey)
}

// RevokeKey implements tenant.Store.
func (db *DB) RevokeKey(ctx context.Context, tenantID, id string, at time.Time) (tenant.Key, error) {
	_, err := db.write.ExecContext(ctx, `UPDATE api_keys SET revoked_at = ? WHERE tenant_id = ? AND id = ? AND revoked_at IS NULL`, micros(at), tenantID, id)
	if err != nil {
		return tenant.Key{}, err
	}
	return scanKey(db.write.QueryRowContext(ctx, `SELECT `+keyColumns+` FROM api_keys WHERE tenant_id = ? AND id = ?`, tenantID, id))
}

// TouchKey implements tenant.Store.
func (db *DB) TouchKey(ctx context.Context, id string, at time.Time) error {
	_, err := db.write.ExecContext(ctx, `UPDATE api_keys SET last_used = ? WHERE id = ?`, micros(at), id)
	return err
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
