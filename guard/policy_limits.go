package guard

import (
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Limits of a policy's source. Compiling Rego takes time exponential in the
// nesting of comprehensions and in the depth of rules built from each other,
// and OPA's compiler knows no deadline, so these hold before it starts. They
// are several times what the policy that ships with Bailiff uses.
const (
	maxModuleBytes    = 64 << 10
	maxModules        = 64
	maxRules          = 300    // in all modules together
	maxNodes          = 20_000 // of one module's syntax tree
	maxNesting        = 48     // brackets inside each other
	maxComprehensions = 4      // comprehensions and "every" inside each other
	maxExpandedNodes  = 2_000_000
	maxNumberDigits   = 20
)

// checkSource refuses a text that the parser should not even see.
func checkSource(file string, src []byte) []Problem {
	if len(src) > maxModuleBytes {
		return []Problem{{Stage: "limits", File: file, Message: fmt.Sprintf("is %d bytes long; a module may have %d", len(src), maxModuleBytes)}}
	}
	depth, line := 0, 1
	var quote byte
	for i := 0; i < len(src); i++ {
		c := src[i]
		if c == '\n' {
			line++
			if quote == '"' {
				quote = 0 // an unclosed string ends with its line; the parser will say so
			}
			continue
		}
		if quote != 0 {
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
			continue
		}
		switch c {
		case '"', '`':
			quote = c
		case '#':
			for i+1 < len(src) && src[i+1] != '\n' {
				i++
			}
		case '[', '{', '(':
			if depth++; depth > maxNesting {
				return []Problem{{Stage: "limits", File: file, Row: line, Message: fmt.Sprintf("brackets are nested more than %d deep", maxNesting)}}
			}
		case ']', '}', ')':
			depth--
		}
	}
	return nil
}

// checkTree refuses a syntax tree that is too large or too deep to compile.
func checkTree(m *ast.Module) []Problem {
	w := treeWalk{}
	w.module(m)
	return w.problems
}

type treeWalk struct {
	nodes    int
	problems []Problem
}

func (w *treeWalk) complain(loc *ast.Location, format string, args ...any) {
	if len(w.problems) >= 10 {
		return
	}
	p := Problem{Stage: "limits", Message: fmt.Sprintf(format, args...)}
	if loc != nil {
		p.File, p.Row, p.Col = loc.File, loc.Row, loc.Col
	}
	w.problems = append(w.problems, p)
}

func (w *treeWalk) module(m *ast.Module) {
	for _, r := range m.Rules {
		w.visit(r, 0)
	}
	if w.nodes > maxNodes {
		w.complain(m.Package.Location, "the module has %d nodes; %d are allowed", w.nodes, maxNodes)
	}
}

// visit walks x, which stands inside depth comprehensions.
func (w *treeWalk) visit(x any, depth int) {
	ast.NewGenericVisitor(func(x any) bool {
		w.nodes++
		switch x := x.(type) {
		case *ast.ArrayComprehension:
			return w.enter(x.Term, x.Body, depth+1)
		case *ast.SetComprehension:
			return w.enter(x.Term, x.Body, depth+1)
		case *ast.ObjectComprehension:
			if depth+1 <= maxComprehensions {
				w.visit(x.Key, depth+1)
			}
			return w.enter(x.Value, x.Body, depth+1)
		case *ast.Every:
			return w.enter(x.Domain, x.Body, depth+1)
		case *ast.Term:
			w.number(x)
		}
		return false
	}).Walk(x)
}

func (w *treeWalk) enter(head *ast.Term, body ast.Body, depth int) bool {
	if depth > maxComprehensions {
		var loc *ast.Location
		if head != nil {
			loc = head.Location
		}
		w.complain(loc, "comprehensions are nested more than %d deep", maxComprehensions)
		return true
	}
	w.visit(head, depth)
	w.visit(body, depth)
	return true
}

// number refuses literals whose value is far larger than their text: the
// arithmetic of "1e99999999 + 1" takes minutes.
func (w *treeWalk) number(t *ast.Term) {
	n, ok := t.Value.(ast.Number)
	if !ok {
		return
	}
	if s := string(n); len(s) > maxNumberDigits || strings.ContainsAny(s, "eE") {
		w.complain(t.Location, "number literals have at most %d digits and no exponent", maxNumberDigits)
	}
}
