package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Problem is an error about a request, as RFC 9457 writes it. It never holds
// text that was submitted.
type Problem struct {
	Type      string       `json:"type"` // urn:bailiff:problem:<code>
	Title     string       `json:"title"`
	Status    int          `json:"status"`
	Detail    string       `json:"detail"`
	Instance  string       `json:"instance"`
	RequestID string       `json:"request_id"`
	Code      string       `json:"code"`
	Errors    []FieldError `json:"errors"`

	header http.Header // sent with the problem
}

// FieldError is one thing that is wrong with a body, with its JSON pointer
// (RFC 6901).
type FieldError struct {
	Pointer string `json:"pointer"`
	Code    string `json:"code"`
	Detail  string `json:"detail"`
}

func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// problemKinds is the one map of codes to HTTP.
var problemKinds = map[string]struct {
	status int
	title  string
}{
	"json_empty":            {http.StatusBadRequest, "The body is empty"},
	"json_bom":              {http.StatusBadRequest, "The body is not plain JSON"},
	"json_invalid":          {http.StatusBadRequest, "The body is not JSON"},
	"json_invalid_utf8":     {http.StatusBadRequest, "The body is not UTF-8"},
	"json_nul":              {http.StatusBadRequest, "The body holds a NUL character"},
	"json_duplicate_member": {http.StatusBadRequest, "A member is there twice"},
	"json_too_deep":         {http.StatusBadRequest, "The body is nested too deep"},
	"json_trailing_data":    {http.StatusBadRequest, "There is more after the JSON value"},
	"missing_field":         {http.StatusBadRequest, "Required members are missing"},
	"invalid_request":       {http.StatusBadRequest, "The request cannot be worked"},
	"unauthorized":          {http.StatusUnauthorized, "A key is needed"},
	"budget_exhausted":      {http.StatusPaymentRequired, "The budget is used up"},
	"forbidden":             {http.StatusForbidden, "The key may not do this"},
	"not_found":             {http.StatusNotFound, "There is no such thing"},
	"unknown_model":         {http.StatusNotFound, "The model is not known"},
	"unknown_collection":    {http.StatusNotFound, "The data collection is not known"},
	"method_not_allowed":    {http.StatusMethodNotAllowed, "The method is not allowed here"},
	"not_acceptable":        {http.StatusNotAcceptable, "The answer cannot be given in that form"},
	"alias_taken":           {http.StatusConflict, "The alias is taken"},
	"idempotency_conflict":  {http.StatusConflict, "The same request is still being worked"},
	"conflict":              {http.StatusConflict, "The state does not allow this"},
	"body_too_large":        {http.StatusRequestEntityTooLarge, "The body is too large"},
	"unsupported_media":     {http.StatusUnsupportedMediaType, "The body must be plain JSON"},
	"invalid_body":          {http.StatusUnprocessableEntity, "The body has mistakes"},
	"idempotency_reused":    {http.StatusUnprocessableEntity, "The idempotency key was used for another body"},
	"rate_limited":          {http.StatusTooManyRequests, "Too many requests"},
	"internal":              {http.StatusInternalServerError, "Something failed inside"},
	"unavailable":           {http.StatusServiceUnavailable, "The service cannot answer now"},
}

// NewProblem makes a problem of a known code.
func NewProblem(code, detail string, errs ...FieldError) *Problem {
	kind, known := problemKinds[code]
	if !known {
		kind, code = problemKinds["internal"], "internal"
	}
	return &Problem{
		Type: "urn:bailiff:problem:" + strings.ReplaceAll(code, "_", "-"), Title: kind.title, Status: kind.status,
		Detail: detail, Code: code, Errors: orEmpty(errs),
	}
}

// with adds a header to be sent.
func (p *Problem) with(name, value string) *Problem {
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Set(name, value)
	return p
}

// retryAfter adds Retry-After in whole seconds, at least 1.
func (p *Problem) retryAfter(seconds int) *Problem {
	return p.with("Retry-After", strconv.Itoa(max(1, seconds)))
}

// bodyProblem reports everything that is wrong with a body at once. Members
// that are missing, and values that no request may have, are 400 where the
// contract says so; all else is 422.
func bodyProblem(found []FieldError, badRequest ...string) *Problem {
	code := "invalid_body"
	if len(found) > 0 && !slices.ContainsFunc(found, func(e FieldError) bool { return !slices.Contains(badRequest, e.Code) }) {
		code = "invalid_request"
		if !slices.ContainsFunc(found, func(e FieldError) bool { return e.Code != codeMissing }) {
			code = "missing_field"
		}
	}
	details := make([]string, len(found))
	for i, e := range found {
		details[i] = e.Detail
	}
	return NewProblem(code, strings.Join(details, "; "), found...)
}
