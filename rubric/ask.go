package rubric

import (
	"context"

	"bailiff/guard"
)

// Confident is an optional power of a Model: the answer together with the
// tokens it is made of and their log probabilities, both in order. It gives nil
// tokens when the model has no probabilities. Errors are those of Ask.
type Confident interface {
	AskTokens(ctx context.Context, stage, system, user string, schema []byte) (object []byte, tokens []string, logprobs []float64, err error)
}

// ask puts a prompt to the model until read takes the answer: once, and once
// more when the answer was malformed, naming the mistake. An outage, a refusal
// or a cut answer is not asked for again.
func ask(ctx context.Context, m guard.Model, p prompt, data any, read func(answer) error) *guard.Fault {
	if m == nil {
		return newFault(p.outcome, unavailable(p.outcome), false, 0)
	}
	calls, wrong := 0, ""
	for range 2 {
		user, err := p.user(data, wrong)
		if err != nil {
			return newFault(p.outcome, unavailable(p.outcome), true, calls)
		}
		a, err := p.put(ctx, m, user)
		if err == nil {
			calls++
			if err = read(a); err == nil {
				return nil
			}
			wrong = err.Error()
			continue
		}
		kind, attempts := kindOf(err)
		calls += attempts
		if kind != kindMalformed || ctx.Err() != nil {
			return faultOfModel(ctx, p.outcome, err, calls)
		}
		wrong = "It was not exactly one JSON object in which every member stands once."
	}
	return newFault(p.outcome, unavailable(p.outcome), true, calls)
}

// answer is the one JSON object of a model's answer, and its tokens where the
// model gives them.
type answer struct {
	object   []byte
	tokens   []string
	logprobs []float64
}

// put makes one call.
func (p prompt) put(ctx context.Context, m guard.Model, user string) (a answer, err error) {
	if c, ok := m.(Confident); ok && p.tokens {
		a.object, a.tokens, a.logprobs, err = c.AskTokens(ctx, p.stage, p.system(), user, p.schema())
		return a, err
	}
	a.object, err = m.Ask(ctx, p.stage, p.system(), user, p.schema())
	return a, err
}
