package rubric

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// composed is a text in NFC with the way back to the bytes it was made from.
type composed struct {
	text     string
	original string
	back     []int // back[i]: offset in original of byte i of text; nil when both are the same text
}

func compose(s string) composed {
	if norm.NFC.IsNormalString(s) {
		return composed{text: s, original: s}
	}
	c := composed{original: s}
	var b strings.Builder
	var it norm.Iter
	it.InitString(norm.NFC, s)
	for !it.Done() {
		from := it.Pos()
		segment := it.Next()
		same := it.Pos()-from == len(segment) && s[from:it.Pos()] == string(segment)
		for i := range segment {
			if same {
				c.back = append(c.back, from+i)
			} else {
				c.back = append(c.back, from) // inside a composition: never the edge of a span
			}
		}
		b.Write(segment)
	}
	c.text = b.String()
	c.back = append(c.back, len(s))
	return c
}

// span is where bytes start to end of the composed text stand in the original.
func (c composed) span(start, end int) (int, int) {
	if c.back == nil {
		return start, end
	}
	return c.back[start], c.back[end]
}

// trimmed is a text without white space around it, in NFC.
func trimmed(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }

// foldStep is a step as it is compared with others: NFC, one space for any
// white space, no case, no list mark in front, no closing stop.
func foldStep(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(norm.NFC.String(s)), " "))
	s = listMark().ReplaceAllString(s, "")
	return strings.TrimRight(s, ".;,。；．، ")
}

// blank tells a text in which a reader sees nothing: white space, controls,
// format characters and fillers alone.
func blank(s string) bool {
	for _, r := range s {
		if !invisible(r) {
			return false
		}
	}
	return true
}

func invisible(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u034f', '\u17b4', '\u17b5':
		return true
	}
	return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector)
}

// wordRune tells letters, marks, digits and the underscore.
func wordRune(r rune) bool {
	return r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// unspaced tells scripts that put no space between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// edge tells whether a word may begin or end at offset i of s.
func edge(s string, i int) bool {
	if i <= 0 || i >= len(s) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i:])
	if unicode.Is(unicode.M, after) {
		return false
	}
	return !wordRune(before) || !wordRune(after) || unspaced(before) || unspaced(after)
}

// runeAfter is the offset of the rune that follows the one at i.
func runeAfter(s string, i int) int {
	_, size := utf8.DecodeRuneInString(s[i:])
	return i + max(size, 1)
}
