package api

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep a body may nest.
const maxDepth = 32

// node is one value of a body, read once and strictly. What is checked and
// what is used afterwards is this tree, never the bytes again by other rules.
type node struct {
	kind    jsontext.Kind // 'n', 't', 'f', '"', '0', '{' or '['
	text    string        // of a string; the literal of a number
	raw     jsontext.Value
	members []member
	items   []node
}

type member struct {
	name  string
	value node
}

// parseDocument reads one JSON document (RFC 8259, I-JSON): names match
// exactly, no name is there twice, nothing follows, no byte order mark, no NUL,
// no invalid UTF-8, no nesting over 32. The error is a *refusal.
func parseDocument(data []byte) (node, error) {
	switch {
	case len(bytes.TrimLeft(data, " \t\r\n")) == 0:
		return node{}, badJSON("json_empty", "The body is empty; a JSON document is needed.")
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return node{}, badJSON("json_bom", "The body begins with a byte order mark; send UTF-8 without one.")
	case bytes.IndexByte(data, 0) >= 0:
		return node{}, badJSON("json_nul", "The body holds a NUL byte; send UTF-8 text.")
	case !utf8.Valid(data):
		return node{}, badJSON("json_utf8", "The body is not valid UTF-8.")
	}
	p := parser{data: data, in: jsontext.NewDecoder(bytes.NewReader(data))}
	n, err := p.value()
	if err != nil {
		return node{}, p.refuse(err)
	}
	if _, err := p.in.ReadToken(); !errors.Is(err, io.EOF) {
		return node{}, badJSON("json_trailing_data", "Something follows the JSON document; send exactly one.")
	}
	return n, nil
}

type parser struct {
	data []byte
	in   *jsontext.Decoder
}

var (
	errDeep = errors.New("nested too deep")
	errNUL  = errors.New("a NUL in a text")
)

func (p *parser) value() (node, error) {
	tok, err := p.in.ReadToken()
	if err != nil {
		return node{}, err
	}
	n := node{kind: tok.Kind()}
	switch n.kind {
	case '{', '[':
		if p.in.StackDepth() > maxDepth {
			return node{}, errDeep
		}
		return p.container(n)
	case '"', '0':
		n.text = tok.String()
		if strings.IndexByte(n.text, 0) >= 0 {
			return node{}, errNUL
		}
	}
	return n, nil
}

// container reads members or items up to the closing bracket.
func (p *parser) container(n node) (node, error) {
	start := p.in.InputOffset() - 1
	closing := jsontext.Kind('}')
	if n.kind == '[' {
		closing = ']'
	}
	for p.in.PeekKind() != closing {
		if n.kind == '{' {
			name, err := p.value()
			if err != nil {
				return node{}, err
			}
			value, err := p.value()
			if err != nil {
				return node{}, err
			}
			n.members = append(n.members, member{name.text, value})
			continue
		}
		item, err := p.value()
		if err != nil {
			return node{}, err
		}
		n.items = append(n.items, item)
	}
	if _, err := p.in.ReadToken(); err != nil {
		return node{}, err
	}
	n.raw = p.data[start:p.in.InputOffset()]
	return n, nil
}

// refuse names what is wrong, without repeating any of the text.
func (p *parser) refuse(err error) error {
	switch {
	case errors.Is(err, errDeep):
		return badJSON("json_depth", "The document nests deeper than 32 levels.")
	case errors.Is(err, errNUL):
		return badJSON("json_nul", "A text holds the character U+0000.")
	case errors.Is(err, jsontext.ErrDuplicateName):
		return badJSON("json_duplicate_member", "A member is there twice in one object.")
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok && strings.Contains(e.Error(), "surrogate") {
		return badJSON("json_utf8", "A text holds half of a surrogate pair.")
	}
	return badJSON("json_syntax", "The body is not a JSON document.")
}

func badJSON(code, detail string) error {
	return &refusal{status: 400, code: code, title: "The body is not acceptable JSON", detail: detail}
}
