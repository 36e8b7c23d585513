package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// layer is what one source says: values by setting, and where each stands.
type layer struct {
	values map[string]any
	where  map[string]string
}

func newLayer() layer { return layer{values: map[string]any{}, where: map[string]string{}} }

func (l layer) put(name string, value any, where string) {
	l.values[name], l.where[name] = value, where
}

// fileReader walks the configuration file and collects what is wrong with it.
type fileReader struct {
	path     string
	out      layer
	models   []Model
	given    bool // models: is there
	problems []string
}

func (r *fileReader) fault(n ast.Node, format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf("%s:%d: ", r.path, lineOf(n))+fmt.Sprintf(format, args...))
}

func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 1
	}
	return n.GetToken().Position.Line
}

// readFile reads the text of a configuration file.
func readFile(path string, data []byte) *fileReader {
	r := &fileReader{path: path, out: newLayer()}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		r.problems = append(r.problems, path+":"+yamlMessage(err))
		return r
	}
	for i, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.NullType {
			continue
		}
		if i > 0 {
			r.fault(doc.Body, "a second document: one file holds one configuration")
			continue
		}
		r.walk("", doc.Body)
	}
	return r
}

// yamlMessage is "line: what" of a syntax error, without the excerpt that the
// library draws: a file may hold what should not be in a log.
func yamlMessage(err error) string {
	message := yaml.FormatError(err, false, false)
	first, _, _ := strings.Cut(message, "\n")
	if at, rest, ok := strings.Cut(first, "] "); ok && strings.HasPrefix(at, "[") {
		line, _, _ := strings.Cut(at[1:], ":")
		return line + ": " + rest
	}
	return " " + first
}

func (r *fileReader) walk(prefix string, n ast.Node) {
	for _, pair := range r.pairs(n, strings.TrimSuffix(prefix, ".")) {
		key := keyOf(pair)
		name := prefix + key
		switch {
		case name == "models":
			r.given = true
			r.readModels(pair.Value)
		case isSetting(name):
			r.scalar(name, pair)
		case slices.Contains(names(prefix), key):
			r.walk(name+".", pair.Value)
		case isSecret(name):
			r.fault(pair.Key, "%s is a secret: put it into the variable BAILIFF_%s or into a file and name that in BAILIFF_%s_FILE", name, strings.ToUpper(key), strings.ToUpper(key))
		default:
			r.fault(pair.Key, "unknown key %q; known here are %s", shorten(key), strings.Join(names(prefix), ", "))
		}
	}
}

func (r *fileReader) pairs(n ast.Node, name string) []*ast.MappingValueNode {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}
	}
	if name == "" {
		name = "the file"
	}
	r.fault(n, "%s must be a mapping of keys to values", name)
	return nil
}

func keyOf(pair *ast.MappingValueNode) string {
	return strings.Trim(pair.Key.String(), `"'`)
}

func (r *fileReader) scalar(name string, pair *ast.MappingValueNode) {
	switch pair.Value.Type() {
	case ast.StringType, ast.LiteralType, ast.IntegerType, ast.FloatType, ast.BoolType:
	default:
		r.fault(pair.Key, "%s must be a single value", name)
		return
	}
	var value any
	if err := yaml.NodeToValue(pair.Value, &value); err != nil {
		r.fault(pair.Key, "%s cannot be read", name)
		return
	}
	r.out.put(name, value, fmt.Sprintf("%s:%d: %s", r.path, lineOf(pair.Key), name))
}

func isSetting(name string) bool {
	return slices.ContainsFunc(settings(), func(s setting) bool { return s.name == name })
}

func isSecret(name string) bool { return name == "bootstrap_key" }

func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
