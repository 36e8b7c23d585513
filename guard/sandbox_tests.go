package guard

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// testTimeout bounds one Rego test, as far as OPA's deadline reaches.
const testTimeout = 2 * time.Second

// runTests runs the policy's own Rego tests through OPA's tester. A policy
// without tests is a problem, and so is a test that is marked to be skipped.
func runTests(ctx context.Context, fsys fs.FS) (int, []Problem) {
	results, err := regoTests(ctx, fsys, nil)
	if err != nil {
		return 0, problemsOf("tests", "", err)
	}
	var problems []Problem
	for _, r := range results {
		if !r.Pass() {
			problems = append(problems, testProblem(r))
		}
	}
	if len(results) == 0 {
		problems = append(problems, Problem{Stage: "tests", Message: "the policy has no Rego tests; put <module>_test.rego beside each module"})
	}
	return len(results), problems
}

func testProblem(r *tester.Result) Problem {
	p := Problem{Stage: "tests", Message: fmt.Sprintf("%s.%s failed", r.Package, r.Name)}
	switch {
	case r.Skip:
		p.Message = fmt.Sprintf("%s.%s is marked to be skipped", r.Package, r.Name)
	case r.Error != nil:
		p.Message = fmt.Sprintf("%s.%s: %v", r.Package, r.Name, r.Error)
	}
	loc := r.Location
	if r.FailedAt != nil && r.FailedAt.Location != nil {
		loc = r.FailedAt.Location
	}
	if loc != nil {
		p.File, p.Row, p.Col = loc.File, loc.Row, loc.Col
	}
	return p
}

// regoTests runs every Rego test of fsys; cover, when given, is told which
// lines were evaluated.
func regoTests(ctx context.Context, fsys fs.FS, cover topdown.QueryTracer) ([]*tester.Result, error) {
	ms, err := readModules(fsys)
	if err != nil {
		return nil, err
	}
	data, problems := readData(fsys)
	if err := refuse(problems...); err != nil {
		return nil, err
	}
	all := maps.Clone(ms.policy)
	maps.Copy(all, ms.tests)
	store := inmem.NewFromObjectWithOpts(data.value, inmem.OptRoundTripOnWrite(false))
	runner := tester.NewRunner().
		SetCompiler(ast.NewCompiler().WithCapabilities(capabilities(true)).WithEnablePrintStatements(false).WithDefaultRegoVersion(ast.RegoV1)).
		SetModules(all).
		SetStore(store).
		SetParallel(1).
		SetTimeout(testTimeout).
		RaiseBuiltinErrors(true).
		CapturePrintOutput(false)
	if cover != nil {
		runner.SetCoverageQueryTracer(cover)
	}
	var results []*tester.Result
	err = storage.Txn(ctx, store, storage.TransactionParams{}, func(txn storage.Transaction) error {
		done, err := runner.RunTests(ctx, txn)
		if err != nil {
			return err
		}
		for r := range done {
			results = append(results, r)
		}
		return nil
	})
	return results, err
}
