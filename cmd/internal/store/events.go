package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"bailiff/cmd/internal/audit"
)

// writeDeadline bounds the writing of audit lines, which nobody cancels.
const writeDeadline = 15 * time.Second

// AuditSink keeps audit lines in the database.
type AuditSink struct {
	db      *DB
	gateway string
	last    []byte
}

var (
	_ audit.Sink   = (*AuditSink)(nil)
	_ audit.Reader = (*DB)(nil)
)

// AuditSink opens the chain of a gateway.
func (db *DB) AuditSink(ctx context.Context, gateway string) (*AuditSink, error) {
	s := &AuditSink{db: db, gateway: gateway}
	var line string
	err := db.read.QueryRowContext(ctx, `SELECT line FROM audit_events WHERE gateway = ? ORDER BY seq DESC LIMIT 1`, gateway).Scan(&line)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	if line != "" {
		s.last = []byte(line)
	}
	return s, nil
}

// Write keeps lines, all or none.
func (s *AuditSink) Write(lines []byte) (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), writeDeadline)
	defer cancel()
	err := s.db.tx(ctx, func(tx *sql.Tx) error {
		for line := range bytes.Lines(lines) {
			if err := s.insert(ctx, tx, line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return len(lines), nil
}

func (s *AuditSink) insert(ctx context.Context, tx *sql.Tx, line []byte) error {
	var e struct {
		Seq      int64     `json:"seq"`
		Time     time.Time `json:"time"`
		Kind     string    `json:"event"`
		TenantID string    `json:"tenant_id"`
		RunID    string    `json:"run_id"`
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO audit_events (gateway, seq, tenant_id, time, event, run_id, line) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		s.gateway, e.Seq, e.TenantID, micros(e.Time), e.Kind, e.RunID, string(line))
	return err
}

// Last implements audit.Sink.
func (s *AuditSink) Last() []byte { return s.last }

// Close implements audit.Sink; the database is its owner's.
func (s *AuditSink) Close() error { return nil }

// Events implements audit.Reader.
func (db *DB) Events(ctx context.Context, f audit.Filter) ([]audit.Line, error) {
	from, to := int64(0), int64(1)<<62
	if !f.From.IsZero() {
		from = micros(f.From)
	}
	if !f.To.IsZero() {
		to = micros(f.To)
	}
	limit := f.Limit
	if limit <= 0 {
		limit = 1 << 30
	}
	rows, err := db.read.QueryContext(ctx, `SELECT seq, line FROM audit_events WHERE seq > ? AND time >= ? AND time < ?
			AND (? = '' OR tenant_id = ?) AND (? = '' OR event = ?) AND (? = '' OR run_id = ?) ORDER BY seq LIMIT ?`,
		int64(f.After), from, to, f.Tenant, f.Tenant, string(f.Kind), string(f.Kind), f.RunID, f.RunID, limit)
	return collect(rows, err, func(s scanner) (l audit.Line, err error) {
		var text string
		err = s.Scan(&l.Seq, &text)
		l.Text = bytes.TrimSpace([]byte(text))
		return l, err
	})
}
