package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/rs/zerolog"

	"bailiff/cmd/internal/api"
	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/config"
	"bailiff/cmd/internal/run"
	"bailiff/cmd/internal/store"
	"bailiff/cmd/internal/tenant"
	"bailiff/guard"
	"bailiff/judge"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// Bounds of a connection that no setting moves.
const (
	headerTimeout  = 5 * time.Second
	idleTimeout    = 2 * time.Minute
	answerTime     = 30 * time.Second // beyond what a blocking call may take
	maxHeaderBytes = 32 << 10
	sweepEvery     = time.Hour
)

// gateway is a running gateway.
type gateway struct {
	// madeKey is the secret of an admin key that was made now, "" when there
	// was one or the operator chose it. It cannot be had again.
	madeKey string

	cfg     config.Config
	address string // host:port
	log     zerolog.Logger
	db      *store.DB
	audit   *audit.Log
	reader  audit.Reader
	catalog *model.Catalog
	guard   *guard.Guard
	runs    *run.Service
	api     *api.API
	server  *http.Server
	failed  chan error // how serving ended
	since   time.Time
	stop    context.CancelFunc // of the upkeep
}

// startGateway opens everything, takes up unfinished runs and listens. The
// caller drains it. Its log goes to std.err.
func startGateway(ctx context.Context, cfg config.Config, std *stdio) (g *gateway, err error) {
	g = &gateway{cfg: cfg, log: newLogger(std, cfg), failed: make(chan error, 1), since: time.Now()}
	defer func() {
		if err != nil {
			err = errors.Join(err, g.release())
		}
	}()
	policy, err := compilePolicies(ctx, cfg.Policies)
	if err != nil {
		return g, err
	}
	if g.db, err = store.Open(ctx, cfg.Store); err != nil {
		return g, failedError(err)
	}
	if err := g.openAudit(ctx); err != nil {
		return g, failedError(err)
	}
	if g.catalog, err = newCatalog(cfg); err != nil {
		return g, err
	}
	if err := g.assemble(ctx, policy); err != nil {
		return g, failedError(err)
	}
	if n, err := g.runs.Recover(ctx); err != nil {
		return g, failedError(err)
	} else if n > 0 {
		g.log.Info().Str("component", "run").Int("runs", n).Msg("unfinished runs are taken up")
	}
	return g, g.listen(ctx)
}

// openAudit opens the sink that the configuration names.
func (g *gateway) openAudit(ctx context.Context) error {
	name := gatewayName()
	var sink audit.Sink
	switch path, isFile := strings.CutPrefix(g.cfg.Audit, "file:"); {
	case isFile:
		file, err := audit.OpenFile(path)
		if err != nil {
			return err
		}
		if file.Torn {
			g.log.Warn().Str("component", "audit").Msg("the audit log ended in the middle of a line; the line was closed and the chain goes on")
		}
		sink, g.reader = file, audit.FileReader{Path: path}
	case g.cfg.Audit == "store":
		kept, err := g.db.AuditSink(ctx, name)
		if err != nil {
			return err
		}
		sink, g.reader = kept, g.db
	default:
		sink = audit.Stream{W: os.Stdout}
	}
	log, err := audit.Open(audit.Config{Sink: sink, Gateway: name, Failed: func(err error) {
		g.log.Error().Err(err).Str("component", "audit").Msg("audit events could not be written; nothing is answered until they can")
	}})
	if err != nil {
		return errors.Join(err, sink.Close())
	}
	g.audit = log
	return nil
}

// gatewayName names this process's chain of audit events.
func gatewayName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "gateway"
	}
	return name
}

// assemble joins the parts and sees to the first key.
func (g *gateway) assemble(ctx context.Context, policy *guard.Policy) error {
	tenants, err := tenant.NewRegistry(ctx, g.db, nil)
	if err != nil {
		return err
	}
	pepper, err := g.db.Pepper(ctx)
	if err != nil {
		return err
	}
	if err := g.bootstrap(ctx, tenants, policy); err != nil {
		return err
	}
	active := guard.New(policy)
	g.guard = active
	judges := judge.New(judge.Config{
		Resolver: rubric.NewResolver(rubric.Config{Cache: g.db, CacheFailed: func(_ context.Context, op string, err error) {
			g.log.Warn().Err(err).Str("component", "rubric").Str("operation", op).Msg("the cache of worked definitions failed")
		}}),
		Panicked: func(stage string, value any, _ []byte) {
			g.log.Error().Str("component", "judge").Str("stage", stage).Type("value", value).Msg("an evaluation broke")
		},
	})
	g.runs = run.NewService(ctx, run.Config{
		Store: g.db, Judge: judges, Guard: active, Models: g.catalog, Audit: g.audit, Hasher: audit.NewHasher(pepper), Log: g.log, Render: api.Render,
		Concurrency: g.cfg.Concurrency, RunConcurrency: g.cfg.RunConcurrency, Runs: g.cfg.Runs, EvaluationTimeout: g.cfg.EvaluationTimeout,
	})
	l := g.cfg.Limits
	g.api, err = api.New(api.Config{
		Tenants: tenants, Store: g.db, Runs: g.runs, RunStore: g.db, Claims: g.db, Registry: g.db, Judge: judges, Guard: active, Models: g.catalog, Audit: g.audit, Reader: g.reader, Log: g.log,
		PolicyFiles: policyFS(g.cfg.Policies), PolicySince: g.since, DefaultModel: g.cfg.Model, BlockingTimeout: g.cfg.BlockingTimeout, Requests: g.cfg.Requests, Ready: g.ready,
		Limits: api.Limits{RunBody: l.RunBody, Body: l.Body, Definition: l.Definition, Field: l.Field, Rows: l.Rows, Metrics: l.Metrics, Evaluations: l.Evaluations},
	})
	return err
}

