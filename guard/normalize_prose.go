package guard

import (
	"strings"
	"unicode/utf8"
)

// prose takes the markup out of a normalised text: tags, emphasis, headings,
// bullets, table bars, LaTeX commands and braces, the addresses of links. It
// returns v itself when there is none.
func prose(v *view) *view {
	if strings.IndexFunc(v.text, isMarkup) < 0 && !startsWithNumber(v.text) {
		return v
	}
	b := newBuilder(v.text)
	for b.pos < len(b.src) {
		if b.pos == 0 || b.src[b.pos-1] == '\n' {
			b.drop(linePrefix(b.src[b.pos:]), false)
			if b.pos == len(b.src) {
				break
			}
		}
		c := b.src[b.pos]
		if c >= utf8.RuneSelf || !markup[c] {
			b.keep(1)
			continue
		}
		n, blank := markupLen(b.src, b.pos)
		switch {
		case n == 0:
			b.keep(1)
		case blank:
			b.blankFor(n)
		default:
			b.drop(n, b.splitsWord(n))
		}
	}
	if !b.changed() {
		return v
	}
	return b.view(v)
}

// markup are the signs that can be markup.
var markup = [utf8.RuneSelf]bool{'<': true, '*': true, '_': true, '~': true, '`': true, '{': true, '}': true, '\\': true, '|': true, '[': true, ']': true, '#': true, '\n': true, '>': true, '^': true}

func isMarkup(r rune) bool { return r < utf8.RuneSelf && markup[r] || r == '\u2022' || r == '\u25cf' }

func startsWithNumber(text string) bool { return linePrefix(text) > 0 }

// splitsWord reports whether what is left out has letters on both sides.
func (b *builder) splitsWord(n int) bool {
	end := b.pos + n
	return b.pos > 0 && end < len(b.src) && isWordByte(b.src[b.pos-1]) && isWordByte(b.src[end])
}

// blankFor writes one space for the next n bytes, none beside another blank.
func (b *builder) blankFor(n int) {
	if k := len(b.buf); k == 0 || b.buf[k-1] == ' ' || b.buf[k-1] == '\n' {
		b.drop(n, false)
		return
	}
	b.put(" ", n, false)
}

// linePrefix is the length of what opens a line of a list, a heading, a block
// quote or a table.
func linePrefix(line string) int {
	n := 0
	for n < len(line) && n < 64 {
		switch c := line[n]; {
		case (c == '-' || c == '*' || c == '+') && n+1 < len(line) && line[n+1] == ' ':
			n += 2
		case c == '#' || c == '>' || c == '|':
			n++
			for n < len(line) && (line[n] == ' ' || line[n] == c) {
				n++
			}
		case strings.HasPrefix(line[n:], "\u2022") || strings.HasPrefix(line[n:], "\u25cf"):
			n += 3
			if n < len(line) && line[n] == ' ' {
				n++
			}
		default:
			return n + number(line[n:])
		}
	}
	return n
}

// number is the length of "1. ", "2) " or "(3) " at the start of a line.
func number(line string) int {
	i := 0
	if i < len(line) && line[i] == '(' {
		i++
	}
	digits := i
	for i < len(line) && i < digits+3 && line[i] >= '0' && line[i] <= '9' {
		i++
	}
	if i == digits || i+1 >= len(line) || line[i] != '.' && line[i] != ')' || line[i+1] != ' ' {
		return 0
	}
	return i + 2
}

// markupLen measures the markup at a place, 0 when the sign is none. blank
// tells that it parted words.
func markupLen(text string, at int) (n int, blank bool) {
	rest := text[at:]
	switch rest[0] {
	case '<':
		return tagLen(rest)
	case '|':
		return 1, true
	case '*', '_', '~', '`', '^':
		return emphasisLen(text, at)
	case '{', '}':
		return 1, false
	case '\\':
		return commandLen(rest), false
	case ']':
		if strings.HasPrefix(rest, "](") {
			if end := strings.IndexAny(rest, ") \n"); end > 0 && rest[end] == ')' {
				return end + 1, false
			}
		}
		return 1, false
	case '[':
		return 1, false
	}
	return 0, false
}

// tagLen measures an HTML or XML tag or comment delimiter. Block tags part
// words, others do not.
func tagLen(rest string) (n int, blank bool) {
	if strings.HasPrefix(rest, "<!--") {
		if end := strings.Index(rest[:min(len(rest), 16)], "-->"); end >= 0 {
			return end + 3, false
		}
		return 4, true
	}
	if len(rest) < 3 || !isLetterByte(rest[1]) && rest[1] != '/' {
		return 0, false
	}
	end := strings.IndexAny(rest[1:min(len(rest), 300)], "<>")
	if end < 0 || rest[end+1] != '>' {
		return 0, false
	}
	name := strings.TrimLeft(rest[1:end+1], "/")
	if i := strings.IndexAny(name, " /"); i >= 0 {
		name = name[:i]
	}
	switch name {
	case "p", "br", "div", "li", "ul", "ol", "td", "tr", "th", "table", "h1", "h2", "h3", "h4", "hr", "section", "blockquote":
		blank = true
	}
	return end + 2, blank
}

// emphasisLen measures marks of emphasis and code: a run of one sign that
// touches a word.
func emphasisLen(text string, at int) (n int, blank bool) {
	end := at
	for end < len(text) && text[end] == text[at] {
		end++
	}
	before := at > 0 && isWordByte(text[at-1])
	after := end < len(text) && isWordByte(text[end])
	if text[at] == '_' && before && after && end-at == 1 {
		return 0, false // a name with underscores; the loose reading parts it
	}
	if !before && !after && end-at < 3 && at > 0 && end < len(text) && text[at-1] == ' ' && text[end] == ' ' {
		return 0, false
	}
	return end - at, false
}

// commandLen measures a LaTeX command with its opening brace, or a backslash
// that escapes a sign.
func commandLen(rest string) int {
	i := 1
	for i < len(rest) && isLetterByte(rest[i]) {
		i++
	}
	if i > 1 && i < len(rest) && rest[i] == '{' {
		return i + 1
	}
	if i == 1 && len(rest) > 1 && (rest[1] == ',' || rest[1] == ';' || rest[1] == '!') {
		return 2
	}
	return count(i == 1)
}
