package guard

import (
	"maps"
	"slices"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"

	"bailiff/policies"
)

// minCoverage is how much of the shipped Rego its own tests evaluate, in
// percent of lines.
const minCoverage = 95

// TestRegoPolicies runs the tests that lie beside the shipped policy.
func TestRegoPolicies(t *testing.T) {
	seen := cover.New()
	results, err := regoTests(t.Context(), policies.FS, seen)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if !r.Pass() {
			t.Error(testProblem(r).String())
		}
	}
	ms, err := readModules(policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	report := seen.Report(ms.policy)
	for _, file := range slices.Sorted(maps.Keys(ms.policy)) {
		f := report.Files[file]
		t.Logf("%-28s %5.1f %%", file, f.Coverage)
		for _, r := range f.NotCovered {
			t.Logf("  %s:%d-%d is not evaluated by any test", file, r.Start.Row, r.End.Row)
		}
	}
	t.Logf("%d tests, %.1f %% of the lines", len(results), report.Coverage)
	if len(results) == 0 || report.Coverage < minCoverage {
		t.Errorf("%d tests cover %.1f %%; at least %d %% are asked for", len(results), report.Coverage, minCoverage)
	}
}

// TestEveryModuleHasATest holds the rule that a module travels with its test.
func TestEveryModuleHasATest(t *testing.T) {
	ms, err := readModules(policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	for file := range ms.policy {
		name := file[:len(file)-len(".rego")] + "_test.rego"
		if ms.tests[name] == nil {
			t.Errorf("%s has no %s", file, name)
		}
	}
}

// TestEveryRegoRuleFires holds that each rule of the shipped policy is true of
// some test's input: a rule that never fires protects nobody.
func TestEveryRegoRuleFires(t *testing.T) {
	seen := cover.New()
	if _, err := regoTests(t.Context(), policies.FS, seen); err != nil {
		t.Fatal(err)
	}
	ms, err := readModules(policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	report := seen.Report(ms.policy)
	for file, m := range ms.policy {
		for _, r := range m.Rules {
			for ; r != nil; r = r.Else {
				if !headCovered(report, file, r) {
					t.Errorf("%s:%d: %s never fires in a test", file, r.Location.Row, r.Head.Ref())
				}
			}
		}
	}
}

func headCovered(report cover.Report, file string, r *ast.Rule) bool {
	return report.IsCovered(file, r.Head.Location.Row)
}
