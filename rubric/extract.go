package rubric

import (
	"regexp"
	"strings"
	"sync"
)

// verify turns the steps that a model found into steps with spans. It can only
// take steps away: one that the model left out stays out, and one that it
// included is left out here when it is not in the definition as written, when
// another step says the same, when it instructs the judge, or when it cannot be
// answered from the selected fields. The text of a step in use is that of the
// definition, which the guard has cleared, never the model's.
func verify(req Request, answered []answeredStep) []Step {
	def := compose(req.Definition)
	var steps []Step
	used := map[string]bool{}
	for _, a := range answered {
		s := place(def, a.Text, steps)
		s.Included, s.Reason = a.Included, a.Reason
		if a.Included {
			s.Reason = objection(req, s, steps, used)
			s.Included = s.Reason == ""
		}
		if s.Included {
			used[foldStep(s.Text)] = true
		}
		steps = append(steps, s)
	}
	return steps
}

// objection is the reason why a step must not be used, "" when there is none.
func objection(req Request, s Step, before []Step, used map[string]bool) string {
	switch {
	case s.End == 0:
		return NotInDefinition
	case used[foldStep(s.Text)] || overlaps(s, before):
		return Duplicate
	case instructsJudge(s.Text):
		return InstructionToJudge
	case len(needed(s.Text, req.Fields)) > 0:
		return RefersToUnselectedField
	}
	return ""
}

func overlaps(s Step, before []Step) bool {
	for _, b := range before {
		if b.Included && s.Start < b.End && b.Start < s.End {
			return true
		}
	}
	return false
}

// place finds a step in the definition: the first whole span that equals it
// after NFC and trimming and that no step before has taken. Without one, Start
// and End are 0 and the text is the model's.
func place(def composed, text string, before []Step) Step {
	needle := trimmed(text)
	if blank(needle) {
		return Step{Text: text}
	}
	var taken Step
	for from := 0; from < len(def.text); {
		i := strings.Index(def.text[from:], needle)
		if i < 0 {
			break
		}
		start, end := from+i, from+i+len(needle)
		if whole(def.text, start, end) {
			first, last := def.span(start, end)
			s := Step{Text: def.original[first:last], Start: first, End: last}
			if trimmed(s.Text) == needle { // not so when an edge falls inside a composition
				if !overlaps(s, before) {
					return s
				}
				taken = s
			}
		}
		from = runeAfter(def.text, start)
	}
	if taken.End > 0 {
		return taken
	}
	return Step{Text: text}
}

// whole tells whether a span begins and ends between words and leaves no
// negation of its clause in front of it: "blame the customer" is in "must not
// blame the customer", and says the opposite.
func whole(text string, start, end int) bool {
	return edge(text, start) && edge(text, end) && !negates(clauseBefore(text, start))
}

// clauseEnds are the marks that end a clause, in the scripts of the guard.
const clauseEnds = ".!?;:,…\n\r•|。！？；：，、．؟؛،।॥"

// clauseBefore is the part of a clause that stands before offset i.
func clauseBefore(text string, i int) string {
	before := text[:i]
	if at := strings.LastIndexAny(before, clauseEnds); at >= 0 {
		before = before[runeAfter(before, at):]
	}
	return before
}

// included are the texts of the steps in use.
func included(steps []Step) []string {
	var used []string
	for _, s := range steps {
		if s.Included {
			used = append(used, strings.TrimSpace(s.Text))
		}
	}
	return used
}

// listMark is a mark in front of a list item.
var listMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[-*•·–—]\s*(?:\[[ x]?\]\s*)?|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)．、]\s*)`)
})
