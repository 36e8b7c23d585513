package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/oklog/ulid/v2"
	"github.com/rs/zerolog"

	"bailiff/cmd/internal/audit"
	"bailiff/guard"
	"bailiff/judge"
	"bailiff/judge/model"
)

// Models opens a model by its slug for a tenant, named as the operator names it.
type Models interface {
	Open(slug, tenant string) (model.Model, error)
}

// Config holds what a Service needs. All members but the numbers are required.
type Config struct {
	Store  Store
	Judge  *judge.Judge
	Guard  *guard.Guard
	Models Models
	Audit  *audit.Log
	Hasher audit.Hasher
	Log    zerolog.Logger
	// Render makes the text of a result as callers see it.
	Render func(Done) (jsontext.Value, error)

	Concurrency       int           // evaluations at once; 0 takes 64
	RunConcurrency    int           // of those, of one run; 0 takes 16
	Runs              int           // runs worked in the background at once; 0 takes 8
	EvaluationTimeout time.Duration // 0 takes the judge's default
	Now               func() time.Time
}

// Origin is where a request comes from, for the audit log.
type Origin struct {
	RequestID  string
	TenantID   string
	TenantName string
	Actor      audit.Actor
}

// Causes for which a run's context ends.
var (
	errCancelled = errors.New("the run was cancelled")
	errStopping  = errors.New("the gateway stops")
)

// maxAttempts is how often a run is begun: one that takes the process down
// each time is given up.
const maxAttempts = 5

// Service works runs. It is safe for concurrent use.
type Service struct {
	cfg        Config
	slots      chan struct{} // evaluations, all
	background chan struct{} // evaluations of runs nobody waits for: some slots stay free for callers who do
	turns      chan struct{} // runs in the background

	ctx  context.Context //nolint:containedctx // the life of the workers, which no request's context bounds
	stop context.CancelCauseFunc
	work sync.WaitGroup

	mu       sync.Mutex
	live     map[string]*live
	draining bool
}

// NewService makes a Service. Close it when it is no longer used.
func NewService(ctx context.Context, cfg Config) *Service {
	cfg.Concurrency = orDefault(cfg.Concurrency, 64)
	cfg.RunConcurrency = min(orDefault(cfg.RunConcurrency, 16), cfg.Concurrency)
	cfg.Runs = orDefault(cfg.Runs, 8)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Service{
		cfg:        cfg,
		slots:      make(chan struct{}, cfg.Concurrency),
		background: make(chan struct{}, max(1, cfg.Concurrency*3/4)),
		turns:      make(chan struct{}, cfg.Runs),
		live:       map[string]*live{},
	}
	s.ctx, s.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	return s
}

func orDefault(n, fallback int) int {
	if n > 0 {
		return n
	}
	return fallback
}

// NewID makes an id; later ones are greater.
func NewID() string { return ulid.Make().String() }

// Create keeps a run and has it worked. Waiting says that the caller waits
// for it: it does not queue behind runs in the background. Errors are
// ErrAliasTaken, ErrDraining, audit.ErrUnavailable, or the store's.
func (s *Service) Create(ctx context.Context, o Origin, r Run, spec Spec, waiting bool) (Run, error) {
	r.ID, r.TenantID, r.KeyID, r.Status = NewID(), o.TenantID, o.Actor.KeyID, Queued
	r.CreatedAt, r.Total = s.cfg.Now().UTC(), spec.Total()
	r.Revision = s.cfg.Guard.Active().Revision()
	text, err := json.Marshal(spec)
	if err != nil {
		return Run{}, fmt.Errorf("encode the run: %w", err)
	}
	l, err := s.board(r, o)
	if err != nil {
		return Run{}, err
	}
	if err := s.keep(ctx, o, r, text); err != nil {
		s.land(r.ID, l)
		s.work.Done()
		return Run{}, err
	}
	go s.begin(r, spec, l, waiting)
	return r, nil
}

