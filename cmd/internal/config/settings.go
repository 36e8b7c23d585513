package config

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// setting is one row of the table of everything that can be set.
type setting struct {
	name     string // in the file and, with dots, as koanf names it
	env      string
	fallback any // as the file would hold it
	set      func(c *Config, value any) error
	show     func(c *Config) any // nil when it is a secret or shown elsewhere
}

// settings is the table. Adding a setting is adding a row and a member of
// Config.
func settings() []setting {
	return []setting{
		text("addr", "127.0.0.1:8080", func(c *Config) *string { return &c.Addr }, address),
		text("store", "sqlite:bailiff.db", func(c *Config) *string { return &c.Store }, storeURL),
		text("policies", "", func(c *Config) *string { return &c.Policies }, anything),
		text("audit", "file:audit.jsonl", func(c *Config) *string { return &c.Audit }, auditSink),
		text("model", "", func(c *Config) *string { return &c.Model }, anything),
		duration("blocking_timeout", "60s", func(c *Config) *time.Duration { return &c.BlockingTimeout }, time.Millisecond, time.Hour),
		duration("model_timeout", "60s", func(c *Config) *time.Duration { return &c.ModelTimeout }, time.Millisecond, time.Hour),
		duration("evaluation_timeout", "120s", func(c *Config) *time.Duration { return &c.EvaluationTimeout }, time.Millisecond, time.Hour),
		duration("drain_timeout", "20s", func(c *Config) *time.Duration { return &c.DrainTimeout }, 0, time.Hour),
		duration("read_timeout", "30s", func(c *Config) *time.Duration { return &c.ReadTimeout }, 100*time.Millisecond, time.Hour),
		whole("concurrency", 64, func(c *Config) *int { return &c.Concurrency }, 1, 100_000),
		whole("run_concurrency", 16, func(c *Config) *int { return &c.RunConcurrency }, 1, 100_000),
		whole("runs", 8, func(c *Config) *int { return &c.Runs }, 1, 10_000),
		whole("requests", 1024, func(c *Config) *int { return &c.Requests }, 1, 1_000_000),
		whole("limits.run_body", 16<<20, func(c *Config) *int { return &c.Limits.RunBody }, 1<<10, 1<<30),
		whole("limits.body", 1<<20, func(c *Config) *int { return &c.Limits.Body }, 1<<10, 1<<30),
		whole("limits.definition", 16<<10, func(c *Config) *int { return &c.Limits.Definition }, 64, 1<<20),
		whole("limits.field", 256<<10, func(c *Config) *int { return &c.Limits.Field }, 64, 1<<30),
		whole("limits.rows", 10_000, func(c *Config) *int { return &c.Limits.Rows }, 1, 10_000_000),
		whole("limits.metrics", 32, func(c *Config) *int { return &c.Limits.Metrics }, 1, 10_000),
		whole("limits.evaluations", 100_000, func(c *Config) *int { return &c.Limits.Evaluations }, 1, 100_000_000),
		text("log_level", "info", func(c *Config) *string { return &c.LogLevel }, oneOf("debug", "info", "warn", "error")),
		text("log_format", "", func(c *Config) *string { return &c.LogFormat }, oneOf("", "json", "console")),
		{
			name: "models_open", env: "BAILIFF_MODELS_OPEN",
			set: func(c *Config, v any) (err error) { c.ModelsOpen, err = truth(v); return err },
			show: func(c *Config) any {
				return c.ModelsOpen
			},
		},
	}
}

func envOf(name string) string {
	return "BAILIFF_" + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

func text(name, fallback string, at func(*Config) *string, check func(string) error) setting {
	return setting{
		name: name, env: envOf(name), fallback: fallback,
		set: func(c *Config, v any) error {
			s, ok := v.(string)
			if !ok {
				return fmt.Errorf("must be text")
			}
			*at(c) = s
			return check(s)
		},
		show: func(c *Config) any { return *at(c) },
	}
}

func duration(name, fallback string, at func(*Config) *time.Duration, low, high time.Duration) setting {
	return setting{
		name: name, env: envOf(name), fallback: fallback,
		set: func(c *Config, v any) error {
			d, err := time.ParseDuration(fmt.Sprint(v))
			if err != nil {
				return fmt.Errorf("must be a duration such as %q", fallback)
			}
			if d < low || d > high {
				return fmt.Errorf("must be between %s and %s", low, high)
			}
			*at(c) = d
			return nil
		},
		show: func(c *Config) any { return at(c).String() },
	}
}

func whole(name string, fallback int, at func(*Config) *int, low, high int) setting {
	return setting{
		name: name, env: envOf(name), fallback: fallback,
		set: func(c *Config, v any) error {
			n, err := strconv.Atoi(fmt.Sprint(v))
			if err != nil || n < low || n > high {
				return fmt.Errorf("must be a whole number from %d to %d", low, high)
			}
			*at(c) = n
			return nil
		},
		show: func(c *Config) any { return *at(c) },
	}
}

func truth(v any) (bool, error) {
	switch fmt.Sprint(v) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("must be true or false")
}

func anything(string) error { return nil }

func oneOf(words ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(words, s) {
			return nil
		}
		named := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
		return fmt.Errorf("must be one of %s", strings.Join(named, ", "))
	}
}

func address(s string) error {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return fmt.Errorf("must be host:port, such as 127.0.0.1:8080 or :8080")
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("has no port from 0 to 65535")
	}
	return nil
}

func storeURL(s string) error {
	path, ok := strings.CutPrefix(s, "sqlite:")
	if !ok || path == "" {
		return fmt.Errorf("must be sqlite:PATH")
	}
	return nil
}

func auditSink(s string) error {
	if path, ok := strings.CutPrefix(s, "file:"); ok && path != "" {
		return nil
	}
	if s == "stdout" || s == "store" {
		return nil
	}
	return fmt.Errorf("must be stdout, store or file:PATH")
}

// names lists the settings of one level, for messages.
func names(prefix string) []string {
	var out []string
	for _, s := range settings() {
		rest, ok := strings.CutPrefix(s.name, prefix)
		if !ok {
			continue
		}
		first, _, _ := strings.Cut(rest, ".")
		out = append(out, first)
	}
	if prefix == "" {
		out = append(out, "models")
	}
	slices.SortFunc(out, cmp.Compare)
	return slices.Compact(out)
}
