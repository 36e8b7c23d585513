package store

import (
	"context"
	"database/sql"

	"bailiff/cmd/internal/run"
)

// AddResult implements run.Store.
func (db *DB) AddResult(ctx context.Context, r run.Result) (added bool, err error) {
	u := run.UsageOf(r.Usage)
	res, err := db.write.ExecContext(ctx, `INSERT INTO results (run_id, position, arrival, id, tenant_id, record_index, record_id, metric_key, status, score, passed,
			input_tokens, output_tokens, cached_tokens, reasoning_tokens, model_calls, cost_pico, unpriced, body)
		SELECT runs.id, ?, (SELECT COALESCE(MAX(arrival), 0) + 1 FROM results WHERE run_id = runs.id), ?, runs.tenant_id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
		FROM runs WHERE runs.id = ? AND runs.tenant_id = ? AND runs.status IN ('queued', 'running')
		ON CONFLICT (run_id, position) DO NOTHING`,
		r.Position, r.ID, r.Index, r.RecordID, r.Key, r.Status, nullFloat(r.Score), nullBool(r.Passed),
		u.InputTokens, u.OutputTokens, u.CachedTokens, u.ReasoningTokens, u.Calls, u.CostPico, u.Unpriced, string(r.Body),
		r.RunID, r.TenantID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

func nullFloat(f *float64) sql.NullFloat64 {
	if f == nil {
		return sql.NullFloat64{}
	}
	return sql.NullFloat64{Float64: *f, Valid: true}
}

func nullBool(b *bool) sql.NullInt64 {
	if b == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: int64(number(*b)), Valid: true}
}

func scanResult(s scanner) (run.Result, error) {
	var r run.Result
	var score sql.NullFloat64
	var passed sql.NullInt64
	var body string
	err := s.Scan(&r.ID, &r.RunID, &r.TenantID, &r.Position, &r.Order, &r.Index, &r.RecordID, &r.Key, &r.Status, &score, &passed, &body)
	if score.Valid {
		r.Score = &score.Float64
	}
	if passed.Valid {
		yes := passed.Int64 != 0
		r.Passed = &yes
	}
	r.Body = []byte(body)
	return r, err
}

// Results implements run.Store. Usage is not read back: Totals sums it.
func (db *DB) Results(ctx context.Context, tenantID, runID string, f run.ResultFilter) ([]run.Result, error) {
	const columns = `SELECT id, run_id, tenant_id, position, arrival, record_index, record_id, metric_key, status, score, passed, body FROM results WHERE tenant_id = ? AND run_id = ? `
	query, after := columns+`AND position > ? AND (? = '' OR status = ?) ORDER BY position LIMIT ?`, int64(f.After)
	if f.ByOrder {
		query, after = columns+`AND arrival > ? AND (? = '' OR status = ?) ORDER BY arrival LIMIT ?`, f.Ordered
	}
	limit := f.Limit
	if limit <= 0 {
		limit = 1 << 30
	}
	rows, err := db.read.QueryContext(ctx, query, tenantID, runID, after, f.Status, f.Status, limit)
	return collect(rows, err, scanResult)
}

// Positions implements run.Store.
func (db *DB) Positions(ctx context.Context, runID string) (map[int]bool, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT position FROM results WHERE run_id = ?`, runID)
	list, err := collect(rows, err, func(s scanner) (n int, err error) { return n, s.Scan(&n) })
	out := make(map[int]bool, len(list))
	for _, n := range list {
		out[n] = true
	}
	return out, err
}

// sums is one row of what Totals reads.
type sums struct {
	key, status string
	n, passed   int
	score       float64
	usage       run.Usage
}

// Totals implements run.Store.
func (db *DB) Totals(ctx context.Context, tenantID, runID string) (run.Totals, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT metric_key, status, COUNT(*), COALESCE(SUM(passed), 0), COALESCE(SUM(score), 0.0),
			SUM(input_tokens), SUM(output_tokens), SUM(cached_tokens), SUM(reasoning_tokens), SUM(model_calls), SUM(cost_pico), SUM(unpriced)
		FROM results WHERE tenant_id = ? AND run_id = ? GROUP BY metric_key, status`, tenantID, runID)
	list, err := collect(rows, err, func(s scanner) (g sums, err error) {
		return g, s.Scan(&g.key, &g.status, &g.n, &g.passed, &g.score,
			&g.usage.InputTokens, &g.usage.OutputTokens, &g.usage.CachedTokens, &g.usage.ReasoningTokens, &g.usage.Calls, &g.usage.CostPico, &g.usage.Unpriced)
	})
	t := run.Totals{Keys: map[string]run.KeyTotals{}}
	for _, g := range list {
		t.Add(g.key, g.status, g.n, g.passed, g.score, g.usage)
	}
	return t, err
}
