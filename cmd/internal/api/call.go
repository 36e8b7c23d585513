package api

import (
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json"
	"github.com/oklog/ulid/v2"
	"github.com/rs/zerolog"

	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/run"
	"bailiff/cmd/internal/tenant"
)

// call is one request on its way.
type call struct {
	*gin.Context
	api    *API
	id     string
	caller tenant.Caller // zero on routes without a key
	body   []byte
	served bool // the answer has begun
}

// origin is where the request comes from, for the audit log.
func (c *call) origin() run.Origin {
	return run.Origin{
		RequestID: c.id, TenantID: c.caller.Tenant.ID, TenantName: c.caller.Tenant.Name,
		Actor: audit.Actor{KeyID: c.caller.Key.ID, Role: string(c.caller.Key.Role), Addr: c.RemoteIP()},
	}
}

// event is an audit event of this request.
func (c *call) event(kind audit.Kind) audit.Event {
	o := c.origin()
	return audit.Event{Kind: kind, RequestID: o.RequestID, TenantID: o.TenantID, Actor: o.Actor}
}

func (c *call) record(e audit.Event) error { return c.api.cfg.Audit.Record(c.Request.Context(), e) }

func (c *call) log() *zerolog.Logger {
	l := c.api.cfg.Log.With().Str("request_id", c.id).Logger()
	return &l
}

// tenantID is the tenant that everything of this request is asked for with.
func (c *call) tenantID() string { return c.caller.Tenant.ID }

// pathID takes an id from the path. What is no id is not found.
func (c *call) pathID(name string) (string, error) {
	id := c.Param(name)
	if _, err := ulid.ParseStrict(id); err != nil {
		return "", notFound()
	}
	return id, nil
}

// json answers with a document.
func (c *call) json(status int, v any) error {
	body, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return err
	}
	c.send(status, "application/json", body)
	return nil
}

func (c *call) send(status int, contentType string, body []byte) {
	c.served = true
	c.Data(status, contentType, body)
}

// readBody takes the whole body before anything is read from it: only JSON in
// UTF-8 without a content coding, of at most limit bytes.
func (c *call) readBody(limit int) error {
	if err := checkMedia(c.Request.Header); err != nil {
		return err
	}
	if c.Request.ContentLength > int64(limit) {
		return c.refuseBody(limit)
	}
	body, err := io.ReadAll(io.LimitReader(c.Request.Body, int64(limit)+1))
	if err != nil {
		c.Header("Connection", "close")
		return &refusal{status: http.StatusBadRequest, code: "body_incomplete", title: "The body did not arrive", detail: "The body ended early or took too long.", err: err}
	}
	if len(body) > limit {
		return c.refuseBody(limit)
	}
	c.body = body
	return nil
}

// refuseBody ends the connection, so that the rest of the body is not read.
func (c *call) refuseBody(limit int) error {
	c.Header("Connection", "close")
	return tooLarge(limit)
}

func checkMedia(h http.Header) error {
	for _, coding := range h.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") {
			return unsupportedMedia("A body with a content coding is not taken; send it as it is.")
		}
	}
	types := h.Values("Content-Type")
	if len(types) != 1 {
		return unsupportedMedia("Send one header Content-Type: application/json.")
	}
	kind, params, err := mime.ParseMediaType(types[0])
	if err != nil || kind != "application/json" {
		return unsupportedMedia("Only application/json is taken.")
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return unsupportedMedia("Only UTF-8 is taken.")
	}
	return nil
}

// document reads the body strictly.
func (c *call) document() (node, *reader, error) {
	n, err := parseDocument(c.body)
	return n, &reader{}, err
}

// refuse answers with a problem.
func (c *call) refuse(r *refusal) {
	if r.retryAfter > 0 {
		c.Header("Retry-After", strconv.Itoa(r.retryAfter))
	}
	if r.status == http.StatusUnauthorized {
		c.Header("WWW-Authenticate", `Bearer realm="bailiff"`)
	}
	body, err := json.Marshal(r.body(c.id), json.Deterministic(true))
	if err != nil { // texts and numbers of our own always encode
		body = []byte("{}")
	}
	c.send(r.status, "application/problem+json", body)
}

func bytesText(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return strconv.Itoa(n>>20) + " MiB"
	case n >= 1<<10 && n%(1<<10) == 0:
		return strconv.Itoa(n>>10) + " KiB"
	}
	return strconv.Itoa(n) + " bytes"
}
