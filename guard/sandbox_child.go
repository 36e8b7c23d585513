package guard

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// How the child knows that it is one.
const (
	sandboxVerb     = "policy-sandbox"
	sandboxVariable = "BAILIFF_POLICY_SANDBOX"
)

// trial is what the child does with a bundle once its limits are set.
type trial func(ctx context.Context, bundle []byte, l Limits) TryResult

// SandboxMain tries a candidate policy and ends the process when the process
// was started by Try; else it returns at once. It must be the first thing that
// main does: the less has run, the less a candidate can reach.
func SandboxMain() {
	sandboxMain(func(ctx context.Context, bundle []byte, l Limits) TryResult { return tryHere(ctx, bundle, l) })
}

// sandboxMain is SandboxMain for another trial than that of a policy.
func sandboxMain(try trial) {
	limits, ok := os.LookupEnv(sandboxVariable)
	if !ok || len(os.Args) != 2 || os.Args[1] != sandboxVerb {
		return
	}
	os.Exit(sandboxed(limits, os.Stdin, os.Stdout, os.Stderr, try))
}

// sandboxed is the child's work; it returns the exit code.
func sandboxed(limits string, in io.Reader, out, complaints io.Writer, try trial) int {
	os.Clearenv()
	var l Limits
	if err := json.Unmarshal([]byte(limits), &l); err != nil {
		fmt.Fprintf(complaints, "read limits: %v\n", err)
		return 2
	}
	bundle, err := io.ReadAll(io.LimitReader(in, 2*maxBundleBytes))
	if err != nil {
		fmt.Fprintf(complaints, "read bundle: %v\n", err)
		return 2
	}
	if err := warmUp(); err != nil {
		fmt.Fprintf(complaints, "warm up: %v\n", err)
		return 2
	}
	if err := limitSelf(l); err != nil {
		fmt.Fprintf(complaints, "set limits: %v\n", err)
		return 2
	}
	result := try(context.Background(), bundle, l)
	if err := json.NewEncoder(out).Encode(result); err != nil {
		fmt.Fprintf(complaints, "write result: %v\n", err)
		return 2
	}
	return 0
}

// warmUp makes the matching engine reserve its address space, 4 GiB of it once,
// so that the limit can be set close to what is used.
func warmUp() error {
	set, err := newExprSet([]string{"warm"}, nil)
	if err == nil {
		set.match("up")
	}
	return err
}

// tryHere compiles, tests and times a candidate in this process.
func tryHere(ctx context.Context, bundle []byte, l Limits, opts ...Option) TryResult {
	var r TryResult
	fsys, err := unpack(bundle)
	if err != nil {
		r.Problems = problemsOf("layout", "", err)
		return r
	}
	started := time.Now()
	p, err := Compile(ctx, fsys, opts...)
	r.Compile = time.Since(started)
	if err != nil {
		r.Problems = trimProblems(problemsOf("compile", "", err))
		return r
	}
	r.Revision = p.revision
	tests, problems := runTests(ctx, fsys)
	r.Tests = tests
	if problems == nil {
		r.Decision, problems = p.time(ctx, l.Decision)
	}
	if _, packs := p.engine.(*scanner); packs {
		problems = slices.Concat(problems, checkExamples(fsys))
	}
	r.Problems = trimProblems(problems)
	r.OK = len(r.Problems) == 0
	return r
}

// trimProblems bounds what is reported, so that the answer always fits.
func trimProblems(problems []Problem) []Problem {
	const most, longest = 50, 2000
	problems = problems[:min(len(problems), most)]
	for i := range problems {
		problems[i].Message = strings.ToValidUTF8(problems[i].Message[:min(len(problems[i].Message), longest)], "")
	}
	return problems
}

// time measures the decision about an ordinary text and about one that has
// everything the scan looks for.
func (p *Policy) time(ctx context.Context, limit time.Duration) (time.Duration, []Problem) {
	const rounds = 15
	var worst time.Duration
	for _, text := range timingTexts() {
		took := make([]time.Duration, 0, rounds)
		for range rounds {
			report, fault := p.Scan(ctx, Subject{Definition: text, Fields: []string{"output"}})
			if fault != nil {
				return 0, []Problem{{Stage: "timing", Message: "the policy gives no decision about an ordinary text"}}
			}
			took = append(took, report.Took)
		}
		slices.Sort(took)
		worst = max(worst, took[rounds/2])
	}
	if worst > limit {
		return worst, []Problem{{Stage: "timing", Message: fmt.Sprintf("a decision takes %s; %s are allowed", worst, limit)}}
	}
	return worst, nil
}

// timingTexts have about 2 KB each.
func timingTexts() []string {
	criteria := strings.Repeat("Check whether the answer names the order number, gives a date and stays polite. ", 25)
	var attacks strings.Builder
	for _, c := range selfTestCases() {
		attacks.WriteString(strings.Join(append([]string{c.subject.Definition}, c.subject.Steps...), "\n") + "\n")
	}
	return []string{criteria, strings.Repeat(attacks.String(), 1+2000/attacks.Len())}
}
