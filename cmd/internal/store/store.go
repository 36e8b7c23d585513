// Package store keeps what the gateway must not forget in a database: tenants
// and keys, runs and results, claims, worked definitions, registered rubrics, and audit events when
// they go there.
//
// Every query that gives something of a tenant has the tenant in it. Migrations
// are in the binary and run at the start; a database that a newer binary has
// migrated is refused. A write is done when its method returns.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite" // also registers the driver

	"bailiff/cmd/internal/registry"
	"bailiff/cmd/internal/run"
	"bailiff/cmd/internal/tenant"
	"bailiff/rubric"
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	read  *sql.DB
	write *sql.DB // one connection: SQLite has one writer
}

// DB serves all of these.
var (
	_ tenant.Store = (*DB)(nil)
	_ run.Store    = (*DB)(nil)
	_ run.Claims   = (*DB)(nil)
	_ rubric.Cache = (*DB)(nil)

	_ registry.Store = (*DB)(nil)
)

// ErrNewerSchema says that a newer binary has migrated the database.
var ErrNewerSchema = errors.New("the database belongs to a newer version of bailiff: use that version, or restore a backup")

// Open opens sqlite:PATH, makes the database if there is none, and migrates it.
func Open(ctx context.Context, location string) (*DB, error) {
	path, ok := strings.CutPrefix(location, "sqlite:")
	if !ok || path == "" {
		return nil, fmt.Errorf("the store %q is not sqlite:PATH", location)
	}
	db, err := openSQLite(path)
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	if err := db.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("migrate the store: %w", err), db.Close())
	}
	return db, nil
}

func openSQLite(path string) (*DB, error) {
	pragmas := []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "temp_store(MEMORY)"}
	q := url.Values{"_pragma": pragmas, "_txlock": {"immediate"}}
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
	write, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	read, err := sql.Open("sqlite", dsn+"&_pragma=query_only(1)")
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(8)
	read.SetMaxIdleConns(8)
	return &DB{read: read, write: write}, nil
}

// Close closes the database.
func (db *DB) Close() error { return errors.Join(db.read.Close(), db.write.Close()) }

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	var one int
	return db.read.QueryRowContext(ctx, "SELECT 1").Scan(&one)
}

func (db *DB) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db.write, files)
	if err != nil {
		return err
	}
	have, err := p.GetDBVersion(ctx)
	if err != nil {
		return err
	}
	sources := p.ListSources()
	if newest := sources[len(sources)-1].Version; have > newest {
		return fmt.Errorf("%w (its schema is %d, this binary knows %d)", ErrNewerSchema, have, newest)
	}
	_, err = p.Up(ctx)
	return err
}

// tx runs f in a transaction.
func (db *DB) tx(ctx context.Context, f func(*sql.Tx) error) error {
	t, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(t); err != nil {
		return errors.Join(err, ignoreDone(t.Rollback()))
	}
	return t.Commit()
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// isUnique reports whether a write failed because a unique index holds the
// value already.
func isUnique(err error) bool {
	const uniqueIndex, primaryKey = 2067, 1555 // SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code() == uniqueIndex || e.Code() == primaryKey)
}

// Times are kept as microseconds since 1970, which every database sorts alike.

func micros(t time.Time) int64 { return t.UnixMicro() }

func microsOf(t *time.Time) sql.NullInt64 {
	if t == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: true}
}

func timeOf(us int64) time.Time { return time.UnixMicro(us).UTC() }

func timeOrNil(us sql.NullInt64) *time.Time {
	if !us.Valid {
		return nil
	}
	t := timeOf(us.Int64)
	return &t
}

// scanner is a row, of one or of many.
type scanner interface{ Scan(dest ...any) error }

// collect reads all rows.
func collect[T any](rows *sql.Rows, err error, scan func(scanner) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}
