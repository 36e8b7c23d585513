package config

import (
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml"
)

// Write prints the effective configuration as YAML that could be a
// configuration file, with secrets masked.
func (c *Config) Write(w io.Writer) error {
	out := yaml.MapSlice{}
	var limits yaml.MapSlice
	for _, s := range settings() {
		if name, ok := strings.CutPrefix(s.name, "limits."); ok {
			limits = append(limits, yaml.MapItem{Key: name, Value: s.show(c)})
			continue
		}
		out = append(out, yaml.MapItem{Key: s.name, Value: s.show(c)})
	}
	out = append(out, yaml.MapItem{Key: "limits", Value: limits})
	if len(c.Models) > 0 {
		out = append(out, yaml.MapItem{Key: "models", Value: shownModels(c.Models)})
	}
	text, err := yaml.Marshal(out)
	if err != nil {
		return fmt.Errorf("show the configuration: %w", err)
	}
	from := c.File
	if from == "" {
		from = "no file"
	}
	_, err = fmt.Fprintf(w, "# effective configuration (%s)\n# OPENAI_BASE_URL: %s\n# OPENAI_API_KEY: %s\n# BAILIFF_BOOTSTRAP_KEY: %s\n%s",
		from, orNone(c.Provider.BaseURL), orNone(c.Provider.Key.String()), orNone(c.BootstrapKey.String()), text)
	return err
}

func orNone(s string) string {
	if s == "" {
		return "not set"
	}
	return s
}

func shownModels(models []Model) []yaml.MapSlice {
	out := make([]yaml.MapSlice, len(models))
	for i, m := range models {
		out[i] = yaml.MapSlice{{Key: "slug", Value: m.Slug}}
		add := func(key string, value any, there bool) {
			if there {
				out[i] = append(out[i], yaml.MapItem{Key: key, Value: value})
			}
		}
		add("model", m.Model, m.Model != "")
		add("provider", m.Provider, m.Provider != "")
		add("base_url", m.BaseURL, m.BaseURL != "")
		add("key_env", m.KeyEnv, m.KeyEnv != "")
		add("key_file", m.KeyFile, m.KeyFile != "")
		if m.Price != nil {
			add("price", yaml.MapSlice{{Key: "input", Value: m.Price.Input}, {Key: "output", Value: m.Price.Output}, {Key: "cached", Value: m.Price.Cached}}, true)
		}
		add("scale", m.Scale, m.Scale != 0)
		add("tenants", m.Tenants, len(m.Tenants) > 0)
	}
	return out
}
