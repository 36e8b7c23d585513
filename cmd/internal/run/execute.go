package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"bailiff/cmd/internal/tenant"
	"bailiff/guard"
	"bailiff/judge"
	"bailiff/judge/model"
)

// retryAfter is the pause after results could not be written.
const retryAfter = 2 * time.Second

// errHeld says that a run was stopped between two evaluations.
var errHeld = errors.New("the run is held")

// begin works a run to its end, or until the service stops.
func (s *Service) begin(r Run, spec Spec, l *live, waiting bool) {
	defer s.work.Done()
	defer s.land(r.ID, l)
	if !waiting {
		select {
		case s.turns <- struct{}{}:
			defer func() { <-s.turns }()
		case <-l.ctx.Done(): // cancelled: it takes no time
		case <-l.held:
			return
		}
	}
	for {
		err := s.execute(r, spec, l, waiting)
		switch {
		case err == nil, errors.Is(err, ErrNotFound), errors.Is(err, errHeld), context.Cause(l.ctx) == errStopping: //nolint:errorlint // the very cause that was set
			return
		}
		s.cfg.Log.Error().Err(err).Str("component", "run").Str("run_id", r.ID).Msg("a run is held up and will be tried again")
		l.setTrouble(err)
		select {
		case <-time.After(retryAfter):
		case <-l.held:
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// execute works what a run still lacks and ends it: the one way in which the
// results of a run come to be, whether somebody waits for it or not.
func (s *Service) execute(r Run, spec Spec, l *live, waiting bool) error {
	ctx := context.WithoutCancel(l.ctx)
	policy := s.cfg.Guard.Active()
	r, err := s.cfg.Store.StartRun(ctx, r.ID, policy.Revision(), s.cfg.Now())
	if err != nil || r.Status.Done() {
		return err
	}
	if r.CancelAt != nil {
		l.cancel(errCancelled)
	}
	if r.Attempts > maxAttempts && l.trouble() == nil {
		return s.finish(ctx, r, l, Failed)
	}
	if r.Revision != policy.Revision() {
		policy = nil // the revision that the run is pinned to is gone; another one must not decide the rest
	}
	have, err := s.cfg.Store.Positions(ctx, r.ID)
	if err != nil {
		return err
	}
	if err := s.evaluateAll(l, worker{service: s, run: r, live: l, policy: policy, tenantData: spec.TenantData, waiting: waiting}, spec, have); err != nil {
		return err
	}
	return s.finish(ctx, r, l, "")
}

// evaluateAll works the tasks that have no result yet, some at a time, and
// stops at the first result that cannot be kept.
func (s *Service) evaluateAll(l *live, w worker, spec Spec, have map[int]bool) error {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		first error
	)
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if first == nil {
			first = err
		}
	}
	failed := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return first != nil
	}
	tickets := make(chan struct{}, s.cfg.RunConcurrency)
	for task := range spec.Tasks {
		if have[task.Position] {
			continue
		}
		tickets <- struct{}{}
		if failed() {
			break
		}
		if l.isHeld() {
			fail(errHeld)
			break
		}
		group.Go(func() {
			defer func() { <-tickets }()
			if err := w.do(task); err != nil {
				fail(err)
			}
		})
	}
	group.Wait()
	return first
}

// finish ends a run by what its results say.
func (s *Service) finish(ctx context.Context, r Run, l *live, status Status) error {
	totals, err := s.cfg.Store.Totals(ctx, r.TenantID, r.ID)
	if err != nil {
		return err
	}
	if status == "" {
		status = statusOf(l, totals.All())
	}
	if err := s.cfg.Audit.Record(ctx, finishedEvent(l.origin, r, status, totals)); err != nil {
		return err
	}
	_, err = s.cfg.Store.FinishRun(ctx, r.ID, status, s.cfg.Now())
	return err
}

func statusOf(l *live, sum KeyTotals) Status {
	switch {
	case context.Cause(l.ctx) == errCancelled && sum.Errors > 0: //nolint:errorlint // the very cause that was set
		return Cancelled
	case sum.Errors > 0:
		return CompletedWithErrors
	}
	return Completed
}

// worker works tasks of one run.
type worker struct {
	service    *Service
	run        Run
	live       *live
	policy     *guard.Policy
	tenantData map[string]any
	waiting    bool
}

// do evaluates a task and keeps its result.
func (w worker) do(t Task) error {
	s, ctx := w.service, w.live.ctx
	free, err := s.slot(ctx, w.waiting)
	if err != nil {
		return err
	}
	defer free()
	d := Done{Task: t, ID: NewID(), RunID: w.run.ID, TenantID: w.run.TenantID}
	d.Outcome = s.evaluate(ctx, w.live.origin, w.policy, w.tenantData, t, s.cfg.EvaluationTimeout)
	if isStopped(ctx, d.Outcome) {
		return errHeld
	}
	return s.record(context.WithoutCancel(ctx), w.live, d)
}

// isStopped reports whether an outcome says only that the service stopped.
func isStopped(ctx context.Context, o judge.Outcome) bool {
	return context.Cause(ctx) == errStopping && o.Fault != nil && o.Fault.Code == model.CodeCancelled //nolint:errorlint // the very cause that was set
}

