package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// load reads a configuration from a file's text and an environment.
func load(t *testing.T, file string, env ...string) (Config, error) {
	t.Helper()
	return Load(Source{Env: append([]string{"HOME=/"}, env...), Read: func(path string) ([]byte, error) {
		if path == DefaultFile && file != "" {
			return []byte(file), nil
		}
		if path == "/run/key" {
			return []byte("a-key-from-a-file-of-24\n"), nil
		}
		return nil, fmt.Errorf("open %s: %w", path, fs.ErrNotExist)
	}})
}

func TestDefaultsWork(t *testing.T) {
	c, err := load(t, "")
	if err != nil {
		t.Fatal(err)
	}
	got := []any{c.Addr, c.Store, c.Audit, c.Model, c.ModelsOpen, c.BlockingTimeout, c.EvaluationTimeout, c.Limits.Definition, c.File}
	want := []any{"127.0.0.1:8080", "sqlite:bailiff.db", "file:audit.jsonl", "offline", true, time.Minute, 2 * time.Minute, 16384, ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLaterSourcesWin(t *testing.T) {
	file := "addr: 127.0.0.1:1\nlog_level: warn\nlimits:\n  rows: 5\n"
	c, err := Load(Source{
		Env:   []string{"BAILIFF_ADDR=127.0.0.1:2", "BAILIFF_LIMITS_ROWS=6"},
		Flags: map[string]string{"addr": "127.0.0.1:3"},
		Read:  func(string) ([]byte, error) { return []byte(file), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != "127.0.0.1:3" || c.Limits.Rows != 6 || c.LogLevel != "warn" || c.File != DefaultFile {
		t.Errorf("addr %s, rows %d, log level %s, file %q", c.Addr, c.Limits.Rows, c.LogLevel, c.File)
	}
}

func TestDefaultModelFollowsTheProvider(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		env        []string
		model      string
		open       bool
	}{
		{"none", "", nil, "offline", true},
		{"a key", "", []string{"OPENAI_API_KEY=k"}, "gpt-4o-mini", true},
		{"a base URL alone", "", []string{"OPENAI_BASE_URL=http://127.0.0.1:1/v1"}, "gpt-4o-mini", true},
		{"named", "model: offline\n", []string{"OPENAI_API_KEY=k"}, "offline", true},
		{"a list closes the rest", "models:\n  - slug: a\n    base_url: http://127.0.0.1/v1\nmodel: a\n", nil, "a", false},
		{"a list that stays open", "models: [{slug: a}]\nmodels_open: true\n", []string{"OPENAI_API_KEY=k"}, "gpt-4o-mini", true},
		{"closed without a list", "models_open: false\n", []string{"OPENAI_API_KEY=k"}, "gpt-4o-mini", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := load(t, tc.file, tc.env...)
			if err != nil {
				t.Fatal(err)
			}
			if c.Model != tc.model || c.ModelsOpen != tc.open {
				t.Errorf("model %q open %v, want %q %v", c.Model, c.ModelsOpen, tc.model, tc.open)
			}
		})
	}
}

func TestEveryProblemAtOnceWithItsPlace(t *testing.T) {
	file := strings.Join([]string{
		"addr: nowhere",                // 1
		"adress: 127.0.0.1:1",          // 2
		"limits:",                      // 3
		"  rows: many",                 // 4
		"  colums: 3",                  // 5
		"bootstrap_key: abc",           // 6
		"models:",                      // 7
		"  - slug: a",                  // 8
		"    key: sk-123",              // 9
		"    scale: 7",                 // 10
		"  - slug: a",                  // 11
		"    price: {input: -1, x: 1}", // 12
		"blocking_timeout: soon",       // 13
	}, "\n")
	_, err := load(t, file, "BAILIFF_LOG_LEVEL=loud", "BAILIFF_BOOTSTRAP_KEY=short", "OPENAI_BASE_URL=ftp://x")
	problems, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("err = %v", err)
	}
	text := strings.Join(problems.Problems, "\n")
	for _, want := range []string{
		"bailiff.yaml:1: addr must be host:port", `bailiff.yaml:2: unknown key "adress"`, "bailiff.yaml:4: limits.rows must be a whole number",
		`bailiff.yaml:5: unknown key "colums"`, "bailiff.yaml:6: bootstrap_key is a secret", `bailiff.yaml:9: unknown key "key" of a model`,
		"bailiff.yaml:10: scale must be", `bailiff.yaml:12: unknown key "x" of a price`, "bailiff.yaml:12: a price must be", "bailiff.yaml:13: blocking_timeout must be a duration",
		"BAILIFF_LOG_LEVEL must be one of", "the bootstrap key must have 20", "OPENAI_BASE_URL must be",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no problem says %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "sk-123") {
		t.Error("a problem shows a value that may be a secret")
	}
}

func TestSyntaxErrorsHaveALine(t *testing.T) {
	for _, file := range []string{"addr: [", "a: b: c", "addr: x\naddr: y\n"} {
		_, err := load(t, file)
		if err == nil || !strings.Contains(err.Error(), "bailiff.yaml:") {
			t.Errorf("%q: %v", file, err)
		}
	}
}

func TestAFileThatWasAskedForMustBeThere(t *testing.T) {
	if _, err := load(t, "", "BAILIFF_CONFIG=/nowhere.yaml"); err == nil {
		t.Error("a missing file that was named is no error")
	}
}

func TestUnknownVariablesWarn(t *testing.T) {
	c, err := load(t, "", "BAILIFF_PORT=tcp://10.0.0.1:80")
	if err != nil || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "BAILIFF_PORT") {
		t.Errorf("err %v, warnings %q", err, c.Warnings)
	}
}

func TestSecretsAreNeverShown(t *testing.T) {
	c, err := load(t, "", "OPENAI_API_KEY=sk-secret-1", "BAILIFF_BOOTSTRAP_KEY_FILE=/run/key")
	if err != nil {
		t.Fatal(err)
	}
	if c.BootstrapKey != "a-key-from-a-file-of-24" {
		t.Errorf("the key of the file is %q", string(c.BootstrapKey))
	}
	var out bytes.Buffer
	if err := c.Write(&out); err != nil {
		t.Fatal(err)
	}
	shown := out.String() + fmt.Sprintf("%v %+v %#v", c, c, c)
	for _, secret := range []string{"sk-secret-1", "a-key-from-a-file"} {
		if strings.Contains(shown, secret) {
			t.Errorf("%q is shown", secret)
		}
	}
	if !strings.Contains(out.String(), "***") || !strings.Contains(out.String(), "rows: 10000") {
		t.Errorf("shown:\n%s", out.String())
	}
}

// What --check prints is a configuration that means the same.
func TestShownConfigurationReadsBack(t *testing.T) {
	first, err := load(t, "addr: 127.0.0.1:7\nlimits: {rows: 7}\nmodels:\n  - {slug: a, base_url: 'http://127.0.0.1/v1', key_env: KEY, price: {input: 1.5, output: 2}, scale: 100, tenants: [x]}\nmodel: a\n")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := first.Write(&out); err != nil {
		t.Fatal(err)
	}
	second, err := load(t, out.String())
	if err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
}

func TestEverySettingHasItsVariable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range settings() {
		if s.env != envOf(s.name) || seen[s.env] || s.show == nil {
			t.Errorf("%s: variable %s, show %v", s.name, s.env, s.show != nil)
		}
		seen[s.env] = true
	}
}
