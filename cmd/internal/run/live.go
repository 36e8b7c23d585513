package run

import (
	"context"
	"errors"
	"sync"
)

// errAboard says that a run is being worked already.
var errAboard = errors.New("the run is being worked")

// live is a run that this process works.
type live struct {
	origin Origin
	ctx    context.Context //nolint:containedctx // the life of the run, which no request's context bounds
	cancel context.CancelCauseFunc
	over   chan struct{} // closed at the end
	held   chan struct{} // closed when no further evaluation is to begin

	mu   sync.Mutex
	next chan struct{} // closed at the next change
	err  error         // why results cannot be written at present
}

// board admits a run; begin or land must follow.
func (s *Service) board(r Run, o Origin) (*live, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return nil, ErrDraining
	}
	if s.live[r.ID] != nil {
		return nil, errAboard
	}
	l := &live{origin: o, over: make(chan struct{}), held: make(chan struct{}), next: make(chan struct{})}
	l.ctx, l.cancel = context.WithCancelCause(s.ctx)
	s.live[r.ID] = l
	s.work.Add(1)
	return l, nil
}

// land tells everyone that a run is no longer worked here.
func (s *Service) land(id string, l *live) {
	s.mu.Lock()
	delete(s.live, id)
	s.mu.Unlock()
	l.cancel(errStopping)
	close(l.over)
	l.notify()
}

func (s *Service) aboard(id string) *live {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[id]
}

// changed is closed at the next change.
func (l *live) changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next
}

func (l *live) notify() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.next)
	l.next = make(chan struct{})
}

// trouble is why results cannot be written at present, nil when they can.
func (l *live) trouble() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

func (l *live) setTrouble(err error) {
	l.mu.Lock()
	l.err = err
	l.mu.Unlock()
	l.notify()
}

// hold lets no further evaluation begin.
func (l *live) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.held:
	default:
		close(l.held)
	}
}

func (l *live) isHeld() bool {
	select {
	case <-l.held:
		return true
	default:
		return false
	}
}
