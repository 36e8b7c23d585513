package guard

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
)

// exprSet finds where many expressions match in a text, without trying most of
// them. One pass finds the strings without which an expression cannot match; an
// expression is tried only where all of its strings stand in order and near
// enough, and only on that stretch.
//
// A set automaton (RE2::Set) was measured first: on texts that it has seen it
// reads 19 MB/s, but on new texts 350 expressions with gaps of three words make
// it build new states all the time: 27 KB/s. This way a text costs the same the
// first time. It is safe for concurrent use.
type exprSet struct {
	exprs   []*regexp.Regexp
	quick   []*automaton
	members []setMember
	search  *search
	classes int
	scratch sync.Pool // of *places
}

// setMember is what has to be there before an expression is tried.
type setMember struct {
	classes []int32 // slot classes, in order; empty: tried on every text
	reach   reach
}

func newExprSet(exprs []string) (*exprSet, error) {
	s := &exprSet{}
	known := map[string]int32{}
	var literals []literal
	for _, expr := range exprs {
		re, err := regexp.Compile(expr)
		if err != nil {
			return nil, err
		}
		n, err := needOf(expr)
		if err != nil {
			return nil, err
		}
		m := setMember{reach: n.reach}
		for _, sl := range n.slots {
			key := strings.Join(sl.texts, "\x00")
			if sl.wordStart {
				key = "\x01" + key
			}
			class, ok := known[key]
			if !ok {
				class = int32(len(known))
				known[key] = class
				for _, t := range sl.texts {
					literals = append(literals, literal{t, class, sl.wordStart})
				}
			}
			m.classes = append(m.classes, class)
		}
		auto, err := newAutomaton(expr)
		if err != nil {
			return nil, err
		}
		s.exprs = append(s.exprs, re)
		s.quick = append(s.quick, auto)
		s.members = append(s.members, m)
	}
	s.classes = len(known)
	s.search = newSearch(literals)
	s.scratch.New = func() any { return &places{of: make([][]place, s.classes)} }
	return s, nil
}

// match lists the expressions that occur in text, in order.
func (s *exprSet) match(text string) []int {
	var found []int
	s.each(text, 1, func(i int, _ []span) { found = append(found, i) })
	return found
}

// places is the working memory of one match.
type places struct {
	of      [][]place
	windows []span
}

func (p *places) reset() {
	for i := range p.of {
		if cap(p.of[i]) > 1<<12 {
			p.of[i] = nil
		}
		p.of[i] = p.of[i][:0]
	}
}

// each calls found with up to most places of every expression that matches, in
// order of the expressions. The text must be valid UTF-8.
func (s *exprSet) each(text string, most int, found func(i int, spans []span)) {
	p, _ := s.scratch.Get().(*places)
	defer func() { p.reset(); s.scratch.Put(p) }()
	s.search.find(text, p.of)
	longest := -1
	for i := range s.members {
		m := &s.members[i]
		if !m.present(p) {
			continue
		}
		if longest < 0 {
			longest = longestRun(text)
		}
		p.windows = s.windows(m, text, longest, p)
		if len(p.windows) == 0 {
			continue
		}
		if p.windows = s.confirmed(i, text, p.windows); len(p.windows) == 0 {
			continue
		}
		if spans := s.within(s.exprs[i], text, p.windows, most); len(spans) > 0 {
			found(i, spans)
		}
	}
}

// confirmed keeps the windows that the automaton finds a match in, and those
// that it was not made for.
func (s *exprSet) confirmed(i int, text string, windows []span) []span {
	out := windows[:0]
	for _, w := range windows {
		if end, ok := s.quick[i].end(text, w); end >= 0 || !ok {
			out = append(out, w)
		}
	}
	return out
}

// present reports whether each slot has a string in the text.
func (m *setMember) present(p *places) bool {
	for _, c := range m.classes {
		if len(p.of[c]) == 0 {
			return false
		}
	}
	return true
}

