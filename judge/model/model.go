// Package model is the only door to language models.
//
// A Model takes a Request and gives a Reply or an *Error whose Code says what
// kind of failure it was. The door unwraps what models put around their JSON
// (prose, code fences, <think> blocks), so a caller gets exactly one JSON
// object or an error; it never repairs JSON and never guesses.
package model

import (
	"context"
	"time"
)

// Model is one model behind one endpoint. Client, Meter and offline.Model
// implement it. All methods are safe for concurrent use.
type Model interface {
	// Name is the slug the caller asked for.
	Name() string
	// Ask sends one system and one user text and returns the one JSON object
	// of the answer. Stage is the X-Bailiff-Stage (safety, resolve, generate,
	// score, strict, task); schema is the JSON schema of the answer.
	// Errors are *Error.
	Ask(ctx context.Context, stage, system, user string, schema []byte) ([]byte, error)
	// Chat is Ask with every setting and everything that came back.
	Chat(ctx context.Context, req Request) (Reply, error)
	// Info describes the model: price, scale, whether it is the offline one.
	Info() Info
}

// Request is one call.
type Request struct {
	Stage    string
	System   string // ours alone, never tenant text
	User     string // tenant text only inside a data fence
	Schema   []byte // strict JSON schema of the answer, sent as bailiff_<stage>
	Logprobs bool   // ask for token log probabilities where the model has them
	NoTop    bool   // with Logprobs: those of the answer's own tokens alone, without alternatives
	Sample   bool   // a further sample: temperature 1 instead of 0
	// MaxTokens bounds the answer; 0 takes the default of the stage.
	MaxTokens int
}

// Reply is one answer.
type Reply struct {
	Content     string  // the message as it came
	Object      []byte  // the one JSON object in it
	ObjectStart int     // byte offset of Object in Content
	Tokens      []Token // nil when the model gave no log probabilities
	Usage       Usage   // of this call, all attempts together
	Model       string  // what the endpoint said it was
	Fingerprint string
	Attempts    int // HTTP requests made, 1 or more; 0 of the offline model
	Took        time.Duration
}

// Token is one token of the answer with its log probability and alternatives.
type Token struct {
	Bytes   []byte // never nil when the endpoint gave text or bytes
	Logprob float64
	// Top are the likeliest tokens in its place. A Client reads them only where
	// a number may stand, which is where a score is weighted: they are nil for a
	// token without a digit.
	Top []Alternative
}

// Alternative is a token that could have stood in a Token's place.
type Alternative struct {
	Text    string
	Logprob float64
}

// Info is what is known of a model before it is asked.
type Info struct {
	Slug     string
	Offline  bool
	Scale    int // the judge's scale is 0..Scale: 10, or 100 by configuration
	Price    *Price
	Endpoint string // scheme and host, no path, no credentials
}

// Codes of Error. Those that begin with model_ are outcome codes of the
// contract; the others are mapped by the stage that asked.
const (
	CodeUnavailable = "model_unavailable"
	CodeTimeout     = "model_timeout"
	CodeRateLimited = "model_rate_limited"
	CodeAuth        = "model_auth"
	CodeRefused     = "refused"   // refusal or content filter
	CodeTruncated   = "truncated" // finish_reason length
	CodeMalformed   = "malformed" // no JSON object, more than one, duplicate members
	CodeBudget      = "budget_exhausted"
	CodeCancelled   = "cancelled"
)

// Error is a call that gave no usable answer. Its text is for operators; it
// holds no tenant text, no key and no upstream body.
type Error struct {
	Code     string
	Attempts int    // HTTP requests made, 0 when it came to none
	Usage    Usage  // what the failed call took, as far as it is known
	Detail   string // says what happened in words of this package
	Err      error
}

func (e *Error) Error() string {
	if e.Detail != "" {
		return e.Code + ": " + e.Detail
	}
	return e.Code
}

func (e *Error) Unwrap() error { return e.Err }

// ModelCode is Code, for packages that know errors of models only by an interface.
func (e *Error) ModelCode() string { return e.Code }

// ModelAttempts is Attempts, likewise.
func (e *Error) ModelAttempts() int { return e.Attempts }

// Usage counts what calls took. The zero value is "no call was made".
type Usage struct {
	InputTokens     int
	OutputTokens    int
	CachedTokens    int // part of InputTokens
	ReasoningTokens int // part of OutputTokens
	Calls           int // calls made, retried attempts included
	Estimated       int // of those, calls whose tokens were counted here: the endpoint gave none
	Cost            Cost
}

// Add returns the sum of two usages.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		InputTokens:     u.InputTokens + v.InputTokens,
		OutputTokens:    u.OutputTokens + v.OutputTokens,
		CachedTokens:    u.CachedTokens + v.CachedTokens,
		ReasoningTokens: u.ReasoningTokens + v.ReasoningTokens,
		Calls:           u.Calls + v.Calls,
		Estimated:       u.Estimated + v.Estimated,
		Cost:            u.Cost.Add(v.Cost),
	}
}
