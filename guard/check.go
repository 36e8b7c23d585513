package guard

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

var errNotCleared = errors.New("the steps belong to a definition that was not cleared")

// Part is one named text of a record.
type Part struct {
	Name string // field name, as findings show it
	Text string
}

// Reviewers are the models of the safety check.
type Reviewers struct {
	First  Model    // asked on allow and review
	Second Model    // asked on review with the second prompt; nil means First
	Prior  []Safety // answers kept from an earlier check of the same text; one is used instead of asking when model and prompt version agree
}

// Scan decides about a definition without asking a model. It is pure: the same
// subject under the same revision gives the same report, Took apart. Exactly
// one of a decision and the fault holds.
func (p *Policy) Scan(ctx context.Context, s Subject) (Report, *Fault) {
	report, _, fault := p.scan(ctx, kindDefinition, s.parts(), s.Fields, s.Tenant)
	return report, fault
}

// CheckSteps decides about evaluation steps that a model wrote from a cleared
// definition. Only Allow lets them through: nobody reviews them.
func (p *Policy) CheckSteps(ctx context.Context, c Cleared, steps []string) (Report, *Fault) {
	if !c.OK() {
		return Report{Revision: p.revision}, policyFault(ctx, errNotCleared)
	}
	report, _, fault := p.scan(ctx, kindSteps, stepParts(steps), c.subject.Fields, c.subject.Tenant)
	return report, fault
}

// ScanRecord decides about the fields of a record. What is found is reported
// with Allow; Deny comes only from a policy or tenant data that asks for it.
func (p *Policy) ScanRecord(ctx context.Context, parts []Part, tenant map[string]any) (Report, *Fault) {
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = part.Name
	}
	report, _, fault := p.scan(ctx, kindRecord, parts, names, tenant)
	return report, fault
}

// Check decides about a definition: the scan and the policy, then one safety
// check, or two when the policy has doubts. It fails closed: without a decision
// and every answer it calls for, nothing is cleared.
func (p *Policy) Check(ctx context.Context, s Subject, rv Reviewers) Verdict {
	s = s.clone()
	report, stages, fault := p.scan(ctx, kindDefinition, s.parts(), s.Fields, s.Tenant)
	v := Verdict{Report: report, Stages: stages, Fault: fault}
	if fault != nil {
		return v
	}
	if report.Decision == Deny {
		v.Rejection = rejection(report, stagePolicy, codeDenied, deniedSentence(report))
		return v
	}
	answers, stage, fault := review(ctx, s, report, rv)
	v.Safety, v.Fault = answers, fault
	v.Stages = append(v.Stages, stage)
	if fault != nil {
		return v
	}
	if len(answers) == 0 || slices.ContainsFunc(answers, func(a Safety) bool { return a.Verdict != verdictSafe }) {
		v.Rejection = rejection(report, stageSafety, codeNotCleared, notClearedSentence(report, answers))
		return v
	}
	v.Cleared = Cleared{subject: s, revision: p.revision, ok: true}
	return v
}

func rejection(r Report, stage, code, message string) *Rejection {
	return &Rejection{Stage: stage, Code: code, Message: message, RuleIDs: r.RuleIDs(), Findings: r.Findings, Revision: r.Revision}
}

// scan finds and decides. Stages tell how far it came.
func (p *Policy) scan(ctx context.Context, kind string, parts []Part, fields []string, tenant map[string]any) (report Report, stages []Stage, fault *Fault) {
	started := time.Now()
	report = Report{Revision: p.revision, Reasons: []Reason{}, Findings: []Finding{}}
	defer func() {
		report.Took = time.Since(started)
		if r := recover(); r != nil {
			fault = policyFault(ctx, fmt.Errorf("scan panicked: %v", r))
		}
		if fault != nil {
			report.Decision = ""
		}
	}()
	if err := ctx.Err(); err != nil {
		return report, nil, policyFault(ctx, err)
	}
	marks, features := p.read(parts)
	if kind == kindRecord {
		marks = slices.DeleteFunc(marks, func(m mark) bool { return m.Category == categoryOffTopic })
	}
	report.Findings = findingsOf(marks)
	report.Features = features.public()
	scanned := time.Now()
	stages = []Stage{{Name: stageScan, Outcome: scanOutcome(marks), Took: scanned.Sub(started)}}

	r, err := p.decide(ctx, kind, group(marks), report.Features, fields, tenant)
	decided := Stage{Name: stagePolicy, Outcome: "error", Took: time.Since(scanned)}
	if err != nil {
		return report, append(stages, decided), policyFault(ctx, err)
	}
	report.Decision, report.Reasons = r.decision, r.reasons
	decided.Outcome = string(r.decision)
	return report, append(stages, decided), nil
}

// categoryOffTopic is of marks that a text is something other than criteria. A
// record is meant to be that, so they say nothing about one.
const categoryOffTopic = "off_topic"

func scanOutcome(marks []mark) string {
	if len(marks) == 0 {
		return "ok"
	}
	return "found"
}

// decide evaluates the policy. A tenant's data can only make the decision
// stricter, whatever the Rego says: the policy is asked without it as well, and
// the stricter of the two rulings holds.
func (p *Policy) decide(ctx context.Context, kind string, groups []hitGroup, text map[string]any, fields []string, tenant map[string]any) (ruling, error) {
	e := p.definition
	if kind == kindRecord {
		e = p.record
	}
	base, err := e.eval(ctx, p.terms.input(kind, groups, text, fields, nil), p.budget)
	if err != nil || len(tenant) == 0 {
		return base, err
	}
	if err := checkTenant(tenant); err != nil {
		return ruling{}, err
	}
	own, err := e.eval(ctx, p.terms.input(kind, groups, text, fields, tenant), p.budget)
	if err != nil {
		return ruling{}, err
	}
	return stricter(base, own), nil
}

// policyFault is the fault of a text that could not be decided about.
func policyFault(ctx context.Context, cause error) *Fault {
	f := &Fault{Stage: stagePolicy, Code: codePolicyUnavailable, Retryable: true, Cause: cause}
	if cancelled(ctx) {
		f.Stage, f.Code, f.Retryable = stageRun, modelCancelled, false
	}
	f.Message = faultSentence(f.Code)
	return f
}

// parts of a definition: the text, if there is one, and each step.
func (s Subject) parts() []Part {
	steps := stepParts(s.Steps)
	if s.Definition == "" && len(steps) > 0 {
		return steps
	}
	return append([]Part{{Name: "definition", Text: s.Definition}}, steps...)
}

func stepParts(steps []string) []Part {
	parts := make([]Part, len(steps))
	for i, step := range steps {
		parts[i] = Part{Name: "steps/" + strconv.Itoa(i), Text: step}
	}
	return parts
}
