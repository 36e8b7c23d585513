package config

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// modelKeys are the members of one entry of models:.
var modelKeys = []string{"slug", "model", "provider", "base_url", "key_env", "key_file", "price", "scale", "tenants"} //nolint:gochecknoglobals // a constant list

func (r *fileReader) readModels(n ast.Node) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		r.fault(n, "models must be a list of {slug, …}")
		return
	}
	for _, item := range list.Values {
		if m, ok := r.readModel(item); ok {
			r.models = append(r.models, m)
		}
	}
}

func (r *fileReader) readModel(n ast.Node) (Model, bool) {
	before := len(r.problems)
	m := Model{Scale: 0}
	for _, pair := range r.pairs(n, "an entry of models") {
		key := keyOf(pair)
		switch key {
		case "slug":
			r.into(pair, &m.Slug)
		case "model":
			r.into(pair, &m.Model)
		case "provider":
			r.into(pair, &m.Provider)
		case "base_url":
			r.into(pair, &m.BaseURL)
			if !isURL(m.BaseURL) {
				r.fault(pair.Key, "base_url must be an http or https URL without credentials")
			}
		case "key_env":
			r.into(pair, &m.KeyEnv)
			if strings.HasPrefix(m.KeyEnv, "sk-") || strings.ContainsAny(m.KeyEnv, " -.") {
				r.fault(pair.Key, "key_env must be the name of a variable, not a key")
				m.KeyEnv = ""
			}
		case "key_file":
			r.into(pair, &m.KeyFile)
		case "price":
			m.Price = r.readPrice(pair.Value)
		case "scale":
			r.into(pair, &m.Scale)
			if m.Scale != 10 && m.Scale != 100 {
				r.fault(pair.Key, "scale must be 10 or 100")
			}
		case "tenants":
			r.into(pair, &m.Tenants)
		default:
			r.fault(pair.Key, "unknown key %q of a model; known are %s", shorten(key), strings.Join(modelKeys, ", "))
		}
	}
	if m.Slug == "" {
		r.fault(n, "a model needs a slug")
	}
	if m.KeyEnv != "" && m.KeyFile != "" {
		r.fault(n, "model %q: give key_env or key_file, not both", m.Slug)
	}
	if slices.ContainsFunc(r.models, func(o Model) bool { return o.Slug == m.Slug }) {
		r.fault(n, "model %q is there twice", m.Slug)
	}
	return m, len(r.problems) == before
}

func (r *fileReader) readPrice(n ast.Node) *Price {
	p := &Price{}
	for _, pair := range r.pairs(n, "price") {
		var at *float64
		switch key := keyOf(pair); key {
		case "input":
			at = &p.Input
		case "output":
			at = &p.Output
		case "cached":
			at = &p.Cached
		default:
			r.fault(pair.Key, "unknown key %q of a price; known are input, output, cached (US dollars per million tokens)", shorten(key))
			continue
		}
		r.into(pair, at)
		if *at < 0 || *at > 1e6 {
			r.fault(pair.Key, "a price must be from 0 to 1000000 US dollars per million tokens")
		}
	}
	return p
}

// into decodes one value; what is wrong with it is told without its text.
func (r *fileReader) into(pair *ast.MappingValueNode, at any) {
	if err := yaml.NodeToValue(pair.Value, at, yaml.Strict()); err != nil {
		r.fault(pair.Key, "%s must be %s", keyOf(pair), kindOf(at))
	}
}

func kindOf(at any) string {
	switch at.(type) {
	case *string:
		return "text"
	case *int:
		return "a whole number"
	case *float64:
		return "a number"
	case *[]string:
		return "a list of texts"
	}
	return fmt.Sprintf("%T", at)
}

func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}
