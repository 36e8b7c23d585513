package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// rank says how much a section's lists count as steps.
type rank int

const (
	rankOther    rank = iota - 1 // examples, notes, scales: never steps
	rankNeutral                  // nothing said
	rankCriteria                 // headed as criteria
	rankSteps                    // headed as steps
)

// maxHeadingRunes bounds what is taken for a heading.
const maxHeadingRunes = 80

// headingOf reads a line as a heading: "## Steps", "Criteria:", "**Checks**".
// ok is false for any other line.
func headingOf(s string) (title string, ok bool) {
	t := strings.TrimSpace(s)
	if utf8.RuneCountInString(t) > maxHeadingRunes || t == "" {
		return "", false
	}
	if bare := strings.TrimLeft(t, "#"); bare != t && strings.HasPrefix(bare, " ") {
		return strings.Trim(bare, "#*:： "), true
	}
	bold := strings.TrimRight(strings.TrimRight(t, ":："), "*_")
	for _, pair := range []string{"**", "__"} {
		if inner, found := strings.CutPrefix(bold, pair); found && !strings.Contains(inner, pair) && strings.Contains(t[len(pair):], pair) {
			return strings.TrimSpace(strings.Trim(inner, ":：")), true
		}
	}
	if strings.HasSuffix(t, ":") || strings.HasSuffix(t, "：") {
		return strings.TrimSpace(strings.TrimRight(t, ":：")), true
	}
	for _, pair := range [][2]string{{"[", "]"}, {"【", "】"}, {"<", ">"}, {"===", "==="}, {"---", "---"}} {
		if inner, found := strings.CutPrefix(t, pair[0]); found && strings.HasSuffix(inner, pair[1]) && len(inner) > len(pair[1]) {
			return strings.TrimSpace(strings.TrimSuffix(inner, pair[1])), true
		}
	}
	return "", false
}

// rankOf ranks the section under a heading.
func rankOf(title string) rank {
	t := strings.ToLower(title)
	negative := containsWord(t, headingOther)
	switch {
	case negative && negated(t):
		return rankOther
	case containsWord(t, headingSteps):
		return rankSteps
	case containsWord(t, headingCriteria):
		return rankCriteria
	case negative && wordCount(title) <= 6, wordCount(title) <= 3 && startsWithAny(t, headingMaterial):
		return rankOther
	}
	return rankNeutral
}

func startsWithAny(t string, words []string) bool {
	for _, w := range words {
		if strings.HasPrefix(t, w) && wordEnds(t, len(w)) {
			return true
		}
	}
	return false
}

// negated reports a heading that says what does not count.
func negated(t string) bool {
	return containsWord(t, []string{"not", "ignore", "out of scope", "nicht", "no se", "n'est pas", "non si", "non è", "não", "niet", "nie", "не", "değerlendirilmez", "لا", "不", "対象外", "しない", "하지 않", "không", "tidak", "ไม่", "inte"})
}

// containsWord reports whether t holds one of the words at the start of a word;
// scripts without spaces match anywhere.
func containsWord(t string, words []string) bool {
	for _, w := range words {
		for at := 0; ; {
			i := strings.Index(t[at:], w)
			if i < 0 {
				break
			}
			i += at
			before, _ := utf8.DecodeLastRuneInString(t[:i])
			if i == 0 || !unicode.IsLetter(before) || !spaced(w) {
				return true
			}
			at = i + len(w)
		}
	}
	return false
}

// spaced reports whether a word belongs to a script that puts spaces between words.
func spaced(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return !wideStart(r)
}

// wordCount counts words; in scripts without spaces two signs count as a word.
func wordCount(s string) int {
	words, wide := 0, 0
	inWord := false
	for _, r := range s {
		switch {
		case wideStart(r) && unicode.IsLetter(r):
			wide++
			inWord = false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if !inWord {
				words++
			}
			inWord = true
		default:
			inWord = false
		}
	}
	return words + (wide+1)/2
}
