package offline

import (
	"slices"
	"strings"
)

// fieldOrder is the contract's order of fields.
var fieldOrder = []string{fieldPrompt, fieldInput, fieldContext, fieldGolden}

// referredFields are the fields, the output aside, that a text speaks of.
func referredFields(text string) []string {
	lower := strings.ToLower(text)
	found := map[string]bool{}
	for _, f := range fieldOrder {
		found[f] = strings.Contains(lower, "{{"+f) || strings.Contains(lower, "`"+f+"`") ||
			slices.ContainsFunc(fieldPhrases[f], func(p string) bool { return speaksOf(lower, p) })
	}
	var out []string
	for _, f := range fieldOrder {
		if found[f] {
			out = append(out, f)
		}
	}
	return out
}

func speaksOf(lower, phrase string) bool {
	for at := 0; ; {
		i := strings.Index(lower[at:], phrase)
		if i < 0 {
			return false
		}
		at += i
		rest := lower[at+len(phrase):]
		if wordStarts(lower, at) && !slices.ContainsFunc(fieldExceptions[phrase], func(n string) bool { return strings.HasPrefix(rest, n) }) {
			return true
		}
		at += len(phrase)
	}
}

// wordStarts reports whether a word may start at byte i of s.
func wordStarts(s string, i int) bool { return i == 0 || wordEnds(s, i) || !spaced(s[i:]) }

// unselected are the fields a text speaks of that the judge will not see. The
// input and the prompt stand for one another: both are what was answered. No
// selection at all means every field.
func unselected(text string, fields []string) []string {
	if len(fields) == 0 {
		return nil
	}
	var out []string
	for _, f := range referredFields(text) {
		if slices.Contains(fields, f) || (f == fieldInput || f == fieldPrompt) && (slices.Contains(fields, fieldInput) || slices.Contains(fields, fieldPrompt)) {
			continue
		}
		out = append(out, f)
	}
	return out
}
