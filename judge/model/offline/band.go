package offline

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLabelRunes bounds the label in front of "Good: …", "7-8: …".
const maxLabelRunes = 40

// isScale reports whether the items of a list describe the levels of a scale:
// labels that are numbers, ranges or grades, or names built from one another
// ("acceptable", "not acceptable"), or points awarded at the end of each.
func isScale(items []string) bool {
	if len(items) < 2 {
		return false
	}
	graded, awarded, labels := 0, 0, make([]string, 0, len(items))
	for _, s := range items {
		label := labelOf(s)
		if label != "" {
			labels = append(labels, label)
		}
		switch {
		case isGrade(label):
			graded++
		case awards(s):
			awarded++
		}
	}
	n := len(items)
	return graded*3 >= n*2 || (graded+awarded)*3 >= n*2 && graded+awarded >= 2 || len(labels) == n && builtFromOneAnother(labels)
}

// labelOf is what stands before the first colon, dash or equals sign of an
// item, lower case; "" when there is none near the start.
func labelOf(s string) string {
	head := s[:min(len(s), 4*maxLabelRunes)]
	end := -1
	for _, sep := range []string{":", "：", " - ", " – ", " — ", " = ", "="} {
		if i := strings.Index(head, sep); i > 0 && (end < 0 || i < end) {
			end = i
		}
	}
	if end < 0 || utf8.RuneCountInString(head[:end]) > maxLabelRunes {
		return ""
	}
	return strings.ToLower(strings.Trim(head[:end], " *_\"'[]()（）「」“”"))
}

// isGrade reports whether a label names a level: a number, a range, a number
// with a unit, a grade word, or both ("5 - excellent").
func isGrade(label string) bool {
	if label == "" {
		return false
	}
	if gradeWords[label] {
		return true
	}
	rest := trimScoreWord(label)
	if isNumberRange(rest) {
		return true
	}
	before, after, found := strings.Cut(rest, "(")
	if found && (gradeWords[strings.TrimSpace(before)] || isNumberRange(strings.TrimSpace(before))) && strings.HasSuffix(after, ")") {
		return true
	}
	for i, r := range rest {
		if _, digit := digitOf(r); !digit && !strings.ContainsRune(" .-–~/", r) {
			return i > 0 && gradeWords[strings.Trim(rest[i:], " ()")]
		}
	}
	return false
}

// trimScoreWord takes "score", "points", "分" and the like off a label.
func trimScoreWord(label string) string {
	for _, w := range scoreWords {
		if rest, ok := strings.CutPrefix(label, w); ok && rest != "" {
			if t := strings.TrimSpace(rest); startsWithDigit(t) {
				return t
			}
		}
		if rest, ok := strings.CutSuffix(label, w); ok && startsWithDigit(rest) {
			return strings.TrimSpace(rest)
		}
	}
	return label
}

func startsWithDigit(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	_, ok := digitOf(r)
	return ok
}

// isNumberRange reports 3, 0.5, 1-2, 90–100, 10/10.
func isNumberRange(s string) bool {
	if !startsWithDigit(s) {
		return false
	}
	for _, r := range s {
		if _, digit := digitOf(r); !digit && !strings.ContainsRune(" .,-–—~〜～/+%", r) {
			return false
		}
	}
	return true
}

// awards reports an item that ends in what it earns: "…: 5点", "… = 2 points".
func awards(s string) bool {
	t := strings.TrimRight(strings.ToLower(strings.TrimSpace(s)), ".。)）")
	at := strings.LastIndexAny(t, ":：=→")
	if at < 0 || len(t)-at > 32 {
		return false
	}
	_, n := utf8.DecodeRuneInString(t[at:])
	tail := strings.TrimSpace(t[at+n:])
	return tail != "" && isNumberRange(trimScoreWord(strings.TrimLeft(tail, "+-−")))
}

// builtFromOneAnother reports three or more short labels of which most contain
// another or are contained in one: "acceptable" and "not acceptable".
func builtFromOneAnother(labels []string) bool {
	if len(labels) < 3 || len(labels) > 8 {
		return false
	}
	related := 0
	for i, a := range labels {
		if utf8.RuneCountInString(a) > 24 {
			return false
		}
		if slices.ContainsFunc(labels, func(b string) bool {
			return b != labels[i] && (strings.Contains(b, a) || strings.Contains(a, b))
		}) {
			related++
		}
	}
	return related*4 >= len(labels)*3
}
