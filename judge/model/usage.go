package model

// reported are the tokens that an endpoint says a call took.
type reported struct {
	input, output     int
	hasInput, hasOut  bool
	cached, reasoning int
}

// maxReported bounds what is believed of a token count: no model reads more.
const maxReported = 100_000_000

func readUsage(c *cursor) (u reported) {
	c.object(func(key []byte) {
		switch string(key) {
		case "prompt_tokens":
			u.input, u.hasInput = tokenCount(c)
		case "completion_tokens":
			u.output, u.hasOut = tokenCount(c)
		case "prompt_tokens_details":
			detail(c, "cached_tokens", &u.cached)
		case "completion_tokens_details":
			detail(c, "reasoning_tokens", &u.reasoning)
		case "prompt_cache_hit_tokens": // DeepSeek
			u.cached, _ = tokenCount(c)
		default:
			c.skip()
		}
	})
	return u
}

func detail(c *cursor, name string, n *int) {
	c.object(func(key []byte) {
		if string(key) != name {
			c.skip()
			return
		}
		if v, ok := tokenCount(c); ok {
			*n = v
		}
	})
}

// tokenCount reads a count that can be believed.
func tokenCount(c *cursor) (int, bool) {
	n, ok := c.number()
	if !ok || n < 0 || n > maxReported {
		return 0, false
	}
	return int(n), true
}

// of is the usage of a call. Where the endpoint reported nothing the tokens are
// counted here, and what they cost is unknown.
func (u reported) of(req Request, content string, price *Price) Usage {
	if !u.hasInput || !u.hasOut || u.input == 0 {
		return Usage{
			InputTokens:  CountTokens(req.System) + CountTokens(req.User),
			OutputTokens: CountTokens(content),
			Calls:        1,
			Estimated:    1,
			Cost:         Cost{Unpriced: 1},
		}
	}
	cached := min(u.cached, u.input)
	return Usage{
		InputTokens: u.input, OutputTokens: u.output, CachedTokens: cached, ReasoningTokens: min(u.reasoning, u.output),
		Calls: 1, Cost: price.Of(u.input, u.output, cached),
	}
}
