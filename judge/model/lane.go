package model

import (
	"errors"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

// When a breaker opens: of at least breakerCalls within breakerPeriod, the
// share breakerRate failed. It lets one call through after breakerDelay.
const (
	breakerCalls  = 20
	breakerRate   = 0.8
	breakerPeriod = 30 * time.Second
	breakerDelay  = 5 * time.Second
)

// lane is what calls to one model behind one endpoint share, whatever slug they
// came by: learned capabilities, the bound on calls at once, and the breaker.
type lane struct {
	caps    *capabilities
	slots   bulkhead.Bulkhead[*Reply]
	breaker circuitbreaker.CircuitBreaker[*Reply]
	policy  failsafe.Executor[*Reply]
}

func newLane(cfg ClientConfig, p provider) *lane {
	l := &lane{
		caps:  newCapabilities(p, cfg.Model, cfg.Now, cfg.LearnedFor),
		slots: bulkhead.New[*Reply](uint(cfg.Concurrency)),
	}
	l.breaker = circuitbreaker.NewBuilder[*Reply]().
		HandleIf(func(_ *Reply, err error) bool { return isFault(err) && faultIn(err).broken }).
		WithFailureRateThreshold(breakerRate, breakerCalls, breakerPeriod).
		WithDelay(breakerDelay).
		WithSuccessThreshold(1).
		Build()
	retry := retrypolicy.NewBuilder[*Reply]().
		HandleIf(func(_ *Reply, err error) bool {
			return errors.Is(err, circuitbreaker.ErrOpen) || isFault(err) && faultIn(err).again
		}).
		WithMaxAttempts(cfg.Attempts).
		WithDelayFunc(l.pause).
		ReturnLastFailure().
		Build()
	l.policy = failsafe.With[*Reply](retry, l.breaker)
	return l
}

// pause is how long to wait before the next attempt: what the failed one says,
// or until an open breaker lets a trial through.
func (l *lane) pause(exec failsafe.ExecutionAttempt[*Reply]) time.Duration {
	if isFault(exec.LastError()) {
		return faultIn(exec.LastError()).pause
	}
	return atLeast(l.breaker.RemainingDelay())
}
