package api

import (
	"net/http"

	"bailiff/cmd/internal/tenant"
)

// route is one address with who may use it.
type route struct {
	method string
	path   string
	handle handler
	open   bool             // needs no key
	roles  []tenant.Role    // who may, besides admins
	limit  func(Limits) int // bound of the body; nil takes none
}

// Bounds of bodies.
func runBody(l Limits) int   { return l.RunBody }
func otherBody(l Limits) int { return l.Body }

// routes lists every route there is.
func (a *API) routes() []route {
	const get, post, patch, del = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete
	judges := []tenant.Role{tenant.Evaluate}
	authors := []tenant.Role{tenant.Evaluate, tenant.Policy}
	auditors := []tenant.Role{tenant.Audit}
	return []route{
		{method: post, path: "/v1/runs/custom", handle: a.createRun, roles: judges, limit: runBody},
		{method: post, path: "/runs/custom", handle: a.createRun, roles: judges, limit: runBody},
		{method: post, path: "/api/v1/runs/custom", handle: a.createRun, roles: judges, limit: runBody},
		{method: get, path: "/v1/runs", handle: a.listRuns, roles: judges},
		{method: get, path: "/v1/runs/:id", handle: a.getRun, roles: judges},
		{method: del, path: "/v1/runs/:id", handle: a.deleteRun, roles: judges},
		{method: get, path: "/v1/runs/:id/evaluations", handle: a.listEvaluations, roles: judges},
		{method: get, path: "/v1/runs/:id/events", handle: a.streamRun, roles: judges},
		{method: post, path: "/v1/runs/:id/cancel", handle: a.cancelRun, roles: judges},

		{method: post, path: "/v1/evaluate", handle: a.evaluate, roles: judges, limit: otherBody},
		{method: post, path: "/evaluate", handle: a.evaluate, roles: judges, limit: otherBody},
		{method: post, path: "/api/geval", handle: a.geval, roles: judges, limit: otherBody},
		{method: post, path: "/v1/estimate", handle: a.estimate, roles: judges, limit: runBody},

		{method: post, path: "/v1/guard/scan", handle: a.scan, roles: authors, limit: otherBody},
		{method: post, path: "/v1/rubrics/validate", handle: a.validateRubric, roles: authors, limit: otherBody},
		{method: post, path: "/v1/rubrics/steps", handle: a.resolveSteps, roles: authors, limit: otherBody},
		{method: post, path: "/v1/rubrics", handle: a.registerRubric, roles: authors, limit: otherBody},
		{method: get, path: "/v1/rubrics", handle: a.listRubrics, roles: authors},
		{method: get, path: "/v1/rubrics/:name", handle: a.getRubric, roles: authors},
		{method: get, path: "/v1/policies", handle: a.policies, roles: authors},
		{method: get, path: "/v1/audit/events", handle: a.auditEvents, roles: auditors},

		{method: post, path: "/v1/admin/tenants", handle: a.createTenant, limit: otherBody},
		{method: get, path: "/v1/admin/tenants", handle: a.listTenants},
		{method: get, path: "/v1/admin/tenants/:id", handle: a.getTenant},
		{method: patch, path: "/v1/admin/tenants/:id", handle: a.changeTenant, limit: otherBody},
		{method: post, path: "/v1/admin/tenants/:id/keys", handle: a.createKey, limit: otherBody},
		{method: get, path: "/v1/admin/tenants/:id/keys", handle: a.listKeys},
		{method: del, path: "/v1/admin/tenants/:id/keys/:key_id", handle: a.revokeKey},

		{method: get, path: "/healthz", handle: a.healthz, open: true},
		{method: get, path: "/readyz", handle: a.readyz, open: true},
		{method: get, path: "/openapi.json", handle: a.openAPIDocument, open: true},
	}
}

// RouteInfo is what is known of a route from outside.
type RouteInfo struct {
	Method, Path string
	Open         bool // needs no key
}

// Routes lists every route, as the router writes paths.
func Routes() []RouteInfo {
	var list []RouteInfo
	for _, r := range new(API).routes() {
		list = append(list, RouteInfo{Method: r.method, Path: r.path, Open: r.open})
	}
	return list
}

// register hands the routes to the router. What can be got can be asked for
// with HEAD, and what is not there is a problem like any other.
func (a *API) register() {
	for _, r := range a.routes() {
		a.engine.Handle(r.method, r.path, a.serve(r))
		if r.method == http.MethodGet {
			a.engine.Handle(http.MethodHead, r.path, a.serve(r))
		}
	}
	nowhere := func(problem func() *refusal) route {
		return route{path: "none", open: true, handle: func(*call) error { return problem() }}
	}
	a.engine.NoRoute(a.serve(nowhere(notFound)))
	a.engine.NoMethod(a.serve(nowhere(methodNotAllowed)))
}
