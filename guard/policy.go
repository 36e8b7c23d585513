package guard

import (
	"context"
	"io/fs"
)

// Policy is one immutable compiled revision: Rego modules, pattern packs, data
// and Unicode tables together. It is safe for concurrent use.
type Policy struct {
	revision string
	rules    []RuleInfo
}

// Option changes how a policy is compiled.
type Option func(*options)

type options struct{}

// Compile reads a policy from fsys, which is laid out as policies/ is.
func Compile(ctx context.Context, fsys fs.FS, opts ...Option) (*Policy, error) {
	return &Policy{}, ctx.Err()
}

// Revision names every byte that can change a decision of this policy.
func (p *Policy) Revision() string { return p.revision }

// Rules lists every rule of the revision: patterns, engine rules, Rego rules.
func (p *Policy) Rules() []RuleInfo { return append([]RuleInfo(nil), p.rules...) }
