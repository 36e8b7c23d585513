package api

import (
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/oklog/ulid/v2"

	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/tenant"
)

// Bounds of a request id that is taken from the request.
const (
	minRequestID = 4
	maxRequestID = 128
)

// handler answers a call, or says why not.
type handler func(c *call) error

// serve is the frame around every handler: request id, recovery, a place among
// those being worked, the key, the body, the answer to errors, one log line.
func (a *API) serve(r route) gin.HandlerFunc {
	return func(g *gin.Context) {
		started := a.cfg.Now()
		c := &call{Context: g, api: a, id: requestID(g.Request.Header)}
		header := g.Writer.Header()
		header.Set("X-Request-Id", c.id)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "no-store")
		defer a.logLine(c, r, started)
		defer a.recovered(c)
		err := a.work(c, r)
		if err != nil {
			a.answer(c, r, refusalOf(err))
		}
	}
}

// requestID takes a sane id from the request, or makes one.
func requestID(h http.Header) string {
	given := h.Values("X-Request-Id")
	if len(given) == 1 && len(given[0]) >= minRequestID && len(given[0]) <= maxRequestID && !strings.ContainsFunc(given[0], notIDRune) {
		return given[0]
	}
	return ulid.Make().String()
}

func notIDRune(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-' || r == ':')
}

// work admits the caller, reads the body and has the route answer.
func (a *API) work(c *call, r route) error {
	if r.open {
		return r.handle(c)
	}
	select {
	case a.places <- struct{}{}:
		defer func() { <-a.places }()
	default:
		return overloaded()
	}
	var err error
	if c.caller, err = a.admit(c); err != nil {
		return err
	}
	if !c.caller.Key.Role.May(r.roles...) {
		return forbidden()
	}
	if r.limit != nil {
		if err := c.readBody(r.limit(a.cfg.Limits)); err != nil {
			return err
		}
	}
	return r.handle(c)
}

func (a *API) admit(c *call) (tenant.Caller, error) {
	given := c.Request.Header.Values("Authorization")
	if len(given) != 1 {
		return tenant.Caller{}, tenant.ErrBadKey
	}
	scheme, key, ok := strings.Cut(given[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return tenant.Caller{}, tenant.ErrBadKey
	}
	return a.cfg.Tenants.Admit(c.Request.Context(), strings.TrimSpace(key))
}

// answer tells the caller why there is nothing else, the operator what the
// caller must not see, and the audit log that a request was refused.
func (a *API) answer(c *call, r route, problem *refusal) {
	if kind, ok := refusedKind(r, problem); ok {
		e := c.event(kind)
		e.Status, e.Code = "refused", problem.code
		if err := c.record(e); err != nil {
			problem = refusalOf(err)
		}
	}
	if problem.status >= http.StatusInternalServerError {
		c.log().Error().Err(problem.err).Str("component", "api").Str("code", problem.code).Msg("a request could not be worked")
	}
	if c.served || c.Writer.Written() {
		c.Abort() // the answer has begun: it can only be broken off
		return
	}
	c.refuse(problem)
}

// refusedKind is the audit event of a refusal. An id that is not found is
// recorded as denied: it may be another tenant's.
func refusedKind(r route, problem *refusal) (audit.Kind, bool) {
	switch {
	case r.open:
		return "", false
	case problem.status == http.StatusUnauthorized:
		return audit.AuthFailed, true
	case problem.status == http.StatusForbidden:
		return audit.AuthzDenied, true
	case problem.status == http.StatusNotFound && strings.Contains(r.path, "/:"):
		return audit.AuthzDenied, true
	case problem.status < http.StatusInternalServerError:
		return audit.RequestRefused, true
	}
	return "", false
}

// recovered turns a panic into an internal error. Its value is not logged: it
// may hold what a tenant sent.
func (a *API) recovered(c *call) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler { //nolint:errorlint // the very value that net/http looks for
		panic(v)
	}
	_, stack, _ := strings.Cut(string(debug.Stack()), "\n") // the first line names the goroutine
	c.log().Error().Str("component", "api").Type("value", v).Str("stack", stack).Msg("a handler broke")
	if !c.served && !c.Writer.Written() {
		c.refuse(refusalOf(nil))
	}
}

// logLine writes the one line of the service log for a request. It names the
// route, never the address as it was sent.
func (a *API) logLine(c *call, r route, started time.Time) {
	status := c.Writer.Status()
	e := a.cfg.Log.Info()
	if r.open {
		e = a.cfg.Log.Debug()
	}
	e.Str("component", "api").Str("request_id", c.id).Str("tenant_id", c.caller.Tenant.ID).Str("method", r.method).Str("route", r.path).
		Int("status", status).Dur("duration_ms", a.cfg.Now().Sub(started)).Msg("request")
}
