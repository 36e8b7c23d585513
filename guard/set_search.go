package guard

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// search finds where strings of members stand in one pass over a text. The
// first four bytes of a string, or the first two of a short one, are looked up
// in a bit map that fits into the nearest cache; only where these agree is the
// rest compared.
//
// Letters of both cases are one for ASCII, and so is all white space but the
// line break.
type search struct {
	fold   [256]byte
	single [256]int32 // bucket of strings of one byte, -1: none
	short  index      // by two bytes: strings of two and three
	long   index      // by four bytes
	hits   []literalHit
}

// literalHit is a string with its members.
type literalHit struct {
	text    string
	start   bool // stands at the start of a word
	end     bool // stands at the end of a word
	members []int32
}

// literal is one string of a member.
type literal struct {
	text       string
	start, end bool
	member     int32
}

// newSearch indexes the strings. Members that share one are told of in the
// given order.
func newSearch(literals []literal, order func(a, b int32) int) *search {
	s := &search{}
	for i := range s.fold {
		s.fold[i] = byte(i)
	}
	for c := byte('A'); c <= 'Z'; c++ {
		s.fold[c] = c | 0x20
	}
	for _, c := range "\t\v\f\r" {
		s.fold[c] = ' '
	}
	slices.SortFunc(literals, func(a, b literal) int { return compareLiterals(a, b, order) })
	for i, l := range literals {
		if i == 0 || !sameString(l, literals[i-1]) {
			// A word border says something only beside a letter or digit.
			last := l.text[len(l.text)-1]
			s.hits = append(s.hits, literalHit{text: l.text, start: l.start && isWordOrUnderscore(l.text[0]), end: l.end && isWordOrUnderscore(last)})
		}
		h := &s.hits[len(s.hits)-1]
		if n := len(h.members); n == 0 || h.members[n-1] != l.member {
			h.members = append(h.members, l.member)
		}
	}
	s.index()
	return s
}

func compareLiterals(a, b literal, order func(a, b int32) int) int {
	if c := strings.Compare(a.text, b.text); c != 0 {
		return c
	}
	if a.start != b.start {
		return 1 - 2*count(b.start)
	}
	if a.end != b.end {
		return 1 - 2*count(b.end)
	}
	return order(a.member, b.member)
}

func sameString(a, b literal) bool { return a.text == b.text && a.start == b.start && a.end == b.end }

// index divides the sorted strings into buckets.
func (s *search) index() {
	for i := range s.single {
		s.single[i] = -1
	}
	keys := [2]map[uint32]span32{{}, {}}
	for i := range s.hits {
		text := s.hits[i].text
		switch {
		case len(text) == 1:
			if s.single[text[0]] < 0 {
				s.single[text[0]] = int32(i)
			}
			continue
		case len(text) < 4:
			extend(keys[0], uint32(text[0])<<8|uint32(text[1]), i)
		default:
			extend(keys[1], uint32(text[0])<<24|uint32(text[1])<<16|uint32(text[2])<<8|uint32(text[3]), i)
		}
	}
	s.short, s.long = newIndex(keys[0]), newIndex(keys[1])
}

// extend adds the i-th string to the bucket of a key. Strings between the
// first and the last that begin otherwise, or are of another length, are passed
// over when the rest is compared.
func extend(keys map[uint32]span32, key uint32, i int) {
	at, ok := keys[key]
	if !ok {
		at.from = int32(i)
	}
	at.to = int32(i) + 1
	keys[key] = at
}

type span32 struct{ from, to int32 }

// index finds the strings that begin with a key.
type index struct {
	bits  []uint64 // which hashes there are
	shift uint     // hash to bit
	keys  []uint32 // open addressing; parallel to at
	at    []span32 // from 0 to 0: free
}

func newIndex(keys map[uint32]span32) index {
	n := bits.Len(uint(len(keys))) // of a power of two above the number of keys
	x := index{shift: uint(32 - n - 3)}
	x.bits = make([]uint64, max(1<<(n+3)/64, 1))
	x.keys, x.at = make([]uint32, 1<<(n+1)), make([]span32, 1<<(n+1))
	for key, at := range keys {
		h := hash32(key)
		x.bits[h>>x.shift>>6] |= 1 << (h >> x.shift & 63)
		i := h & uint32(len(x.keys)-1)
		for x.at[i].to != 0 {
			i = (i + 1) & uint32(len(x.keys)-1)
		}
		x.keys[i], x.at[i] = key, at
	}
	return x
}

// hash32 spreads a key by multiplication; its upper and lower bits are both
// used.
func hash32(key uint32) uint32 {
	h := key * 0x9e3779b1
	return h ^ h>>15
}

func (x *index) find(key uint32) span32 {
	h := hash32(key)
	if x.bits[h>>x.shift>>6]&(1<<(h>>x.shift&63)) == 0 {
		return span32{}
	}
	for i := h & uint32(len(x.keys)-1); x.at[i].to != 0; i = (i + 1) & uint32(len(x.keys)-1) {
		if x.keys[i] == key {
			return x.at[i]
		}
	}
	return span32{}
}

// find tells m of every place where a string starts, in order.
func (s *search) find(text string, m *matching) {
	key := uint32(0)
	for i := 0; i < len(text)+3; i++ {
		key <<= 8
		if i < len(text) {
			key |= uint32(s.fold[text[i]])
		}
		start := i - 3
		if start < 0 {
			continue
		}
		if at := s.single[key>>24]; at >= 0 {
			s.compare(text, start, span32{at, int32(len(s.hits))}, 1, 1, m)
		}
		if at := s.short.find(key >> 16); at.to != 0 {
			s.compare(text, start, at, 2, 3, m)
		}
		if at := s.long.find(key); at.to != 0 {
			s.compare(text, start, at, 4, len(text), m)
		}
	}
}

// compare tells m of the strings of a bucket that stand at a place and have
// from least to most bytes.
func (s *search) compare(text string, start int, bucket span32, least, most int, m *matching) {
	first := s.fold[text[start]]
	for i := bucket.from; i < bucket.to; i++ {
		h := &s.hits[i]
		if h.text[0] != first {
			return
		}
		n := len(h.text)
		if n > most && most == 1 {
			return
		}
		if n < least || n > most || n > len(text)-start || !s.same(h.text, text[start:start+n]) {
			continue
		}
		if h.start && start > 0 && isWordOrUnderscore(text[start-1]) || h.end && start+n < len(text) && isWordOrUnderscore(text[start+n]) {
			continue
		}
		m.at(start, h.members)
	}
}

func (s *search) same(folded, text string) bool {
	for i := 0; i < len(folded); i++ {
		if s.fold[text[i]] != folded[i] {
			return false
		}
	}
	return true
}

func isWordOrUnderscore(c byte) bool { return c == '_' || c < utf8.RuneSelf && isWordByte(c) }
