package model

import "context"

// AskTokens is Ask together with the tokens that the whole answer is made of
// and their log probabilities, in order. Both lists are nil when the model gives
// none, as reasoning models and the offline one do: an answer without them is
// an answer all the same. Its errors are those of Ask.
func (c *Client) AskTokens(ctx context.Context, stage, system, user string, schema []byte) (object []byte, tokens []string, logprobs []float64, err error) {
	return askTokens(ctx, c, stage, system, user, schema)
}

// AskTokens is that of the model behind the meter, reserved and counted like
// any call.
func (m *Meter) AskTokens(ctx context.Context, stage, system, user string, schema []byte) (object []byte, tokens []string, logprobs []float64, err error) {
	return askTokens(ctx, m, stage, system, user, schema)
}

func askTokens(ctx context.Context, m Model, stage, system, user string, schema []byte) (object []byte, tokens []string, logprobs []float64, err error) {
	reply, err := m.Chat(ctx, Request{Stage: stage, System: system, User: user, Schema: schema, Logprobs: true, NoTop: true})
	for _, t := range reply.Tokens {
		tokens, logprobs = append(tokens, string(t.Bytes)), append(logprobs, t.Logprob)
	}
	return reply.Object, tokens, logprobs, err
}
