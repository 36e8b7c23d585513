package offline

import (
	"fmt"
	"regexp"
	"strings"
)

// statedScale matches a scale that a definition names for itself: "1 to 5",
// "1-10", "out of 10", "von 1 bis 5", "1点から5点", "満点".
var statedScale = regexp.MustCompile(`(?i)\b(?:scale|score|rate|rating|grade|points?|stars?|skala|note|punkte|escala|échelle|scala|schaal)\b[^.\n]{0,24}?\b(\d{1,3}(?:\.\d)?\s*(?:-|–|to|bis|a|à|al|tot|do|до)\s*\d{1,3})\b|\b(out of (?:5|10|20|100))\b|\b(\d{1,2}\s*/\s*(?:5|10|20|100))\b|([1-9]\s*(?:点|分|점)?\s*(?:から|到|至|~|〜|–|-)\s*\d{1,3}\s*(?:点|分|점))`)

// suggest says what would make a definition better.
func suggest(text string, steps []resolvedStep, missing []string) []string {
	out := []string{}
	add := func(format string, args ...any) {
		if len(out) < maxSuggestions {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	for _, f := range missing {
		add("The definition speaks of %s, which is not selected: select it, or drop that part.", f)
	}
	read := cutRunes(text, maxSenseBytes)
	if scale := firstGroup(statedScale.FindStringSubmatch(read)); scale != "" {
		add("The definition names its own scale (%s): scores are always 0 to 100, so describe quality and leave the numbers out.", scale)
	}
	if strings.Contains(text, "{{") {
		add("A template placeholder ({{…}}) is left in the definition: fill it in or remove it.")
	}
	for i, s := range steps {
		if s.Included && mixed(s.Step) {
			add("Step %d asks for several things at once: one step for each makes the score easier to explain.", i+1)
		}
	}
	for _, w := range vagueIn(read) {
		add("%q is read differently by different people: say what one would see in a response that has it.", w)
	}
	return out
}

func firstGroup(groups []string) string {
	if len(groups) == 0 {
		return ""
	}
	for _, g := range groups[1:] {
		if g != "" {
			return strings.Join(strings.Fields(g), " ")
		}
	}
	return ""
}

// vagueIn lists up to three vague words of a text.
func vagueIn(text string) []string {
	lower := strings.ToLower(text)
	var out []string
	for _, w := range vagueWords {
		i := strings.Index(lower, w)
		if i < 0 || spaced(w) && (!wordEnds(lower, i+len(w)) || !wordStarts(lower, i)) {
			continue
		}
		if out = append(out, w); len(out) == 3 {
			break
		}
	}
	return out
}

// mixed reports a step that joins three things, or two that each ask for a check.
func mixed(step string) bool {
	lower := strings.ToLower(step)
	if strings.Count(lower, ", ") >= 2 && (strings.Contains(lower, " and ") || strings.Contains(lower, " or ")) {
		return true
	}
	return strings.Count(lower, "whether ")+strings.Count(lower, " if it ") > 1
}
