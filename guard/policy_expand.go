package guard

import (
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

// checkExpansion refuses rules that double: x1 := [x0, x0], x2 := [x1, x1] and
// so on is a few hundred bytes of source and 2ⁿ nodes of type or value. The
// size of a rule is taken as its own nodes plus, for each mention of another
// rule, the size of that one.
func checkExpansion(modules map[string]*ast.Module) []Problem {
	e := expansion{rules: map[string][]*ast.Rule{}, size: map[string]int{}}
	total := 0
	for _, m := range modules {
		for _, r := range m.Rules {
			total++
			name := ruleKey(m, string(r.Head.Name))
			e.rules[name] = append(e.rules[name], r)
		}
	}
	if total > maxRules {
		return []Problem{{Stage: "limits", Message: fmt.Sprintf("the policy has %d rules; %d are allowed", total, maxRules)}}
	}
	for name, rules := range e.rules {
		if e.of(name) >= maxExpandedNodes {
			loc := rules[0].Location
			return []Problem{{
				Stage: "limits", File: loc.File, Row: loc.Row, Col: loc.Col,
				Message: "rules that are built from each other multiply beyond what can be compiled; name a value once and refer to it once",
			}}
		}
	}
	return nil
}

type expansion struct {
	rules map[string][]*ast.Rule
	size  map[string]int // 0 while a rule is being measured: the compiler refuses recursion itself
}

func ruleKey(m *ast.Module, name string) string { return m.Package.Path.String() + "\x00" + name }

func (e expansion) of(name string) int {
	if n, ok := e.size[name]; ok {
		return n
	}
	e.size[name] = 0
	n := 0
	for _, r := range e.rules[name] {
		n += e.ofRule(r)
	}
	n = min(n, maxExpandedNodes)
	e.size[name] = n
	return n
}

func (e expansion) ofRule(r *ast.Rule) int {
	n := 0
	ast.NewGenericVisitor(func(x any) bool {
		n++
		if t, ok := x.(*ast.Term); ok {
			n += e.ofTerm(r.Module, t)
		}
		return n >= maxExpandedNodes
	}).Walk(r)
	return n
}

// ofTerm is the size of the rule that a term names: a bare name in the same
// package, or a reference below data.
func (e expansion) ofTerm(m *ast.Module, t *ast.Term) int {
	switch v := t.Value.(type) {
	case ast.Var:
		return e.known(ruleKey(m, string(v)))
	case ast.Ref:
		if len(v) < 2 || !v[0].Equal(ast.DefaultRootDocument) {
			return 0
		}
		for i := len(v) - 1; i > 0; i-- {
			name, ok := v[i].Value.(ast.String)
			if !ok {
				continue
			}
			if n := e.known(v[:i].String() + "\x00" + string(name)); n > 0 {
				return n
			}
		}
	}
	return 0
}

func (e expansion) known(name string) int {
	if _, ok := e.rules[name]; !ok {
		return 0
	}
	return e.of(name)
}
