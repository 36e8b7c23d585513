package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/go-json-experiment/json"

	"bailiff/cmd/internal/registry"
	"bailiff/guard"
)

const rubricColumns = `rubrics.id, rubrics.tenant_id, rubrics.name, rubrics.version, rubrics.content_sum, rubrics.definition, rubrics.steps, rubrics.fields,
	rubrics.model, rubrics.revision, rubrics.verdict, rubrics.created_at, rubrics.created_by,
	rubrics.check_revision, rubrics.check_decision, rubrics.check_rules, rubrics.check_explanation, rubrics.checked_at`

// rubricRow receives a version.
type rubricRow struct {
	v                      registry.Version
	steps, fields, verdict string
	decision, rules        string
	created, checked       int64
}

func (r *rubricRow) into() []any {
	return []any{
		&r.v.ID, &r.v.TenantID, &r.v.Name, &r.v.Number, &r.v.Sum, &r.v.Definition, &r.steps, &r.fields,
		&r.v.Model, &r.v.Revision, &r.verdict, &r.created, &r.v.CreatedBy,
		&r.v.Check.Revision, &r.decision, &r.rules, &r.v.Check.Explanation, &r.checked,
	}
}

func (r *rubricRow) version() (registry.Version, error) {
	r.v.Verdict, r.v.CreatedAt = []byte(r.verdict), timeOf(r.created)
	r.v.Check.Decision, r.v.Check.At = guard.Decision(r.decision), timeOf(r.checked)
	err := errors.Join(
		json.Unmarshal([]byte(r.steps), &r.v.Steps),
		json.Unmarshal([]byte(r.fields), &r.v.Fields),
		json.Unmarshal([]byte(r.rules), &r.v.Check.RuleIDs),
	)
	return r.v, err
}

func scanRubric(s scanner) (registry.Version, error) {
	var r rubricRow
	if err := s.Scan(r.into()...); err != nil {
		return registry.Version{}, rubricError(err)
	}
	return r.version()
}

func rubricError(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return registry.ErrNotFound
	}
	return err
}

// AddVersion implements registry.Store.
func (db *DB) AddVersion(ctx context.Context, v registry.Version) (kept registry.Version, added bool, err error) {
	steps, err := json.Marshal(v.Steps)
	if err != nil {
		return v, false, err
	}
	fields, err := json.Marshal(v.Fields)
	if err != nil {
		return v, false, err
	}
	rules, err := json.Marshal(v.Check.RuleIDs)
	if err != nil {
		return v, false, err
	}
	err = db.tx(ctx, func(tx *sql.Tx) error {
		kept, err = scanRubric(tx.QueryRowContext(ctx, `SELECT `+rubricColumns+` FROM rubrics WHERE tenant_id = ? AND name = ? AND content_sum = ?`, v.TenantID, v.Name, v.Sum))
		if !errors.Is(err, registry.ErrNotFound) {
			return err
		}
		if err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) + 1 FROM rubrics WHERE tenant_id = ? AND name = ?`, v.TenantID, v.Name).Scan(&v.Number); err != nil {
			return err
		}
		kept, added = v, true
		_, err := tx.ExecContext(ctx, `INSERT INTO rubrics (id, tenant_id, name, version, content_sum, definition, steps, fields, model, revision, verdict, created_at, created_by,
			check_revision, check_decision, check_rules, check_explanation, checked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			v.ID, v.TenantID, v.Name, v.Number, v.Sum, v.Definition, string(steps), string(fields), v.Model, v.Revision, string(v.Verdict), micros(v.CreatedAt), v.CreatedBy,
			v.Check.Revision, string(v.Check.Decision), string(rules), v.Check.Explanation, micros(v.Check.At))
		return err
	})
	return kept, added && err == nil, err
}

// VersionBySum implements registry.Store.
func (db *DB) VersionBySum(ctx context.Context, tenantID, name, sum string) (registry.Version, error) {
	return scanRubric(db.read.QueryRowContext(ctx, `SELECT `+rubricColumns+` FROM rubrics WHERE tenant_id = ? AND name = ? AND content_sum = ?`, tenantID, name, sum))
}

// Version implements registry.Store.
func (db *DB) Version(ctx context.Context, tenantID, name string, number int) (registry.Version, error) {
	return scanRubric(db.read.QueryRowContext(ctx, `SELECT `+rubricColumns+` FROM rubrics WHERE tenant_id = ? AND name = ? AND version = ?`, tenantID, name, number))
}

// Versions implements registry.Store.
func (db *DB) Versions(ctx context.Context, tenantID, name string, before, limit int) ([]registry.Version, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT `+rubricColumns+` FROM rubrics WHERE tenant_id = ? AND name = ? AND (? = 0 OR version < ?) ORDER BY version DESC LIMIT ?`,
		tenantID, name, before, before, limit)
	return collect(rows, err, scanRubric)
}

// Names implements registry.Store.
func (db *DB) Names(ctx context.Context, tenantID, after string, limit int) ([]registry.Entry, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT `+rubricColumns+`, totals.versions, totals.first_at FROM
			(SELECT name, COUNT(*) AS versions, MIN(created_at) AS first_at, MAX(version) AS newest FROM rubrics WHERE tenant_id = ? AND name > ? GROUP BY name ORDER BY name LIMIT ?) AS totals
		JOIN rubrics ON rubrics.tenant_id = ? AND rubrics.name = totals.name AND rubrics.version = totals.newest ORDER BY rubrics.name`, tenantID, after, limit, tenantID)
	return collect(rows, err, func(s scanner) (registry.Entry, error) {
		var r rubricRow
		var e registry.Entry
		var first int64
		if err := s.Scan(append(r.into(), &e.Versions, &first)...); err != nil {
			return e, err
		}
		newest, err := r.version()
		e.Name, e.CreatedAt, e.Newest = newest.Name, timeOf(first), newest
		return e, err
	})
}

// Unchecked implements registry.Store.
func (db *DB) Unchecked(ctx context.Context, revision, after string, limit int) ([]registry.Version, error) {
	rows, err := db.read.QueryContext(ctx, `SELECT `+rubricColumns+` FROM rubrics WHERE check_revision <> ? AND id > ? ORDER BY id LIMIT ?`, revision, after, limit)
	return collect(rows, err, scanRubric)
}

// SetCheck implements registry.Store.
func (db *DB) SetCheck(ctx context.Context, id string, c registry.Check) error {
	rules, err := json.Marshal(c.RuleIDs)
	if err != nil {
		return err
	}
	_, err = db.write.ExecContext(ctx, `UPDATE rubrics SET check_revision = ?, check_decision = ?, check_rules = ?, check_explanation = ?, checked_at = ? WHERE id = ?`,
		c.Revision, string(c.Decision), string(rules), c.Explanation, micros(c.At), id)
	return err
}