// slot takes a place among the evaluations; free gives it back. A cancelled
// run needs none: its evaluations end at once.
func (s *Service) slot(ctx context.Context, waiting bool) (free func(), err error) {
	if !waiting {
		select {
		case s.background <- struct{}{}:
		case <-ctx.Done():
			return func() {}, stoppedError(ctx)
		}
	}
	release := func() {
		if !waiting {
			<-s.background
		}
	}
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots; release() }, nil
	case <-ctx.Done():
		release()
		return func() {}, stoppedError(ctx)
	}
}

func stoppedError(ctx context.Context) error {
	if context.Cause(ctx) == errStopping { //nolint:errorlint // the very cause that was set
		return errHeld
	}
	return nil
}

// evaluate judges a task. A model that cannot be opened any more, and a panic
// outside the judge, are errors of this evaluation alone.
func (s *Service) evaluate(ctx context.Context, o Origin, policy *guard.Policy, data map[string]any, t Task, timeout time.Duration) (out judge.Outcome) {
	started := s.cfg.Now()
	defer func() {
		if v := recover(); v != nil {
			s.cfg.Log.Error().Str("component", "run").Type("value", v).Bytes("stack", debug.Stack()).Msg("an evaluation broke")
			out = broken(t, started, s.cfg.Now())
		}
	}()
	m, err := s.cfg.Models.Open(t.Metric.Model, o.TenantName)
	if err != nil {
		return unopened(t, started, s.cfg.Now())
	}
	return s.cfg.Judge.Evaluate(ctx, judge.Request{
		Tenant: o.TenantID, TenantData: tenant.PolicyFacts(data, t.Metric.Rubric != ""), Policy: policy,
		Metric: t.Metric.Metric, Args: t.Metric.Args, Record: t.Record.Judged, Threshold: t.Metric.Threshold,
		Model: m, Timeout: timeout,
	})
}

// record writes the event of a result, then the result: nobody sees one that
// is not in the audit log.
func (s *Service) record(ctx context.Context, l *live, d Done) error {
	body, err := s.cfg.Render(d)
	if err != nil {
		return fmt.Errorf("render a result: %w", err)
	}
	if err := s.cfg.Audit.Record(ctx, s.decidedEvent(l.origin, d)); err != nil {
		return err
	}
	added, err := s.cfg.Store.AddResult(ctx, Result{
		ID: d.ID, RunID: d.RunID, TenantID: d.TenantID, Position: d.Position, Index: d.Index, RecordID: d.Record.Judged.ID,
		Key: d.Metric.Key, Status: string(d.Outcome.Status), Score: d.Outcome.Score, Passed: d.Outcome.Passed, Usage: d.Outcome.Usage, Body: body,
	})
	if err != nil {
		return fmt.Errorf("keep a result: %w", err)
	}
	if l.trouble() != nil {
		l.setTrouble(nil)
	}
	if added {
		l.notify()
	}
	return nil
}

// One works a task that belongs to no run, for a caller who waits. The error
// is audit.ErrUnavailable or ErrDraining.
func (s *Service) One(ctx context.Context, o Origin, data map[string]any, t Task, timeout time.Duration) (Done, error) {
	s.mu.Lock()
	if s.draining {
		s.mu.Unlock()
		return Done{}, ErrDraining
	}
	s.work.Add(1)
	s.mu.Unlock()
	defer s.work.Done()
	if d := s.cfg.EvaluationTimeout; d > 0 && (timeout <= 0 || d < timeout) {
		timeout = d
	}
	deadline := s.cfg.Now().Add(timeout)
	waiting, cancel := context.WithTimeout(ctx, timeout)
	free, err := s.slot(waiting, true)
	cancel()
	if err != nil {
		return Done{}, err
	}
	defer free()
	d := Done{Task: t, ID: NewID(), TenantID: o.TenantID}
	d.Outcome = s.evaluate(ctx, o, s.cfg.Guard.Active(), data, t, max(deadline.Sub(s.cfg.Now()), time.Millisecond))
	return d, s.cfg.Audit.Record(ctx, s.decidedEvent(o, d))
}

// unopened is the outcome of a model that is not configured any more.
func unopened(t Task, started, now time.Time) judge.Outcome {
	return errorOutcome(t, started, now, guard.Fault{
		Stage: "score", Code: model.CodeUnavailable,
		Message: "The model of this evaluation is no longer configured for the tenant, so there is no score. Choose another model, or tell the operator.",
	})
}

// broken is the outcome of a fault in the gateway itself.
func broken(t Task, started, now time.Time) judge.Outcome {
	return errorOutcome(t, started, now, guard.Fault{
		Stage: "policy", Code: "policy_unavailable",
		Message: "The gateway failed while it worked this record, so nothing was scored. The operator's log has the details.",
	})
}

func errorOutcome(t Task, started, now time.Time, f guard.Fault) judge.Outcome {
	return judge.Outcome{
		Metric: t.Metric.Metric, Status: judge.Errored, Threshold: t.Metric.Threshold, Explanation: f.Message, Fault: &f,
		Stages: []guard.Stage{}, Started: started, Finished: now, Model: t.Metric.Model,
	}
}
