package guard

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Files of a policy besides its modules and packs.
const (
	dataFile        = "data.json"
	dataSchemaFile  = "schemas/data.json"
	inputSchemaFile = "schemas/input.json"
	maxDataBytes    = 256 << 10
)

// policyData is data.json: the thresholds and weights that rules read.
type policyData struct {
	value map[string]any
	rows  map[string]int // line by JSON pointer
}

// readData reads data.json and holds it against its schema. OPA lets a rule
// that reads a missing value be undefined, which for a deny rule means allow;
// so everything that may be read is required to be there, with its type and
// range, before the policy can decide anything.
func readData(fsys fs.FS) (policyData, []Problem) {
	value, rows, problems := readJSON(fsys, dataFile)
	if problems != nil {
		return policyData{}, problems
	}
	d := policyData{rows: rows}
	root, ok := value.(map[string]any)
	config, inside := root["bailiff"].(map[string]any)
	if !ok || !inside || len(root) != 1 || len(config) != 1 || config["config"] == nil {
		return d, []Problem{{Stage: "data", File: dataFile, Row: 1, Message: `must be {"bailiff": {"config": {…}}} and nothing beside it`}}
	}
	d.value = root
	schema, _, problems := readJSON(fsys, dataSchemaFile)
	if problems != nil {
		return d, problems
	}
	return d, d.validate(schema)
}

// readJSON decodes a file strictly and remembers the line of every value.
func readJSON(fsys fs.FS, file string) (any, map[string]int, []Problem) {
	src, err := readLimited(fsys, file, maxDataBytes)
	if err != nil {
		return nil, nil, []Problem{{Stage: "data", File: file, Message: err.Error()}}
	}
	rows, err := jsonRows(src)
	if err == nil {
		var value any
		if err = json.Unmarshal(src, &value); err == nil {
			return value, rows, nil
		}
	}
	p := Problem{Stage: "data", File: file, Row: 1, Message: err.Error()}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		p.Row = 1 + bytes.Count(src[:min(int(syntax.ByteOffset), len(src))], []byte("\n"))
	}
	return nil, nil, []Problem{p}
}

func jsonRows(src []byte) (map[string]int, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(src))
	rows := map[string]int{}
	for {
		_, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		pointer := string(dec.StackPointer())
		if _, seen := rows[pointer]; !seen {
			rows[pointer] = 1 + bytes.Count(src[:dec.InputOffset()], []byte("\n"))
		}
	}
}

// noFetch refuses to load any schema by reference: a schema is one document,
// and following a file: or http: reference would read the machine.
type noFetch struct{}

func (noFetch) Load(url string) (any, error) {
	return nil, fmt.Errorf("references to other documents are not followed: %s", url)
}

func compileSchema(doc any) (*jsonschema.Schema, error) {
	c := jsonschema.NewCompiler()
	c.UseLoader(noFetch{})
	c.DefaultDraft(jsonschema.Draft2020)
	const at = "bailiff:schema"
	if err := c.AddResource(at, doc); err != nil {
		return nil, err
	}
	return c.Compile(at)
}

func (d policyData) validate(schema any) []Problem {
	compiled, err := compileSchema(schema)
	if err != nil {
		return []Problem{{Stage: "data", File: dataSchemaFile, Row: 1, Message: err.Error()}}
	}
	err = compiled.Validate(d.value)
	invalid, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		if err != nil {
			return []Problem{{Stage: "data", File: dataFile, Row: 1, Message: err.Error()}}
		}
		return nil
	}
	return d.explain(invalid)
}

// explain flattens a validation error into its leaves.
func (d policyData) explain(e *jsonschema.ValidationError) []Problem {
	if len(e.Causes) > 0 {
		var out []Problem
		for _, cause := range e.Causes {
			out = append(out, d.explain(cause)...)
		}
		return out
	}
	pointer := pointerOf(e.InstanceLocation)
	message := e.Error()
	if i := strings.LastIndex(message, "': "); i >= 0 {
		message = message[i+3:]
	}
	return []Problem{{Stage: "data", File: dataFile, Row: d.row(pointer), Message: pointer + ": " + message}}
}

func pointerOf(path []string) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(p))
	}
	return b.String()
}

// row is the line of the value at pointer, or of the nearest one around it.
func (d policyData) row(pointer string) int {
	for {
		if n, ok := d.rows[pointer]; ok {
			return n
		}
		i := strings.LastIndexByte(pointer, '/')
		if i < 0 {
			return 1
		}
		pointer = pointer[:i]
	}
}

// checkReads holds every reference below data.bailiff.config against the data:
// a rule that names a value which is not there would be undefined for ever.
func (d policyData) checkReads(c *ast.Compiler) []Problem {
	var problems []Problem
	prefix := ast.MustParseRef("data.bailiff.config")
	for _, m := range c.Modules {
		ast.WalkRefs(m, func(r ast.Ref) bool {
			if !r.HasPrefix(prefix) {
				return false
			}
			if missing := d.missing(r); missing != "" {
				loc := r[0].Location
				p := Problem{Stage: "data", Message: missing + " is read here and is not in " + dataFile}
				if loc != nil {
					p.File, p.Row, p.Col = loc.File, loc.Row, loc.Col
				}
				problems = append(problems, p)
			}
			return false
		})
	}
	return problems
}

// missing is the shortest part of r that data.json does not have.
func (d policyData) missing(r ast.Ref) string {
	var at any = d.value
	for i, term := range r[1:] {
		key, ok := term.Value.(ast.String)
		if !ok {
			return "" // a variable: the schema says which members there must be
		}
		object, ok := at.(map[string]any)
		if !ok {
			return r[:i+2].String()
		}
		if at, ok = object[string(key)]; !ok {
			return r[:i+2].String()
		}
	}
	return ""
}
