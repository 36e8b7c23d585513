package offline

import (
	"strings"
)

// Strengths from which on a finding is met or partly met. A finding's strength
// is from 0 (nothing of it) to 1 (all of it).
const (
	metFrom    = 0.7
	partlyFrom = 0.35
)

// Verdicts of a finding.
const (
	verdictMet           = "met"
	verdictPartly        = "partly"
	verdictNotMet        = "not_met"
	verdictNotApplicable = "not_applicable"
)

// measure is what one probe found for one step.
type measure struct {
	strength float64
	evidence string // a quotation of the text, or what is missing
	skip     bool   // the step cannot be judged from the record
}

func (m measure) verdict() string {
	switch {
	case m.skip:
		return verdictNotApplicable
	case m.strength >= metFrom:
		return verdictMet
	case m.strength >= partlyFrom:
		return verdictPartly
	}
	return verdictNotMet
}

// examiner holds one record, read once, and measures steps on it.
type examiner struct {
	whole   *doc // the text under evaluation as it is: for length and format
	subject *doc // the same without sentences that talk to a judge: for evidence
	asked   *doc // input and prompt; nil when there is none
	sources *doc // context; nil when there is none
	golden  *doc // nil when there is none
	missing bool // the output is selected and empty

	noSources bool // the context is selected and empty
	noGolden  bool // the reference answer is selected and empty
}

// newExaminer reads a record. Where the output is not among the fields, the
// input, the prompt, the context or the reference answer is what is judged.
func newExaminer(r record) *examiner {
	asked := strings.TrimSpace(r.Input + "\n" + r.Prompt)
	sources, golden := "", ""
	if r.Context != nil {
		sources = strings.Join(append(append([]string{}, *r.Context...), r.RetrievalContext...), "\n")
	}
	if r.GoldenAnswer != nil {
		golden = *r.GoldenAnswer
	}
	x := &examiner{asked: docOrNil(asked), sources: docOrNil(sources), golden: docOrNil(golden)}
	x.noSources = r.Context != nil && x.sources == nil
	x.noGolden = r.GoldenAnswer != nil && x.golden == nil
	var text string
	switch {
	case r.Output != nil:
		text = *r.Output
	case x.asked != nil:
		text, x.asked = asked, nil
	case x.sources != nil:
		text, x.sources = sources, nil
	default:
		text, x.golden = golden, nil
	}
	x.whole = newDoc(text)
	x.subject = x.whole
	if kept := withoutAppeals(text); kept != text {
		x.subject = newDoc(kept)
	}
	x.missing = x.whole.blank()
	return x
}

func docOrNil(text string) *doc {
	if d := newDoc(text); !d.blank() {
		return d
	}
	return nil
}

// stepText is a step as the probes read it.
type stepText struct {
	full  string // as written
	lower string
	body  string   // lower case, behind "Check whether …"
	keys  []string // stems of its content words
	words []string // the words behind keys
	no    bool     // asks for something to be absent
	// counter is set where the step asks that nothing contradicts a claim; the
	// rest of the step is then the claim.
	counter bool
}

func readStep(s string) stepText {
	s = unframed(s)
	at := readSentence(s, span{0, len(s)}.trim(s))
	body := at.of(s)
	if at.opener != "" && strings.HasPrefix(headOf(body), at.opener) {
		body = strings.TrimLeft(body[len(at.opener):], " ,:，：")
	}
	if claim, ok := claimOf(body); ok {
		inner := readStep(claim)
		inner.counter = true
		return inner
	}
	lower := strings.ToLower(body)
	keys, words := contentOf(body)
	return stepText{full: s, lower: strings.ToLower(s), body: lower, keys: keys, words: words, no: forbids(lower)}
}

// probe measures one kind of demand. ok is false where the step makes no such
// demand or the record gives nothing to measure it by.
type probe func(*examiner, stepText) (measure, bool)

// judge measures one step. Demands that can be counted settle it, the weakest
// first; then comparisons with other fields; then wording; a step that makes
// none of these demands is judged by how much of what it names is there.
func (x *examiner) judge(step string) measure {
	s := readStep(step)
	if x.missing {
		return measure{evidence: "the output is empty"}
	}
	m := x.measured(s)
	if s.counter {
		return x.uncontradicted(s, m)
	}
	return m
}

// measured runs the probes over a step.
func (x *examiner) measured(s stepText) measure {
	if m, ok := weakest(x, s, probeLength, probeFormat, probeLiteral); ok {
		return m
	}
	if m, ok := mean(x, s, probeReference, probeGrounded, probeRelevance, probeComplete); ok {
		return x.withOwnWords(s, m)
	}
	if m, ok := probeThemes(x, s); ok {
		return m
	}
	if m, ok := probeShape(x, s); ok {
		return x.withOwnWords(s, m)
	}
	return probeWords(x, s)
}

