package guard

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	yamlast "github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxPackBytes bounds one pack file, before YAML is parsed.
const maxPackBytes = 1 << 20

// packDoc is a pack as it is written.
type packDoc struct {
	Pack     string            `yaml:"pack"`
	Words    map[string]string `yaml:"words"`
	Patterns []patternDoc      `yaml:"patterns"`
}

type patternDoc struct {
	ID         string   `yaml:"id"`
	Kind       string   `yaml:"kind"`
	Category   string   `yaml:"category"`
	Severity   string   `yaml:"severity"`
	Languages  []string `yaml:"languages"`
	Pattern    string   `yaml:"pattern"`
	Unless     string   `yaml:"unless"`
	Mention    string   `yaml:"mention"`
	Views      []string `yaml:"views"`
	Mode       string   `yaml:"mode"`
	Expires    string   `yaml:"expires"`
	Why        string   `yaml:"why"`
	References []string `yaml:"references"`
	Match      []string `yaml:"match"`
	NoMatch    []string `yaml:"no_match"`
}

// packFile is a parsed pack with its syntax tree, which knows the lines.
type packFile struct {
	name string
	doc  packDoc
	tree *yamlast.File
}

// readPack parses one file strictly. Aliases are refused: a few lines of them
// can stand for gigabytes.
func readPack(fsys fs.FS, name string) (*packFile, []Problem) {
	src, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, []Problem{{Stage: "patterns", File: name, Message: err.Error()}}
	}
	if len(src) > maxPackBytes {
		return nil, []Problem{{Stage: "patterns", File: name, Message: "the file is larger than " + itoa(maxPackBytes) + " bytes; split the pack"}}
	}
	f := &packFile{name: name}
	if f.tree, err = parser.ParseBytes(src, 0); err != nil {
		return nil, []Problem{yamlProblem(name, err)}
	}
	if line := aliasLine(f.tree); line > 0 {
		return nil, []Problem{{Stage: "patterns", File: name, Row: line, Message: "anchors and aliases are not allowed; write the text out or use words:"}}
	}
	if err := yaml.UnmarshalWithOptions(src, &f.doc, yaml.Strict()); err != nil {
		return nil, []Problem{yamlProblem(name, err)}
	}
	return f, nil
}

func yamlProblem(name string, err error) Problem {
	p := Problem{Stage: "patterns", File: name, Message: err.Error()}
	if e, ok := errors.AsType[yaml.Error](err); ok {
		p.Message = e.GetMessage()
		if t := e.GetToken(); t != nil {
			p.Row, p.Col = t.Position.Line, t.Position.Column
		}
	}
	return p
}

// aliasLine is the line of the first anchor or alias, 0 when there is none.
func aliasLine(tree *yamlast.File) int {
	line := 0
	for _, d := range tree.Docs {
		if d.Body == nil {
			continue
		}
		for _, kind := range []yamlast.NodeType{yamlast.AnchorType, yamlast.AliasType} {
			for _, n := range yamlast.Filter(kind, d.Body) {
				if line == 0 || n.GetToken().Position.Line < line {
					line = n.GetToken().Position.Line
				}
			}
		}
	}
	return line
}

// problem places a message at a YAML path such as $.patterns[3].pattern, or at
// the nearest node above it.
func (f *packFile) problem(at, message string) Problem {
	p := Problem{Stage: "patterns", File: f.name, Row: 1, Message: message}
	for at != "$" && at != "" {
		if path, err := yaml.PathString(at); err == nil {
			if node, err := path.FilterFile(f.tree); err == nil && node != nil {
				pos := node.GetToken().Position
				p.Row, p.Col = pos.Line, pos.Column
				return p
			}
		}
		at = at[:max(strings.LastIndexAny(at, ".["), 0)]
	}
	return p
}

func (f *packFile) problemf(i int, member, format string, args ...any) Problem {
	at := fmt.Sprintf("$.patterns[%d]", i)
	if member != "" {
		at += "." + member
	}
	return f.problem(at, fmt.Sprintf(format, args...))
}

func itoa(n int) string { return strconv.Itoa(n) }

func quote(s string) string { return strconv.Quote(s) }
