package audit

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Filter selects events. Zero members select everything.
type Filter struct {
	Tenant   string // events of this tenant alone
	Kind     Kind
	RunID    string
	From, To time.Time // From ≤ time < To
	After    uint64    // only events with a higher number
	Limit    int       // at most so many; 0 is no bound
}

// Reader gives back what a sink kept.
type Reader interface {
	// Events gives events that match, oldest first.
	Events(ctx context.Context, f Filter) ([]Line, error)
}

// Line is an event as it was written.
type Line struct {
	Seq  uint64
	Text jsontext.Value
}

// header is what a filter looks at.
type header struct {
	Seq      uint64    `json:"seq"`
	Time     time.Time `json:"time"`
	Kind     Kind      `json:"event"`
	TenantID string    `json:"tenant_id"`
	RunID    string    `json:"run_id"`
}

func (f Filter) match(h header) bool {
	return h.Seq > f.After &&
		(f.Tenant == "" || h.TenantID == f.Tenant) &&
		(f.Kind == "" || h.Kind == f.Kind) &&
		(f.RunID == "" || h.RunID == f.RunID) &&
		(f.From.IsZero() || !h.Time.Before(f.From)) &&
		(f.To.IsZero() || h.Time.Before(f.To))
}

// FileReader reads the events of a file, from its beginning.
type FileReader struct{ Path string }

// Events implements Reader. Lines that are no events are passed over: telling
// about them is what verifying is for.
func (r FileReader) Events(ctx context.Context, f Filter) ([]Line, error) {
	file, err := os.Open(r.Path)
	if err != nil {
		return nil, fmt.Errorf("open the audit log: %w", err)
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 256<<10)
	var out []Line
	for ctx.Err() == nil && (f.Limit == 0 || len(out) < f.Limit) {
		line, err := in.ReadBytes('\n')
		if h, ok := headerOf(line); ok && f.match(h) {
			out = append(out, Line{Seq: h.Seq, Text: jsontext.Value(bytes.TrimSpace(line))})
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the audit log: %w", err)
		}
	}
	return out, ctx.Err()
}

func headerOf(line []byte) (header, bool) {
	var h header
	if !isClosed(line) || json.Unmarshal(line, &h) != nil {
		return header{}, false
	}
	return h, true
}