// bootstrap makes the first tenant and key and writes how the gateway begins.
func (g *gateway) bootstrap(ctx context.Context, tenants *tenant.Registry, policy *guard.Policy) error {
	key, made, err := tenants.Bootstrap(ctx, string(g.cfg.BootstrapKey))
	if err != nil {
		return err
	}
	g.madeKey = made
	after, err := json.Marshal(map[string]string{"model": g.cfg.Model, "store": kindOf(g.cfg.Store), "audit": kindOf(g.cfg.Audit), "version": version}, json.Deterministic(true))
	if err != nil {
		return err
	}
	events := []audit.Event{
		{Kind: audit.ServiceStarted, After: after},
		{Kind: audit.PolicyActivated, PolicyRevision: policy.Revision()},
	}
	if key.ID != "" {
		events = append(events, audit.Event{Kind: audit.KeyCreated, TenantID: key.TenantID, Actor: audit.Actor{KeyID: key.ID, Role: string(key.Role)}})
	}
	return g.audit.Record(ctx, events...)
}

// kindOf is what stands before the colon of a location: paths stay out of
// events.
func kindOf(location string) string {
	kind, _, _ := strings.Cut(location, ":")
	return kind
}

// ready says what keeps the gateway from working.
func (g *gateway) ready(ctx context.Context) map[string]string {
	problems := map[string]string{}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if err := g.db.Ping(ctx); err != nil {
		g.log.Error().Err(err).Str("component", "store").Msg("the store does not answer")
		problems["store"] = "does not answer"
	}
	return problems
}

// listen takes the address and begins to answer.
func (g *gateway) listen(ctx context.Context) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", g.cfg.Addr)
	if err != nil {
		return failedError(fmt.Errorf("listen on %s: %w", g.cfg.Addr, err))
	}
	g.address = listener.Addr().String()
	g.server = &http.Server{
		Handler:           g.api,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       g.cfg.ReadTimeout,
		WriteTimeout:      g.cfg.ReadTimeout + g.cfg.BlockingTimeout + answerTime,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          quietLog(g.log),
	}
	upkeep, stop := context.WithCancel(context.WithoutCancel(ctx))
	g.stop = stop
	go g.sweep(upkeep)
	go g.rechecker().Run(upkeep)
	go func() { g.failed <- g.server.Serve(listener) }()
	return nil
}

// sweep removes what has expired, now and then.
func (g *gateway) sweep(ctx context.Context) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := g.db.Sweep(ctx, time.Now()); err != nil {
				g.log.Warn().Err(err).Str("component", "store").Msg("expired entries could not be removed")
			}
		}
	}
}

// url is the base address.
func (g *gateway) url() string { return "http://" + g.address }

// drain takes no more requests, finishes what is being worked within the time
// for draining, and leaves the rest for the next start.
func (g *gateway) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), g.cfg.DrainTimeout)
	defer cancel()
	g.api.Drain()
	drained := make(chan error, 1)
	go func() { drained <- g.runs.Drain(ctx) }()
	err := g.server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		g.log.Warn().Str("component", "api").Msg("the time for draining is over; open requests are broken off")
		err = g.server.Close()
	}
	if late := <-drained; late != nil {
		g.log.Warn().Str("component", "run").Msg("the time for draining is over; unfinished runs go on at the next start")
	}
	return errors.Join(err, g.audit.Record(ctx, audit.Event{Kind: audit.ServiceStopped}), g.release())
}

// release closes what was opened.
func (g *gateway) release() error {
	if g.stop != nil {
		g.stop()
	}
	if g.catalog != nil {
		g.catalog.Close()
	}
	var errs []error
	if g.audit != nil {
		errs = append(errs, g.audit.Close())
	}
	if g.db != nil {
		errs = append(errs, g.db.Close())
	}
	return errors.Join(errs...)
}
