package rubric

import (
	"bytes"
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// confidence is, for each of n generated steps, the mean probability of the
// tokens that its text is made of: how sure the model was of its words. It is
// nil where the model gave no probabilities or they do not fit the answer.
func confidence(a answer, n int) []*float64 {
	means := make([]*float64, n)
	if len(a.tokens) == 0 || len(a.tokens) != len(a.logprobs) {
		return means
	}
	at := strings.Index(strings.Join(a.tokens, ""), string(a.object))
	spans := stringSpans(a.object)
	if at < 0 || len(spans) != n {
		return means
	}
	for i, s := range spans {
		means[i] = meanProbability(a, at+s.start, at+s.end)
	}
	return means
}

// meanProbability is the mean over the tokens that cover bytes start to end of
// the answer.
func meanProbability(a answer, start, end int) *float64 {
	sum, n, offset := 0.0, 0, 0
	for i, token := range a.tokens {
		next := offset + len(token)
		if offset < end && next > start {
			p := math.Exp(a.logprobs[i])
			if math.IsNaN(p) || p > 1 {
				return nil
			}
			sum, n = sum+p, n+1
		}
		offset = next
	}
	if n == 0 {
		return nil
	}
	mean := sum / float64(n)
	return &mean
}

type byteSpan struct{ start, end int }

// stringSpans are where the strings of the first list of an object stand,
// quotes included.
func stringSpans(object []byte) []byteSpan {
	d := jsontext.NewDecoder(bytes.NewReader(object))
	var spans []byteSpan
	for {
		token, err := d.ReadToken()
		if err != nil {
			return spans
		}
		if token.Kind() != '"' || d.StackDepth() != 2 {
			continue
		}
		end := int(d.InputOffset())
		raw, err := jsontext.AppendQuote(nil, token.String())
		if err != nil {
			return nil
		}
		start := end - len(raw)
		if start < 0 || !bytes.Equal(object[start:end], raw) {
			start = quoteBefore(object, end)
		}
		spans = append(spans, byteSpan{start, end})
	}
}

// quoteBefore is where the string literal that ends at end begins, however it
// is escaped.
func quoteBefore(object []byte, end int) int {
	for i := end - 2; i >= 0; i-- {
		if object[i] != '"' {
			continue
		}
		slashes := 0
		for j := i - 1; j >= 0 && object[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return 0
}
