package model

import (
	"context"
	"strings"

	"github.com/oklog/ulid/v2"
)

type requestIDKey struct{}

// WithRequestID makes calls under the context carry an id as X-Request-Id, so
// that an operator finds the model's side of a request in other logs. An id
// that is no short printable ASCII word is not used.
func WithRequestID(ctx context.Context, id string) context.Context {
	if !headerWord(id) {
		return ctx
	}
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID is the id of WithRequestID, or a new one.
func RequestID(ctx context.Context) string {
	if id, ok := ctx.Value(requestIDKey{}).(string); ok {
		return id
	}
	return ulid.Make().String()
}

// headerWord reports whether a text may be sent as a header's value and read in
// a log: 1 to 128 printable ASCII characters without white space.
func headerWord(s string) bool {
	return s != "" && len(s) <= 128 && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
