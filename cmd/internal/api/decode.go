package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep a body may be nested.
const maxDepth = 32

// Codes of mistakes in a body.
const (
	codeMissing = "missing"
	codeUnknown = "unknown_member"
	codeType    = "wrong_type"
	codeRange   = "out_of_range"
	codeValue   = "unknown_value"
	codeEmpty   = "empty"
	codeTooLong = "too_long"
	codeClash   = "conflict"
)

// value is a parsed JSON value with its place in the body. A body is parsed
// once, here, and what follows reads this tree: no second parser can see
// another text.
type value struct {
	pointer string
	kind    jsontext.Kind
	raw     jsontext.Value
	text    string // of a string
	members map[string]*value
	order   []string // of members
	items   []*value
}

// parse reads one JSON value: no duplicate member at any depth, no NUL, no
// invalid UTF-8, no byte order mark, nothing after it.
func parse(body []byte) (*value, *Problem) {
	switch {
	case len(bytes.TrimLeft(body, " \t\r\n")) == 0:
		return nil, NewProblem("json_empty", "the body is empty; it must be a JSON object")
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return nil, NewProblem("json_bom", "the body begins with a byte order mark; send UTF-8 without one")
	case !utf8.Valid(body):
		return nil, NewProblem("json_invalid_utf8", "the body holds bytes that are not UTF-8")
	case bytes.IndexByte(body, 0) >= 0:
		return nil, NewProblem("json_nul", "the body holds a NUL byte")
	}
	dec := jsontext.NewDecoder(bytes.NewReader(body))
	v, err := parseValue(dec, "", 0)
	if err == nil {
		if _, err = dec.ReadToken(); errors.Is(err, io.EOF) {
			return v, nil
		}
		return nil, NewProblem("json_trailing_data", "there is more after the JSON value; send exactly one")
	}
	return nil, syntaxProblem(dec, err)
}

var (
	errTooDeep = errors.New("nested too deep")
	errNUL     = errors.New("holds a NUL character")
)

func syntaxProblem(dec *jsontext.Decoder, err error) *Problem {
	at := string(dec.StackPointer())
	switch {
	case errors.Is(err, errTooDeep):
		return NewProblem("json_too_deep", fmt.Sprintf("the body is nested more than %d deep", maxDepth))
	case errors.Is(err, errNUL):
		return NewProblem("json_nul", "a text holds a NUL character", FieldError{Pointer: at, Code: "json_nul", Detail: "must not hold a NUL character"})
	case errors.Is(err, jsontext.ErrDuplicateName):
		if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			at = string(s.JSONPointer)
		}
		return NewProblem("json_duplicate_member", "a member is there twice", FieldError{Pointer: at, Code: "json_duplicate_member", Detail: "is there twice"})
	}
	offset := dec.InputOffset()
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset = s.ByteOffset
	}
	return NewProblem("json_invalid", fmt.Sprintf("the body is not valid JSON at byte %d", offset))
}

