package guard

import "context"

// Part is one named text of a record.
type Part struct {
	Name string // field name, as findings show it
	Text string
}

// Reviewers are the models of the safety check.
type Reviewers struct {
	First  Model    // asked on allow and review
	Second Model    // asked on review with the second prompt; nil means First
	Prior  []Safety // answers kept from an earlier check of the same text under the same prompt version
}

// Scan decides about a definition without asking a model.
func (p *Policy) Scan(ctx context.Context, s Subject) (Report, *Fault) {
	return Report{Revision: p.revision}, &Fault{Stage: "policy", Code: "policy_unavailable"}
}

// Check decides about a definition.
func (p *Policy) Check(ctx context.Context, s Subject, rv Reviewers) Verdict {
	report, fault := p.Scan(ctx, s)
	return Verdict{Report: report, Fault: fault}
}

// CheckSteps decides about evaluation steps that a model wrote.
func (p *Policy) CheckSteps(ctx context.Context, c Cleared, steps []string) (Report, *Fault) {
	return p.Scan(ctx, Subject{Steps: steps, Fields: c.subject.Fields, Tenant: c.subject.Tenant})
}

// ScanRecord decides about the fields of a record.
func (p *Policy) ScanRecord(ctx context.Context, parts []Part, tenant map[string]any) (Report, *Fault) {
	return p.Scan(ctx, Subject{Tenant: tenant})
}