// unframed takes the frame off a step that was put around a clause.
func unframed(s string) string {
	for _, f := range frames {
		before, _, _ := strings.Cut(f, "%")
		if rest, ok := strings.CutPrefix(s, before); ok {
			return rest
		}
	}
	return s
}

// counterWords say, behind a negation, that nothing speaks against a claim.
var counterWords = []string{"contradict", "widersprich", "contradi", "contred", "contraddi", "tegenspre", "przeczy", "противореч", "суперечи", "çeliş", "يناقض", "تناقض", "विपरीत", "বিরোধী", "矛盾", "모순", "mâu thuẫn", "bertentangan", "ขัดแย้ง", "sumasalungat", "motsäger", "αντιφάσκ", "סותר"}

// claimOf is the claim of a step that asks that nothing contradicts it: what
// stands behind its colon.
func claimOf(body string) (string, bool) {
	at := strings.IndexAny(body, ":：")
	if at < 0 || !holdsAny(strings.ToLower(body[:at]), counterWords) {
		return "", false
	}
	claim := strings.TrimSpace(strings.TrimLeft(body[at:], ":："))
	return claim, claim != "" && !holdsAny(strings.ToLower(claim), counterWords)
}

// uncontradicted is 0 where a sentence denies the claim, and never less than
// half where none does: silence is no contradiction.
func (x *examiner) uncontradicted(s stepText, m measure) measure {
	if s.no {
		return m
	}
	if best, share := x.subject.best(s.keys); share >= 0.6 && best.negated() != saysNo(s.body) {
		return measure{evidence: quote(best.text)}
	}
	if m.strength < 0.5 {
		return measure{strength: 0.5, evidence: "nothing in the output speaks against it, and little for it"}
	}
	return m
}

func weakest(x *examiner, s stepText, probes ...probe) (measure, bool) {
	var low measure
	found := false
	for _, p := range probes {
		if m, ok := p(x, s); ok && (!found || m.strength < low.strength) {
			low, found = m, true
		}
	}
	return low, found
}

func mean(x *examiner, s stepText, probes ...probe) (measure, bool) {
	var sum float64
	var out measure
	n := 0
	for _, p := range probes {
		m, ok := p(x, s)
		if !ok {
			continue
		}
		if n == 0 || m.strength < out.strength {
			out = m
		}
		sum += m.strength
		n++
	}
	if n == 0 {
		return out, false
	}
	out.strength = sum / float64(n)
	return out, true
}

// withOwnWords weighs a judgement about the whole text with the things that the
// step names: "clearly explains what recall is" is not met by clear sentences
// about something else.
func (x *examiner) withOwnWords(s stepText, m measure) measure {
	if m.skip || s.no {
		return m
	}
	own := s.own()
	if len(own.keys) < 2 {
		return m
	}
	covered := probeWords(x, own)
	m.strength = (m.strength + covered.strength) / 2
	if covered.strength < m.strength {
		m.evidence = covered.evidence
	}
	return m
}

// own is the step with only those of its content words that are not themselves
// words of quality.
func (s stepText) own() stepText {
	own := s
	own.keys, own.words = nil, nil
	for i, k := range s.keys {
		if !isQualityWord(k) {
			own.keys, own.words = append(own.keys, k), append(own.words, s.words[i])
		}
	}
	return own
}

// ownKeys are the stems of own.
func ownKeys(s stepText) []string { return s.own().keys }

// isQualityWord reports whether a stem begins one of the words by which steps
// ask for qualities or name other fields.
func isQualityWord(k string) bool {
	for _, list := range [][]string{askMatch, askAccuracy, askGrounded, askRelevance, askComplete, askConcise, askDetail, askClarity, askJargon, qualityOther} {
		for _, w := range list {
			if strings.HasPrefix(w, k) || strings.HasPrefix(k, strings.TrimSpace(w)) {
				return true
			}
		}
	}
	return false
}

// qualityOther are further words of that kind.
var qualityOther = []string{"golden", "reference", "expected", "ground", "truth", "context", "question", "query", "input", "prompt", "user", "passage", "source", "fact", "claim", "information", "quality", "tone", "style", "high", "fully", "overall", "sentence", "word", "language", "support", "provided", "retrieved", "only", "numbers", "figures", "details", "meaning", "docume", "fetch", "questi"}
