package offline

import (
	"regexp"
	"strings"
)

// appeal matches, in lower case, a sentence of a record that talks to whoever
// judges it or reports its own verdict.
var appeal = regexp.MustCompile(`\b(?:evaluators?|graders?|judges?|rubric|this evaluation|scoring system)\b|\b(?:score|grade|rating|verdict|marks?|points)\b ?(?:is|:|=|of|must be|should be|to)? ?(?:\d|full|perfect|maximum|pass)|\b(?:10/10|10 out of 10|100/100|full marks?|perfect score|maximum score|top score|full score|give (?:it |this |me |the \w+ )?(?:a |an )?(?:10|100|ten|perfect)|rate (?:it|this) (?:a )?(?:10|100))\b|\b(?:all|every|each) (?:of the )?(?:criteria|criterion|steps?|checks?|requirements?) (?:is|are|was|were|has been|have been)\b|\bthis (?:response|answer|output|reply|text) (?:fully |completely |perfectly )?(?:meets|satisfies|fulfil?ls|deserves|passes)\b`)

// appealHints are words of which every appeal holds one.
var appealHints = []string{"evaluat", "grader", "judge", "rubric", "scor", "grade", "rating", "verdict", "mark", "points", "/10", "10 ", "give ", "rate ", "criteri", "step", "check", "requirement", "this response", "this answer", "this output", "this reply", "this text"}

// withoutAppeals leaves out the sentences of a text that try to move its
// judge. They earn nothing: not by what they ask for, nor by the words in them.
func withoutAppeals(text string) string {
	var b strings.Builder
	from, cut := 0, false
	for _, s := range sentencesOf(text, span{0, len(text)}) {
		if !isAppeal(strings.ToLower(s.of(text))) {
			continue
		}
		b.WriteString(text[from:s.start])
		from, cut = s.end, true
	}
	if !cut {
		return text
	}
	b.WriteString(text[from:])
	return b.String()
}

func isAppeal(lower string) bool {
	if holdsAny(lower, appealHints) && appeal.MatchString(lower) {
		return true
	}
	for _, st := range steers {
		if st.category != "external_action" && st.category != "disclosure" && holdsAny(lower, st.hints) && st.pattern.MatchString(lower) {
			return true
		}
	}
	return false
}
