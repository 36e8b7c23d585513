package api

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/registry"
	"bailiff/cmd/internal/run"
	"bailiff/cmd/internal/tenant"
	"bailiff/judge/model"
)

// Problem is one thing that is wrong with a request.
type Problem struct {
	Pointer string `json:"pointer"`
	Code    string `json:"code"`
	Detail  string `json:"detail"`
}

// refusal is an error with what the caller may know of it. The text of err is
// for the operator's log.
type refusal struct {
	status     int
	code       string // of the catalogue; the type is urn:bailiff:problem:<code with dashes>
	title      string
	detail     string
	problems   []Problem
	retryAfter int // seconds; 0 sends none
	err        error
}

func (r *refusal) Error() string {
	if r.err != nil {
		return r.code + ": " + r.err.Error()
	}
	return r.code
}

func (r *refusal) Unwrap() error { return r.err }

// problemBody is the answer to a refused request (RFC 9457).
type problemBody struct {
	Type      string    `json:"type"`
	Title     string    `json:"title"`
	Status    int       `json:"status"`
	Detail    string    `json:"detail"`
	Instance  string    `json:"instance"`
	RequestID string    `json:"request_id"`
	Code      string    `json:"code"`
	Errors    []Problem `json:"errors"`
}

func (r *refusal) body(requestID string) problemBody {
	problems := r.problems
	if problems == nil {
		problems = []Problem{}
	}
	return problemBody{
		Type: "urn:bailiff:problem:" + strings.ReplaceAll(r.code, "_", "-"), Title: r.title, Status: r.status, Detail: r.detail,
		Instance: "urn:bailiff:request:" + requestID, RequestID: requestID, Code: r.code, Errors: problems,
	}
}

// Refusals that need nothing of the request.
func notFound() *refusal {
	return &refusal{status: http.StatusNotFound, code: "not_found", title: "Not found", detail: "There is nothing here with this name, or not for this key."}
}

func methodNotAllowed() *refusal {
	return &refusal{status: http.StatusMethodNotAllowed, code: "method_not_allowed", title: "Method not allowed", detail: "This address does not take the request's method; see the header Allow."}
}

func unauthorized() *refusal {
	return &refusal{status: http.StatusUnauthorized, code: "unauthorized", title: "A valid key is needed", detail: "Send one header Authorization: Bearer <key> with a key that is neither expired nor revoked."}
}

func forbidden() *refusal {
	return &refusal{status: http.StatusForbidden, code: "forbidden", title: "The key may not do this", detail: "The role of this key does not allow the request; use a key with another role."}
}

func tooLarge(limit int) *refusal {
	return &refusal{status: http.StatusRequestEntityTooLarge, code: "body_too_large", title: "The body is too large", detail: "The body is larger than this endpoint takes (" + bytesText(limit) + ")."}
}

func unsupportedMedia(detail string) *refusal {
	return &refusal{status: http.StatusUnsupportedMediaType, code: "unsupported_media_type", title: "The body's form is not taken", detail: detail}
}

func unknownModel(pointers ...string) *refusal {
	r := &refusal{status: http.StatusNotFound, code: "model_unknown", title: "The model is not known", detail: "There is no model with this slug, or not for this tenant."}
	for _, p := range pointers {
		r.problems = append(r.problems, Problem{Pointer: p, Code: "model_unknown", Detail: "no model with this slug can be used"})
	}
	return r
}

func unknownRubric(problems ...Problem) *refusal {
	return &refusal{status: http.StatusNotFound, code: "rubric_unknown", title: "The rubric is not known", detail: "There is no registered rubric of this name and version, or not for this tenant.", problems: problems}
}

// refusalOf is the one map from errors to answers. What it does not know is an
// internal error, of which the caller learns nothing but the request id.
func refusalOf(err error) *refusal {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r
	}
	switch {
	case errors.Is(err, tenant.ErrBadKey):
		return unauthorized()
	case errors.Is(err, run.ErrNotFound), errors.Is(err, tenant.ErrNotFound), errors.Is(err, registry.ErrNotFound):
		return notFound()
	case errors.Is(err, model.ErrUnknownModel):
		return unknownModel()
	case errors.Is(err, run.ErrAliasTaken):
		return &refusal{status: http.StatusConflict, code: "alias_taken", title: "The alias is taken", detail: "Another run has this alias; choose another one, or delete that run.", problems: []Problem{{"/alias", "alias_taken", "another run has this alias"}}}
	case errors.Is(err, tenant.ErrConflict):
		return &refusal{status: http.StatusConflict, code: "name_taken", title: "The name is taken", detail: "There is one with this name already.", problems: []Problem{{"/name", "name_taken", "there is one with this name already"}}}
	case errors.Is(err, audit.ErrUnavailable):
		return &refusal{status: http.StatusServiceUnavailable, code: "audit_unavailable", title: "The audit log cannot be written", detail: "Nothing is answered that cannot be recorded. Try again; if it stays so, tell the operator.", retryAfter: 5, err: err}
	case errors.Is(err, run.ErrDraining):
		return &refusal{status: http.StatusServiceUnavailable, code: "draining", title: "The gateway is going down", detail: "Try again; another gateway, or this one restarted, takes the request.", retryAfter: 2, err: err}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &refusal{status: http.StatusServiceUnavailable, code: "timeout", title: "The request took too long", detail: "The request was given up. Try again.", retryAfter: 1, err: err}
	}
	return &refusal{status: http.StatusInternalServerError, code: "internal", title: "The gateway failed", detail: "The request could not be worked. The operator finds the details by the request id.", err: err}
}

func overloaded() *refusal {
	return &refusal{status: http.StatusServiceUnavailable, code: "overloaded", title: "Too many requests at once", detail: "The gateway works as many requests as it can. Try again in a moment.", retryAfter: 1}
}
