package rubric

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// flights works each key once at a time, for all who ask. The work is detached
// from the caller that began it: it goes on while anyone waits, ends at its own
// deadline, and is given up when the last one has left.
type flights struct {
	mu    sync.Mutex
	byKey map[string]*flight
}

type flight struct {
	done     chan struct{} // closed when res is there
	res      Resolution
	waiting  int // guarded by flights.mu
	cancel   context.CancelFunc
	progress *progress
}

// progress is the stage that a resolution has come to.
type progress struct{ stage atomic.Value }

func newProgress() *progress {
	p := &progress{}
	p.enter(stageScan)
	return p
}

func (p *progress) enter(stage string) { p.stage.Store(stage) }

func (p *progress) at() string {
	stage, _ := p.stage.Load().(string)
	return stage
}

// do runs work under key, or waits for it when it runs already; shared tells
// which. A caller whose context ends leaves with a fault.
func (fs *flights) do(ctx context.Context, key string, timeout time.Duration, work func(context.Context, *progress) Resolution) (res Resolution, shared bool) {
	f, joined := fs.board(ctx, key, timeout, work)
	select {
	case <-f.done:
		return f.res, joined
	case <-ctx.Done():
		fs.leave(key, f)
		return Resolution{Fault: gaveUp(ctx, f.progress.at())}, false
	}
}

func (fs *flights) board(ctx context.Context, key string, timeout time.Duration, work func(context.Context, *progress) Resolution) (f *flight, joined bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if f, ok := fs.byKey[key]; ok {
		f.waiting++
		return f, true
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	f = &flight{done: make(chan struct{}), waiting: 1, cancel: cancel, progress: newProgress()}
	fs.byKey[key] = f
	go fs.fly(ctx, key, f, work)
	return f, false
}

func (fs *flights) fly(ctx context.Context, key string, f *flight, work func(context.Context, *progress) Resolution) {
	defer f.cancel()
	defer func() {
		fs.land(key, f)
		close(f.done)
	}()
	f.res = work(ctx, f.progress)
}

// land makes room for the next flight of the key.
func (fs *flights) land(key string, f *flight) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.byKey[key] == f {
		delete(fs.byKey, key)
	}
}

// leave takes one caller off; the work of a flight without callers is given up.
func (fs *flights) leave(key string, f *flight) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f.waiting--
	if f.waiting > 0 {
		return
	}
	f.cancel()
	if fs.byKey[key] == f {
		delete(fs.byKey, key)
	}
}
