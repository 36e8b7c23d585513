package api

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of what a problem shows.
const (
	maxProblems     = 100
	maxShownName    = 100
	maxNumberDigits = 64
)

// reader checks the shape of a body and collects everything that is wrong with
// it, so that a caller is told all at once. What it reads of a faulty body is
// not to be used.
type reader struct {
	problems []Problem
	more     int // problems beyond those kept
	status   int // 0: 422
}

// fault notes a problem. The detail never repeats what was sent.
func (r *reader) fault(pointer, code, format string, args ...any) {
	if len(r.problems) >= maxProblems {
		r.more++
		return
	}
	r.problems = append(r.problems, Problem{Pointer: pointer, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// err is the refusal of the body, nil when nothing is wrong.
func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	detail := "The body is not what this endpoint takes; see errors."
	if r.more > 0 {
		detail = fmt.Sprintf("The body is not what this endpoint takes; see errors, and %d more.", r.more)
	}
	status := 422
	if r.status != 0 {
		status = r.status
	}
	return &refusal{status: status, code: "invalid_request", title: "The request is not valid", detail: detail, problems: r.problems}
}

// child is the pointer of a member (RFC 6901).
func child(pointer, name string) string {
	if len(name) > maxShownName {
		cut := maxShownName
		for !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = name[:cut] + "…"
	}
	return pointer + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func item(pointer string, i int) string { return pointer + "/" + strconv.Itoa(i) }

// need says whether a member must be there.
type need int

const (
	optional need = iota // may be missing
	nullable             // may be missing or null
	required             // must be there
)

// object is an object of the body whose members are taken one by one.
type object struct {
	r       *reader
	pointer string
	node    node
	taken   []string
}

// object begins to read an object; anything else is a problem, and gives an
// object without members on which nothing more is reported.
func (r *reader) object(n node, pointer string) *object {
	if n.kind != '{' {
		r.fault(pointer, "wrong_type", "%s must be an object", subject(pointer))
		return nil
	}
	return &object{r: r, pointer: pointer, node: n}
}

// subject names what a pointer points at.
func subject(pointer string) string {
	if pointer == "" {
		return "the body"
	}
	return pointer[strings.LastIndexByte(pointer, '/')+1:]
}

// take gives a member that is there. A missing one that is required and a null
// that is not allowed are problems.
func (o *object) take(name string, n need) (node, bool) {
	if o == nil {
		return node{}, false
	}
	o.taken = append(o.taken, name)
	i := slices.IndexFunc(o.node.members, func(m member) bool { return m.name == name })
	if i < 0 {
		if n == required {
			o.r.fault(child(o.pointer, name), "missing", "%s is missing", name)
		}
		return node{}, false
	}
	v := o.node.members[i].value
	if v.kind == 'n' {
		if n != nullable {
			o.r.fault(child(o.pointer, name), "wrong_type", "%s must not be null", name)
		}
		return node{}, false
	}
	return v, true
}

// has reports whether a member is there, be it null.
func (o *object) has(name string) bool {
	return o != nil && slices.ContainsFunc(o.node.members, func(m member) bool { return m.name == name })
}

// at is the pointer of a member.
func (o *object) at(name string) string {
	if o == nil {
		return "/" + name
	}
	return child(o.pointer, name)
}

// done reports the members that nobody took.
func (o *object) done() {
	if o == nil {
		return
	}
	for _, m := range o.node.members {
		if !slices.Contains(o.taken, m.name) {
			o.r.fault(child(o.pointer, m.name), "unknown_member", "this member is not known here; known are %s", strings.Join(o.taken, ", "))
		}
	}
}

// text takes a text of at most limit bytes; 0 is no bound.
func (o *object) text(name string, n need, limit int) (string, bool) {
	v, ok := o.take(name, n)
	if !ok {
		return "", false
	}
	return o.r.text(v, o.at(name), limit)
}

func (r *reader) text(v node, pointer string, limit int) (string, bool) {
	if v.kind != '"' {
		r.fault(pointer, "wrong_type", "%s must be text", subject(pointer))
		return "", false
	}
	if limit > 0 && len(v.text) > limit {
		r.fault(pointer, "too_long", "%s has %d bytes; at most %d are taken", subject(pointer), len(v.text), limit)
		return "", false
	}
	return v.text, true
}

// flag takes a boolean.
func (o *object) flag(name string, n need) (value, ok bool) {
	v, ok := o.take(name, n)
	if !ok {
		return false, false
	}
	if v.kind != 't' && v.kind != 'f' {
		o.r.fault(o.at(name), "wrong_type", "%s must be true or false", name)
		return false, false
	}
	return v.kind == 't', true
}

// number takes a number from low to high.
func (o *object) number(name string, n need, low, high float64) (float64, bool) {
	v, ok := o.take(name, n)
	if !ok {
		return 0, false
	}
	if v.kind != '0' {
		o.r.fault(o.at(name), "wrong_type", "%s must be a number", name)
		return 0, false
	}
	f, err := strconv.ParseFloat(v.text, 64)
	if len(v.text) > maxNumberDigits || err != nil || !(f >= low && f <= high) {
		o.r.fault(o.at(name), "out_of_range", "%s must be from %g to %g", name, low, high)
		return 0, false
	}
	return f, true
}

// whole takes a whole number from low to high.
func (o *object) whole(name string, n need, low, high int) (int, bool) {
	if v, ok := o.take(name, optional); ok && v.kind == '0' {
		f, err := strconv.ParseFloat(v.text, 64)
		if err == nil && len(v.text) <= maxNumberDigits && f != math.Trunc(f) {
			o.r.fault(o.at(name), "wrong_type", "%s must be a whole number", name)
			return 0, false
		}
	}
	f, ok := o.number(name, n, float64(low), float64(high))
	return int(f), ok
}

// list takes a list; maxItems 0 is no bound.
func (o *object) list(name string, n need, maxItems int) ([]node, bool) {
	v, ok := o.take(name, n)
	if !ok {
		return nil, false
	}
	if v.kind != '[' {
		o.r.fault(o.at(name), "wrong_type", "%s must be a list", name)
		return nil, false
	}
	if maxItems > 0 && len(v.items) > maxItems {
		o.r.fault(o.at(name), "too_many", "%s has %d items; at most %d are taken", name, len(v.items), maxItems)
		return nil, false
	}
	return v.items, true
}

// texts takes a list of texts, each of at most limit bytes.
func (o *object) texts(name string, n need, maxItems, limit int) ([]string, bool) {
	items, ok := o.list(name, n, maxItems)
	if !ok {
		return nil, false
	}
	return o.r.textItems(items, o.at(name), limit)
}

func (r *reader) textItems(items []node, pointer string, limit int) ([]string, bool) {
	out, good := make([]string, 0, len(items)), true
	for i, v := range items {
		s, ok := r.text(v, item(pointer, i), limit)
		good = good && ok
		out = append(out, s)
	}
	return out, good
}

// textOrTexts takes a text or a list of texts, together at most limit bytes.
func (o *object) textOrTexts(name string, n need, maxItems, limit int) ([]string, bool) {
	v, ok := o.take(name, n)
	if !ok {
		return nil, false
	}
	switch v.kind {
	case '"':
		s, ok := o.r.text(v, o.at(name), limit)
		return []string{s}, ok
	case '[':
		if len(v.items) > maxItems {
			o.r.fault(o.at(name), "too_many", "%s has %d items; at most %d are taken", name, len(v.items), maxItems)
			return nil, false
		}
		out, ok := o.r.textItems(v.items, o.at(name), limit)
		size := 0
		for _, s := range out {
			size += len(s)
		}
		if ok && limit > 0 && size > limit {
			o.r.fault(o.at(name), "too_long", "%s has %d bytes in all; at most %d are taken", name, size, limit)
			return nil, false
		}
		return out, ok
	}
	o.r.fault(o.at(name), "wrong_type", "%s must be text or a list of texts", name)
	return nil, false
}

// structure takes an object or a list as it stands, of at most limit bytes.
func (o *object) structure(name string, n need, limit int, kinds string) (jsontext.Value, bool) {
	v, ok := o.take(name, n)
	if !ok {
		return nil, false
	}
	if strings.IndexByte(kinds, byte(v.kind)) < 0 {
		what := "an object"
		if strings.Contains(kinds, "[") {
			what = "a list or an object"
		}
		o.r.fault(o.at(name), "wrong_type", "%s must be %s", name, what)
		return nil, false
	}
	if len(v.raw) > limit {
		o.r.fault(o.at(name), "too_long", "%s has %d bytes; at most %d are taken", name, len(v.raw), limit)
		return nil, false
	}
	return v.raw, true
}
