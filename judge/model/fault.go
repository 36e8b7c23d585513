package model

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
)

// Pauses between attempts when the endpoint does not say how long.
const (
	firstPause = 500 * time.Millisecond
	mostPause  = 8 * time.Second
)

// fault is an exchange that gave no answer: what it is to the caller, and what
// is to be done about it.
type fault struct {
	out Error

	again  bool          // another attempt may help
	broken bool          // the endpoint is to blame
	pause  time.Duration // before another attempt
	billed bool          // it may have been billed all the same
}

func (f *fault) Error() string { return f.out.Error() }

func isFault(err error) bool {
	_, ok := err.(*fault) //nolint:errorlint // the policies pass it on as it is
	return ok
}

func faultIn(err error) *fault {
	f, ok := err.(*fault) //nolint:errorlint // the policies pass it on as it is
	if !ok {
		return &fault{}
	}
	return f
}

// errCallTimeout is the cause of a context that ended by the model's own timeout.
var errCallTimeout = errors.New("the model did not answer in time")

// faultOf classifies an exchange; nil when an answer came.
func faultOf(ctx context.Context, ex exchange, c complaint) *fault {
	switch {
	case ctx.Err() != nil && (ex.status == 0 || ex.err != nil):
		return &fault{out: ended(ctx), broken: errors.Is(context.Cause(ctx), errCallTimeout), billed: true}
	case errors.Is(ex.err, errTooLarge):
		return &fault{out: Error{Code: CodeUnavailable, Detail: "the endpoint's response is larger than allowed"}, billed: true}
	case ex.status == 0:
		return connectionFault(ex.err)
	case ex.status >= 300:
		return statusFault(ex, c)
	case ex.err != nil:
		return &fault{out: Error{Code: CodeUnavailable, Detail: "the connection was lost within the answer"}, again: true, broken: true, billed: true}
	}
	return nil
}

// ended is the error of a call whose context ended while it waited.
func ended(ctx context.Context) Error {
	cause := context.Cause(ctx)
	if errors.Is(cause, errCallTimeout) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Error{Code: CodeTimeout, Detail: "the model did not answer within the deadline", Err: ctx.Err()}
	}
	return Error{Code: CodeCancelled, Detail: "the call was given up", Err: ctx.Err()}
}

// connectionFault is a request without a response. The cause is not passed on:
// its text holds addresses.
func connectionFault(err error) *fault {
	f := &fault{out: Error{Code: CodeUnavailable}, again: true, broken: true, billed: true}
	switch {
	case isTLS(err):
		f.out.Detail, f.again, f.billed = "the endpoint's certificate cannot be trusted or it does not speak TLS", false, false
	case isDial(err):
		f.out.Detail, f.billed = "the endpoint cannot be reached", false
	default:
		f.out.Detail = "the connection was lost before an answer came"
	}
	return f
}

func isTLS(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return true
	}
	_, ok := errors.AsType[tls.RecordHeaderError](err)
	return ok
}

func isDial(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return true
	}
	_, ok := errors.AsType[*net.DNSError](err)
	return ok
}

// statusFault is a response that is no answer.
func statusFault(ex exchange, c complaint) *fault {
	f := &fault{out: Error{Code: CodeUnavailable, Detail: "the endpoint answered HTTP " + strconv.Itoa(ex.status) + known(c)}}
	switch s := ex.status; {
	case s < 400:
		f.out.Detail = "the endpoint answered with a redirect, which is not followed; check its base URL"
	case c.filtered():
		f.out.Code, f.out.Detail = CodeRefused, "the endpoint's content filter refused the request"
	case s == 401, s == 402, s == 403, s == 407:
		f.out.Code = CodeAuth
	case s == 408, s == 409:
		f.again = true
	case s == 429:
		f.out.Code, f.again = CodeRateLimited, !c.exhausted()
	case s == 501, s == 505:
	case s >= 500:
		f.again, f.broken = true, true
	}
	f.pause = retryAfter(ex.header)
	return f
}

// statusIn is the status that a router gives within the body of a 200 when its
// own upstream failed: {"error": {"code": 502}}. 0 means that it gives none.
func statusIn(body []byte) int {
	const longest = 16 << 10 // no answer with a choice is looked through
	if len(body) > longest || !bytes.Contains(body, []byte(`"error"`)) || bytes.Contains(body, []byte(`"choices"`)) || !gjson.ValidBytes(body) {
		return 0
	}
	e := gjson.GetBytes(body, "error")
	if !e.IsObject() {
		return 0
	}
	if code := e.Get("code").Int(); code >= 400 && code <= 599 {
		return int(code)
	}
	return http.StatusBadGateway
}

// exhausted reports whether an account has no credit left: waiting does not
// bring it back.
func (c complaint) exhausted() bool {
	for _, code := range []string{c.code, c.kind} {
		switch code {
		case "insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance", "credits_exhausted":
			return true
		}
	}
	return false
}

// known is the error's code for an operator when it is one that vendors
// document; any other text of an endpoint stays out of errors.
func known(c complaint) string {
	for _, code := range []string{c.code, c.kind} {
		if slices.Contains([]string{
			"context_length_exceeded", "insufficient_quota", "invalid_api_key", "invalid_prompt", "model_not_found",
			"overloaded_error", "rate_limit_exceeded", "server_error", "string_above_max_length", "unsupported_parameter", "unsupported_value",
		}, code) {
			return " (" + code + ")"
		}
	}
	return ""
}

// retryAfter is what an endpoint asks to wait: seconds, milliseconds or a date;
// 0 when it does not say.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return bounded(ms / 1000)
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 {
		return bounded(s)
	}
	if at, err := http.ParseTime(v); err == nil {
		// A date has whole seconds and the clocks differ.
		return max(0, time.Until(at)) + time.Second/2
	}
	return 0
}

// bounded turns seconds into a duration; more than a day is a day.
func bounded(seconds float64) time.Duration {
	const day = 24 * 60 * 60
	return time.Duration(min(seconds, day) * float64(time.Second))
}

// backoff is the pause before attempt n+1, n from 1: it doubles, and half of it
// is random, so that many callers do not come back at once.
func backoff(n int) time.Duration {
	d := firstPause << min(max(n-1, 0), 10)
	d = min(d, mostPause)
	return d/2 + rand.N(d/2) //nolint:gosec // jitter needs no secret
}

// atLeast is a pause that somebody asked for with a little more, never less.
func atLeast(d time.Duration) time.Duration {
	return d + rand.N(d/10+20*time.Millisecond) //nolint:gosec // jitter needs no secret
}
