package api

import (
	"errors"
	"net/http"

	"github.com/go-json-experiment/json"

	"bailiff/cmd/internal/run"
	"bailiff/judge"
)

// createRun answers with the run: finished when the caller waits for it and
// it takes no longer than a blocking call may, else as it then is.
func (a *API) createRun(c *call) error {
	req, err := a.readRunRequest(c)
	if err != nil {
		return err
	}
	return a.once(c, "runs", func() (run.Reply, error) { return a.startRun(c, req) })
}

// readRunRequest checks a run's body and that its models can be used.
func (a *API) readRunRequest(c *call) (runRequest, error) {
	n, r, err := c.document()
	if err != nil {
		return runRequest{}, err
	}
	b := &bodyReader{reader: r, limits: a.cfg.Limits}
	req, err := b.readRun(n, a.defaults(c))
	if err != nil {
		return runRequest{}, err
	}
	req.models = append(req.models, modelUse{slug: req.model})
	req.spec.TenantData = c.caller.Tenant.Settings.PolicyData
	if err := a.checkModels(c, req.models); err != nil {
		return req, err
	}
	return req, a.findRubrics(c, req.rubrics, req.spec.AllMetrics())
}

// defaults are what a request inherits.
func (a *API) defaults(c *call) scope {
	d := scope{threshold: judge.DefaultThreshold, model: a.cfg.DefaultModel}
	if m := c.caller.Tenant.Settings.Model; m != "" {
		d.model = m
	}
	return d
}

// checkModels reports every slug that cannot be used.
func (a *API) checkModels(c *call, uses []modelUse) error {
	checked := map[string]bool{}
	var bad []string
	missing := false
	for _, u := range uses {
		ok, seen := checked[u.slug]
		if !seen {
			_, err := a.cfg.Models.Open(u.slug, c.caller.Tenant.Name)
			ok = err == nil && c.caller.Tenant.Settings.Allows(u.slug)
			checked[u.slug] = ok
		}
		if !ok {
			missing = true
			if u.pointer != "" {
				bad = append(bad, u.pointer)
			}
		}
	}
	if missing {
		return unknownModel(bad...)
	}
	return nil
}

// startRun makes the run and waits for it when the caller does.
func (a *API) startRun(c *call, req runRequest) (run.Reply, error) {
	ctx := c.Request.Context()
	r, err := a.cfg.Runs.Create(ctx, c.origin(), run.Run{Alias: req.alias, Threshold: req.threshold, Model: req.model, Metrics: req.metrics}, req.spec, req.blocking)
	if err != nil {
		return run.Reply{}, err
	}
	if req.blocking {
		if err := a.cfg.Runs.Wait(ctx, r.ID, a.cfg.BlockingTimeout); err != nil {
			return run.Reply{}, err
		}
	}
	o, err := a.run(c, r.ID, true)
	if err != nil {
		return run.Reply{}, err
	}
	body, err := json.Marshal(o, json.Deterministic(true))
	return run.Reply{Status: http.StatusCreated, Location: "/v1/runs/" + r.ID, Body: body}, err
}

// run reads a run of the caller's tenant, with its evaluations when asked for.
func (a *API) run(c *call, id string, whole bool) (runObject, error) {
	ctx := c.Request.Context()
	r, err := a.cfg.RunStore.Run(ctx, c.tenantID(), id)
	if err != nil {
		return runObject{}, err
	}
	o, err := a.withTotals(c, r)
	if err != nil || !whole {
		return o, err
	}
	results, err := a.cfg.RunStore.Results(ctx, c.tenantID(), id, run.ResultFilter{After: -1})
	for _, res := range results {
		o.Evaluations = append(o.Evaluations, res.Body)
	}
	if o.Evaluations == nil {
		o.Evaluations = noEvaluations()
	}
	return o, err
}

func (a *API) withTotals(c *call, r run.Run) (runObject, error) {
	t, err := a.cfg.RunStore.Totals(c.Request.Context(), c.tenantID(), r.ID)
	if err != nil {
		return runObject{}, err
	}
	return runOf(r, t), nil
}

// getRun gives the same object that creating the run gave.
func (a *API) getRun(c *call) error {
	id, err := c.pathID("id")
	if err != nil {
		return err
	}
	o, err := a.run(c, id, true)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, o)
}

// cancelRun asks for the end of a run. A run that is over stays as it is.
func (a *API) cancelRun(c *call) error {
	id, err := c.pathID("id")
	if err != nil {
		return err
	}
	if _, err := a.cfg.Runs.Cancel(c.Request.Context(), c.tenantID(), id); err != nil {
		return err
	}
	o, err := a.run(c, id, true)
	if err != nil {
		return err
	}
	return c.json(http.StatusAccepted, o)
}

// deleteRun removes a run and its results. What is still worked is given up.
func (a *API) deleteRun(c *call) error {
	id, err := c.pathID("id")
	if err != nil {
		return err
	}
	if err := a.cfg.Runs.Delete(c.Request.Context(), c.origin(), id); err != nil {
		return err
	}
	c.served = true
	c.Status(http.StatusNoContent)
	c.Writer.WriteHeaderNow()
	return nil
}

// listRuns gives the tenant's runs, newest first.
func (a *API) listRuns(c *call) error {
	q := c.query()
	f := run.ListFilter{Limit: q.limit() + 1, Before: q.idCursor(), Alias: q.text("alias")}
	f.Status = run.Status(q.oneOf("status", texts(run.Statuses())...))
	if err := q.done(); err != nil {
		return err
	}
	runs, err := a.cfg.RunStore.Runs(c.Request.Context(), c.tenantID(), f)
	if err != nil {
		return err
	}
	runs, more := page(runs, f.Limit-1)
	list := listObject[runObject]{Data: []runObject{}, HasMore: more}
	for _, r := range runs {
		o, err := a.withTotals(c, r)
		if err != nil {
			return err
		}
		list.Data = append(list.Data, o)
	}
	if more {
		list.NextCursor = cursorOf(runs[len(runs)-1].ID)
	}
	return c.json(http.StatusOK, list)
}

// errBroken says that an answer that has begun cannot be finished.
var errBroken = errors.New("the answer broke off")
