package model

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds of an answer's tokens.
const (
	fewestTokens    = 16   // endpoints refuse less
	reasoningTokens = 8192 // added for models that think in tokens of the same bound
	defaultTokens   = 2048
)

// seed makes endpoints that know it answer alike; nothing relies on it.
const seed = 7

// answerTokens bounds the visible answer of a request.
func answerTokens(req Request) int {
	if req.MaxTokens > 0 {
		return max(fewestTokens, req.MaxTokens)
	}
	switch req.Stage {
	case "safety", "task":
		return 1024
	case "resolve":
		return 4096
	}
	return defaultTokens
}

// sent says which parameters a request held, to tell what a refusal is about.
type sent struct {
	features
	withTokens bool
}

// encode writes a request's body as the features allow it.
func encode(model string, req Request, f features) ([]byte, sent) {
	s := sent{features: f, withTokens: f.tokens != ""}
	s.logprobs = f.logprobs && req.Logprobs
	s.seed = f.seed && !req.Sample
	if len(req.Schema) == 0 {
		s.format = formatNone
	}
	b := make([]byte, 0, len(req.System)+len(req.User)+len(req.Schema)*2+512)
	b = append(b, `{"model":`...)
	b = quote(b, model)
	b = appendMessages(b, req, s)
	if s.temperature {
		b = append(b, `,"temperature":`...)
		b = append(b, temperature(req)...)
	}
	if s.seed {
		b = appendInt(b, `,"seed":`, seed)
	}
	if s.logprobs {
		b = append(b, `,"logprobs":true`...)
		if !req.NoTop {
			b = appendInt(b, `,"top_logprobs":`, s.top)
		}
	}
	if s.withTokens {
		b = appendInt(b, `,"`+f.tokens+`":`, boundTokens(req, f))
	}
	b = appendFormat(b, req, s.format)
	return append(b, '}'), s
}

func temperature(req Request) string {
	if req.Sample {
		return "1"
	}
	return "0"
}

// boundTokens is the bound that is sent: of the visible answer, and of what is
// thought before it.
func boundTokens(req Request, f features) int {
	n := answerTokens(req)
	if f.reasoning {
		n += reasoningTokens
	}
	if f.most > 0 {
		n = min(n, f.most)
	}
	return n
}

func appendMessages(b []byte, req Request, s sent) []byte {
	system := req.System
	if s.format != formatSchema && len(req.Schema) > 0 {
		system += "\n\nAnswer with one JSON object and nothing else. It has to match this JSON schema:\n" + string(req.Schema)
	}
	b = append(b, `,"messages":[{"role":"`...)
	b = append(b, s.role...)
	b = append(b, `","content":`...)
	if s.role == roleUser {
		// One message: endpoints without a system role want turns to alternate.
		b = quote(b, system+"\n\n"+req.User)
		return append(b, "}]"...)
	}
	b = quote(b, system)
	b = append(b, `},{"role":"user","content":`...)
	b = quote(b, req.User)
	return append(b, "}]"...)
}

func appendFormat(b []byte, req Request, f format) []byte {
	switch f {
	case formatSchema:
		b = append(b, `,"response_format":{"type":"json_schema","json_schema":{"name":`...)
		b = quote(b, "bailiff_"+req.Stage)
		b = append(b, `,"strict":true,"schema":`...)
		b = append(b, req.Schema...)
		return append(b, "}}"...)
	case formatObject:
		return append(b, `,"response_format":{"type":"json_object"}`...)
	case formatNone:
	}
	return b
}

func appendInt(b []byte, before string, n int) []byte {
	return strconv.AppendInt(append(b, before...), int64(n), 10)
}

// quote appends a JSON string. Bytes that are no UTF-8 become U+FFFD.
func quote(b []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(b, s)
	if err != nil {
		quoted, err = jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\uFFFD"))
	}
	if err != nil {
		return append(b, `""`...) // not reached: the text was made valid
	}
	return quoted
}
