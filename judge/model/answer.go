package model

import (
	"mime"
	"net/http"
	"strings"
)

// answer are the parts of a Chat Completion that count.
type answer struct {
	model       string
	fingerprint string
	finish      string
	content     string
	hasContent  bool
	refusal     string
	choices     int
	tokens      []Token
	usage       reported
}

// pick reads a response body once. ok is false when it is not one JSON object.
// Tokens are read when they were asked for.
func pick(body []byte, logprobs bool) (a answer, ok bool) {
	c := &cursor{text: body}
	if c.kind() != '{' {
		return answer{}, false
	}
	c.object(func(key []byte) {
		switch string(key) {
		case "model":
			a.model = shortWord(c)
		case "system_fingerprint":
			a.fingerprint = shortWord(c)
		case "usage":
			a.usage = readUsage(c)
		case "choices":
			c.array(func() {
				if a.choices++; a.choices > 1 {
					c.skip() // one was asked for
					return
				}
				a.pickChoice(c, logprobs)
			})
		default:
			c.skip()
		}
	})
	return a, c.end()
}

// shortWord reads a string that may stand in a log, "" when it may not.
func shortWord(c *cursor) string {
	if s, _ := c.string(); headerWord(s) {
		return s
	}
	return ""
}

func (a *answer) pickChoice(c *cursor, logprobs bool) {
	c.object(func(key []byte) {
		switch string(key) {
		case "finish_reason":
			a.finish, _ = c.string()
		case "message":
			a.pickMessage(c)
		case "logprobs":
			if logprobs {
				a.tokens = readTokens(c)
				return
			}
			c.skip()
		default:
			c.skip()
		}
	})
}

func (a *answer) pickMessage(c *cursor) {
	c.object(func(key []byte) {
		switch string(key) {
		case "refusal":
			a.refusal, _ = c.string()
		case "content":
			a.content, a.hasContent = contentText(c)
		default:
			c.skip()
		}
	})
}

// contentText is a message's text: a string, or the text parts of a list.
func contentText(c *cursor) (string, bool) {
	if c.kind() != '[' {
		return c.string()
	}
	var all strings.Builder
	found := false
	c.array(func() {
		var kind, text string
		isText := false
		c.object(func(key []byte) {
			switch string(key) {
			case "type":
				kind, _ = c.string()
			case "text":
				text, isText = c.string()
			default:
				c.skip()
			}
		})
		if kind == "text" && isText {
			all.WriteString(text)
			found = true
		}
	})
	return all.String(), found
}

// read makes a Reply of a successful exchange. The error is a fault of the
// answer: the call is not repeated for it.
func (c *Client) read(req Request, header http.Header, body []byte) (Reply, *Error) {
	unknown := Reply{Usage: Usage{Calls: 1, Cost: Cost{Unpriced: 1}}}
	if !jsonType(header.Get("Content-Type")) {
		return unknown, &Error{Code: CodeMalformed, Detail: "the endpoint did not answer with JSON; check its base URL"}
	}
	a, ok := pick(body, req.Logprobs)
	if !ok {
		return unknown, &Error{Code: CodeMalformed, Detail: "the endpoint's answer is not JSON"}
	}
	r := Reply{Content: a.content, Model: a.model, Fingerprint: a.fingerprint, Tokens: a.tokens, Usage: a.usage.of(req, a.content, c.price)}
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
	return r, nil
}

// jsonType reports whether a content type may be that of a JSON answer.
func jsonType(header string) bool {
	if header == "" || header == "application/json" {
		return true
	}
	media, _, err := mime.ParseMediaType(header)
	if err != nil {
		return false
	}
	return media == "application/json" || media == "text/json" || media == "text/plain" || strings.HasSuffix(media, "+json")
}
