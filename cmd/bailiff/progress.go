package main

import (
	"fmt"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progress shows that a long verb is alive, on stderr: a bar on a terminal,
// now and then a plain line elsewhere, and nothing for what takes less than a
// second.
type progress struct {
	std     *stdio
	what    string
	started time.Time
	last    time.Time
	bars    *mpb.Progress
	bar     *mpb.Bar
	shown   bool
}

// plainEvery is how often a plain line is written.
const plainEvery = 5 * time.Second

func newProgress(std *stdio, what string) *progress {
	now := time.Now()
	return &progress{std: std, what: what, started: now, last: now}
}

// step tells how many are done.
func (p *progress) step(done int) {
	now := time.Now()
	if now.Sub(p.started) < time.Second {
		return
	}
	if p.std.terminal {
		p.draw(done)
		return
	}
	if now.Sub(p.last) >= plainEvery {
		p.last, p.shown = now, true
		fmt.Fprintf(p.std.err, "%s: %d done in %s\n", p.what, done, now.Sub(p.started).Round(time.Second))
	}
}

func (p *progress) draw(done int) {
	if p.bar == nil {
		p.bars = mpb.New(mpb.WithOutput(p.std.err), mpb.WithWidth(40))
		p.bar = p.bars.New(0, mpb.SpinnerStyle(),
			mpb.PrependDecorators(decor.Name(p.what+" "), decor.CurrentNoUnit("%d done ")),
			mpb.AppendDecorators(decor.Elapsed(decor.ET_STYLE_GO)))
	}
	p.bar.SetCurrent(int64(done))
}

// done ends the showing.
func (p *progress) done(total int) {
	if p.bar != nil {
		p.bar.SetTotal(int64(total), true)
		p.bars.Wait()
	} else if p.shown {
		fmt.Fprintf(p.std.err, "%s: %d done in %s\n", p.what, total, time.Since(p.started).Round(time.Second))
	}
}
