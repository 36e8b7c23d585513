package model

import (
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// cursor walks once over a JSON text and hands out the parts that a caller asks
// for. A completion with log probabilities is mostly parts that nobody needs:
// decoding it all costs many times as much, and path queries walk the same
// bytes once for every level that they go down.
//
// What is read is checked, what is skipped only for brackets that close. After
// the first mistake broken stays set and nothing more is handed out. Members
// given twice are not looked for: each is handed out.
type cursor struct {
	text   []byte
	at     int
	depth  int
	broken bool
}

// maxCursorDepth bounds the nesting of a text.
const maxCursorDepth = 64

// kind is the first byte of the next value: { [ " t f n, or 0 for a number and
// for the end of the text.
func (c *cursor) kind() byte {
	c.space()
	if c.at >= len(c.text) || c.broken {
		return 0
	}
	switch ch := c.text[c.at]; ch {
	case '{', '[', '"', 't', 'f', 'n':
		return ch
	}
	return 0
}

// end reports whether the text is over and had no mistake.
func (c *cursor) end() bool {
	c.space()
	return !c.broken && c.at == len(c.text)
}

func (c *cursor) space() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// take reads one byte if it is next.
func (c *cursor) take(ch byte) bool {
	c.space()
	if c.at < len(c.text) && c.text[c.at] == ch {
		c.at++
		return true
	}
	return false
}

func (c *cursor) fail() { c.broken = true }

// object walks over an object; member has to read or skip each value. A value
// that is no object is skipped.
func (c *cursor) object(member func(key []byte)) {
	c.list('{', '}', func() {
		key := c.rawString()
		if c.broken || !c.take(':') {
			c.fail()
			return
		}
		member(key)
	})
}

// array walks over an array; element has to read or skip each value. A value
// that is no array is skipped.
func (c *cursor) array(element func()) { c.list('[', ']', element) }

func (c *cursor) list(open, closing byte, item func()) {
	if c.kind() != open {
		c.skip()
		return
	}
	c.at++
	if c.depth++; c.depth > maxCursorDepth {
		c.fail()
		return
	}
	defer func() { c.depth-- }()
	if c.take(closing) {
		return
	}
	for !c.broken {
		item()
		switch {
		case c.broken, c.take(closing):
			return
		case !c.take(','):
			c.fail()
		}
	}
}

// skip walks over one value.
func (c *cursor) skip() {
	switch c.kind() {
	case '{', '[':
		c.skipList()
	case '"':
		c.rawString()
	case 't':
		c.word("true")
	case 'f':
		c.word("false")
	case 'n':
		c.word("null")
	default:
		c.rawNumber()
	}
}

// skipList walks over an object or array without looking at what it holds.
func (c *cursor) skipList() {
	text, depth := c.text, 0
	for i := c.at; i < len(text); i++ {
		if !structural[text[i]] {
			continue
		}
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				c.at = i + 1
				return
			}
		case '"':
			i = closingQuote(text, i+1)
		}
	}
	c.fail()
}

// structural are the bytes that skipList stops at: the walk over those between
// them is most of the work of reading an answer.
var structural = [256]bool{'{': true, '}': true, '[': true, ']': true, '"': true}

// closingQuote is where a string that is open at i ends, the text's length when
// it does not.
func closingQuote(text []byte, i int) int {
	for ; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

func (c *cursor) word(w string) {
	if len(c.text)-c.at < len(w) || string(c.text[c.at:c.at+len(w)]) != w {
		c.fail()
		return
	}
	c.at += len(w)
}

// rawString reads a string and returns it without its quotes, escapes as they are.
func (c *cursor) rawString() []byte {
	if !c.take('"') {
		c.fail()
		return nil
	}
	from := c.at
	for i := from; i < len(c.text); i++ {
		switch ch := c.text[i]; {
		case ch == '"':
			c.at = i + 1
			return c.text[from:i]
		case ch == '\\':
			i++
		case ch < ' ':
			c.fail()
			return nil
		}
	}
	c.fail()
	return nil
}

// string reads a string; ok is false when the value is another or holds a wrong
// escape, such as half of a surrogate pair, which is no mistake of the text as a
// whole. Bytes that are no UTF-8 are kept as they are.
func (c *cursor) string() (s string, ok bool) {
	if c.kind() != '"' {
		c.skip()
		return "", false
	}
	from := c.at
	raw := c.rawString()
	if c.broken {
		return "", false
	}
	if slices.Contains(raw, '\\') {
		text, err := jsontext.AppendUnquote(nil, c.text[from:c.at])
		return string(text), err == nil
	}
	return string(raw), true
}

// rawNumber reads a number's characters.
func (c *cursor) rawNumber() []byte {
	c.space()
	from := c.at
	for c.at < len(c.text) {
		switch ch := c.text[c.at]; {
		case ch >= '0' && ch <= '9', ch == '-', ch == '+', ch == '.', ch == 'e', ch == 'E':
			c.at++
			continue
		}
		break
	}
	if c.at == from {
		c.fail()
	}
	return c.text[from:c.at]
}

// number reads a number; ok is false when the value is another.
func (c *cursor) number() (n float64, ok bool) {
	if c.kind() != 0 {
		c.skip()
		return 0, false
	}
	n, err := strconv.ParseFloat(string(c.rawNumber()), 64)
	if err != nil {
		c.fail()
	}
	return n, err == nil
}
