package api

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/oklog/ulid/v2"
)

// Sizes of a page.
const (
	defaultPage = 50
	largestPage = 200
	maxQuery    = 4 << 10 // bytes of the whole query
)

// listObject is one page of a list.
type listObject[T any] struct {
	Data       []T     `json:"data"`
	NextCursor *string `json:"next_cursor"`
	HasMore    bool    `json:"has_more"`
}

func noEvaluations() []jsontext.Value { return []jsontext.Value{} }

// page cuts off what was read only to see whether there is more.
func page[T any](list []T, limit int) ([]T, bool) {
	if len(list) > limit {
		return list[:limit], true
	}
	return list, false
}

// cursorOf hides where a list goes on: a cursor is to be sent back as it came.
func cursorOf(position string) *string {
	s := base64.RawURLEncoding.EncodeToString([]byte(position))
	return &s
}

// query reads parameters as strictly as a body is read: unknown or repeated
// ones are problems.
type query struct {
	r      reader
	values url.Values
	taken  []string
}

func (c *call) query() *query {
	q := &query{}
	if len(c.Request.URL.RawQuery) > maxQuery {
		q.r.fault("", "too_long", "the query is longer than 4 KiB")
		return q
	}
	values, err := url.ParseQuery(c.Request.URL.RawQuery)
	if err != nil {
		q.r.fault("", "wrong_type", "the query cannot be read")
	}
	q.values = values
	return q
}

func (q *query) text(name string) string {
	q.taken = append(q.taken, name)
	given := q.values[name]
	switch {
	case len(given) == 0:
		return ""
	case len(given) > 1:
		q.r.fault("/"+name, "repeated", "%s is there more than once", name)
	case len(given[0]) > 256 || strings.ContainsFunc(given[0], func(r rune) bool { return r < ' ' || r == 0xfffd }):
		q.r.fault("/"+name, "out_of_range", "%s is no text of at most 256 bytes", name)
		return ""
	}
	return given[0]
}

// limit is the size of the page; what is above the largest is cut to it.
func (q *query) limit() int {
	text := q.text("limit")
	if text == "" {
		return defaultPage
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		q.r.fault("/limit", "out_of_range", "limit must be a whole number from 1 to %d", largestPage)
		return defaultPage
	}
	return min(n, largestPage)
}

func (q *query) oneOf(name string, words ...string) string {
	text := q.text(name)
	if text != "" && !slices.Contains(words, text) {
		q.r.fault("/"+name, "out_of_range", "%s must be one of %s", name, strings.Join(words, ", "))
		return ""
	}
	return text
}

func (q *query) time(name string) time.Time {
	text := q.text(name)
	if text == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		q.r.fault("/"+name, "wrong_type", "%s must be a time such as 2026-03-14T09:26:53Z", name)
	}
	return t
}

// id takes an id; "" when there is none.
func (q *query) id(name string) string {
	text := q.text(name)
	if text == "" {
		return ""
	}
	if _, err := ulid.ParseStrict(text); err != nil {
		q.r.fault("/"+name, "wrong_type", "%s must be an id", name)
	}
	return text
}

// cursor is the position in a cursor, "" at the beginning.
func (q *query) cursor() string {
	text := q.text("cursor")
	position, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		q.r.fault("/cursor", "out_of_range", "cursor must be a next_cursor as it came")
		return ""
	}
	return string(position)
}

func (q *query) idCursor() string {
	position := q.cursor()
	if position == "" {
		return ""
	}
	if _, err := ulid.ParseStrict(position); err != nil {
		q.r.fault("/cursor", "out_of_range", "cursor must be a next_cursor as it came")
	}
	return position
}

func (q *query) numberCursor(start int) int {
	position := q.cursor()
	if position == "" {
		return start
	}
	n, err := strconv.Atoi(position)
	if err != nil || n < 0 {
		q.r.fault("/cursor", "out_of_range", "cursor must be a next_cursor as it came")
	}
	return n
}

// whole is a number of 1 or more; 0 when there is none.
func (q *query) whole(name string) int {
	text := q.text(name)
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		q.r.fault("/"+name, "out_of_range", "%s must be a whole number of 1 or more", name)
	}
	return n
}

// done reports everything that is wrong with the query.
func (q *query) done() error {
	for name := range q.values {
		if !slices.Contains(q.taken, name) {
			q.r.fault(child("", name), "unknown_parameter", "this parameter is not known here; known are %s", strings.Join(q.taken, ", "))
		}
	}
	slices.SortFunc(q.r.problems, func(a, b Problem) int { return strings.Compare(a.Pointer, b.Pointer) })
	return q.r.err()
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
