package guard

import (
	"slices"
	"strings"
)

// Bounds of an explanation.
const (
	maxShownReasons = 3
	maxShownRules   = 8
	maxReasonRunes  = 240
)

// adviceRewrite tells what a definition may say instead.
const adviceRewrite = `Write only what a good answer looks like, for example "Check whether the answer names the order number"; leave out anything that tells the evaluator which score to give, how to work or what to reveal. ` +
	`If a phrase is there as an example of what a user may write, put it in quotation marks and say how the answer should react.`

// deniedSentence explains a refusal by the policy. It names rules and never
// repeats the text that was refused.
func deniedSentence(r Report) string {
	var b strings.Builder
	b.WriteString("The definition was refused before any model was asked")
	writeRules(&b, r.RuleIDs())
	b.WriteString(". ")
	writeReasons(&b, r.Reasons)
	b.WriteString(adviceRewrite)
	return b.String()
}

// notClearedSentence explains a refusal by a safety check.
func notClearedSentence(r Report, answers []Safety) string {
	var b strings.Builder
	b.WriteString("The definition was not cleared: a safety check read it as an attempt to steer the evaluator")
	if last := answers[len(answers)-1]; len(last.Categories) > 0 {
		b.WriteString(" (" + strings.Join(last.Categories[:min(len(last.Categories), 3)], ", ") + ")")
	}
	if ids := r.RuleIDs(); len(ids) > 0 {
		b.WriteString(", and the scan had marked it")
		writeRules(&b, ids)
	}
	b.WriteString(". ")
	b.WriteString(adviceRewrite)
	return b.String()
}

func writeRules(b *strings.Builder, ids []string) {
	if len(ids) == 0 {
		return
	}
	b.WriteString(" by ")
	if len(ids) == 1 {
		b.WriteString("rule ")
	} else {
		b.WriteString("rules ")
	}
	b.WriteString(strings.Join(ids[:min(len(ids), maxShownRules)], ", "))
	if len(ids) > maxShownRules {
		b.WriteString(" and others")
	}
}

func writeReasons(b *strings.Builder, reasons []Reason) {
	var said []string
	for _, r := range reasons {
		message := strings.TrimSpace(r.Message)
		if message == "" || slices.Contains(said, message) || len(said) == maxShownReasons {
			continue
		}
		said = append(said, message)
		b.WriteString(message)
		if !strings.ContainsAny(message[len(message)-1:], ".!?") {
			b.WriteByte('.')
		}
		b.WriteByte(' ')
	}
}

// faultSentence explains why a definition could not be decided about.
func faultSentence(code string) string {
	switch code {
	case codePolicyUnavailable:
		return "The policy could not decide about this text, so it was not let through. Try again; if it stays so, tell the operator the request id."
	case modelAuth:
		return "The safety check could not be made because the model's provider refused the service's credentials. The definition was not judged; tell the operator."
	case modelLimited:
		return "The safety check could not be made because the model's provider is limiting requests. The definition was not judged; try again later."
	case modelBudget:
		return "The budget ran out before the safety check, so the definition was not judged. Raise the budget or wait for the next period."
	case modelCancelled:
		return "The run was cancelled before the safety check was answered, so the definition was not judged."
	default:
		return "The safety check gave no usable answer, so the definition was not cleared. This says nothing about the definition; try again."
	}
}
