package model

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxObjectDepth bounds the nesting of an answer; the deepest schema needs four.
const maxObjectDepth = 32

// Why an answer holds no object that can be used. They never hold its text.
var (
	errNoObject     = errors.New("the answer holds no JSON object")
	errManyObjects  = errors.New("the answer holds more than one JSON object")
	errNotUTF8      = errors.New("the answer is not UTF-8")
	errDuplicate    = errors.New("an object of the answer has a member twice")
	errTooDeep      = errors.New("the answer is nested too deep")
	errNotJSON      = errors.New("the answer's object is not JSON")
	errUnterminated = errors.New("the answer's object is not complete")
	errInArray      = errors.New("the answer's object stands in an array")
	errOpenThought  = errors.New("the answer ends within a thought")
)

// thoughts are the elements in which models think aloud before they answer.
var thoughts = []string{"think", "thinking", "thought", "reasoning", "reflection", "scratchpad"}

// Unwrap finds the one JSON object in an answer and where it begins. Models
// put prose, code fences, a byte order mark and thoughts (<think> and the like)
// around it; an object within a thought is none. Two objects are ambiguous and
// give an error, as do a member given twice at any depth, nesting deeper than
// 32, and text that is not UTF-8. Nothing is repaired. It takes linear time.
func Unwrap(content string) (object []byte, start int, err error) {
	if !utf8.ValidString(content) {
		return nil, 0, errNotUTF8
	}
	start, end := -1, 0
	for at := 0; at < len(content); {
		next := strings.IndexAny(content[at:], "{<")
		if next < 0 {
			break
		}
		at += next
		if content[at] == '<' {
			if at, err = skipThought(content, at); err != nil {
				return nil, 0, err
			}
			continue
		}
		if start >= 0 {
			return nil, 0, errManyObjects
		}
		if strings.HasSuffix(strings.TrimRight(content[:at], " \t\r\n"), "[") {
			return nil, 0, errInArray
		}
		start = at
		if end, err = scanObject(content, at); err != nil {
			return nil, 0, err
		}
		at = end
	}
	if start < 0 {
		return nil, 0, errNoObject
	}
	return []byte(content[start:end]), start, nil
}

// scanObject returns where the object that begins at ends.
func scanObject(content string, at int) (end int, err error) {
	d := jsontext.NewDecoder(strings.NewReader(content[at:]))
	for {
		_, err := d.ReadToken()
		switch {
		case err == nil:
		case errors.Is(err, jsontext.ErrDuplicateName):
			return 0, errDuplicate
		case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			return 0, errUnterminated
		default:
			return 0, errNotJSON
		}
		switch depth := d.StackDepth(); {
		case depth > maxObjectDepth:
			return 0, errTooDeep
		case depth == 0:
			return at + int(d.InputOffset()), nil
		}
	}
}

// skipThought returns where to read on after a '<': behind the thought that it
// opens, or behind the character.
func skipThought(content string, at int) (int, error) {
	name := thoughtAt(content[at+1:])
	if name == "" {
		return at + 1, nil
	}
	closing := "</" + name + ">"
	i := indexFold(content[at:], closing)
	if i < 0 {
		return 0, errOpenThought
	}
	return at + i + len(closing), nil
}

// thoughtAt is the name of the thought that a text opens, "" for none.
func thoughtAt(text string) string {
	for _, name := range thoughts {
		if len(text) > len(name) && strings.EqualFold(text[:len(name)], name) && text[len(name)] == '>' {
			return name
		}
	}
	return ""
}

// indexFold is strings.Index without regard to ASCII case.
func indexFold(text, sub string) int {
	for i := 0; i+len(sub) <= len(text); i++ {
		next := strings.IndexByte(text[i:], sub[0])
		if next < 0 {
			return -1
		}
		if i += next; i+len(sub) <= len(text) && strings.EqualFold(text[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}
