package guard

import (
	"errors"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Kinds of text that a policy decides about, as input.kind.
const (
	kindDefinition = "definition" // with the steps that its author gave
	kindSteps      = "steps"      // written by a model from a cleared definition
	kindRecord     = "record"     // fields of a record, in front of the judge
)

// Limits of a tenant's data. It comes from a stranger and is evaluated by
// rules whose loops multiply with it.
const (
	maxTenantDepth = 6
	maxTenantNodes = 2000
)

// hitGroup is what findings of one sort add up to. The policy weighs sorts: an
// evaluation over raw findings costs three to five times as much.
type hitGroup struct {
	category, severity, stance, layer string
	n                                 int
	rules                             []string // each once, in order of id
}

// group adds findings up by category, severity, stance and layer, in a fixed
// order. Findings of rules that only observe do not count.
func group(marks []mark) []hitGroup {
	var groups []hitGroup
	for i := range marks {
		m := &marks[i]
		if m.Mode == modeMonitor {
			continue
		}
		at := slices.IndexFunc(groups, func(g hitGroup) bool {
			return g.category == m.Category && g.severity == m.Severity && g.stance == m.stance && g.layer == m.sight
		})
		if at < 0 {
			at = len(groups)
			groups = append(groups, hitGroup{category: m.Category, severity: m.Severity, stance: m.stance, layer: m.sight})
		}
		g := &groups[at]
		g.n++
		if pos, seen := slices.BinarySearch(g.rules, m.RuleID); !seen {
			g.rules = slices.Insert(g.rules, pos, m.RuleID)
		}
	}
	slices.SortFunc(groups, compareGroups)
	return groups
}

func compareGroups(a, b hitGroup) int {
	for _, pair := range [][2]string{{a.category, b.category}, {a.severity, b.severity}, {a.stance, b.stance}, {a.layer, b.layer}} {
		if pair[0] != pair[1] {
			if pair[0] < pair[1] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// buildInput makes the document that the policy sees as input. It holds no text
// of the subject: only what the scan counted, the names of fields, and the
// tenant's own data.
func buildInput(kind string, groups []hitGroup, text ast.Value, fields []string, tenant ast.Value) ast.Object {
	hits := make([]*ast.Term, len(groups))
	for i, g := range groups {
		hits[i] = ast.NewTerm(g.object())
	}
	return ast.NewObject(
		ast.Item(ast.InternedTerm("kind"), ast.InternedTerm(kind)),
		ast.Item(ast.InternedTerm("hits"), ast.ArrayTerm(hits...)),
		ast.Item(ast.InternedTerm("text"), ast.NewTerm(text)),
		ast.Item(ast.InternedTerm("fields"), ast.ArrayTerm(stringTerms(fields)...)),
		ast.Item(ast.InternedTerm("tenant"), ast.NewTerm(tenant)),
	)
}

func (g hitGroup) object() ast.Object {
	return ast.NewObject(
		ast.Item(ast.InternedTerm("category"), ast.InternedTerm(g.category)),
		ast.Item(ast.InternedTerm("severity"), ast.InternedTerm(g.severity)),
		ast.Item(ast.InternedTerm("stance"), ast.InternedTerm(g.stance)),
		ast.Item(ast.InternedTerm("layer"), ast.InternedTerm(g.layer)),
		ast.Item(ast.InternedTerm("n"), ast.InternedTerm(g.n)),
		ast.Item(ast.InternedTerm("rules"), ast.ArrayTerm(stringTerms(g.rules)...)),
	)
}

func stringTerms(words []string) []*ast.Term {
	terms := make([]*ast.Term, len(words))
	for i, w := range words {
		terms[i] = ast.StringTerm(w)
	}
	return terms
}

// tenantValue converts a tenant's data within the limits.
func tenantValue(data map[string]any) (ast.Value, error) {
	left := maxTenantNodes
	if err := measure(data, maxTenantDepth, &left); err != nil {
		return nil, err
	}
	v, err := ast.InterfaceToValue(data)
	if err != nil {
		return nil, fmt.Errorf("read the tenant's policy data: %w", err)
	}
	return v, nil
}

func measure(x any, depth int, left *int) error {
	if *left--; *left < 0 {
		return fmt.Errorf("the tenant's policy data has more than %d values", maxTenantNodes)
	}
	if depth < 0 {
		return errors.New("the tenant's policy data is nested too deep")
	}
	switch x := x.(type) {
	case map[string]any:
		for _, v := range x {
			if err := measure(v, depth-1, left); err != nil {
				return err
			}
		}
	case []any:
		for _, v := range x {
			if err := measure(v, depth-1, left); err != nil {
				return err
			}
		}
	case nil, bool, string, int, int64, float64:
	case fmt.Stringer: // json.Number
		if len(x.String()) > maxNumberDigits {
			return errors.New("the tenant's policy data has a number that is too long")
		}
	default:
		return fmt.Errorf("the tenant's policy data has a value of type %T", x)
	}
	return nil
}