// keep writes a new run and its event, both or none.
func (s *Service) keep(ctx context.Context, o Origin, r Run, spec []byte) error {
	if err := s.cfg.Store.CreateRun(ctx, r, spec); err != nil {
		return err
	}
	err := s.cfg.Audit.Record(ctx, createdEvent(o, r))
	if err == nil {
		return nil
	}
	return errors.Join(err, s.cfg.Store.DeleteRun(context.WithoutCancel(ctx), r.TenantID, r.ID))
}

// Recover takes up the runs that an earlier process left.
func (s *Service) Recover(ctx context.Context) (int, error) {
	open, err := s.cfg.Store.OpenRuns(ctx)
	if err != nil {
		return 0, fmt.Errorf("look for unfinished runs: %w", err)
	}
	for _, r := range open {
		if err := s.take(ctx, r); err != nil {
			return 0, err
		}
	}
	return len(open), nil
}

// take has a kept run worked in the background unless it is already.
func (s *Service) take(ctx context.Context, r Run) error {
	text, err := s.cfg.Store.Spec(ctx, r.ID)
	if err != nil {
		return fmt.Errorf("read run %s: %w", r.ID, err)
	}
	var spec Spec
	if err := json.Unmarshal(text, &spec); err != nil {
		return fmt.Errorf("read run %s: %w", r.ID, err)
	}
	l, err := s.board(r, Origin{TenantID: r.TenantID, Actor: audit.Actor{KeyID: r.KeyID}})
	if errors.Is(err, errAboard) {
		return nil
	}
	if err != nil {
		return err
	}
	go s.begin(r, spec, l, false)
	return nil
}

// Cancel asks for the end of a run and gives the run as it then is. What is
// not worked yet becomes an error with the code cancelled.
func (s *Service) Cancel(ctx context.Context, tenantID, id string) (Run, error) {
	r, err := s.cfg.Store.Run(ctx, tenantID, id)
	if err != nil || r.Status.Done() {
		return r, err
	}
	if err := s.cfg.Store.CancelRun(ctx, tenantID, id, s.cfg.Now()); err != nil {
		return Run{}, err
	}
	if l := s.aboard(id); l != nil {
		l.cancel(errCancelled)
	}
	return s.cfg.Store.Run(ctx, tenantID, id)
}

// Delete ends a run and removes it with its results.
func (s *Service) Delete(ctx context.Context, o Origin, id string) error {
	r, err := s.cfg.Store.Run(ctx, o.TenantID, id)
	if err != nil {
		return err
	}
	if err := s.cfg.Audit.Record(ctx, deletedEvent(o, r)); err != nil {
		return err
	}
	if l := s.aboard(id); l != nil {
		l.cancel(errStopping) // nothing of it is kept any more
	}
	return s.cfg.Store.DeleteRun(ctx, o.TenantID, id)
}

// Wait returns when the run is over, at the latest after d or with ctx. The
// error is audit.ErrUnavailable when its results cannot be written.
func (s *Service) Wait(ctx context.Context, id string, d time.Duration) error {
	l := s.aboard(id)
	if l == nil {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	for {
		changed := l.changed()
		if err := l.trouble(); err != nil {
			return err
		}
		select {
		case <-l.over:
			return l.trouble()
		case <-changed:
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
}

// Changed gives a channel that is closed at the next result or at the end of a
// run that is worked here, nil when it is not.
func (s *Service) Changed(id string) <-chan struct{} {
	if l := s.aboard(id); l != nil {
		return l.changed()
	}
	return nil
}

// Load is how many runs wait or are worked, and how many evaluations run.
func (s *Service) Load() (runs, evaluations int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.live), len(s.slots)
}

// Drain takes no more runs and stops those in the background between two
// evaluations; what is being evaluated is finished. It returns when all have
// stopped or ctx ends, when what still runs is given up. Unfinished runs are
// taken up at the next start.
func (s *Service) Drain(ctx context.Context) error {
	s.mu.Lock()
	s.draining = true
	for _, l := range s.live {
		l.hold()
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		s.work.Wait()
		close(done)
	}()
	select {
	case <-done:
		s.stop(errStopping)
		return nil
	case <-ctx.Done():
		s.stop(errStopping)
		<-done
		return ctx.Err()
	}
}
