package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// chain is where the log stands: the last number and the last sum.
type chain struct {
	seq  uint64
	hash string // "" before the first line
}

// next gives an event its place and returns its line with the line break.
func (c *chain) next(e Event, gateway string, now time.Time) ([]byte, error) {
	e.Seq, e.Schema, e.Gateway, e.Prev = c.seq+1, Schema, gateway, c.hash
	e.Time = now.UTC()
	body, err := json.Marshal(e, json.Deterministic(true), jsontext.EscapeForJS(true), jsontext.EscapeForHTML(true))
	if err != nil {
		return nil, fmt.Errorf("encode an audit event: %w", err)
	}
	body = escapeControls(body)
	hash := lineHash(body)
	c.seq, c.hash = e.Seq, hash
	line := append(body[:len(body)-1], `,"hash":"`...)
	line = append(line, hash...)
	return append(line, "\"}\n"...), nil
}

// lineHash is the sum over a line's bytes without its hash.
func lineHash(body []byte) string {
	s := sha256.Sum256(body)
	return hex.EncodeToString(s[:])
}

// hashMember is how the last member of every line begins.
const hashMember = `,"hash":"`

// splitLine takes a line apart into the bytes its hash is over, and the hash.
func splitLine(line []byte) (body []byte, hash string, ok bool) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	at := bytes.LastIndex(line, []byte(hashMember))
	end := len(line) - 2
	if at < 0 || end != at+len(hashMember)+64 || string(line[end:]) != `"}` {
		return nil, "", false
	}
	body = append(append([]byte{}, line[:at]...), '}')
	return body, string(line[at+len(hashMember) : end]), true
}

// resume reads where a chain stands from its last line.
func resume(line []byte) (chain, error) {
	body, hash, ok := splitLine(line)
	if !ok || lineHash(body) != hash {
		return chain{}, fmt.Errorf("the last line of the audit log does not carry its own sum: keep the file, move it away and start a new one")
	}
	var e struct {
		Seq uint64 `json:"seq"`
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return chain{}, fmt.Errorf("read the last line of the audit log: %w", err)
	}
	return chain{seq: e.Seq, hash: hash}, nil
}

// escapeControls writes the characters that could move or hide text in a
// viewer (C1 controls, bidirectional marks, separators) as \u escapes.
func escapeControls(body []byte) []byte {
	if !bytes.ContainsFunc(body, movesText) {
		return body
	}
	out := make([]byte, 0, len(body)+16)
	for _, r := range string(body) {
		if movesText(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
			continue
		}
		out = append(out, string(r)...)
	}
	return out
}

func movesText(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r >= 0x200e && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x061c || r == 0xfeff
}
