package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// ErrUnavailable says that an event could not be written, so what it is about
// must not be answered.
var ErrUnavailable = errors.New("the audit log cannot be written")

// Sink keeps lines. Write is called by one goroutine at a time with one or
// more whole lines; when it returns nil they are kept for good.
type Sink interface {
	io.Writer
	// Last is the last line kept, nil when there is none.
	Last() []byte
	io.Closer
}

// Config holds what a Log needs. Sink is required.
type Config struct {
	Sink    Sink
	Gateway string           // names this process in every line
	Now     func() time.Time // nil takes time.Now
	// Failed is told when lines could not be written; nil ignores it.
	Failed func(err error)
}

// Log writes events. Events that come while others are written are written
// together, so that many writers share one wait for the disk; none waits for
// more to come. It is safe for concurrent use.
type Log struct {
	cfg Config
	out zerolog.LevelWriter

	mu      sync.Mutex
	at      chain // with all that is pending
	kept    chain // what the sink has
	pending *batch
	writing bool
	closed  bool
	idle    *sync.Cond
}

// batch is a group of lines that is written at once.
type batch struct {
	lines []byte
	end   chain
	done  chan struct{}
	err   error
}

// Open continues the chain of the sink.
func Open(cfg Config) (*Log, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Failed == nil {
		cfg.Failed = func(error) {}
	}
	l := &Log{cfg: cfg, out: zerolog.MultiLevelWriter(cfg.Sink), pending: &batch{done: make(chan struct{})}}
	l.idle = sync.NewCond(&l.mu)
	if last := cfg.Sink.Last(); last != nil {
		at, err := resume(last)
		if err != nil {
			return nil, err
		}
		l.at, l.kept = at, at
	}
	return l, nil
}

// Record writes events in order, all or none, and returns when they are kept.
// It does not end with ctx: what was decided is recorded even when nobody
// waits for the answer any more. The error is ErrUnavailable.
func (l *Log) Record(_ context.Context, events ...Event) error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return fmt.Errorf("%w: it is closed", ErrUnavailable)
	}
	b, before := l.pending, l.at
	size := len(b.lines)
	for _, e := range events {
		line, err := l.at.next(e, l.cfg.Gateway, l.cfg.Now())
		if err != nil {
			l.at, b.lines = before, b.lines[:size]
			l.mu.Unlock()
			return errors.Join(ErrUnavailable, err)
		}
		b.lines = append(b.lines, line...)
	}
	b.end = l.at
	if !l.writing {
		l.writing = true
		l.drain()
	}
	l.mu.Unlock()
	<-b.done
	return b.err
}

// drain writes what is pending until nothing is. It is entered and left with
// the lock held and gives it up while the sink works.
func (l *Log) drain() {
	for len(l.pending.lines) > 0 {
		b := l.pending
		l.pending = &batch{done: make(chan struct{})}
		l.mu.Unlock()
		_, err := l.out.WriteLevel(zerolog.NoLevel, b.lines)
		l.mu.Lock()
		if err != nil {
			l.fail(b, err)
			continue
		}
		l.kept = b.end
		close(b.done)
	}
	l.writing = false
	l.idle.Broadcast()
}

// fail refuses a batch, and what was chained to it meanwhile: the chain goes
// on from what the sink has.
func (l *Log) fail(b *batch, err error) {
	l.cfg.Failed(err)
	after := l.pending
	l.pending = &batch{done: make(chan struct{})}
	l.at = l.kept
	for _, lost := range []*batch{b, after} {
		lost.err = fmt.Errorf("%w: %w", ErrUnavailable, err)
		close(lost.done)
	}
}

// Close waits for what is being written and closes the sink.
func (l *Log) Close() error {
	l.mu.Lock()
	l.closed = true
	for l.writing {
		l.idle.Wait()
	}
	l.mu.Unlock()
	return l.cfg.Sink.Close()
}
