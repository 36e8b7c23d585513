package store

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/tenant"
)

func open(t *testing.T, path string) *DB {
	t.Helper()
	db, err := Open(t.Context(), "sqlite:"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestSQLite(t *testing.T) {
	t.Parallel()
	conform(t, func(t *testing.T) (backend, func(string) audit.Sink) {
		db := open(t, filepath.Join(t.TempDir(), "a b%20c.db"))
		return db, func(gateway string) audit.Sink {
			s, err := db.AuditSink(t.Context(), gateway)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	})
}

func TestANewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)`); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), "sqlite:"+path); !errors.Is(err, ErrNewerSchema) {
		t.Errorf("err = %v", err)
	}
}

func TestWhatIsKeptIsThereAfterARestart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	first := open(t, path)
	pepper, err := first.Pepper(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(first.CreateTenant(t.Context(), tenant.Tenant{ID: "t", Name: "n"}), first.Close()); err != nil {
		t.Fatal(err)
	}
	second := open(t, path)
	again, err := second.Pepper(t.Context())
	if err != nil || string(again) != string(pepper) {
		t.Errorf("the pepper changed: %v", err)
	}
	if _, err := second.Tenant(t.Context(), "t"); err != nil {
		t.Error(err)
	}
}

func TestUnusableLocations(t *testing.T) {
	t.Parallel()
	for _, location := range []string{"", "sqlite:", "mysql://x", "sqlite:/nowhere/at/all.db"} {
		if db, err := Open(t.Context(), location); err == nil {
			_ = db.Close()
			t.Errorf("%q opened", location)
		}
	}
}

// SQL is written out, never put together from values.
func TestNoQueryIsBuiltFromValues(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "Sprintf") {
			t.Errorf("%s formats text; queries take their values as parameters", file)
		}
	}
}
