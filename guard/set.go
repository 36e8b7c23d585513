package guard

import (
	"cmp"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// Bounds of the work on one text, in characters that automata read for each
// byte of it. An ordinary text needs less than a tenth.
const (
	stepsPerByte     = 48
	stepsAlways      = 1 << 20
	stepsPerByteEach = 6 // of one piece of an expression
	stepsAlwaysEach  = 1 << 14
)

// exprSet finds where many expressions match in a text. One pass finds the
// strings that their matches hold; from each place of a string the expressions
// that it belongs to are followed, backwards to where a match begins and forwards
// to where it ends. Most are done after a few characters, so a text costs little
// more than the pass, and the same the first time as the hundredth.
//
// Matches are leftmost and longest, as in POSIX. The set is safe for concurrent
// use.
type exprSet struct {
	members []setMember
	search  *search
	bare    []int32 // members without strings: read over the whole text
	scratch sync.Pool
}

// setMember is one piece of an expression.
type setMember struct {
	expr  int32
	back  int32 // of backs; -1: matches begin where the strings do
	ahead *automaton
	from  *automaton     // what stands before the strings, read backwards; nil: nothing
	whole *regexp.Regexp // of members without strings
}

// newExprSet makes the set; sample are normalised texts of the kind that it will
// read, to tell common words from rare ones.
func newExprSet(exprs, sample []string) (*exprSet, error) {
	s := &exprSet{}
	var literals []literal
	f := newFrequency(sample)
	backs := map[string]*setMember{}
	for i, expr := range exprs {
		pieces, err := divide(expr, f)
		if err != nil {
			return nil, err
		}
		for _, p := range pieces {
			m := setMember{expr: int32(i), back: -1}
			if m.ahead, err = newAutomaton(p.ahead, p.leads != nil); err != nil {
				return nil, err
			}
			if p.back != nil {
				if err := m.behind(p.back, backs); err != nil {
					return nil, err
				}
			}
			id := int32(len(s.members))
			s.members = append(s.members, m)
			if p.leads == nil {
				s.bare = append(s.bare, id)
				if s.members[id].whole, err = regexp.Compile(p.ahead.String()); err != nil {
					return nil, err
				}
				s.members[id].whole.Longest()
			}
			for _, text := range p.leads {
				bare := strings.TrimSuffix(text, wordEnd)
				literals = append(literals, literal{bare, p.start, bare != text, id})
			}
		}
	}
	s.search = newSearch(literals, func(a, b int32) int {
		x, y := &s.members[a], &s.members[b]
		return cmp.Or(cmp.Compare(x.back, y.back), cmp.Compare(a, b))
	})
	s.scratch.New = func() any { return &matching{spent: make([]int32, len(s.members))} }
	return s, nil
}

// behind gives the member an automaton for what stands before its strings.
// Expressions that begin alike share one.
func (m *setMember) behind(back *syntax.Regexp, backs map[string]*setMember) error {
	key := back.String()
	if known, ok := backs[key]; ok {
		m.back, m.from = known.back, known.from
		return nil
	}
	from, err := newAutomaton(reversed(back), true)
	if err != nil {
		return err
	}
	m.back, m.from = int32(len(backs)), from
	backs[key] = m
	return nil
}

// match lists the expressions that occur in text, in order.
func (s *exprSet) match(text string) []int {
	var found []int
	s.each(text, 1, func(i int, _ []span) { found = append(found, i) })
	return found
}

// exprMatch is one way in which an expression matches.
type exprMatch struct {
	expr int32
	span
}

// matching is the work on one text.
type matching struct {
	set     *exprSet
	text    string
	found   []exprMatch
	spans   []span
	steps   int
	spent   []int32 // steps of each member that took many
	touched []int32
	cut     bool

	// The last place that was read backwards from, and what came of it: pieces
	// that share a beginning follow each other.
	lastBack, lastAt int32
	lastStart        int
}

// each calls found with up to most places of every expression that matches, in
// order of the expressions; the places are only valid during the call. The text
// must be valid UTF-8. It reports whether the text was read to the end: a text
// that is made to be slow is not.
func (s *exprSet) each(text string, most int, found func(i int, spans []span)) (complete bool) {
	m, _ := s.scratch.Get().(*matching)
	m.begin(s, text)
	defer func() { m.end(); s.scratch.Put(m) }()
	s.search.find(text, m)
	for _, id := range s.bare {
		m.everywhere(id, most)
	}
	slices.SortFunc(m.found, func(a, b exprMatch) int {
		return cmp.Or(cmp.Compare(a.expr, b.expr), cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	for i := 0; i < len(m.found); {
		expr, done := m.found[i].expr, -1
		m.spans = m.spans[:0]
		for ; i < len(m.found) && m.found[i].expr == expr; i++ {
			if f := m.found[i]; f.start >= done && len(m.spans) < most {
				m.spans = append(m.spans, f.span)
				done = max(f.end, f.start+1)
			}
		}
		found(int(expr), m.spans)
	}
	return !m.cut
}

func (m *matching) begin(s *exprSet, text string) {
	m.set, m.text, m.cut = s, text, false
	m.found, m.steps = m.found[:0], stepsPerByte*len(text)+stepsAlways
	m.lastBack = -1
}

func (m *matching) end() {
	for _, id := range m.touched {
		m.spent[id] = 0
	}
	m.touched, m.text = m.touched[:0], ""
	if cap(m.found) > 1<<14 {
		m.found = nil
	}
}

// at follows the members of a string that starts at a place.
func (m *matching) at(start int, members []int32) {
	for _, id := range members {
		mb := &m.set.members[id]
		from := start
		if mb.from != nil {
			if from = m.behind(mb, start); from < 0 {
				continue
			}
		}
		if end := m.ahead(id, mb, start); end >= 0 {
			m.found = append(m.found, exprMatch{mb.expr, span{from, end}})
		}
	}
}

// behind is where a match with strings at a place begins, -1 for nowhere.
func (m *matching) behind(mb *setMember, at int) int {
	if mb.back == m.lastBack && at == int(m.lastAt) {
		return m.lastStart
	}
	from, steps := mb.from.back(m.text, at)
	m.steps -= steps
	m.lastBack, m.lastAt, m.lastStart = mb.back, int32(at), from
	return from
}

// longRun is the number of characters from which a run counts against the
// member's own budget.
const longRun = 128

func (m *matching) ahead(id int32, mb *setMember, at int) int {
	if m.steps < 0 || int(m.spent[id]) > stepsPerByteEach*len(m.text)+stepsAlwaysEach {
		m.cut = true
		return -1
	}
	end, steps := mb.ahead.ahead(m.text, at)
	m.steps -= steps
	if steps > longRun {
		if m.spent[id] == 0 {
			m.touched = append(m.touched, id)
		}
		m.spent[id] += int32(min(steps, 1<<24))
	}
	return end
}

// everywhere finds the places of an expression that has no strings to look for.
func (m *matching) everywhere(id int32, most int) {
	mb := &m.set.members[id]
	if found, ok := mb.ahead.occurs(m.text); ok && !found {
		return
	}
	for _, at := range mb.whole.FindAllStringIndex(m.text, most) {
		m.found = append(m.found, exprMatch{mb.expr, span{at[0], at[1]}})
	}
}
