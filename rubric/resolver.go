package rubric

import (
	"context"
	"slices"
	"time"

	"bailiff/guard"
)

// Defaults of a Resolver.
const (
	DefaultTimeout     = 120 * time.Second
	DefaultTTL         = 30 * 24 * time.Hour
	DefaultNegativeTTL = 5 * time.Minute
	DefaultMemoryBytes = 64 << 20
)

// Config holds what a Resolver needs. The zero value works: entries are then
// kept in memory alone.
type Config struct {
	// Cache is a store behind the memory, shared by processes; nil for none.
	// What comes out of it is checked again before it is used.
	Cache Cache
	// Now is the clock; nil takes time.Now.
	Now func() time.Time
	// Timeout bounds the work on one definition, however many callers wait
	// for it; 0 takes DefaultTimeout.
	Timeout time.Duration
	// TTL is how long a usable rubric is kept, NegativeTTL how long a
	// rejection is; 0 takes the defaults. Faults are never kept.
	TTL, NegativeTTL time.Duration
	// MemoryBytes bounds the memory of kept rubrics, roughly; 0 takes
	// DefaultMemoryBytes.
	MemoryBytes uint64
	// CacheFailed is told of errors of Cache, with the operation ("get" or
	// "put"). They never fail a resolution. nil ignores them.
	CacheFailed func(ctx context.Context, op string, err error)
	// Panicked is told of a panic that became a fault, with the stage that
	// ran, the value and the stack. nil ignores it.
	Panicked func(stage string, value any, stack []byte)
}

func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.TTL <= 0 {
		c.TTL = DefaultTTL
	}
	if c.NegativeTTL <= 0 {
		c.NegativeTTL = DefaultNegativeTTL
	}
	if c.MemoryBytes == 0 {
		c.MemoryBytes = DefaultMemoryBytes
	}
	if c.CacheFailed == nil {
		c.CacheFailed = func(context.Context, string, error) {}
	}
	if c.Panicked == nil {
		c.Panicked = func(string, any, []byte) {}
	}
	return c
}

// Resolver works definitions: guard, semantic check, steps; once for each
// tenant, text, selection, model and revision. It is safe for concurrent use.
type Resolver struct {
	cfg     Config
	memory  *memory
	flights flights
}

// NewResolver makes a Resolver.
func NewResolver(cfg Config) *Resolver {
	cfg = cfg.withDefaults()
	return &Resolver{cfg: cfg, memory: newMemory(cfg.MemoryBytes), flights: flights{byKey: map[string]*flight{}}}
}

// Request is one definition with all that decides what becomes of it.
type Request struct {
	Tenant     string         // part of every cache key
	TenantData map[string]any // the tenant's policy data
	Policy     *guard.Policy  // required: the pinned revision
	Definition string         // may be "" when Steps are given
	Steps      []string       // the caller's own steps, used as given
	Fields     []Field        // selected; nil selects all
	Model      guard.Model    // asked for safety, resolve and generate
	Second     guard.Model    // second safety reviewer, nil takes Model
	NoCache    bool           // work it anew and share it with nobody; the result is kept all the same
}

// Resolve works one definition. Exactly one of a usable rubric, a rejection
// and a fault comes back. Equal requests that run at the same time are worked
// once; a caller that gives up does not stop the work for the others.
// What is returned is shared and must not be changed.
func (r *Resolver) Resolve(ctx context.Context, req Request) Resolution {
	req = req.canonical()
	id := identify(req)
	res := r.resolve(ctx, req, id)
	res.Signature = id.signature
	return res
}

func (r *Resolver) resolve(ctx context.Context, req Request, id identity) Resolution {
	if req.Policy == nil {
		return Resolution{Fault: newFault(stagePolicy, codePolicyUnavailable, true, 0)}
	}
	if req.NoCache {
		ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
		defer cancel()
		return r.work(ctx, req, id, entry{}, newProgress())
	}
	for {
		if res, ok := r.memory.get(id.key, r.cfg.Now()); ok {
			return res.fromCache()
		}
		if ctx.Err() != nil {
			return Resolution{Fault: gaveUp(ctx, stageScan)}
		}
		res, shared := r.flights.do(ctx, id.key, r.cfg.Timeout, func(ctx context.Context, p *progress) Resolution {
			return r.lookUp(ctx, req, id, p)
		})
		switch {
		case shared && res.Fault != nil && res.Fault.Code == codeBudget:
			// Another run of the tenant ran out of its money, not this one.
			continue
		case shared && res.Fault == nil:
			return res.fromCache()
		}
		return res
	}
}

// lookUp asks the store and works the definition when it has nothing.
func (r *Resolver) lookUp(ctx context.Context, req Request, id identity, p *progress) Resolution {
	if res, ok := r.memory.get(id.key, r.cfg.Now()); ok {
		return res.fromCache()
	}
	res := r.work(ctx, req, id, r.load(ctx, req.Tenant, id.key), p)
	if res.Cached {
		return res.fromCache()
	}
	return res
}

// fromCache is the resolution as a later request sees it.
func (r Resolution) fromCache() Resolution {
	stages := make([]guard.Stage, len(r.Stages))
	for i, s := range r.Stages {
		s.Cached, s.Took = true, 0
		stages[i] = s
	}
	r.Stages, r.Cached = stages, true
	return r
}

// canonical brings the selection into the contract's order, each field once,
// and copies what the caller could still change.
func (req Request) canonical() Request {
	if req.Fields == nil {
		req.Fields = Fields()
	} else {
		var fields []Field
		for _, f := range Fields() {
			if slices.Contains(req.Fields, f) {
				fields = append(fields, f)
			}
		}
		req.Fields = fields
	}
	req.Steps = append([]string(nil), req.Steps...)
	if req.Second == nil {
		req.Second = req.Model
	}
	return req
}
