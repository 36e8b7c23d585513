package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fromProse looks for steps in running text.
func fromProse(text string, paragraphs []span) []span {
	for _, find := range []func(string, []span) []span{inlineLists, numberedSentences, checkSentences, questions, semicolons} {
		if steps := tidy(text, find(text, paragraphs)); len(steps) > 0 {
			return steps
		}
	}
	return nil
}

// sentence is a sentence with what its opening says.
type sentence struct {
	span
	opener string // the phrase that asks for a check, "" when there is none
	goal   bool   // the phrase speaks of the whole evaluation
	number bool   // an ordinal stands in front
}

// readSentence finds where a sentence proper begins, behind connectives such
// as "First," and "Please", and by which phrase it asks for a check.
func readSentence(text string, s span) sentence {
	out := sentence{span: s}
	for range 3 {
		head := headOf(out.of(text))
		opener, goal := openerOf(head)
		if opener != "" {
			out.opener, out.goal = opener, goal
			return out
		}
		n, ordinal := connectiveOf(head)
		if n == 0 {
			break
		}
		out.number = out.number || ordinal
		out.start += n
		out.span = out.trim(text)
		if out.empty() {
			return sentence{span: s}
		}
	}
	if closer := closerOf(s.of(text)); closer != "" {
		out.opener = closer
	}
	if !out.number && out.opener == "" {
		out.span = s
	}
	return out
}

// headOf is the beginning of a sentence in lower case. Folding keeps the
// length of what the phrases are written in, so offsets into it hold.
func headOf(s string) string {
	s = s[:min(len(s), maxHeadBytes)]
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		lower := unicode.ToLower(r)
		if r == utf8.RuneError || utf8.RuneLen(lower) != utf8.RuneLen(r) {
			b.WriteString(s[i : i+runeSize(s[i:])])
			continue
		}
		b.WriteRune(lower)
	}
	return b.String()
}

const maxHeadBytes = 96

func runeSize(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

func openerOf(head string) (phrase string, goal bool) {
	if p := goalOpeners.match(head, true); p != "" {
		return p, true
	}
	if p := goalOpenersWide.match(head, false); p != "" {
		return p, true
	}
	if p := checkOpeners.match(head, true); p != "" {
		return p, false
	}
	return checkOpenersWide.match(head, false), false
}

// connectiveOf is the length of the connective in front, its comma and the
// space behind it included.
func connectiveOf(head string) (n int, ordinal bool) {
	p := connectives.match(head, true)
	ordinal = p != "" && ordinals.match(head, true) == p
	if p == "" {
		if p = connectivesWide.match(head, false); p == "" {
			return 0, false
		}
		ordinal = ordinalsWide.match(head, false) == p
	}
	rest := head[len(p):]
	after := strings.TrimLeft(rest, " ,，、:：،-–")
	return len(p) + len(rest) - len(after), ordinal && (after != rest)
}

func closerOf(s string) string {
	t := strings.ToLower(strings.TrimRightFunc(s[max(0, len(s)-maxHeadBytes):], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	}))
	for _, c := range checkClosers {
		if before, ok := strings.CutSuffix(t, c); ok {
			last, _ := utf8.DecodeLastRuneInString(before)
			if before != "" && (!unicode.IsLetter(last) || wideStart(last)) {
				return c
			}
		}
	}
	return ""
}

// isCheck reports whether a text reads as something to check: it opens as a
// check, or it is a question.
func isCheck(s string) bool {
	r := readSentence(s, span{0, len(s)}.trim(s))
	return r.opener != "" || isQuestion(s)
}

func sentencesIn(text string, paragraphs []span) []sentence {
	var out []sentence
	for _, p := range paragraphs {
		for _, s := range sentencesOf(text, p) {
			for _, part := range splitThai(text, s) {
				out = append(out, readSentence(text, part))
			}
		}
	}
	return out
}

// splitThai splits a run of Thai, which has no full stop, in front of each
// space that is followed by a phrase that asks for a check.
func splitThai(text string, s span) []span {
	if r, _ := utf8.DecodeRuneInString(s.of(text)); !unicode.Is(unicode.Thai, r) {
		return []span{s}
	}
	var out []span
	start := s.start
	for i := s.start; i < s.end; i++ {
		if text[i] != ' ' || i+1 >= s.end {
			continue
		}
		head := headOf(text[i+1 : s.end])
		if n, _ := connectiveOf(head); n > 0 {
			head = head[n:]
		}
		if p, _ := openerOf(head); p != "" {
			out = append(out, span{start, i}.trim(text))
			start = i + 1
		}
	}
	return append(out, span{start, s.end}.trim(text))
}

// numberedSentences takes what follows "First, …", "Second, …", "Finally, …".
func numberedSentences(text string, paragraphs []span) []span {
	var out []span
	for _, s := range sentencesIn(text, paragraphs) {
		if s.number {
			out = append(out, s.span)
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// checkSentences takes the sentences that ask for a check. A sentence that
// states the goal of the whole ("Evaluate whether …") is one only when its
// kind stands several times or beside none of another kind.
func checkSentences(text string, paragraphs []span) []span {
	var checks, goals []sentence
	for _, s := range sentencesIn(text, paragraphs) {
		switch {
		case s.opener == "":
		case s.goal:
			goals = append(goals, s)
		default:
			checks = append(checks, s)
		}
	}
	chosen := checks
	switch {
	case len(goals) > 1 && (len(checks) == 0 || goals[0].start > checks[0].start):
		chosen = append(chosen, goals...)
	case len(goals) > 1:
		chosen = append(chosen, goals[1:]...)
	}
	var out []span
	for _, s := range chosen {
		out = append(out, splitAtSemicolons(text, s)...)
	}
	sortSpans(out)
	return out
}

// questions takes two or more questions that are most of the text.
func questions(text string, paragraphs []span) []span {
	var out []span
	others := 0
	for _, s := range sentencesIn(text, paragraphs) {
		if isQuestion(s.of(text)) {
			out = append(out, s.span)
		} else {
			others++
		}
	}
	if len(out) < 2 || others > len(out) {
		return nil
	}
	return out
}

func isQuestion(s string) bool {
	t := strings.TrimRight(strings.TrimSpace(s), closersOfSentence+" ")
	r, _ := utf8.DecodeLastRuneInString(t)
	return strings.ContainsRune("?？؟;", r) && r != ';'
}
