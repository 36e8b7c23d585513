package api

import (
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/tenant"
)

// auditEvents gives the events of the caller's tenant; an admin's are all.
func (a *API) auditEvents(c *call) error {
	q := c.query()
	f := audit.Filter{From: q.time("from"), To: q.time("to"), RunID: q.id("run_id")}
	f.Kind = audit.Kind(q.oneOf("type", texts(audit.Kinds())...))
	f.After = uint64(max(0, q.numberCursor(0)))
	limit := q.limit()
	if err := q.done(); err != nil {
		return err
	}
	if c.caller.Key.Role != tenant.Admin {
		f.Tenant = c.tenantID()
	}
	if a.cfg.Reader == nil {
		return &refusal{status: http.StatusNotFound, code: "audit_not_kept", title: "The audit log is not kept here", detail: "The gateway passes its audit log on and cannot read it back; ask the operator for it."}
	}
	f.Limit = limit + 1
	lines, err := a.cfg.Reader.Events(c.Request.Context(), f)
	if err != nil {
		return err
	}
	lines, more := page(lines, limit)
	list := listObject[jsontext.Value]{Data: noEvaluations(), HasMore: more}
	for _, l := range lines {
		list.Data = append(list.Data, l.Text)
	}
	if more {
		list.NextCursor = cursorOf(strconv.FormatUint(lines[len(lines)-1].Seq, 10))
	}
	return c.json(http.StatusOK, list)
}
