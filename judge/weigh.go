package judge

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"bailiff/judge/model"
)

// Bounds of the weighting. An alternative below minShare is noise; when the
// alternatives that are scores hold less than minMass together, the judge was
// about to write something else and its one number stands unweighted.
const (
	minShare = 0.01
	minMass  = 0.5
	// Probabilities of one token may add up to slightly over 1 by rounding; more
	// means that they are none.
	maxMass = 1.01
)

// Reasons why a score is not weighted, in Meta.MethodReason.
const (
	ReasonNoLogprobs    = "no_logprobs"       // the model gave none
	ReasonDecimal       = "decimal"           // not a plain integer: 8.5, 8.0, 1e1
	ReasonSeveralTokens = "several_tokens"    // no single token covers the number
	ReasonTokenMismatch = "token_mismatch"    // the tokens do not spell the answer
	ReasonLowMass       = "low_digit_mass"    // alternatives that are scores hold less than half
	ReasonBadLogprobs   = "invalid_logprobs"  // not probabilities
	ReasonStrict        = "strict_mode"       // a verdict, not a number
	ReasonMixed         = "some_not_weighted" // of several samples, some could not be weighted
)

// distribution is the weighted score on the judge's scale.
type distribution struct {
	mean float64
	sd   float64
	mass float64 // of the alternatives that count, before renormalising
}

// weigh is the expectation over the integers that could have stood in the
// number's place (G-Eval, arXiv:2303.16634 §2.3): the alternatives of the one
// token that covers it, within 0..scale and of at least minShare, renormalised.
// start and end are the number's bytes in content. The reason is "" when
// weighting worked.
func weigh(content string, start, end int, tokens []model.Token, scale int) (distribution, string) {
	if len(tokens) == 0 {
		return distribution{}, ReasonNoLogprobs
	}
	tok, reason := tokenAt(content, start, end, tokens)
	if reason != "" {
		return distribution{}, reason
	}
	if len(tok.Top) == 0 {
		return distribution{}, ReasonNoLogprobs
	}
	return expectation(tok, scale)
}

// tokenAt is the token that covers a span of the content alone. Either what
// stands before the number or what stands after it has to be spelled by the
// tokens byte for byte: the other side may differ, because a thought was taken
// out, or a character came in pieces that were not given as bytes.
func tokenAt(content string, start, end int, tokens []model.Token) (model.Token, string) {
	i, from, ok := forward(content, start, tokens)
	if !ok {
		if i, from, ok = backward(content, end, tokens); !ok {
			return model.Token{}, ReasonTokenMismatch
		}
	}
	tok := tokens[i]
	if from > start || from+len(tok.Bytes) < end || strings.Trim(string(tok.Bytes), besideNumber) != content[start:end] {
		return model.Token{}, ReasonSeveralTokens
	}
	return tok, ""
}

// forward reads tokens from the beginning of the content to the one that holds
// the byte at. It returns that token's index and where it begins.
func forward(content string, at int, tokens []model.Token) (i, from int, ok bool) {
	for i, tok := range tokens {
		if !strings.HasPrefix(content[from:], string(tok.Bytes)) {
			return 0, 0, false
		}
		if from+len(tok.Bytes) > at {
			return i, from, true
		}
		from += len(tok.Bytes)
	}
	return 0, 0, false
}

// backward reads tokens from the end of the content to the one that holds the
// byte before end. A last token that is no part of the content is a mark of
// the model's own, which some endpoints list.
func backward(content string, end int, tokens []model.Token) (i, from int, ok bool) {
	if n := len(tokens); n > 0 && !strings.HasSuffix(content, string(tokens[n-1].Bytes)) {
		tokens = tokens[:n-1]
	}
	from = len(content)
	for i, tok := range slices.Backward(tokens) {
		text := string(tok.Bytes)
		if !strings.HasSuffix(content[:from], text) {
			return 0, 0, false
		}
		if from -= len(text); from < end {
			return i, from, true
		}
	}
	return 0, 0, false
}

// besideNumber may stand in one token with a number: white space, the quotation
// marks of a string, the colon before and the comma or bracket after it.
const besideNumber = " \t\r\n\":,}]"

// expectation renormalises the alternatives that are scores.
func expectation(tok model.Token, scale int) (distribution, string) {
	var mass, sum, squares float64
	for _, alt := range alternatives(tok) {
		share := math.Exp(alt.Logprob)
		if alt.Logprob > 1e-6 || math.IsNaN(share) {
			return distribution{}, ReasonBadLogprobs
		}
		v, ok := integerScore(alt.Text, scale)
		if !ok || share < minShare {
			continue
		}
		mass += share
		sum += share * v
		squares += share * v * v
	}
	switch {
	case mass > maxMass:
		return distribution{}, ReasonBadLogprobs
	case mass < minMass:
		return distribution{}, ReasonLowMass
	}
	mean := sum / mass
	return distribution{mean: mean, sd: math.Sqrt(math.Max(0, squares/mass-mean*mean)), mass: math.Min(mass, 1)}, ""
}

// alternatives are those of the token, with the token itself where the list
// left it out.
func alternatives(tok model.Token) []model.Alternative {
	for _, alt := range tok.Top {
		if alt.Text == string(tok.Bytes) {
			return tok.Top
		}
	}
	return append([]model.Alternative{{Text: string(tok.Bytes), Logprob: tok.Logprob}}, tok.Top...)
}

// integerScore is the integer of 0..scale that an alternative is.
func integerScore(alternative string, scale int) (float64, bool) {
	s := strings.Trim(alternative, besideNumber)
	if !plainInteger.MatchString(s) {
		return 0, false
	}
	v, err := strconv.Atoi(s)
	if err != nil || v < 0 || v > scale || strings.HasPrefix(s, "-") {
		return 0, false
	}
	return float64(v), true
}
