package guard

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxExcerptRunes bounds an excerpt, what replaces characters included.
const maxExcerptRunes = 60

// secretShapes are words that look like credentials: they must not travel into
// logs and answers with a finding.
var secretShapes = regexp.MustCompile(`\b(?:sk|pk|rk|ghp|gho|ghs|ghu|xox[abprs]|glpat|AKIA|ASIA|AIza|eyJ|hf|npm|pypi)[-_A-Za-z0-9]{8,}[-._A-Za-z0-9]*|(?i:bearer|password|passwd|secret|token|api[-_ ]?key)["']?\s*[:=]\s*["']?([^\s"']{6,})|\b[A-Fa-f0-9]{32,}\b`)

// excerpt shows a piece of text on one line: at most 60 characters, what is
// invisible spelt out, what looks like a credential masked.
func excerpt(s string) string {
	if len(s) > 4*maxExcerptRunes {
		s = strings.ToValidUTF8(s[:4*maxExcerptRunes], "")
	}
	s = secretShapes.ReplaceAllStringFunc(s, mask)
	var b strings.Builder
	n := 0
	for _, r := range s {
		shown, width := visible(r)
		if n+width >= maxExcerptRunes {
			b.WriteString("…")
			break
		}
		b.WriteString(shown)
		n += width
	}
	return b.String()
}

// mask keeps enough of a credential to recognise it by.
func mask(s string) string {
	keep := strings.IndexAny(s, ":=") + 1
	if keep == 0 {
		keep = min(4, len(s)/4)
	}
	return s[:keep] + "[masked]"
}

// visible is how a character is shown, and how many characters that takes.
func visible(r rune) (string, int) {
	if r == '\n' || r == '\t' || r == '\r' {
		return " ", 1
	}
	switch traitOf(r) {
	case traitPlain, traitSpace, traitMark:
		if r != utf8.RuneError && !unicode.Is(unicode.Cf, r) {
			return string(r), 1
		}
	}
	shown := fmt.Sprintf("⟨U+%04X⟩", r)
	return shown, utf8.RuneCountInString(shown)
}
