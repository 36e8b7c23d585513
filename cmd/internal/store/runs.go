package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"bailiff/cmd/internal/run"
)

const runColumns = `id, tenant_id, key_id, alias, status, threshold, model, metrics, total, revision, attempts, created_at, started_at, finished_at, cancel_at`

func scanRun(s scanner) (run.Run, error) {
	var r run.Run
	var created int64
	var started, finished, cancel sql.NullInt64
	err := s.Scan(&r.ID, &r.TenantID, &r.KeyID, &r.Alias, &r.Status, &r.Threshold, &r.Model, &r.Metrics, &r.Total, &r.Revision, &r.Attempts, &created, &started, &finished, &cancel)
	r.CreatedAt, r.StartedAt, r.FinishedAt, r.CancelAt = timeOf(created), timeOrNil(started), timeOrNil(finished), timeOrNil(cancel)
	return r, runError(err)
}

func runError(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return run.ErrNotFound
	}
	return err
}

// CreateRun implements run.Store.
func (db *DB) CreateRun(ctx context.Context, r run.Run, spec []byte) error {
	return db.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO runs (`+runColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			r.ID, r.TenantID, r.KeyID, r.Alias, string(r.Status), r.Threshold, r.Model, r.Metrics, r.Total, r.Revision, r.Attempts,
			micros(r.CreatedAt), microsOf(r.StartedAt), microsOf(r.FinishedAt), microsOf(r.CancelAt))
		if isUnique(err) && r.Alias != "" {
			return run.ErrAliasTaken
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO run_specs (run_id, spec) VALUES (?, ?)`, r.ID, string(spec))
		return err
	})
}

// Run implements run.Store.
func (db *DB) Run(ctx context.Context, tenantID, id string) (run.Run, error) {
	return scanRun(db.read.QueryRowContext(ctx, `SELECT `+runColumns+` FROM runs WHERE tenant_id = ? AND id = ?`, tenantID, id))
}

// Runs implements run.Store.
func (db *DB) Runs(ctx context.Context, tenantID string, f run.ListFilter) ([]run.Run, error) {
	before := f.Before
	if before == "" {
		before = "~" // after every id
	}
	rows, err := db.read.QueryContext(ctx, `SELECT `+runColumns+` FROM runs
		WHERE tenant_id = ? AND id < ? AND (? = '' OR status = ?) AND (? = '' OR alias = ?) ORDER BY id DESC LIMIT ?`,
		tenantID, before, string(f.Status), string(f.Status), f.Alias, f.Alias, f.Limit)
	return collect(rows, err, scanRun)
}

// OpenRuns implements run.Store.
func (db *DB) OpenRuns(ctx context.Context) ([]run.Run, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT `+runColumns+` FROM runs WHERE status IN ('queued', 'running') ORDER BY id`)
	return collect(rows, err, scanRun)
}

// Spec implements run.Store.
func (db *DB) Spec(ctx context.Context, id string) ([]byte, error) {
	var spec string
	err := db.read.QueryRowContext(ctx, `SELECT spec FROM run_specs WHERE run_id = ?`, id).Scan(&spec)
	return []byte(spec), runError(err)
}

// StartRun implements run.Store.
func (db *DB) StartRun(ctx context.Context, id, revision string, at time.Time) (r run.Run, err error) {
	err = db.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE runs SET attempts = attempts + 1, status = 'running',
			revision = CASE WHEN started_at IS NULL THEN ? ELSE revision END, started_at = COALESCE(started_at, ?)
			WHERE id = ? AND status IN ('queued', 'running')`, revision, micros(at), id)
		if err != nil {
			return err
		}
		r, err = scanRun(tx.QueryRowContext(ctx, `SELECT `+runColumns+` FROM runs WHERE id = ?`, id))
		return err
	})
	return r, err
}

// FinishRun implements run.Store.
func (db *DB) FinishRun(ctx context.Context, id string, s run.Status, at time.Time) (bool, error) {
	res, err := db.write.ExecContext(ctx, `UPDATE runs SET status = ?, finished_at = ?, started_at = COALESCE(started_at, ?) WHERE id = ? AND status IN ('queued', 'running')`,
		string(s), micros(at), micros(at), id)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// CancelRun implements run.Store.
func (db *DB) CancelRun(ctx context.Context, tenantID, id string, at time.Time) error {
	_, err := db.write.ExecContext(ctx, `UPDATE runs SET cancel_at = COALESCE(cancel_at, ?) WHERE tenant_id = ? AND id = ? AND status IN ('queued', 'running')`, micros(at), tenantID, id)
	return err
}

// DeleteRun implements run.Store. Spec and results go with it.
func (db *DB) DeleteRun(ctx context.Context, tenantID, id string) error {
	res, err := db.write.ExecContext(ctx, `DELETE FROM runs WHERE tenant_id = ? AND id = ?`, tenantID, id)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(run.ErrNotFound, err)
	}
	return nil
}
