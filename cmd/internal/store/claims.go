package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"bailiff/cmd/internal/run"
)

// Claim implements run.Claims.
func (db *DB) Claim(ctx context.Context, c run.Claim) (state run.ClaimState, reply run.Reply, err error) {
	err = db.tx(ctx, func(tx *sql.Tx) error {
		var sum, location, body string
		var status int
		var expires int64
		row := tx.QueryRowContext(ctx, `SELECT sum, status, location, body, expires_at FROM idempotency WHERE tenant_id = ? AND idem_key = ?`, c.TenantID, c.Key)
		err := row.Scan(&sum, &status, &location, &body, &expires)
		switch {
		case err != nil && !errors.Is(err, sql.ErrNoRows):
			return err
		case err == nil && expires > micros(c.Now) && sum != c.Sum:
			state = run.Mismatch
			return nil
		case err == nil && expires > micros(c.Now) && status == 0:
			state = run.InProgress
			return nil
		case err == nil && expires > micros(c.Now):
			state, reply = run.Settled, run.Reply{Status: status, Location: location, Body: []byte(body)}
			return nil
		}
		state = run.Claimed
		_, err = tx.ExecContext(ctx, `INSERT INTO idempotency (tenant_id, idem_key, sum, status, location, body, expires_at) VALUES (?, ?, ?, 0, '', '', ?)
			ON CONFLICT (tenant_id, idem_key) DO UPDATE SET sum = excluded.sum, status = 0, location = '', body = '', expires_at = excluded.expires_at`,
			c.TenantID, c.Key, c.Sum, micros(c.Now.Add(c.Lease)))
		return err
	})
	return state, reply, err
}

// Settle implements run.Claims.
func (db *DB) Settle(ctx context.Context, c run.Claim, r run.Reply, keep time.Duration) error {
	_, err := db.write.ExecContext(ctx, `UPDATE idempotency SET status = ?, location = ?, body = ?, expires_at = ? WHERE tenant_id = ? AND idem_key = ? AND sum = ? AND status = 0`,
		r.Status, r.Location, string(r.Body), micros(c.Now.Add(keep)), c.TenantID, c.Key, c.Sum)
	return err
}

// Release implements run.Claims.
func (db *DB) Release(ctx context.Context, c run.Claim) error {
	_, err := db.write.ExecContext(ctx, `DELETE FROM idempotency WHERE tenant_id = ? AND idem_key = ? AND sum = ? AND status = 0`, c.TenantID, c.Key, c.Sum)
	return err
}
