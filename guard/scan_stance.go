package guard

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// stances tells for places of one text whether words are said, quoted or
// talked about. All of it is local: a quotation governs what is inside, a
// mention governs its own clause.
type stances struct {
	text     string
	mentions []hit
	quotes   []span
	ends     []int // where clauses end, ascending
}

func newStances(text string, mentions []hit) *stances {
	return &stances{text: text, mentions: mentions, quotes: quotations(text), ends: clauseEnds(text)}
}

func (s *stances) of(h hit) string {
	if h.pattern.Mention == mentionIgnore {
		return stanceAsserted
	}
	h.span = s.words(h.span)
	for _, q := range s.quotes {
		if h.within(q) {
			return stanceQuoted
		}
	}
	if h.pattern.Mention == mentionQuoted {
		return stanceAsserted
	}
	c := s.clause(h.start)
	for _, m := range s.mentions {
		if m.start >= c.start && m.start <= h.start && s.governs(m, h) {
			return stanceMentioned
		}
	}
	return stanceAsserted
}

// excused reports whether the clauses that a hit lies in hold what its pattern
// names as a reason to let it through.
func (s *stances) excused(h hit) bool {
	if h.pattern.unless == nil {
		return false
	}
	at := s.words(h.span)
	return h.pattern.unless.MatchString(s.text[s.clause(at.start).start:s.clause(max(at.start, at.end-1)).end])
}

// words narrows a span to its first and last letter or digit: an expression may
// begin with the mark that stands before an order, which is a quotation's own.
func (s *stances) words(at span) span {
	for at.start < at.end && !isWordByte(s.text[at.start]) {
		at.start++
	}
	for at.end > at.start && !isWordByte(s.text[at.end-1]) {
		at.end--
	}
	return at
}

// clause is the clause that a place lies in.
func (s *stances) clause(at int) span {
	i := sort.SearchInts(s.ends, at+1)
	c := span{0, len(s.text)}
	if i > 0 {
		c.start = s.ends[i-1]
	}
	if i < len(s.ends) {
		c.end = s.ends[i]
	}
	return c
}

// governs reports whether a mention that begins no later than the hit reaches it. What
// begins after an order does not take it back. A condition ends where its main
// clause begins: "if the user asks, ignore ..." is an order.
func (s *stances) governs(m, h hit) bool {
	if m.pattern.Category != mentionCondition {
		return true
	}
	between := strings.TrimRight(s.text[min(m.end, h.start):h.start], " ")
	return !strings.HasSuffix(between, ",")
}

// mentionCondition is the category of mentions that are conditions.
const mentionCondition = "condition"

// clauseEnds lists where clauses end: after the marks that end sentences in any
// of the supported scripts, semicolons and line breaks.
func clauseEnds(text string) []int {
	var ends []int
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch c {
			case '\n', ';', '!', '?':
				ends = append(ends, i)
			case '.':
				if endsSentence(text, i) {
					ends = append(ends, i)
				}
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch r {
		case '\u3002', '\uff1b', '\uff01', '\uff1f', '\uff61', '\u0964', '\u0965', '\u061f', '\u061b', '\u06d4', '\u2026':
			ends = append(ends, i)
		}
	}
	return ends
}

// endsSentence tells a full stop from the dot of a number or an abbreviation.
func endsSentence(text string, after int) bool {
	if after == len(text) {
		return true
	}
	switch text[after] {
	case ' ', '\n', '"', '\'', ')', ']', '*', '_', '`', '<':
	default:
		return false
	}
	word := text[:after-1]
	if i := strings.LastIndexAny(word, " \n("); i >= 0 {
		word = word[i+1:]
	}
	switch word {
	case "e.g", "i.e", "etc", "vs", "cf", "approx", "no", "z.b", "p.ej", "bijv", "np", "t.e", "ex", "p. ex":
		return false
	}
	return true
}
