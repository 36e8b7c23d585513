package offline

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Reasons why a step is found but not used.
const (
	reasonNotEvaluable       = "not_evaluable"
	reasonUnselectedField    = "refers_to_unselected_field"
	reasonDuplicate          = "duplicate"
	reasonInstructionToJudge = "instruction_to_judge"
)

// maxSuggestions bounds the list of suggestions.
const maxSuggestions = 8

// resolve reads a definition: is it criteria, can they be judged from the
// selected fields, and which steps does it state.
func resolve(in request) resolveAnswer {
	text := in.Definition
	steps := stepsFor(text, in.Fields)
	used := 0
	for _, s := range steps {
		if s.Included {
			used++
		}
	}
	sense := senseOf(text, used)
	missing := missingFields(text, steps, in.Fields)
	out := resolveAnswer{
		Steps:         steps,
		MissingFields: missing,
		Suggestions:   suggest(text, steps, missing),
		IsRubric:      sense.rubric,
		Coherent:      sense.coherent,
		Applicable:    applicable(text, steps, used, in.Fields),
	}
	out.Explanation = explain(out, used, sense)
	return out
}

// stepsFor extracts the steps and says of each whether it can be used.
func stepsFor(text string, fields []string) []resolvedStep {
	out := []resolvedStep{}
	seen := map[string]bool{}
	for _, s := range extract(text) {
		step := s.of(text)
		key := stepKey(step)
		reason := ""
		switch {
		case seen[key]:
			reason = reasonDuplicate
		case key == "" || isPlaceholder(step):
			reason = reasonNotEvaluable
		case ordersJudge(step):
			reason = reasonInstructionToJudge
		case len(unselected(step, fields)) > 0:
			reason = reasonUnselectedField
		}
		seen[key] = true
		r := resolvedStep{Step: step, Included: reason == ""}
		if reason != "" {
			r.Reason = &reason
		}
		out = append(out, r)
	}
	return out
}

// stepKey is a step without case, punctuation and spacing.
func stepKey(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKC.String(s))
}

// isPlaceholder reports a step that stands for one that was never written.
func isPlaceholder(s string) bool {
	t := strings.ToLower(strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("{}<>", r) }))
	if strings.HasPrefix(t, "{{") && strings.HasSuffix(t, "}}") && strings.Count(t, "{{") == 1 {
		return true
	}
	return setOf("n/a", "na", "tbd", "todo", "none", "etc", "and so on", "xxx", "your criterion here", "criterion", "step", "same as above")[t]
}

// ordersJudge reports a step that tells the judge how to answer and asks for
// nothing of the record.
func ordersJudge(s string) bool {
	r := readSentence(s, span{0, len(s)}.trim(s))
	if r.opener != "" {
		return false
	}
	head := headOf(r.of(s))
	return judgeOrders.match(head, true) != "" || judgeOrdersWide.match(head, false) != ""
}

// missingFields are the fields that the definition speaks of and the judge
// will not see.
func missingFields(text string, steps []resolvedStep, fields []string) []string {
	out := unselected(text, fields)
	for _, s := range steps {
		for _, f := range unselected(s.Step, fields) {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	if out == nil {
		out = []string{}
	}
	return out
}

// applicable reports whether anything can be judged from the selected fields.
// Without steps to go by, each sentence of the definition is looked at.
func applicable(text string, steps []resolvedStep, used int, fields []string) bool {
	if used > 0 {
		return true
	}
	if len(steps) > 0 {
		return !slices.ContainsFunc(steps, func(s resolvedStep) bool { return s.Reason != nil && *s.Reason == reasonUnselectedField })
	}
	sentences := sentencesOf(text, span{0, len(text)})
	for _, s := range sentences {
		if len(unselected(s.of(text), fields)) == 0 {
			return true
		}
	}
	return len(sentences) == 0
}

func explain(a resolveAnswer, used int, sense sense) string {
	const who = "The offline baseline, which reads by rules and not by meaning, "
	switch {
	case !a.Coherent || !a.IsRubric:
		return who + sense.why
	case !a.Applicable:
		return who + "finds that the definition needs " + strings.Join(a.MissingFields, ", ") + ", which is not selected; select it or ask for something that the selected fields show."
	case used > 0:
		return who + fmt.Sprintf("found %d steps that the definition states itself.", used)
	default:
		return who + "reads the definition as criteria without steps of their own."
	}
}
