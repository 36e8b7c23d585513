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

// terms are the strings of inputs that are known when a policy is compiled:
// names of members, kinds, and what rules are called. Each is made once, since
// making them anew is half of what an input costs. It is not changed after it
// is made.
type terms map[string]*ast.Term

func newTerms(rules []RuleInfo) terms {
	t := terms{}
	t.add(kindDefinition, kindSteps, kindRecord)
	t.add("category", "severity", "stance", "layer", "n", "rules", "critical", "high", "medium", "low")
	t.add(stanceAsserted, stanceMentioned, stanceQuoted, sightPlain, sightDisguised, sightDecoded, sightHidden)
	t.add("definition", "output", "prompt", "input", "context", "golden_answer")
	for _, r := range rules {
		t.add(r.ID, r.Category, r.Severity)
	}
	return t
}

func (t terms) add(words ...string) {
	for _, w := range words {
		if t[w] == nil {
			t[w] = ast.StringTerm(w)
		}
	}
}

// of is the term of a string.
func (t terms) of(s string) *ast.Term {
	if term, ok := t[s]; ok {
		return term
	}
	return ast.StringTerm(s)
}

func (t terms) list(words []string) *ast.Term {
	list := make([]*ast.Term, len(words))
	for i, w := range words {
		list[i] = t.of(w)
	}
	return ast.ArrayTerm(list...)
}

// input makes the document that the policy sees. It holds no text of the
// subject: only what the scan counted, the names of fields, and the tenant's
// own data. Members are converted when a rule reads them, so a document serves
// one evaluation and is not shared.
func (t terms) input(kind string, groups []hitGroup, text map[string]any, fields []string, tenant map[string]any) ast.Value {
	hits := make([]*ast.Term, len(groups))
	for i := range groups {
		hits[i] = ast.NewTerm(t.hit(&groups[i]))
	}
	if tenant == nil {
		tenant = map[string]any{}
	}
	return ast.LazyObject(map[string]any{
		"kind":   t.of(kind).Value,
		"hits":   ast.NewArray(hits...),
		"text":   text,
		"fields": t.list(fields).Value,
		"tenant": tenant,
	})
}

func (t terms) hit(g *hitGroup) ast.Object {
	return ast.NewObject(
		ast.Item(t.of("category"), t.of(g.category)),
		ast.Item(t.of("severity"), t.of(g.severity)),
		ast.Item(t.of("stance"), t.of(g.stance)),
		ast.Item(t.of("layer"), t.of(g.layer)),
		ast.Item(t.of("n"), ast.InternedTerm(g.n)),
		ast.Item(t.of("rules"), t.list(g.rules)),
	)
}

// checkTenant holds a tenant's data to the limits.
func checkTenant(data map[string]any) error {
	left := maxTenantNodes
	return measure(data, maxTenantDepth, &left)
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
