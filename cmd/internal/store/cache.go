package store

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Get implements rubric.Cache.
func (db *DB) Get(ctx context.Context, tenantID, key string) (payload []byte, found bool, err error) {
	var text string
	row := db.read.QueryRowContext(ctx, `SELECT payload FROM rubric_cache WHERE cache_key = ? AND tenant_id = ? AND expires_at > ?`, key, tenantID, micros(time.Now()))
	switch err := row.Scan(&text); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	return []byte(text), true, nil
}

// Put implements rubric.Cache.
func (db *DB) Put(ctx context.Context, tenantID, key string, payload []byte, ttl time.Duration) error {
	_, err := db.write.ExecContext(ctx, `INSERT INTO rubric_cache (cache_key, tenant_id, payload, expires_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (cache_key) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at WHERE rubric_cache.tenant_id = excluded.tenant_id`,
		key, tenantID, string(payload), micros(time.Now().Add(ttl)))
	return err
}

// Sweep removes what has expired: claims and worked definitions.
func (db *DB) Sweep(ctx context.Context, now time.Time) error {
	return db.tx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM idempotency WHERE expires_at <= ?`, micros(now)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM rubric_cache WHERE expires_at <= ?`, micros(now))
		return err
	})
}
