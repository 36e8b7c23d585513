package offline

import (
	"slices"
	"strings"
)

// probeGrounded measures demands that the text rests on the sources. Without
// sources such a demand cannot be judged by comparison.
func probeGrounded(x *examiner, s stepText) (measure, bool) {
	named := slices.Contains(referredFields(s.full), fieldContext)
	asks := named || holdsCue(s.lower, askGrounded) && len(ownKeys(s)) < minOwnTopic
	switch {
	case asks && x.noSources:
		return measure{evidence: "the context of the record is empty"}, true
	case x.sources == nil:
		return measure{}, false
	case asks || x.golden == nil && holdsCue(s.lower, askAccuracy):
		return x.support(), true
	}
	return measure{}, false
}

// minOwnTopic is from how many words of its own a step with a word such as
// "hallucination" is about that topic and asks for no grounding.
const minOwnTopic = 3

// minKeysOfClaim is how many content words a sentence needs to be a claim.
const minKeysOfClaim = 3

// support is how much of the text's claims the sources and the question hold:
// their words, and strictly their numbers.
func (x *examiner) support() measure {
	known := func(k string) bool { return x.sources.keys[k] || x.asked != nil && x.asked.keys[k] }
	var claims, supported, sum float64
	weakest, low := passage{}, 2.0
	for _, p := range x.subject.sentences {
		keys := contentKeys(p.text)
		if len(keys) < minKeysOfClaim {
			continue
		}
		hit := 0
		for _, k := range keys {
			if known(k) {
				hit++
			}
		}
		share := float64(hit) / float64(len(keys))
		claims++
		sum += share
		if share >= 0.5 {
			supported++
		}
		if share < low {
			weakest, low = p, share
		}
	}
	if claims == 0 {
		keys := contentKeys(x.subject.text)
		return measure{strength: scaled(x.sources.cover(keys), 0.1, 0.6), evidence: quote(x.subject.first().text)}
	}
	m := measure{strength: scaled((sum/claims+supported/claims)/2, 0.2, 0.75), evidence: quote(weakest.text)}
	if n := len(x.subject.numbers); n > 0 {
		unknown := numbersBeyond(x.subject, x.sources, x.asked)
		switch {
		case unknown*2 > n:
			m.strength = min(m.strength, afterContradiction)
		case unknown > 0:
			m.strength = min(m.strength, afterMissingNumber)
		}
	}
	return m
}

// probeRelevance measures demands that the text answers what was asked.
func probeRelevance(x *examiner, s stepText) (measure, bool) {
	fields := referredFields(s.full)
	if !holdsCue(s.lower, askRelevance) && !slices.Contains(fields, fieldInput) && !slices.Contains(fields, fieldPrompt) {
		return measure{}, false
	}
	if x.asked == nil {
		return measure{}, false
	}
	keys := contentKeys(x.asked.text)
	best, share := x.subject.best(keys)
	strength := scaled(max(share, x.subject.cover(keys)), 0.02, 0.5)
	if x.golden != nil {
		strength = max(strength, agreement(x.golden, x.subject, x.asked).strength)
	}
	// A few words may answer a question without repeating any of it.
	if x.subject.words <= 6 {
		strength = max(strength, 0.5)
	}
	if s.no {
		strength = 1 - strength
	}
	evidence := quote(best.text)
	if evidence == "" {
		evidence = "shares no words with what was asked"
	}
	return measure{strength: strength, evidence: evidence}, true
}

// probeComplete measures demands for completeness against the reference, else
// against what was asked.
func probeComplete(x *examiner, s stepText) (measure, bool) {
	if !holdsCue(s.lower, askComplete) {
		return measure{}, false
	}
	against := x.golden
	if against == nil && len(ownKeys(s)) >= 2 {
		return measure{}, false // the step names what is to be covered
	}
	if against == nil {
		against = x.asked
	}
	if against == nil {
		against = x.sources
	}
	if against == nil {
		return measure{}, false
	}
	keys := contentKeys(against.text)
	best, _ := x.subject.best(keys)
	m := measure{strength: scaled(x.subject.cover(keys), 0.1, 0.65), evidence: quote(best.text)}
	if m.evidence == "" {
		m.evidence = "covers nothing of it"
	}
	return m, true
}

// probeShape measures demands on how the text is written: short, detailed,
// clear, without jargon. It counts words and sentences; it cannot tell sense.
func probeShape(x *examiner, s stepText) (measure, bool) {
	var strengths []float64
	add := func(cues []string, v float64) {
		if holdsCue(s.body, cues) {
			strengths = append(strengths, v)
		}
	}
	words := float64(x.whole.words)
	add(askConcise, 1-scaled(words, 90, 320)-0.5*x.repetition())
	add(askDetail, scaled(words, 5, 110))
	add(askJargon, 1-scaled(longWords(x.whole.text), 0.05, 0.2))
	add(askClarity, x.clarity())
	if len(strengths) == 0 {
		return measure{}, false
	}
	sum := 0.0
	for _, v := range strengths {
		sum += min(1, max(0, v))
	}
	return measure{strength: sum / float64(len(strengths)), evidence: quote(x.whole.first().text)}, true
}

// clarity is lowered by long sentences, repetition, shouting and fragments.
func (x *examiner) clarity() float64 {
	if x.whole.words < 3 {
		return 0.4
	}
	perSentence := float64(x.whole.words) / float64(max(1, len(x.whole.sentences)))
	return 1 - 0.7*scaled(perSentence, 28, 60) - 0.5*x.repetition() - 0.4*scaled(shouted(x.whole.text), 0.4, 0.9)
}

// repetition is the share of sentences that repeat an earlier one.
func (x *examiner) repetition() float64 {
	seen := map[string]bool{}
	again := 0
	for _, p := range x.whole.sentences {
		k := strings.Join(wordsOf(p.text), " ")
		if seen[k] {
			again++
		}
		seen[k] = true
	}
	if len(x.whole.sentences) == 0 {
		return 0
	}
	return float64(again) / float64(len(x.whole.sentences))
}

// longWords is the share of words of thirteen letters and more.
func longWords(text string) float64 {
	long, all := 0, 0
	for _, w := range wordsOf(text) {
		all++
		if len([]rune(w)) >= 13 {
			long++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(long) / float64(all)
}
