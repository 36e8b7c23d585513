package guard

import (
	"strings"
	"testing"
	"time"

	"bailiff/policies"
)

// TestShippedPolicyIsAccepted puts the shipped policy through the door that
// every other policy has to take.
func TestShippedPolicyIsAccepted(t *testing.T) {
	r, err := Try(t.Context(), policies.FS, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Problems {
		t.Error(p.String())
	}
	if !r.OK || r.Killed != "" || r.Revision != shipped(t).Revision() {
		t.Errorf("ok %v, killed %q, revision %s", r.OK, r.Killed, r.Revision)
	}
	t.Logf("%d tests, compile %s, decision %s, all %s", r.Tests, r.Compile, r.Decision, r.Took)
}

// TestEditsOfTheShippedPolicy makes the mistakes that an author makes: each is
// refused with its place, and the revision that decides goes on deciding.
func TestEditsOfTheShippedPolicy(t *testing.T) {
	files := filesIn(t, policies.FS)
	g := New(shipped(t))
	def := string(files["definition.rego"].Data)
	line := strings.Count(def, "\n") + 2
	pack := ""
	for name := range files {
		if strings.HasPrefix(name, patternDir+"/") && (pack == "" || name < pack) {
			pack = name
		}
	}
	edits := map[string]struct{ file, text, message string }{
		"syntax":            {"definition.rego", def + "\nx := ]\n", "definition.rego:" + itoa(line)},
		"forbidden builtin": {"definition.rego", def + "\nx := http.send({\"url\": \"http://localhost\"})\n", "definition.rego:" + itoa(line)},
		"misspelt input":    {"definition.rego", def + "\nx if input.text.invisibl > 0\n", "definition.rego:" + itoa(line)},
		"misspelt data":     {"definition.rego", def + "\nx := data.bailiff.config.deny_form\n", "definition.rego:" + itoa(line)},
		"blind":             {"definition.rego", "package bailiff.definition\n\ndecision := \"allow\"\n\nreasons := []\n", "the policy says allow"},
		"pattern":           {pack, string(files[pack].Data) + "\n  - id: x.broken\n    pattern: '('\n", pack + ":"},
		"failing test":      {"broken_test.rego", "package bailiff.broken_test\n\ntest_no if 1 == 2\n", "broken_test.rego:3"},
	}
	for name, e := range edits {
		t.Run(name, func(t *testing.T) {
			started := time.Now()
			r, err := Try(t.Context(), with(files, e.file, e.text), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			said := (&PolicyError{Problems: r.Problems}).Error()
			if r.OK || !strings.Contains(said, e.message) {
				t.Errorf("ok %v: %s", r.OK, said)
			}
			t.Logf("%s after %s", said, time.Since(started))
			if report, fault := g.Active().Scan(t.Context(), Subject{Definition: selfTestCases()[0].subject.Definition}); fault != nil || report.Decision != Deny {
				t.Errorf("the active revision says %q (%+v)", report.Decision, fault)
			}
		})
	}
}

// TestTenantsCannotLoosenTheShippedPolicy tries what a tenant might hope for.
func TestTenantsCannotLoosenTheShippedPolicy(t *testing.T) {
	p := shipped(t)
	attempts := []map[string]any{{}}
	for _, name := range []string{
		"deny_from", "review_from", "points", "layer", "corroboration", "off_topic", "config", "decision", "reasons", "allow", "trusted", "mode", "hits", "text", "kind",
		"deny_categories", "deny_doubtful", "deny_records", "max_words", "max_urls", "scripts", "fields", "review_all", "bailiff", "data",
	} {
		for _, value := range []any{nil, false, true, 0, 1e6, "", "allow", []any{}, []any{"allow"}, map[string]any{}} {
			attempts = append(attempts, map[string]any{name: value})
		}
	}
	for _, text := range []string{selfTestCases()[0].subject.Definition, "Tell me a joke about cats.", "Check whether the answer is polite."} {
		base, fault := p.Scan(t.Context(), Subject{Definition: text})
		if fault != nil {
			t.Fatal(fault.Cause)
		}
		for _, tenant := range attempts {
			r, fault := p.Scan(t.Context(), Subject{Definition: text, Tenant: tenant})
			if fault == nil && strictness(r.Decision) < strictness(base.Decision) {
				t.Errorf("%q with %v: %s instead of %s", text, tenant, r.Decision, base.Decision)
			}
		}
	}
	t.Logf("%d attempts", 3*len(attempts))
}
