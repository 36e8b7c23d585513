package model

import (
	"context"
	"sync"
	"time"
)

const (
	// learnedFor is how long a refusal is remembered: endpoints are upgraded.
	learnedFor = time.Hour
	// probeWait bounds how long calls wait for the first one of their kind.
	probeWait = 3 * time.Second
	// maxLearned bounds the refusals that one call learns from.
	maxLearned = 10
)

// capabilities are the features of one model behind one endpoint: those of the
// tables until the endpoint refuses one, then what was learned, for a time.
type capabilities struct {
	now func() time.Time
	ttl time.Duration

	static features
	sure   bool // the tables know the model: no call has to go first

	mu      sync.Mutex
	current features
	dead    retired
	until   time.Time // when the learned is forgotten, zero when nothing was
	probes  map[bool]*probe
}

// probe is the first call of a kind (with log probabilities or without). Others
// wait for it, so that what it learns is not learned by each at once.
type probe struct{ done chan struct{} }

func newCapabilities(p provider, model string, now func() time.Time, ttl time.Duration) *capabilities {
	static, sure := knownFeatures(p, model)
	return &capabilities{now: now, ttl: ttl, static: static, sure: sure, current: static, probes: map[bool]*probe{}}
}

// enter returns a function to be called when the call is over. The first call
// of a kind enters at once; others wait until it is over, for a bounded time.
func (c *capabilities) enter(ctx context.Context, logprobs bool) (leave func()) {
	if c.sure {
		return func() {}
	}
	c.mu.Lock()
	c.forget()
	first := c.probes[logprobs]
	if first == nil {
		first = &probe{done: make(chan struct{})}
		c.probes[logprobs] = first
		c.mu.Unlock()
		return sync.OnceFunc(func() { close(first.done) })
	}
	c.mu.Unlock()
	select {
	case <-first.done:
		return func() {}
	default:
	}
	wait := time.NewTimer(probeWait)
	defer wait.Stop()
	select {
	case <-first.done:
	case <-ctx.Done():
	case <-wait.C:
	}
	return func() {}
}

// features are those to send now.
func (c *capabilities) features() features {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget()
	return c.current
}

// learn takes in a refusal of what was sent and reports whether sending anew
// would be another request.
func (c *capabilities) learn(r refusal, s sent) bool {
	if len(r.params) == 0 {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget()
	before := c.current
	c.current = c.current.without(r, s, &c.dead)
	if c.current != before && c.until.IsZero() {
		c.until = c.now().Add(c.ttl)
	}
	return s.differs(c.current)
}

// differs reports whether other features would make another request.
func (s sent) differs(f features) bool {
	return s.temperature && !f.temperature || s.seed && !f.seed ||
		s.logprobs && (!f.logprobs || f.top != s.top) ||
		s.withTokens && (f.tokens != s.tokens || f.most != s.most) ||
		s.role != f.role || s.format != formatNone && s.format != f.format
}

// forget drops what was learned when its time is over.
func (c *capabilities) forget() {
	if c.until.IsZero() || c.now().Before(c.until) {
		return
	}
	c.current, c.dead, c.until = c.static, retired{}, time.Time{}
	c.probes = map[bool]*probe{}
}

// Capabilities are what a client sends to its model, for operators: metrics and
// `serve --check` show it.
type Capabilities struct {
	Temperature bool
	Seed        bool
	TopLogprobs int    // 0 when log probabilities are not asked for
	TokenParam  string // "" when the answer's length cannot be bounded
	Format      string // json_schema, json_object or none
	Role        string // of the message that holds the instructions
	Reasoning   bool
	LearnedTill time.Time // zero when nothing had to be learned
}

func (c *capabilities) report() Capabilities {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget()
	f := c.current
	out := Capabilities{
		Temperature: f.temperature, Seed: f.seed, TokenParam: f.tokens,
		Format: string(f.format), Role: f.role, Reasoning: f.reasoning, LearnedTill: c.until,
	}
	if f.logprobs {
		out.TopLogprobs = f.top
	}
	if f.format == formatNone {
		out.Format = "none"
	}
	return out
}