// longestRun is the length of the longest run without a space or line break.
func longestRun(text string) int {
	longest, start := 0, 0
	for i := 0; i < len(text); i++ {
		if text[i] == ' ' || text[i] == '\n' {
			longest = max(longest, i-start)
			start = i + 1
		}
	}
	return max(longest, len(text)-start)
}

// windows lists the stretches of the text that may hold a match, in order and
// apart from each other.
func (s *exprSet) windows(m *setMember, text string, longest int, p *places) []span {
	out := p.windows[:0]
	if len(m.classes) == 0 {
		return append(out, span{0, len(text)})
	}
	rare := 0
	for i, c := range m.classes {
		if len(p.of[c]) < len(p.of[m.classes[rare]]) {
			rare = i
		}
	}
	limit := m.reach.fixed + m.reach.runs*longest
	for _, at := range p.of[m.classes[rare]] {
		chain, ok := m.chain(rare, at, p)
		if !ok {
			continue
		}
		var w span
		switch {
		case m.reach.text:
			return append(out[:0], span{0, len(text)})
		case m.reach.line:
			w = span{lineStart(text, int(chain.start)), lineEnd(text, int(chain.end))}
		case int(chain.end-chain.start) > limit:
			continue
		default:
			w = span{max(int(chain.end)-limit-1, 0), min(int(chain.start)+limit+1, len(text))}
		}
		out = append(out, w)
	}
	return merge(out)
}

// chain is the tightest stretch around one place of the rare slot with a place
// of every other slot in order.
func (m *setMember) chain(rare int, at place, p *places) (place, bool) {
	whole := at
	for i, from := rare-1, at.start; i >= 0; i-- {
		list := p.of[m.classes[i]]
		j := sort.Search(len(list), func(j int) bool { return list[j].end > from }) - 1
		if j < 0 {
			return whole, false
		}
		// Places are in order of their ends and have at most maxLiteralBytes.
		best := list[j].start
		for k := j - 1; k >= 0 && list[k].end > list[j].end-maxLiteralBytes; k-- {
			best = max(best, list[k].start)
		}
		from, whole.start = best, best
	}
	for i, from := rare+1, at.end; i < len(m.classes); i++ {
		list := p.of[m.classes[i]]
		j := sort.Search(len(list), func(j int) bool { return list[j].end > from })
		for j < len(list) && list[j].start < from {
			j++
		}
		if j == len(list) {
			return whole, false
		}
		from, whole.end = list[j].end, list[j].end
	}
	return whole, true
}

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// merge sorts windows and joins those that touch.
func merge(windows []span) []span {
	slices.SortFunc(windows, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	out := windows[:0]
	for _, w := range windows {
		if n := len(out); n > 0 && w.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, w.end)
			continue
		}
		out = append(out, w)
	}
	return out
}

// within finds matches in the windows. A match that touches the edge of its
// window may owe itself to the cut, so the window is widened until none does.
func (s *exprSet) within(re *regexp.Regexp, text string, windows []span, most int) []span {
	var spans []span
	done := 0
	for _, w := range windows {
		w.start = max(w.start, done)
		if w.start >= w.end {
			continue
		}
		for margin := 64; ; margin *= 4 {
			w = snap(text, w)
			found, cut := matchesIn(re, text, w, done, most-len(spans))
			if cut {
				w = span{max(w.start-margin, done), min(w.end+margin, len(text))}
				continue
			}
			spans = append(spans, found...)
			break
		}
		if n := len(spans); n > 0 {
			if n >= most {
				break
			}
			done = max(done, spans[n-1].end)
		}
	}
	return spans
}

// matchesIn finds the matches inside a window. cut reports that one touches an
// edge from which the window can still grow: on the left down to floor.
func matchesIn(re *regexp.Regexp, text string, w span, floor, most int) (found []span, cut bool) {
	for _, at := range re.FindAllStringIndex(text[w.start:w.end], most) {
		at := span{w.start + at[0], w.start + at[1]}
		if at.start == w.start && w.start > floor || at.end == w.end && w.end < len(text) {
			return nil, true
		}
		found = append(found, at)
	}
	return found, false
}
