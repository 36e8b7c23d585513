package model

import (
	"context"
	"errors"
	"time"
)

// call is one Chat in the making.
type call struct {
	client *Client
	req    Request
	id     string

	requests int    // HTTP requests made
	tries    int    // attempts, without those that only learned
	usage    Usage  // of all requests
	last     *fault // of the last attempt
}

// run makes the call. The slot is held over all attempts: while an endpoint
// makes callers wait, no others take their place.
func (c *call) run(ctx context.Context) (Reply, *Error) {
	if err := c.client.lane.slots.AcquirePermit(ctx); err != nil {
		failed := ended(ctx)
		return Reply{}, &failed
	}
	defer c.client.lane.slots.ReleasePermit()
	ctx, cancel := context.WithTimeoutCause(ctx, c.client.cfg.Timeout, errCallTimeout)
	defer cancel()
	reply, err := c.client.lane.policy.WithContext(ctx).Get(func() (*Reply, error) { return c.attempt(ctx) })
	if err != nil {
		return Reply{}, c.failed(ctx, err)
	}
	reply.Usage, reply.Attempts = c.usage, c.requests
	return *reply, nil
}

// attempt sends the request, as often as refused parameters are learned, and
// reads the answer.
func (c *call) attempt(ctx context.Context) (*Reply, error) {
	c.tries++
	c.last = nil
	caps := c.client.lane.caps
	leave := caps.enter(ctx, c.req.Logprobs)
	defer leave()
	for learned := 0; ; learned++ {
		if ctx.Err() != nil {
			return nil, c.fail(ctx, &fault{out: ended(ctx)})
		}
		body, s := encode(c.client.cfg.Model, c.req, caps.features())
		ex := c.client.exchange(ctx, c.req.Stage, c.id, body)
		c.requests++
		if ex.status == 0 || ex.status >= 300 || ex.err != nil {
			why := complaint{}
			if ex.status >= 400 {
				why = readComplaint(ex.body)
			}
			ex.done()
			c.usage.Calls++
			if learned < maxLearned && caps.learn(refused(ex.status, why, s), s) {
				continue
			}
			return nil, c.fail(ctx, faultOf(ctx, ex, why))
		}
		leave()
		reply, failed := c.client.read(c.req, ex.header, ex.body)
		ex.done()
		c.usage = c.usage.Add(reply.Usage)
		if failed != nil {
			return nil, c.fail(ctx, &fault{out: *failed})
		}
		return &reply, nil
	}
}

// fail notes a fault and decides how long to wait before another attempt, or
// that there is no time for one.
func (c *call) fail(ctx context.Context, f *fault) *fault {
	if f.billed {
		c.usage.Cost = c.usage.Cost.Add(Cost{Unpriced: 1})
	}
	if f.pause > 0 {
		f.pause = atLeast(f.pause)
	} else {
		f.pause = backoff(c.tries)
	}
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= f.pause {
		f.again = false
	}
	c.last = f
	return f
}

// failed is what the caller gets.
func (c *call) failed(ctx context.Context, err error) *Error {
	e := ended(ctx)
	switch {
	case isFault(err):
		e = faultIn(err).out
	case c.last != nil && !errors.Is(ctx.Err(), context.Canceled):
		// The time ran out while it waited to try again.
		e = c.last.out
	case ctx.Err() == nil:
		e = Error{Code: CodeUnavailable, Detail: "the endpoint failed most calls of the last seconds; no further one was sent"}
	}
	e.Attempts, e.Usage = c.requests, c.usage
	return &e
}
