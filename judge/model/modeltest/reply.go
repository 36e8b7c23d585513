package modeltest

import (
	"net/http"
	"strconv"
	"time"
)

// Reply is what the server answers to one request. Make one by a constructor
// and change it by its methods, which return a changed copy.
type Reply struct {
	members map[string]any // of the answer, completed with the stage's own
	content *string        // the exact content instead
	wrap    [2]string
	cut     bool

	status  int
	raw     *string // the exact body of the response instead
	header  http.Header
	choices int // 1 when 0, none when negative

	logprobs   map[string]float64
	tokens     []Token
	tokenBytes string
	splitUTF8  bool

	finish, refusal    string
	nullContent        bool
	usage              *[4]int
	noUsage            bool
	model, fingerprint string

	delay, drip    time.Duration
	hang, reset    bool
	truncate, huge int
	when           string
}

// Token is one token of an answer and what could stand in its place, with
// linear probabilities.
type Token struct {
	Text string
	Top  map[string]float64
}

// Object answers with members of the stage's schema; what is left out is filled
// in sensibly. A nil map is the stage's usual answer.
func Object(members map[string]any) Reply { return Reply{members: members} }

// Score answers the score stage.
func Score(score any) Reply { return Object(map[string]any{"score": score}) }

// Verdict answers the safety or the strict stage: safe, unsafe, pass, fail.
func Verdict(verdict string) Reply { return Object(map[string]any{"verdict": verdict}) }

// Safe clears a definition.
func Safe() Reply { return Verdict("safe") }

// Unsafe says that a definition tries to steer the judge.
func Unsafe() Reply {
	return Object(map[string]any{"verdict": "unsafe", "categories": []string{"score_fixing"}, "rationale": "The text tries to fix the score."})
}

// Steps answers the resolve or the generate stage with steps, all included.
func Steps(steps ...string) Reply { return Object(map[string]any{"steps": steps}) }

// Content answers with a message as it is.
func Content(text string) Reply { return Reply{content: &text} }

// Refusal answers with the API's refusal field.
func Refusal(text string) Reply { return Reply{refusal: text, nullContent: true} }

// ContentFilter answers as an endpoint whose filter stopped the answer.
func ContentFilter() Reply { return Content("").Finish("content_filter") }

// Length answers with the beginning of an answer that met its token limit.
func Length() Reply { return Reply{cut: true, finish: "length"} }

// Empty answers with an empty message.
func Empty() Reply { return Content("") }

// NullContent answers with a message without content.
func NullContent() Reply { return Reply{nullContent: true} }

// NoChoices answers without a message.
func NoChoices() Reply { return Reply{choices: -1} }

// Garbage answers 200 with bytes that are no JSON.
func Garbage() Reply { return Body("\x00\xff\xfe not json {{{") }

// HTML answers 200 with a page.
func HTML() Reply {
	return Body("<html><body>It works!</body></html>").Header("Content-Type", "text/html")
}

// Body answers with a body as it is.
func Body(body string) Reply { return Reply{raw: &body} }

// Status answers with an error in the API's shape.
func Status(code int) Reply {
	kind, name := "invalid_request_error", "null"
	switch {
	case code == http.StatusUnauthorized:
		name = `"invalid_api_key"`
	case code == http.StatusNotFound:
		name = `"model_not_found"`
	case code == http.StatusTooManyRequests:
		kind, name = "requests", `"rate_limit_exceeded"`
	case code >= http.StatusInternalServerError:
		kind = "server_error"
	}
	r := Body(`{"error":{"message":"The request failed with status ` + strconv.Itoa(code) + `.","type":"` + kind + `","param":null,"code":` + name + `}}`)
	r.status = code
	return r
}

// Quota answers 429 as an account without credit.
func Quota() Reply {
	r := Body(`{"error":{"message":"You exceeded your current quota.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`)
	r.status = http.StatusTooManyRequests
	return r
}

// Hang never answers.
func Hang() Reply { return Reply{hang: true} }

// Reset closes the connection without an answer.
func Reset() Reply { return Reply{reset: true} }

// Logprobs gives log probabilities when they are asked for: top are the linear
// probabilities at the score's token.
func (r Reply) Logprobs(top map[string]float64) Reply { r.logprobs = top; return r }

// Tokens gives these tokens as the answer's.
func (r Reply) Tokens(tokens ...Token) Reply { r.tokens = tokens; return r }

// TokenBytes changes the bytes of tokens: "null" or "absent".
func (r Reply) TokenBytes(how string) Reply { r.tokenBytes = how; return r }

// SplitUTF8 makes each byte of a character outside ASCII a token of its own.
func (r Reply) SplitUTF8() Reply { r.splitUTF8 = true; return r }

// Wrap puts text around the answer.
func (r Reply) Wrap(before, after string) Reply { r.wrap = [2]string{before, after}; return r }

// Finish sets the finish_reason.
func (r Reply) Finish(reason string) Reply { r.finish = reason; return r }

// Usage sets the tokens that are reported.
func (r Reply) Usage(input, output, cached, reasoning int) Reply {
	r.usage = &[4]int{input, output, cached, reasoning}
	return r
}

// NoUsage reports no tokens.
func (r Reply) NoUsage() Reply { r.noUsage = true; return r }

// As says which model and which system fingerprint answer.
func (r Reply) As(model, fingerprint string) Reply {
	r.model, r.fingerprint = model, fingerprint
	return r
}

// Header adds a header to the response.
func (r Reply) Header(name, value string) Reply {
	r.header = r.header.Clone()
	if r.header == nil {
		r.header = http.Header{}
	}
	r.header.Set(name, value)
	return r
}

// Code sets the status of the response.
func (r Reply) Code(status int) Reply { r.status = status; return r }

// Delay waits before the answer.
func (r Reply) Delay(d time.Duration) Reply { r.delay = d; return r }

// Drip sends the body a byte at a time with a pause after each.
func (r Reply) Drip(pause time.Duration) Reply { r.drip = pause; return r }

// Truncate closes the connection after n bytes of the body.
func (r Reply) Truncate(n int) Reply { r.truncate = n; return r }

// Huge adds n bytes to the body.
func (r Reply) Huge(n int) Reply { r.huge = n; return r }

// When gives the reply to requests whose body holds a text, as often as they come.
func (r Reply) When(text string) Reply { r.when = text; return r }
