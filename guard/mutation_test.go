package guard

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/open-policy-agent/opa/v1/format"
)

// mutant is a policy with one thing taken out.
type mutant struct {
	name  string
	files fstest.MapFS
}

// mutants takes out each rule, each else branch, each module, and each member
// of the data, one at a time.
func mutants(t *testing.T, files fstest.MapFS) []mutant {
	t.Helper()
	var out []mutant
	ms, err := readModules(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range slices.Sorted(maps.Keys(ms.policy)) {
		out = append(out, mutant{file, with(files, file, "")})
		for i := range ms.policy[file].Rules {
			out = append(out, withoutRule(t, files, file, i, -1))
			branch := 0
			for r := ms.policy[file].Rules[i].Else; r != nil; r = r.Else {
				out = append(out, withoutRule(t, files, file, i, branch))
				branch++
			}
		}
	}
	var data any
	if err := json.Unmarshal(files[dataFile].Data, &data); err != nil {
		t.Fatal(err)
	}
	for _, pointer := range membersOf(data, "") {
		changed, err := json.Marshal(withoutMember(data, pointer))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, mutant{dataFile + " " + pointer, with(files, dataFile, string(changed))})
	}
	return out
}

// withoutRule renders file without its rule i, or without one of its else
// branches.
func withoutRule(t *testing.T, files fstest.MapFS, file string, i, branch int) mutant {
	t.Helper()
	m, problems := parseModule(file, files[file].Data)
	if problems != nil {
		t.Fatal(problems)
	}
	m.Annotations, m.Comments = nil, nil
	rule := m.Rules[i]
	name := fmt.Sprintf("%s:%d %s", file, rule.Location.Row, rule.Head.Ref())
	if branch < 0 {
		m.Rules = slices.Delete(m.Rules, i, i+1)
	} else {
		for range branch {
			rule = rule.Else
		}
		rule.Else = rule.Else.Else
		name += fmt.Sprintf(" else %d", branch)
	}
	src, err := format.Ast(m)
	if err != nil {
		t.Fatal(err)
	}
	return mutant{name, with(files, file, string(src))}
}

func membersOf(x any, at string) []string {
	var out []string
	if object, ok := x.(map[string]any); ok {
		for _, key := range slices.Sorted(maps.Keys(object)) {
			out = append(out, at+"/"+key)
			out = append(out, membersOf(object[key], at+"/"+key)...)
		}
	}
	return out
}

func withoutMember(x any, pointer string) any {
	object, _ := x.(map[string]any)
	key, rest, deeper := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	out := maps.Clone(object)
	if deeper {
		out[key] = withoutMember(object[key], rest)
	} else {
		delete(out, key)
	}
	return out
}

// remembering scans each text once: mutants differ in what they make of it.
type remembering struct {
	textEngine
	seen map[string]remembered
}

type remembered struct {
	marks    []mark
	features textFeatures
}

func (e remembering) scan(text string) ([]mark, textFeatures) {
	r, ok := e.seen[text]
	if !ok {
		r.marks, r.features = e.textEngine.scan(text)
		e.seen[text] = r
	}
	return slices.Clone(r.marks), r.features
}

// neverOpens holds every mutant against the whole policy: it is refused, by the
// compiler, the self-test or the policy's own tests, or it lets no attack
// through that the whole policy stops.
func neverOpens(t *testing.T, fsys fs.FS, whole *Policy, attacks []Subject) {
	t.Helper()
	files := filesIn(t, fsys)
	if _, problems := runTests(t.Context(), files); problems != nil {
		t.Fatalf("the whole policy fails its own tests, so they prove nothing: %v", problems)
	}
	engine := remembering{whole.engine, map[string]remembered{}}
	remembers := *whole
	remembers.engine = engine
	whole = &remembers
	refusedBy := map[string]int{}
	all := mutants(t, files)
	for _, m := range all {
		p, err := Compile(t.Context(), m.files, func(o *options) { o.engine = engine })
		if err != nil {
			refusedBy[problemsOf("", "", err)[0].Stage]++
			continue
		}
		if opened := laxer(t, whole, p, attacks); opened == "" {
			refusedBy["no laxer"]++
		} else if _, problems := runTests(t.Context(), m.files); problems != nil {
			refusedBy["tests"]++
		} else {
			t.Errorf("without %s: %s", m.name, opened)
		}
	}
	t.Logf("%d mutants over %d attacks: %v", len(all), len(attacks), refusedBy)
}

func laxer(t *testing.T, whole, p *Policy, attacks []Subject) string {
	t.Helper()
	for _, s := range attacks {
		before, fault := whole.Scan(t.Context(), s)
		if fault != nil {
			t.Fatalf("%q: %+v", s.Definition, fault)
		}
		after, fault := p.Scan(t.Context(), s)
		if fault == nil && strictness(after.Decision) < strictness(before.Decision) {
			return fmt.Sprintf("%.80q is %s instead of %s", s.Definition, after.Decision, before.Decision)
		}
	}
	return ""
}

func TestMutantsOfASmallPolicyNeverOpen(t *testing.T) {
	whole := smallPolicy(t, smallPolicyFS())
	neverOpens(t, smallPolicyFS(), whole, []Subject{{Definition: hostile}, {Definition: doubtful, Tenant: strict()}, {Steps: []string{hostile}}})
}

// TestMutantsAreMade proves that the mutation really takes something out.
func TestMutantsAreMade(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	ms, err := readModules(files)
	if err != nil {
		t.Fatal(err)
	}
	rules := 0
	for _, m := range ms.policy {
		for _, r := range m.Rules {
			for ; r != nil; r = r.Else {
				rules++
			}
		}
	}
	seen := map[string]bool{}
	for _, m := range mutants(t, files) {
		var text strings.Builder
		for _, name := range slices.Sorted(maps.Keys(m.files)) {
			text.WriteString(name)
			text.Write(m.files[name].Data)
		}
		if seen[text.String()] {
			t.Errorf("%s is another mutant again", m.name)
		}
		seen[text.String()] = true
	}
	if want := rules + len(ms.policy) + 3; len(seen) != want {
		t.Errorf("%d mutants, want %d", len(seen), want)
	}
}
