package model

import (
	"context"
	"errors"
	"maps"
	"sync"
)

// Budget holds what a tenant may still spend. It is asked before every call.
type Budget interface {
	// Reserve sets an estimate aside. The estimate is an upper one; it is
	// Unpriced when the model's price is unknown. settle is called once, with
	// what the call took in the end. An error refuses the call.
	Reserve(ctx context.Context, estimate Cost) (settle func(Usage), err error)
}

// Meter is a Model that adds up what its calls take, by stage, and asks a
// Budget before each. It is safe for concurrent use.
type Meter struct {
	model  Model
	budget Budget

	mu      sync.Mutex
	byStage map[string]Usage
}

var _ Model = (*Meter)(nil)

// NewMeter meters the calls made through it. A nil budget refuses nothing.
// Meters may wrap meters: each counts its own calls.
func NewMeter(m Model, b Budget) *Meter {
	return &Meter{model: m, budget: b, byStage: map[string]Usage{}}
}

// Name is the slug of the model behind the meter.
func (m *Meter) Name() string { return m.model.Name() }

// Info is that of the model behind the meter.
func (m *Meter) Info() Info { return m.model.Info() }

// Ask is Chat for callers that need the object alone.
func (m *Meter) Ask(ctx context.Context, stage, system, user string, schema []byte) ([]byte, error) {
	reply, err := m.Chat(ctx, Request{Stage: stage, System: system, User: user, Schema: schema})
	return reply.Object, err
}

// Chat reserves, calls, and counts: also a call that failed, as far as its
// error says what it took.
func (m *Meter) Chat(ctx context.Context, req Request) (Reply, error) {
	settle, err := m.reserve(ctx, req)
	if err != nil {
		return Reply{}, err
	}
	var used Usage
	// Deferred, so that a panic behind the door gives the reservation back.
	defer func() { m.add(req.Stage, used, settle) }()
	reply, err := m.model.Chat(ctx, req)
	used = reply.Usage
	if failed, ok := errors.AsType[*Error](err); ok {
		used = failed.Usage
		used.Calls = max(used.Calls, failed.Attempts)
	}
	return reply, err
}

// Usage is what all calls took so far.
func (m *Meter) Usage() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	var sum Usage
	for _, u := range m.byStage {
		sum = sum.Add(u)
	}
	return sum
}

// ByStage is Usage by the stage of the calls. The map is the caller's own.
func (m *Meter) ByStage() map[string]Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.byStage)
}

func (m *Meter) reserve(ctx context.Context, req Request) (func(Usage), error) {
	if m.budget == nil {
		return nil, nil
	}
	settle, err := m.budget.Reserve(ctx, m.estimate(req))
	if err == nil {
		return settle, nil
	}
	if ctx.Err() != nil {
		return nil, &Error{Code: CodeCancelled, Detail: "the call was given up while its budget was reserved", Err: err}
	}
	if failed, ok := errors.AsType[*Error](err); ok {
		return nil, failed
	}
	return nil, &Error{Code: CodeBudget, Detail: "the budget does not cover the call", Err: err}
}

// estimate is at least what a call is likely to cost.
func (m *Meter) estimate(req Request) Cost {
	in := roughTokens(req.System) + roughTokens(req.User) + roughTokens(string(req.Schema))
	return m.model.Info().Price.Of(in, m.answerBound(req), 0)
}

// answerBound is the most tokens that an answer may have, thoughts included.
func (m *Meter) answerBound(req Request) int {
	if b, ok := m.model.(interface{ answerBound(req Request) int }); ok {
		return b.answerBound(req)
	}
	return answerTokens(req)
}

func (m *Meter) add(stage string, used Usage, settle func(Usage)) {
	m.mu.Lock()
	m.byStage[stage] = m.byStage[stage].Add(used)
	m.mu.Unlock()
	if settle != nil {
		settle(used)
	}
}
