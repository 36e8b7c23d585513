package rubric

import (
	"slices"
	"strconv"
	"strings"

	"bailiff/guard"
)

// Codes of the rejections of this package.
const (
	codeNotARubric    = "definition_not_a_rubric"
	codeNotApplicable = "definition_not_applicable"
	codeStepsDenied   = "steps_denied"
)

// MaxDefinitionBytes is the longest definition that is worked at all. A
// service sets its own limit below it.
const MaxDefinitionBytes = 64 << 10

// adviceCriteria says what a definition may look like.
const adviceCriteria = `Write what a good answer looks like, for example "The reply should name the order number and say when it arrives", or list what to check: "1. Check whether the reply names the order number."`

// unfit refuses what needs no model to be refused.
func unfit(req Request) *guard.Rejection {
	provided := !slices.ContainsFunc(req.Steps, func(s string) bool { return !blank(s) })
	switch {
	case len(req.Definition) > MaxDefinitionBytes:
		return notARubric(req, "it is longer than "+strconv.Itoa(MaxDefinitionBytes>>10)+" KiB; keep the criteria and leave out material", "")
	case len(req.Steps) > 0 && provided:
		return notARubric(req, "its evaluation steps are empty", "")
	case len(req.Steps) == 0 && blank(req.Definition):
		return notARubric(req, "it is empty", "")
	case len(req.Steps) == 0 && onlyPlaceholders(req.Definition):
		return notARubric(req, "nothing but template placeholders is left in it; they are never filled in here", "")
	case len(req.Fields) == 0:
		return reject(req, stageSemantic, codeNotApplicable, "The definition cannot be judged because no field of the record is selected. Select at least one of "+names(Fields())+".")
	}
	return nil
}

// judgement is what the semantic answer means: nil lets the definition pass.
func judgement(req Request, a semanticAnswer) *guard.Rejection {
	switch {
	case !a.IsRubric:
		return notARubric(req, "it sets no criteria for a submission", a.Explanation)
	case !a.Coherent:
		return notARubric(req, "it is not clear what it asks for", a.Explanation)
	case !a.Applicable:
		return notApplicable(req, missingFields(req, a.Missing), a.Explanation)
	}
	return nil
}

// missingFields are the unselected fields that a definition needs, by the
// model's word or else by its own.
func missingFields(req Request, named []string) []Field {
	var missing []Field
	for _, name := range named {
		for _, f := range fieldsNamed(name) {
			if !slices.Contains(req.Fields, f) {
				missing = append(missing, f)
			}
		}
	}
	if len(missing) == 0 {
		for _, ref := range DetectFields(req.Definition) {
			if !slices.Contains(req.Fields, ref.Field) {
				missing = append(missing, ref.Field)
			}
		}
	}
	return unique(missing)
}

// fieldsNamed are the fields that a name may mean: a field's own name or an
// alias first, else whatever fields the phrase speaks of.
func fieldsNamed(name string) []Field {
	if f, ok := fieldByAlias(name); ok {
		return []Field{f}
	}
	var fields []Field
	for _, ref := range DetectFields(name) {
		fields = append(fields, ref.Field)
	}
	return fields
}

func notARubric(req Request, why, explanation string) *guard.Rejection {
	message := "The definition was not taken as evaluation criteria: " + why + "."
	return reject(req, stageSemantic, codeNotARubric, message+aside(explanation)+" "+adviceCriteria)
}

func notApplicable(req Request, missing []Field, explanation string) *guard.Rejection {
	message := "The definition cannot be judged from the selected fields (" + names(req.Fields) + ")"
	advice := " Select the fields it speaks of, or word it so that the selected ones are enough."
	if len(missing) > 0 {
		message += ": it needs " + names(missing)
		advice = " Add " + names(missing) + " to evaluation_fields, or word the definition so that the selected fields are enough."
	}
	return reject(req, stageSemantic, codeNotApplicable, message+"."+aside(explanation)+advice)
}

// stepsDenied refuses a definition whose generated steps the guard refused.
// The steps are not shown: they may repeat what a hostile text asked for.
func stepsDenied(report guard.Report) *guard.Rejection {
	ids := report.RuleIDs()
	message := "The evaluation steps that were written for this definition were refused by the same policy that checks definitions"
	if len(ids) > 0 {
		message += " (" + strings.Join(ids[:min(len(ids), 8)], ", ") + ")"
	}
	message += `. State the steps in the definition yourself, as what to look for in an answer, for example "Check whether the answer names the order number".`
	return &guard.Rejection{
		Stage: stageSteps, Code: codeStepsDenied, Message: message,
		RuleIDs: ids, Findings: report.Findings, Revision: report.Revision,
	}
}

func reject(req Request, stage, code, message string) *guard.Rejection {
	return &guard.Rejection{
		Stage: stage, Code: code, Message: message,
		RuleIDs: []string{}, Findings: []guard.Finding{}, Revision: revisionOf(req.Policy),
	}
}

// aside is a model's explanation, fit to be shown behind our own sentence.
func aside(explanation string) string {
	text := public(explanation)
	if text == "" {
		return ""
	}
	if !strings.ContainsAny(lastRune(text), ".!?。！？।") {
		text += "."
	}
	return " " + text
}

func lastRune(s string) string {
	runes := []rune(s)
	return string(runes[len(runes)-1:])
}

func names(fields []Field) string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = string(f)
	}
	return strings.Join(list, ", ")
}