func parseValue(dec *jsontext.Decoder, pointer string, depth int) (*value, error) {
	kind := dec.PeekKind()
	v := &value{pointer: pointer, kind: kind}
	switch kind {
	case '{':
		return v, parseObject(dec, v, depth)
	case '[':
		return v, parseArray(dec, v, depth)
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	v.raw = raw.Clone()
	if kind == '"' {
		if err := json.Unmarshal(v.raw, &v.text); err != nil {
			return nil, err
		}
		if strings.IndexByte(v.text, 0) >= 0 {
			return nil, errNUL
		}
	}
	return v, nil
}

func parseObject(dec *jsontext.Decoder, v *value, depth int) error {
	if depth == maxDepth {
		return errTooDeep
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	v.members = map[string]*value{}
	for dec.PeekKind() != '}' {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		if strings.IndexByte(name, 0) >= 0 {
			return errNUL
		}
		member, err := parseValue(dec, v.pointer+"/"+escapePointer(name), depth+1)
		if err != nil {
			return err
		}
		v.members[name] = member
		v.order = append(v.order, name)
	}
	_, err := dec.ReadToken()
	return err
}

func parseArray(dec *jsontext.Decoder, v *value, depth int) error {
	if depth == maxDepth {
		return errTooDeep
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		item, err := parseValue(dec, v.pointer+"/"+strconv.Itoa(len(v.items)), depth+1)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	_, err := dec.ReadToken()
	return err
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(name string) string { return pointerEscapes.Replace(name) }

// encode writes a parsed value again, for what is only carried along.
func (v *value) encode() jsontext.Value {
	if v == nil {
		return nil
	}
	return v.appendTo(nil)
}

func (v *value) appendTo(b []byte) []byte {
	switch v.kind {
	case '{':
		b = append(b, '{')
		for i, name := range v.order {
			if i > 0 {
				b = append(b, ',')
			}
			b, _ = jsontext.AppendQuote(b, name) // the name was valid when it was read
			b = append(b, ':')
			b = v.members[name].appendTo(b)
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.appendTo(b)
		}
		return append(b, ']')
	}
	return append(b, v.raw...)
}

// reader collects every mistake of a body while its values are taken.
type reader struct{ found []FieldError }

// errorf notes a mistake. What is said never holds what was submitted.
func (r *reader) errorf(pointer, code, format string, args ...any) {
	r.found = append(r.found, FieldError{Pointer: pointer, Code: code, Detail: pointer + " " + fmt.Sprintf(format, args...)})
}

// object is a JSON object whose members are taken one by one. done reports the
// members that nobody took.
type object struct {
	r     *reader
	v     *value
	taken map[string]bool
}

func (r *reader) object(v *value) *object {
	if v.kind != '{' {
		r.wrongType(v, "an object")
		return nil
	}
	return &object{r: r, v: v, taken: map[string]bool{}}
}

func (r *reader) wrongType(v *value, want string) {
	pointer := v.pointer
	r.found = append(r.found, FieldError{Pointer: pointer, Code: codeType, Detail: strings.TrimSpace(pointer + " must be " + want + ", not " + kindName(v.kind))})
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "text"
	case '0':
		return "a number"
	case 'n':
		return "null"
	default:
		return "true or false"
	}
}

// take is a member, nil when it is absent. null is a value.
func (o *object) take(name string) *value {
	o.taken[name] = true
	return o.v.members[name]
}

// optional is a member, nil when it is absent or null.
func (o *object) optional(name string) *value {
	v := o.take(name)
	if v != nil && v.kind == 'n' {
		return nil
	}
	return v
}

// required is a member that must be there and not null.
func (o *object) required(name string) *value {
	v := o.take(name)
	if v == nil {
		o.r.errorf(o.v.pointer+"/"+name, codeMissing, "is missing")
	}
	return v
}

// done reports the members that nobody took.
func (o *object) done() {
	for _, name := range o.v.order {
		if !o.taken[name] {
			o.r.errorf(o.v.members[name].pointer, codeUnknown, "is not a member that is known here%s", nearest(name, o.taken))
		}
	}
}

// nearest names a known member that differs from name in its case or a few
// letters.
func nearest(name string, known map[string]bool) string {
	best, distance := "", 3
	for _, k := range slices.Sorted(maps.Keys(known)) {
		if d := editDistance(strings.ToLower(name), k, distance); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// editDistance is the Levenshtein distance, or limit when it is not less.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := min(row[j+1]+1, row[j]+1)
			if a[i] == b[j] {
				next = min(next, last)
			} else {
				next = min(next, last+1)
			}
			last, row[j+1] = row[j+1], next
		}
	}
	return min(row[len(b)], limit)
}

// text reads a text of at most max bytes; ok is false after a mistake or when
// v is nil.
func (r *reader) text(v *value, most int) (s string, ok bool) {
	switch {
	case v == nil:
		return "", false
	case v.kind != '"':
		r.wrongType(v, "text")
		return "", false
	case len(v.text) > most:
		r.errorf(v.pointer, codeTooLong, "has %d bytes; at most %d are allowed", len(v.text), most)
		return "", false
	}
	return v.text, true
}

// texts reads a list of texts.
func (r *reader) texts(v *value, mostItems, mostBytes int) []string {
	if v == nil {
		return nil
	}
	if v.kind != '[' {
		r.wrongType(v, "a list of texts")
		return nil
	}
	if len(v.items) > mostItems {
		r.errorf(v.pointer, codeTooLong, "has %d items; at most %d are allowed", len(v.items), mostItems)
		return nil
	}
	out := make([]string, 0, len(v.items))
	for _, item := range v.items {
		if s, ok := r.text(item, mostBytes); ok {
			out = append(out, s)
		}
	}
	return out
}

// flag reads true or false.
func (r *reader) flag(v *value, otherwise bool) bool {
	if v == nil {
		return otherwise
	}
	if v.kind != 't' && v.kind != 'f' {
		r.wrongType(v, "true or false")
		return otherwise
	}
	return v.kind == 't'
}

// number reads a number within bounds; nil after a mistake or when v is nil.
func (r *reader) number(v *value, least, most float64) *float64 {
	if v == nil {
		return nil
	}
	if v.kind != '0' {
		r.wrongType(v, "a number")
		return nil
	}
	n, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil || math.IsInf(n, 0) || n < least || n > most {
		r.errorf(v.pointer, codeRange, "must be a number from %g to %g", least, most)
		return nil
	}
	return &n
}

// integer reads a whole number within bounds; nil after a mistake or when v is
// nil.
func (r *reader) integer(v *value, least, most int) *int {
	if v == nil {
		return nil
	}
	if v.kind != '0' {
		r.wrongType(v, "a whole number")
		return nil
	}
	n, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil || n != math.Trunc(n) || n < float64(least) || n > float64(most) {
		r.errorf(v.pointer, codeRange, "must be a whole number from %d to %d", least, most)
		return nil
	}
	whole := int(n)
	return &whole
}
