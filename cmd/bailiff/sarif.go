package main

import (
	"io"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"bailiff/guard"
)

// sarifLevel is how grave a severity is in the words of SARIF 2.1.0 §3.27.10.
func sarifLevel(f guard.Finding) string {
	switch {
	case f.Quoted:
		return "note"
	case f.Severity == "critical" || f.Severity == "high":
		return "error"
	}
	return "warning"
}

// writeSARIF writes the findings as a SARIF 2.1.0 log.
func writeSARIF(out io.Writer, p *guard.Policy, file, text string, r guard.Report) error {
	about := map[string]guard.RuleInfo{}
	for _, rule := range p.Rules() {
		about[rule.ID] = rule
	}
	run := sarif.NewRunWithInformationURI("bailiff", "https://json.schemastore.org/sarif-2.1.0.json")
	for _, f := range r.Findings {
		run.AddRule(f.RuleID).WithDescription(about[f.RuleID].Why)
		line, column := position(text, f.Start)
		endLine, endColumn := position(text, f.End)
		run.CreateResultForRule(f.RuleID).
			WithLevel(sarifLevel(f)).
			WithMessage(sarif.NewTextMessage(f.Category + ": " + f.Excerpt)).
			AddLocation(sarif.NewLocationWithPhysicalLocation(sarif.NewPhysicalLocation().
				WithArtifactLocation(sarif.NewSimpleArtifactLocation(file)).
				WithRegion(sarif.NewRegion().
					WithStartLine(line).WithStartColumn(column).
					WithEndLine(endLine).WithEndColumn(endColumn))))
	}
	report := sarif.NewReport()
	report.AddRun(run)
	return report.PrettyWrite(out)
}
