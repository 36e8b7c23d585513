package judge

import (
	"context"
	"slices"

	"bailiff/guard"
)

// CodeRecordDenied rejects a record by the record policy, which flags and does
// not deny unless an operator has it so.
const CodeRecordDenied = "record_denied"

// scanRecord looks for attacks in what the judge is going to read. What is
// found is flagged in the outcome; only a policy that says so stops the record.
func scanRecord(ctx context.Context, e *evaluation) bool {
	e.stage = stagePolicy
	if f := stopped(ctx, stagePolicy); f != nil {
		e.fail(f)
		return false
	}
	if e.req.Policy == nil {
		e.fail(&guard.Fault{Stage: stagePolicy, Code: codePolicyUnavailable, Retryable: true, Message: sentenceFault(stagePolicy, codePolicyUnavailable)})
		return false
	}
	report, fault := e.req.Policy.ScanRecord(ctx, e.parts(), e.req.TenantData)
	if fault != nil {
		e.fail(cancelledFault(ctx, fault))
		return false
	}
	e.out.Meta.RecordFindings = cited(report)
	if report.Decision != guard.Deny {
		return true
	}
	e.reject(&guard.Rejection{
		Stage:    stagePolicy,
		Code:     CodeRecordDenied,
		Message:  sentenceRecordDenied(report.RuleIDs()),
		RuleIDs:  report.RuleIDs(),
		Findings: e.out.Meta.RecordFindings,
		Revision: report.Revision,
	})
	return false
}

// cited are the findings that the policy gives as a reason. The scan also marks
// what only matters in a definition: that a text asks a question, say.
func cited(r guard.Report) []guard.Finding {
	ids := r.RuleIDs()
	findings := []guard.Finding{}
	for _, f := range r.Findings {
		if slices.Contains(ids, f.RuleID) {
			findings = append(findings, f)
		}
	}
	return findings
}
