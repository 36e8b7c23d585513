// Package guard decides whether a definition that a stranger wrote may reach a
// judge.
//
// It has three gates, in order: a deterministic scan of the text in every form
// a model could read it, a policy in Rego that weighs what the scan found, and
// one or two safety checks by a model. Only Policy.Check makes a Cleared, and
// a gate that cannot be worked clears nothing: every failure is a Fault, never
// an allow. The deterministic part is pure: the same text under the same
// revision gives the same answer.
//
// What it loses: a text that no rule and no model recognises passes. The guard
// bounds what a hostile text can do, it does not prove that there is none.
package guard

import (
	"context"
	"sync/atomic"
)

// Model is what the safety check asks. Errors it returns may tell their kind
// through a method ModelCode() string and their tries through
// ModelAttempts() int.
type Model interface {
	Name() string
	Ask(ctx context.Context, stage, system, user string, schema []byte) ([]byte, error)
}

// Guard holds the active revision of the policy. Everything that decides takes
// Active once and keeps it, so that one answer never mixes two revisions.
type Guard struct {
	active atomic.Pointer[Policy]
}

// New returns a Guard with p active. A nil p is refused by a panic: a guard
// without a policy could only fail every request.
func New(p *Policy) *Guard {
	if p == nil {
		panic("guard.New: no policy; compile one first")
	}
	g := &Guard{}
	g.active.Store(p)
	return g
}

// Active is the revision that decides now.
func (g *Guard) Active() *Policy { return g.active.Load() }

// Swap makes p the active revision and returns the one it replaces. Work that
// has begun keeps the revision it took. A nil p changes nothing.
func (g *Guard) Swap(p *Policy) (old *Policy) {
	if p == nil {
		return g.active.Load()
	}
	return g.active.Swap(p)
}
