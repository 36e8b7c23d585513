package guard

import (
	"context"
	"io/fs"
	"slices"
	"time"
)

// defaultBudget bounds one evaluation of the policy. A decision takes a tenth of
// a millisecond; the budget only stops a policy that has gone wrong. It is wall
// time, and on a machine with many times more to do than it can a goroutine may
// well stand still for a second in between.
const defaultBudget = 5 * time.Second

// Policy is one immutable compiled revision: Rego modules, pattern packs, data
// and Unicode tables together. It is safe for concurrent use.
type Policy struct {
	revision   string
	rules      []RuleInfo
	engine     textEngine
	terms      terms
	definition entry // data.bailiff.definition: allow, review or deny
	record     entry // data.bailiff.record: allow (with reasons: flagged) or deny
	budget     time.Duration
}

// Option changes how a policy is compiled.
type Option func(*options)

type options struct {
	budget   time.Duration
	selfTest bool
	engine   textEngine // instead of the one that the packs make; for tests
}

// WithBudget sets how long one evaluation of the policy may take before the
// text is refused with a fault; the default is five seconds.
func WithBudget(d time.Duration) Option {
	return func(o *options) { o.budget = d }
}

// Compile reads a policy from fsys, which is laid out as policies/ is, and
// makes it ready to decide. Everything wrong with it is reported at once in a
// *PolicyError. A policy that compiles has also passed a self-test: it denies
// plain attacks and lets plain rubrics through, so a service that has a Policy
// is not blind.
//
// Compiling has no deadline that OPA would honour. A policy from outside the
// binary goes through Try first.
func Compile(ctx context.Context, fsys fs.FS, opts ...Option) (*Policy, error) {
	o := options{budget: defaultBudget, selfTest: true}
	for _, opt := range opts {
		opt(&o)
	}
	ms, err := readModules(fsys)
	if err != nil {
		return nil, err
	}
	data, problems := readData(fsys)
	engine := o.engine
	if engine == nil {
		var packProblems []Problem
		engine, packProblems = loadText(fsys)
		problems = slices.Concat(problems, packProblems)
	}
	compiler, compileProblems := ms.compile(fsys)
	problems = slices.Concat(problems, compileProblems)
	if compiler != nil {
		problems = slices.Concat(problems, data.checkReads(compiler))
	}
	if err := refuse(problems...); err != nil {
		return nil, err
	}
	p := &Policy{engine: engine, budget: o.budget}
	if p.definition, err = prepare(ctx, compiler, data, "definition", Allow, Review, Deny); err != nil {
		return nil, refuse(problemsOf("compile", "definition.rego", err)...)
	}
	if p.record, err = prepare(ctx, compiler, data, "record", Allow, Deny); err != nil {
		return nil, refuse(problemsOf("compile", "record.rego", err)...)
	}
	if p.revision, err = revisionOf(fsys); err != nil {
		return nil, refuse(problemsOf("layout", "", err)...)
	}
	p.rules = slices.Concat(engine.rules(), ms.rules())
	p.terms = newTerms(p.rules)
	if o.selfTest {
		if err := p.selfTest(ctx); err != nil {
			return nil, err
		}
	}
	return p, ctx.Err()
}

// Revision names every byte that can change a decision of this policy: 32
// hexadecimal digits.
func (p *Policy) Revision() string { return p.revision }

// Rules lists every rule that a finding or a reason can name: patterns, rules
// of the text engine, rules of the Rego modules.
func (p *Policy) Rules() []RuleInfo { return slices.Clone(p.rules) }
