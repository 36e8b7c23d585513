package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a stretch of a text by byte offsets.
type span struct{ start, end int }

func (s span) of(text string) string { return text[s.start:s.end] }

func (s span) empty() bool { return s.start >= s.end }

// trim moves both ends of a span over white space.
func (s span) trim(text string) span {
	t := text[s.start:s.end]
	left := strings.TrimLeftFunc(t, unicode.IsSpace)
	s.start += len(t) - len(left)
	s.end = s.start + len(strings.TrimRightFunc(left, unicode.IsSpace))
	return s
}

// line is one line of a text without its line break.
type line struct {
	span
	indent int // columns of white space before the first letter; a tab counts as 4
	body   int // offset of the first letter
	blank  bool
}

// linesOf splits a text into lines: \n, \r\n, and the Unicode line and
// paragraph separators end one.
func linesOf(text string) []line {
	var lines []line
	start := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '\n' || r == '\u2028' || r == '\u2029' || r == '\u0085' {
			lines = append(lines, newLine(text, start, i))
			start = i + n
		}
		i += n
	}
	return append(lines, newLine(text, start, len(text)))
}

func newLine(text string, start, end int) line {
	l := line{span: span{start, end}}
	l.end = start + len(strings.TrimRightFunc(text[start:end], unicode.IsSpace))
	l.body = l.end
	for i, r := range text[start:l.end] {
		if r == '\t' {
			l.indent += 4
			continue
		}
		if r == '\uFEFF' || r == '\u200b' {
			continue
		}
		if !unicode.IsSpace(r) {
			l.body = start + i
			break
		}
		l.indent++
	}
	l.blank = l.body >= l.end
	return l
}

// content is the line without its indent.
func (l line) content() span { return span{l.body, l.end} }
