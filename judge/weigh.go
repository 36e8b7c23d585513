package judge

import (
	"bytes"
	"math"
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

// tokenAt is the token that covers a span of the content alone. The tokens
// have to spell the content; where they spell more, because the model wrote
// something that was taken out of it, they have to end with it or hold it once.
func tokenAt(content string, start, end int, tokens []model.Token) (model.Token, string) {
	shift, ok := offsetIn(tokens, content)
	if !ok {
		return model.Token{}, ReasonTokenMismatch
	}
	start, end = start+shift, end+shift
	at := 0
	for _, tok := range tokens {
		next := at + len(tok.Bytes)
		if start < next && at < end { // overlaps
			if start < at || end > next {
				return model.Token{}, ReasonSeveralTokens
			}
			if !numeric(string(tok.Bytes), content[start-shift:end-shift]) {
				return model.Token{}, ReasonSeveralTokens
			}
			return tok, ""
		}
		at = next
	}
	return model.Token{}, ReasonTokenMismatch
}

// offsetIn is where the content begins in what the tokens spell.
func offsetIn(tokens []model.Token, content string) (int, bool) {
	var spelled []byte
	for _, tok := range tokens {
		spelled = append(spelled, tok.Bytes...)
	}
	switch {
	case string(spelled) == content:
		return 0, true
	case content == "":
		return 0, false
	case bytes.HasSuffix(spelled, []byte(content)):
		return len(spelled) - len(content), true
	case bytes.Count(spelled, []byte(content)) == 1:
		return bytes.Index(spelled, []byte(content)), true
	}
	return 0, false
}

// numeric reports whether a token is the number and, beside it, nothing but
// the marks that a tokeniser may join to it.
func numeric(token, literal string) bool { return strings.Trim(token, besideNumber) == literal }

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
