package rubric

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/maypok86/otter/v2"

	"bailiff/guard"
)

// Cache is a store for worked definitions, shared by processes. The tenant is
// part of key already; it is given beside it so that a store can delete what
// belongs to one.
type Cache interface {
	// Get returns what was put under key, and whether there is anything that
	// has not expired.
	Get(ctx context.Context, tenant, key string) (payload []byte, found bool, err error)
	// Put keeps payload, a JSON object, under key for ttl.
	Put(ctx context.Context, tenant, key string, payload []byte, ttl time.Duration) error
}

// entry is what is kept of one definition: the answers of the models, never
// what was concluded from them. Whoever takes an entry out of a store works
// the definition again with these answers in place of calls, so that an entry
// that was tampered with can clear nothing and smuggle nothing in.
type entry struct {
	Schema   string          `json:"schema"`
	Key      string          `json:"key"`
	Expires  time.Time       `json:"expires"`
	Safety   []guard.Safety  `json:"safety"`
	Semantic *semanticAnswer `json:"semantic,omitzero"`
	Steps    *generatedSteps `json:"steps,omitzero"`
}

// load reads an entry from the store, an empty one when there is none that can
// be used. A failing store is a miss.
func (r *Resolver) load(ctx context.Context, tenant, key string) entry {
	if r.cfg.Cache == nil {
		return entry{}
	}
	payload, found, err := r.cfg.Cache.Get(ctx, tenant, key)
	if err != nil {
		r.cfg.CacheFailed(ctx, "get", err)
		return entry{}
	}
	if !found {
		return entry{}
	}
	var e entry
	if err := json.Unmarshal(payload, &e, json.RejectUnknownMembers(true)); err != nil {
		r.cfg.CacheFailed(ctx, "get", errors.New("a kept definition is not readable: "+err.Error()))
		return entry{}
	}
	if e.Schema != schemaVersion || e.Key != key || !e.Expires.After(r.cfg.Now()) || !e.wellFormed() {
		return entry{}
	}
	return e
}

// wellFormed holds the answers of an entry to what is asked of a model's.
func (e entry) wellFormed() bool {
	if e.Semantic != nil {
		for _, s := range e.Semantic.Steps {
			if s.check() != nil {
				return false
			}
		}
	}
	return e.Steps == nil || checkGenerated(e.Steps.Steps) == nil
}

// keep stores what a resolution came to: a rubric for long, a rejection for a
// short while, a fault never.
func (r *Resolver) keep(ctx context.Context, req Request, key string, res Resolution, e entry) {
	if res.Fault != nil {
		return
	}
	ttl := r.cfg.TTL
	if res.Rejection != nil {
		ttl = r.cfg.NegativeTTL
	}
	expires := r.cfg.Now().Add(ttl)
	r.memory.put(key, res, expires)
	if r.cfg.Cache == nil || res.Cached || len(e.Safety) == 0 {
		return // nothing was asked: working it again is cheaper than a store
	}
	e.Schema, e.Key, e.Expires = schemaVersion, key, expires
	payload, err := json.Marshal(e, json.Deterministic(true))
	if err != nil {
		r.cfg.CacheFailed(ctx, "put", err)
		return
	}
	if err := r.cfg.Cache.Put(ctx, req.Tenant, key, payload, ttl); err != nil {
		r.cfg.CacheFailed(ctx, "put", err)
	}
}

// memory is the cache in front of the store.
type memory struct {
	kept *otter.Cache[string, remembered]
}

type remembered struct {
	res     Resolution
	expires time.Time
}

func newMemory(bytes uint64) *memory {
	return &memory{kept: otter.Must(&otter.Options[string, remembered]{
		MaximumWeight: bytes,
		Weigher:       weigh,
		// Upkeep runs on the caller: a Resolver owns no goroutine and needs no Close.
		Executor: func(task func()) { task() },
	})}
}

func (m *memory) get(key string, now time.Time) (Resolution, bool) {
	kept, ok := m.kept.GetIfPresent(key)
	if !ok {
		return Resolution{}, false
	}
	if !kept.expires.After(now) {
		m.kept.Invalidate(key)
		return Resolution{}, false
	}
	return kept.res, true
}

func (m *memory) put(key string, res Resolution, expires time.Time) {
	m.kept.Set(key, remembered{res, expires})
}

// weigh is roughly the memory of an entry.
func weigh(key string, kept remembered) uint32 {
	const base, perItem = 2 << 10, 256
	res := kept.res
	items := len(res.Verdict.Report.Findings) + len(res.Rubric.extracted) + len(res.Rubric.suggestions)
	texts := len(res.Rubric.cleared.Definition())
	for _, s := range res.Rubric.steps {
		texts += len(s)
	}
	for _, s := range res.Rubric.extracted {
		texts += len(s.Text)
	}
	return uint32(base + len(key) + perItem*items + texts)
}
