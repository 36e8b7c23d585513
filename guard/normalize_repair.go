package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// repair finds the word that a token of letters, digits and signs stands for,
// "" when none is near enough. The token is in normal form and not a word.
//
// Tried in order of how little they assume: signs that pass for letters,
// repeated letters, look-alikes of other scripts, one slip of the pen, shuffled
// letters, missing vowels, the word from back to front, syllables moved to the
// end.
func (v *vocabulary) repair(token string) string {
	c := canonical(token)
	if len(c) < 2 {
		return ""
	}
	if w, ok := v.keys[c]; ok && (len(c) >= 3 || token != c) {
		return w
	}
	if len(c) < minRepairBytes {
		return v.try("V", token)
	}
	if w := v.try("R", squeeze(c)); w != "" {
		return w
	}
	if isASCII(token) {
		if w := v.drawn(token); w != "" {
			return w
		}
	} else if w := v.try("S", skeletonOf(token)); w != "" {
		return w
	}
	if w := v.slip(c); w != "" {
		return w
	}
	if w := v.try("O", shuffled(c)); w != "" {
		return w
	}
	if strings.IndexAny(token[1:], "aeiou") < 0 {
		if w := v.try("V", token); w != "" {
			return w
		}
	}
	return v.moved(c)
}

func (v *vocabulary) try(kind, key string) string { return v.keys[kind+key] }

// drawn undoes letters that are drawn with two.
func (v *vocabulary) drawn(token string) string {
	for _, pair := range [...][2]string{{"vv", "w"}, {"rn", "m"}, {"cl", "d"}, {"ph", "f"}, {"xx", "ks"}, {"ck", "k"}} {
		if strings.Contains(token, pair[0]) {
			if w, ok := v.keys[canonical(strings.ReplaceAll(token, pair[0], pair[1]))]; ok && len(w) >= minRepairBytes {
				return w
			}
		}
	}
	return ""
}

// slip undoes one letter too many, too few, wrong or swapped with the next: two
// words one slip apart have a string with one letter less in common.
func (v *vocabulary) slip(c string) string {
	if len(c) < minRepairBytes || len(c) > maxWordBytes {
		return ""
	}
	if w := v.try("D", c); w != "" {
		return w
	}
	key := make([]byte, 0, 2*maxWordBytes)
	for i, r := range c {
		key = append(append(append(key[:0], 'D'), c[:i]...), c[i+utf8.RuneLen(r):]...)
		if w, ok := v.keys[string(key)]; ok && near(c, canonical(w)) {
			return w
		}
	}
	return ""
}

// near reports whether two words are one slip apart: one may lack a letter, or
// one letter differs, or two neighbours are swapped.
func near(a, b string) bool {
	x, y := []rune(a), []rune(b)
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	if len(x) <= 1 && len(y) <= 1 {
		return true
	}
	return len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
}

// moved undoes words written from back to front and words whose first letters
// went to the end (with or without a syllable after them).
func (v *vocabulary) moved(c string) string {
	if len(c) < 5 || !isASCII(c) {
		return ""
	}
	if w, ok := v.keys[backwards(c)]; ok && v.matters(w) {
		return w
	}
	body := c
	for _, tail := range []string{"way", "yay", "hay", "ay"} {
		if strings.HasSuffix(c, tail) && len(c)-len(tail) >= 3 {
			body = c[:len(c)-len(tail)]
			if w, ok := v.keys[body]; ok && tail != "ay" {
				return w
			}
			for n := 1; n <= 3 && n < len(body); n++ {
				if w, ok := v.keys[body[len(body)-n:]+body[:len(body)-n]]; ok && len(w) >= 3 {
					return w
				}
			}
		}
	}
	return ""
}

func backwards(s string) string {
	rs := []rune(s)
	for i, j := 0, len(rs)-1; i < j; i, j = i+1, j-1 {
		rs[i], rs[j] = rs[j], rs[i]
	}
	return string(rs)
}

// isGlued reports whether a script is written without spaces between words.
func isGlued(r rune) bool {
	return r >= 0xe00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
