package model

import (
	"mime"
	"strings"

	"github.com/tidwall/gjson"
)

// answer are the parts of a Chat Completion that count.
type answer struct {
	model       string
	fingerprint string
	finish      string
	content     string
	hasContent  bool
	refusal     string
	usage       gjson.Result
	logprobs    gjson.Result
	choices     int
}

// pick reads a response body in one pass over its members.
func pick(body string) (answer, bool) {
	if !gjson.Valid(body) {
		return answer{}, false
	}
	root := gjson.Parse(body)
	if !root.IsObject() {
		return answer{}, false
	}
	var a answer
	root.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "model":
			a.model = headerWordOr(value.Str)
		case "system_fingerprint":
			a.fingerprint = headerWordOr(value.Str)
		case "usage":
			a.usage = value
		case "choices":
			a.pickChoices(value)
		}
		return true
	})
	return a, true
}

func headerWordOr(s string) string {
	if headerWord(s) {
		return s
	}
	return ""
}

func (a *answer) pickChoices(choices gjson.Result) {
	if !choices.IsArray() {
		return
	}
	choices.ForEach(func(_, choice gjson.Result) bool {
		if a.choices++; a.choices > 1 {
			return true
		}
		choice.ForEach(func(key, value gjson.Result) bool {
			switch key.Str {
			case "finish_reason":
				a.finish = value.Str
			case "logprobs":
				a.logprobs = value
			case "message":
				a.pickMessage(value)
			}
			return true
		})
		return true
	})
}

func (a *answer) pickMessage(message gjson.Result) {
	message.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "refusal":
			a.refusal = value.Str
		case "content":
			a.content, a.hasContent = contentText(value)
		}
		return true
	})
}

// contentText is a message's text: a string, or the text parts of a list.
func contentText(v gjson.Result) (string, bool) {
	if v.Type == gjson.String {
		return v.Str, true
	}
	if !v.IsArray() {
		return "", false
	}
	var text strings.Builder
	found := false
	v.ForEach(func(_, part gjson.Result) bool {
		if t := part.Get("text"); part.Get("type").Str == "text" && t.Type == gjson.String {
			text.WriteString(t.Str)
			found = true
		}
		return true
	})
	return text.String(), found
}

// read makes a Reply of a successful exchange. The error is a fault of the
// answer: the call is not repeated for it.
func (c *Client) read(req Request, ex exchange) (Reply, *Error) {
	if !jsonType(ex.header.Get("Content-Type")) {
		return Reply{Usage: c.unknown(1)}, &Error{Code: CodeMalformed, Detail: "the endpoint did not answer with JSON; check its base URL"}
	}
	a, ok := pick(ex.body)
	if !ok {
		return Reply{Usage: c.unknown(1)}, &Error{Code: CodeMalformed, Detail: "the endpoint's answer is not JSON"}
	}
	r := Reply{Content: a.content, Model: a.model, Fingerprint: a.fingerprint, Usage: c.usageOf(req, a)}
	switch {
	case a.choices == 0:
		return r, &Error{Code: CodeMalformed, Detail: "the endpoint's answer holds no choice"}
	case a.refusal != "":
		return r, &Error{Code: CodeRefused, Detail: "the model refused to answer"}
	case a.finish == "content_filter":
		return r, &Error{Code: CodeRefused, Detail: "the endpoint's content filter stopped the answer"}
	case a.finish == "length":
		return r, &Error{Code: CodeTruncated, Detail: "the answer was cut by its token limit"}
	case !a.hasContent || strings.TrimSpace(a.content) == "":
		return r, &Error{Code: CodeMalformed, Detail: "the answer is empty"}
	}
	var err error
	if r.Object, r.ObjectStart, err = Unwrap(a.content); err != nil {
		return r, &Error{Code: CodeMalformed, Detail: err.Error(), Err: err}
	}
	if req.Logprobs {
		r.Tokens = readTokens(a.logprobs)
	}
	return r, nil
}

// jsonType reports whether a content type may be that of a JSON answer.
func jsonType(header string) bool {
	if header == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(header)
	if err != nil {
		return false
	}
	return media == "application/json" || media == "text/json" || media == "text/plain" || strings.HasSuffix(media, "+json")
}

// maxReported bounds what is believed of token counts: no model reads more.
const maxReported = 100_000_000

// usageOf is what the endpoint says that the call took. Where it says nothing
// the tokens are counted here, and the cost is unknown.
func (c *Client) usageOf(req Request, a answer) Usage {
	in, inOK := count(a.usage.Get("prompt_tokens"))
	out, outOK := count(a.usage.Get("completion_tokens"))
	if !inOK || !outOK || in == 0 {
		return Usage{
			InputTokens:  CountTokens(req.System) + CountTokens(req.User),
			OutputTokens: CountTokens(a.content),
			Calls:        1,
			Estimated:    1,
			Cost:         Cost{Unpriced: 1},
		}
	}
	cached, ok := count(a.usage.Get("prompt_tokens_details.cached_tokens"))
	if !ok {
		cached, _ = count(a.usage.Get("prompt_cache_hit_tokens"))
	}
	reasoning, _ := count(a.usage.Get("completion_tokens_details.reasoning_tokens"))
	cached, reasoning = min(cached, in), min(reasoning, out)
	return Usage{
		InputTokens: in, OutputTokens: out, CachedTokens: cached, ReasoningTokens: reasoning,
		Calls: 1, Cost: c.price.Of(in, out, cached),
	}
}

// count is a token count that can be believed.
func count(v gjson.Result) (int, bool) {
	if v.Type != gjson.Number || v.Num < 0 || v.Num > maxReported {
		return 0, false
	}
	return int(v.Num), true
}

// unknown is the usage of calls that may have been billed without anyone
// having said for how much.
func (*Client) unknown(calls int) Usage { return Usage{Calls: calls, Cost: Cost{Unpriced: calls}} }
