package guard

import (
	"slices"
	"unicode/utf8"
)

// place is where a string of a slot class stands in a text.
type place struct{ start, end int32 }

// search finds all strings of all slot classes in one pass over a text: an
// Aho-Corasick automaton over bytes, with a dense table over classes of bytes
// that no string tells apart.
type search struct {
	class [256]uint8 // byte to column; ASCII letters of both cases and all white space but the line break share one
	width int32
	next  []uint32 // state*width+column to the next state times width, doubled; odd where strings end
	outs  []span32
	hits  []literalHit
}

type span32 struct{ from, to int32 }

// literalHit says that a string of a slot class ends here.
type literalHit struct {
	class     int32
	size      int32
	wordStart bool
}

// literal is one string and the class that it belongs to.
type literal struct {
	text      string
	class     int32
	wordStart bool
}

func newSearch(literals []literal) *search {
	s := &search{}
	s.columns(literals)
	trie := newTrie(int(s.width))
	for _, l := range literals {
		trie.add(s, l)
	}
	s.link(trie)
	return s
}

// columns numbers the bytes that occur in strings; column 0 is any other byte.
func (s *search) columns(literals []literal) {
	used := [256]bool{}
	for _, l := range literals {
		for i := 0; i < len(l.text); i++ {
			used[l.text[i]] = true
		}
	}
	s.width = 1
	for c, is := range used {
		if is {
			s.class[c] = uint8(s.width)
			s.width++
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		s.class[c] = s.class[c|0x20]
	}
	for _, c := range "\t\v\f\r" {
		s.class[c] = s.class[' ']
	}
}

type trie struct {
	width int
	next  []int32 // 0: none
	hits  [][]literalHit
}

func newTrie(width int) *trie {
	return &trie{width: width, next: make([]int32, width), hits: make([][]literalHit, 1)}
}

func (t *trie) add(s *search, l literal) {
	state := 0
	for i := 0; i < len(l.text); i++ {
		at := state*t.width + int(s.class[l.text[i]])
		if t.next[at] == 0 {
			t.next[at] = int32(len(t.hits))
			t.hits = append(t.hits, nil)
			t.next = append(t.next, make([]int32, t.width)...)
		}
		state = int(t.next[at])
	}
	// A word start can only be asked for before a letter or digit.
	h := literalHit{class: l.class, size: int32(len(l.text)), wordStart: l.wordStart && l.text[0] < utf8.RuneSelf && isWordOrUnderscore(l.text[0])}
	if !slices.Contains(t.hits[state], h) {
		t.hits[state] = append(t.hits[state], h)
	}
}

func isWordOrUnderscore(c byte) bool { return c == '_' || c < utf8.RuneSelf && isWordByte(c) }

// link turns the trie into an automaton: breadth first, each state takes over
// the hits and the missing steps of its longest proper suffix.
func (s *search) link(t *trie) {
	n := len(t.hits)
	fail := make([]int32, n)
	queue := make([]int32, 0, n)
	for _, to := range t.next[:t.width] {
		if to != 0 {
			queue = append(queue, to)
		}
	}
	for i := 0; i < len(queue); i++ {
		state := queue[i]
		f := fail[state]
		t.hits[state] = append(t.hits[state], t.hits[f]...)
		row := t.next[int(state)*t.width : (int(state)+1)*t.width]
		under := t.next[int(f)*t.width : (int(f)+1)*t.width]
		for c, to := range row {
			if to == 0 {
				row[c] = under[c]
				continue
			}
			fail[to] = under[c]
			queue = append(queue, to)
		}
	}
	s.next = make([]uint32, len(t.next))
	for i, to := range t.next {
		s.next[i] = uint32(to) * uint32(s.width) << 1
		if len(t.hits[to]) > 0 {
			s.next[i] |= 1
		}
	}
	s.outs = make([]span32, n)
	for state, hits := range t.hits {
		s.outs[state] = span32{int32(len(s.hits)), int32(len(s.hits) + len(hits))}
		s.hits = append(s.hits, hits...)
	}
}

// find appends the places of each class to places[class]. Places are in order
// of their ends.
func (s *search) find(text string, places [][]place) {
	state := uint32(0)
	for i := 0; i < len(text); i++ {
		state = s.next[state>>1+uint32(s.class[text[i]])]
		if state&1 != 0 {
			s.report(text, i+1, int32(state>>1)/s.width, places)
		}
	}
}

func (s *search) report(text string, end int, state int32, places [][]place) {
	out := s.outs[state]
	for _, hit := range s.hits[out.from:out.to] {
		start := int32(end) - hit.size
		if hit.wordStart && start > 0 && isWordOrUnderscore(text[start-1]) {
			continue
		}
		places[hit.class] = append(places[hit.class], place{start, int32(end)})
	}
}
