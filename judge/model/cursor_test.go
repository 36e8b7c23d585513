package model

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzPick compares what is picked of a body with what a full decoder finds in
// it. Of a body that is no JSON only parts that are skipped may go unnoticed.
func FuzzPick(f *testing.F) {
	for _, seed := range []string{
		`{"choices":[{"finish_reason":"stop","message":{"content":"{\"score\": 8}"},"logprobs":{"content":[{"token":"8","bytes":[56],"logprob":-0.5,"top_logprobs":[{"token":"8","logprob":-0.5}]}]}}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`,
		`{"choices":[{"message":{"content":null}}]}`, `{"choices":[]}`, `[]`, `{"a":"\u00e9\n"}`, `{"a":[[[{}]]],"choices":[{},{}]}`, ` { } `, `{"a":1}x`, `{"a":"\`, `{"choices":[{"message":{"content":[{"type":"text","text":"a"}]}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a, ok := pick(body, true)
		if !json.Valid(body) {
			return
		}
		var full map[string]any
		if json.Unmarshal(body, &full) != nil || full == nil {
			if ok {
				t.Fatalf("picked from %q, which is no object", body)
			}
			return
		}
		if !ok && deepest(full) < maxCursorDepth/2 {
			t.Fatalf("%q is a JSON object, but nothing was picked", body)
		}
		for _, tok := range a.tokens {
			if len(tok.Top) > maxAlternatives {
				t.Fatalf("%d alternatives", len(tok.Top))
			}
		}
	})
}

// deepest is the nesting of a value.
func deepest(v any) int {
	most := 0
	switch v := v.(type) {
	case map[string]any:
		for _, w := range v {
			most = max(most, deepest(w))
		}
	case []any:
		for _, w := range v {
			most = max(most, deepest(w))
		}
	default:
		return 0
	}
	return most + 1
}

// TestCursor reads values of each kind as each other kind: what does not fit is
// walked over.
func TestCursor(t *testing.T) {
	const text = ` [ "a\"é" , 1.5e1, true, null, {"k": [1, {"x": "]}"}]}, [2], false, -3 ] `
	read := map[string]func(*cursor) any{
		"string": func(c *cursor) any {
			s, ok := c.string()
			return [2]any{s, ok}
		},
		"number": func(c *cursor) any {
			n, ok := c.number()
			return [2]any{n, ok}
		},
		"members": func(c *cursor) any {
			n := 0
			c.object(func([]byte) { n++; c.skip() })
			return n
		},
		"elements": func(c *cursor) any {
			n := 0
			c.array(func() { n++; c.skip() })
			return n
		},
	}
	want := map[string][]any{
		"string":   {[2]any{`a"é`, true}, [2]any{"", false}, [2]any{"", false}, [2]any{"", false}, [2]any{"", false}, [2]any{"", false}, [2]any{"", false}, [2]any{"", false}},
		"number":   {[2]any{0.0, false}, [2]any{15.0, true}, [2]any{0.0, false}, [2]any{0.0, false}, [2]any{0.0, false}, [2]any{0.0, false}, [2]any{0.0, false}, [2]any{-3.0, true}},
		"members":  {0, 0, 0, 0, 1, 0, 0, 0},
		"elements": {0, 0, 0, 0, 0, 1, 0, 0},
	}
	for name, as := range read {
		c := &cursor{text: []byte(text)}
		var got []any
		c.array(func() { got = append(got, as(c)) })
		if !c.end() {
			t.Errorf("%s: the text is not read to its end", name)
		}
		if diff := cmp.Diff(want[name], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for _, wrong := range []string{``, `[`, `[1`, `[1,`, `[1,]`, `[1 2]`, `{"a"}`, `{"a":}`, `{a:1}`, `["a`, `["a\`, "[\"\x01\"]", `[tru]`, `[1]]`, `[1] x`, `]`, `{"a":[}`} {
		c := &cursor{text: []byte(wrong)}
		switch c.kind() {
		case '{':
			c.object(func([]byte) { c.skip() })
		default:
			c.array(c.skip)
		}
		if c.end() {
			t.Errorf("%q is taken for JSON", wrong)
		}
	}
}
