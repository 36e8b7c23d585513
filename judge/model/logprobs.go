package model

// Bounds of what is read of an answer's tokens.
const (
	maxTokens       = 100_000
	maxAlternatives = 4 * maxTop
)

// readTokens reads choices[].logprobs. Alternatives are read of tokens with a
// digit only: they are most of the bytes, and nothing else is weighted. Numbers
// that are none make the whole list worthless, and so does a token without a
// text: nil then, as when the endpoint gave none.
func readTokens(c *cursor) []Token {
	var tokens []Token
	whole := true
	c.object(func(key []byte) {
		if string(key) != "content" {
			c.skip()
			return
		}
		c.array(func() {
			t, ok := readToken(c)
			if whole = whole && ok && len(tokens) < maxTokens; whole {
				tokens = append(tokens, t)
			}
		})
	})
	if !whole || c.broken {
		return nil
	}
	return tokens
}

func readToken(c *cursor) (t Token, ok bool) {
	var text string
	var hasText, hasNumber bool
	top := -1 // where the alternatives begin
	c.object(func(key []byte) {
		switch string(key) {
		case "token":
			text, hasText = c.string()
		case "bytes":
			t.Bytes = readBytes(c)
		case "logprob":
			t.Logprob, hasNumber = c.number()
		case "top_logprobs":
			// They come before or after the text that tells if they are needed.
			c.space()
			top = c.at
			c.skip()
		default:
			c.skip()
		}
	})
	if len(t.Bytes) == 0 {
		// Absent or null: the text is all there is.
		t.Bytes = []byte(text)
		hasNumber = hasNumber && hasText
	}
	if hasNumber && top >= 0 && !c.broken && hasDigit(t.Bytes) {
		t.Top, hasNumber = readTop(&cursor{text: c.text, at: top})
	}
	return t, hasNumber
}

func hasDigit(text []byte) bool {
	for _, ch := range text {
		if ch >= '0' && ch <= '9' {
			return true
		}
	}
	return false
}

func readTop(c *cursor) ([]Alternative, bool) {
	if c.kind() != '[' {
		return nil, true
	}
	top := make([]Alternative, 0, maxTop)
	whole := true
	c.array(func() {
		var a Alternative
		text, number := false, false
		c.object(func(key []byte) {
			switch string(key) {
			case "token":
				a.Text, text = c.string()
			case "logprob":
				a.Logprob, number = c.number()
			default:
				c.skip()
			}
		})
		if whole = whole && text && number && len(top) < maxAlternatives; whole {
			top = append(top, a)
		}
	})
	return top, whole && !c.broken
}

// readBytes reads a list of byte values, nil when it is none.
func readBytes(c *cursor) []byte {
	if c.kind() != '[' {
		c.skip()
		return nil
	}
	out := make([]byte, 0, 8)
	whole := true
	c.array(func() {
		n, ok := byteValue(c)
		if whole = whole && ok; whole {
			out = append(out, n)
		}
	})
	if !whole {
		return nil
	}
	return out
}

// byteValue reads an integer of 0 to 255.
func byteValue(c *cursor) (byte, bool) {
	if c.kind() != 0 {
		c.skip()
		return 0, false
	}
	n := 0
	digits := c.rawNumber()
	for _, ch := range digits {
		if ch < '0' || ch > '9' || len(digits) > 3 {
			return 0, false
		}
		n = n*10 + int(ch-'0')
	}
	return byte(n), n <= 255
}
