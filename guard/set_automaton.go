package guard

import (
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// Bounds of the automata of one set.
const (
	maxAutomatonBytes = 1 << 20 // of the states of one automaton; past it, it starts anew
	hastyStates       = 64      // states built in one walk before it has to show progress
	minStateBytes     = 6       // bytes read for each state built; with less, building costs more than it saves
)

// automaton follows one expression through a text, from a place on or from
// anywhere. States are built while texts are read and shared by all readers.
type automaton struct {
	prog     *syntax.Prog
	anchored bool // matches begin where reading begins

	once   sync.Once
	ascii  [utf8.RuneSelf]uint16
	bounds []rune   // starts of the intervals beyond ASCII
	column []uint16 // of each interval
	sample []rune   // one rune of each class
	kinds  []around // of each class; the last class is the end of the text

	mu    sync.Mutex
	seen  []uint32 // round in which an instruction was last followed
	round uint32
	cache atomic.Pointer[stateCache]
}

// around is what a position has on one side, as far as anchors and word borders
// go.
type around uint8

const (
	aroundOther around = iota
	aroundWord
	aroundLine // a line break
	aroundEnd  // an end of the text
	aroundKinds
)

// state is a set of instructions that wait for the next character.
type state struct {
	next  []atomic.Pointer[state] // by class
	wait  []uint32                // instructions, ascending
	prev  around
	match bool // a match ended before the character that led here
	dead  bool // nothing waits
}

// stateCache are the states of an automaton. All but start is guarded by its
// lock.
type stateCache struct {
	start  [aroundKinds]atomic.Pointer[state]
	states map[string]*state
	bytes  int
}

func newAutomaton(re *syntax.Regexp, anchored bool) (*automaton, error) {
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	return &automaton{prog: prog, anchored: anchored}, nil
}

// prepare divides the characters into classes that no instruction tells apart.
func (a *automaton) prepare() {
	cuts := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1, utf8.RuneSelf}
	var tests []*syntax.Inst
	seen := map[string]bool{}
	for i := range a.prog.Inst {
		in := &a.prog.Inst[i]
		switch in.Op {
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		default:
			continue
		}
		if key := string(in.Rune) + string(rune('0'+in.Arg)); !seen[key] {
			seen[key] = true
			tests = append(tests, in)
			cuts = appendCuts(cuts, in)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	columns := map[string]uint16{}
	for i, from := range cuts {
		key := make([]byte, 1, 1+len(tests)/8+1)
		key[0] = byte(kindOf(from))
		bits, n := byte(0), 0
		for _, in := range tests {
			bits <<= 1
			if in.MatchRune(from) {
				bits |= 1
			}
			if n++; n%8 == 0 {
				key, bits = append(key, bits), 0
			}
		}
		key = append(key, bits)
		col, ok := columns[string(key)]
		if !ok {
			col = uint16(len(a.sample))
			columns[string(key)] = col
			a.sample = append(a.sample, from)
			a.kinds = append(a.kinds, kindOf(from))
		}
		if from >= utf8.RuneSelf {
			a.bounds, a.column = append(a.bounds, from), append(a.column, col)
			continue
		}
		end := rune(utf8.RuneSelf)
		if i+1 < len(cuts) {
			end = min(end, cuts[i+1])
		}
		for r := from; r < end; r++ {
			a.ascii[r] = col
		}
	}
	a.kinds = append(a.kinds, aroundEnd)
	a.cache.Store(&stateCache{states: map[string]*state{}})
}

func appendCuts(cuts []rune, in *syntax.Inst) []rune {
	if len(in.Rune) == 1 {
		r := in.Rune[0]
		cuts = append(cuts, r, r+1)
		if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				cuts = append(cuts, f, f+1)
			}
		}
		return cuts
	}
	for i := 0; i+1 < len(in.Rune); i += 2 {
		cuts = append(cuts, in.Rune[i], in.Rune[i+1]+1)
	}
	return cuts
}

func kindOf(r rune) around {
	switch {
	case r == '\n':
		return aroundLine
	case r < utf8.RuneSelf && isWordOrUnderscore(byte(r)):
		return aroundWord
	default:
		return aroundOther
	}
}

// class is the class of a character.
func (a *automaton) class(r rune) uint16 {
	lo, hi := 0, len(a.bounds)
	for lo+1 < hi {
		if m := int(uint(lo+hi) >> 1); a.bounds[m] <= r {
			lo = m
		} else {
			hi = m
		}
	}
	return a.column[lo]
}

// before is what stands before a place, as far as anchors and word borders go.
func before(text string, at int) around {
	if at == 0 {
		return aroundEnd
	}
	c := text[at-1]
	if c >= utf8.RuneSelf {
		return aroundOther
	}
	return kindOf(rune(c))
}

// after is what stands at a place.
func after(text string, at int) around {
	if at >= len(text) {
		return aroundEnd
	}
	c := text[at]
	if c >= utf8.RuneSelf {
		return aroundOther
	}
	return kindOf(rune(c))
}

// ahead is the end of the longest match that begins at a place, -1 when there
// is none, and how many characters were read. The automaton is anchored.
func (a *automaton) ahead(text string, at int) (end, steps int) {
	a.once.Do(a.prepare)
	s, end := a.begin(before(text, at)), -1
	for i := at; ; steps++ {
		col, size := uint16(len(a.kinds)-1), 1
		if i < len(text) {
			if c := text[i]; c < utf8.RuneSelf {
				col = a.ascii[c]
			} else {
				var r rune
				r, size = utf8.DecodeRuneInString(text[i:])
				col = a.class(r)
			}
		}
		next := s.next[col].Load()
		if next == nil {
			next = a.build(s, col)
		}
		if next.match {
			end = i
		}
		if next.dead {
			return end, steps + 1
		}
		s, i = next, i+size
	}
}

// back is the same for an automaton of a reversed expression: the start of the
// longest match that ends at a place.
func (a *automaton) back(text string, at int) (start, steps int) {
	a.once.Do(a.prepare)
	s, start := a.begin(after(text, at)), -1
	for i := at; ; steps++ {
		col, size := uint16(len(a.kinds)-1), 1
		if i > 0 {
			if c := text[i-1]; c < utf8.RuneSelf {
				col = a.ascii[c]
			} else {
				var r rune
				r, size = utf8.DecodeLastRuneInString(text[:i])
				col = a.class(r)
			}
		}
		next := s.next[col].Load()
		if next == nil {
			next = a.build(s, col)
		}
		if next.match {
			start = i
		}
		if next.dead {
			return start, steps + 1
		}
		s, i = next, i-size
	}
}

// occurs reports whether a match stands anywhere in the text. ok is false when
// the walk was given up. The automaton is not anchored.
func (a *automaton) occurs(text string) (found, ok bool) {
	a.once.Do(a.prepare)
	s, built := a.begin(aroundEnd), 0
	for i := 0; ; {
		col, size := uint16(len(a.kinds)-1), 1
		if i < len(text) {
			if c := text[i]; c < utf8.RuneSelf {
				col = a.ascii[c]
			} else {
				var r rune
				r, size = utf8.DecodeRuneInString(text[i:])
				col = a.class(r)
			}
		}
		next := s.next[col].Load()
		if next == nil {
			if built++; built > hastyStates && i < built*minStateBytes {
				return false, false
			}
			next = a.build(s, col)
		}
		if next.match {
			return true, true
		}
		if next.dead || i >= len(text) {
			return false, true
		}
		s, i = next, i+size
	}
}

// begin is the state at the start of a window.
func (a *automaton) begin(prev around) *state {
	if s := a.cache.Load().start[prev].Load(); s != nil {
		return s
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.intern(a.first(), prev, false)
	a.cache.Load().start[prev].Store(s)
	return s
}

// build works out where a state leads on a class.
func (a *automaton) build(s *state, col uint16) *state {
	a.mu.Lock()
	defer a.mu.Unlock()
	if next := s.next[col].Load(); next != nil {
		return next
	}
	if a.seen == nil {
		a.seen = make([]uint32, len(a.prog.Inst))
	}
	a.round++
	w := &walk{automaton: a, flags: emptyFlags(s.prev, a.kinds[col])}
	for _, pc := range s.wait {
		w.follow(pc)
	}
	var wait []uint32
	if int(col) < len(a.sample) {
		wait = w.step(a.sample[col])
		if !a.anchored {
			wait = appendSorted(wait, uint32(a.prog.Start))
		}
	}
	next := a.intern(wait, a.kinds[col], w.match)
	s.next[col].Store(next)
	return next
}

// first is where reading begins.
func (a *automaton) first() []uint32 { return []uint32{uint32(a.prog.Start)} }

func appendSorted(list []uint32, pc uint32) []uint32 {
	if i, known := slices.BinarySearch(list, pc); !known {
		return slices.Insert(list, i, pc)
	}
	return list
}

// intern returns the state of the instructions, which may be in the cache. The
// caller holds the lock.
func (a *automaton) intern(wait []uint32, prev around, match bool) *state {
	key := make([]byte, 1, 1+3*len(wait))
	key[0] = byte(prev)
	if match {
		key[0] |= 0x80
	}
	for _, pc := range wait {
		key = append(key, byte(pc), byte(pc>>8), byte(pc>>16))
	}
	c := a.cache.Load()
	if s, ok := c.states[string(key)]; ok {
		return s
	}
	if c.bytes > maxAutomatonBytes {
		// Those who walk on old states stay on them until they are done.
		c = &stateCache{states: map[string]*state{}}
		a.cache.Store(c)
	}
	s := &state{wait: wait, prev: prev, match: match, dead: len(wait) == 0}
	if !s.dead {
		s.next = make([]atomic.Pointer[state], len(a.kinds))
	}
	c.states[string(key)] = s
	c.bytes += 128 + 8*len(s.next) + 7*len(wait)
	return s
}

// emptyFlags are the assertions that hold between two characters.
func emptyFlags(prev, next around) syntax.EmptyOp {
	var f syntax.EmptyOp
	if prev == aroundEnd {
		f |= syntax.EmptyBeginText | syntax.EmptyBeginLine
	}
	if prev == aroundLine {
		f |= syntax.EmptyBeginLine
	}
	if next == aroundEnd {
		f |= syntax.EmptyEndText | syntax.EmptyEndLine
	}
	if next == aroundLine {
		f |= syntax.EmptyEndLine
	}
	if (prev == aroundWord) != (next == aroundWord) {
		return f | syntax.EmptyWordBoundary
	}
	return f | syntax.EmptyNoWordBoundary
}

// walk follows instructions that read nothing.
type walk struct {
	*automaton
	flags syntax.EmptyOp
	read  []uint32 // instructions that read a character
	match bool
}

func (w *walk) follow(pc uint32) {
	for w.seen[pc] != w.round {
		w.seen[pc] = w.round
		in := &w.prog.Inst[pc]
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			w.follow(in.Out)
			pc = in.Arg
		case syntax.InstCapture, syntax.InstNop:
			pc = in.Out
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^w.flags != 0 {
				return
			}
			pc = in.Out
		case syntax.InstMatch:
			w.match = true
			return
		case syntax.InstFail:
			return
		default:
			w.read = append(w.read, pc)
			return
		}
	}
}

// step lists the instructions after those that read r.
func (w *walk) step(r rune) []uint32 {
	var out []uint32
	for _, pc := range w.read {
		if in := &w.prog.Inst[pc]; in.MatchRune(r) {
			out = append(out, in.Out)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// reversed is an expression that matches what re matches, read backwards.
func reversed(re *syntax.Regexp) *syntax.Regexp {
	out := *re
	out.Sub = make([]*syntax.Regexp, len(re.Sub))
	for i, sub := range re.Sub {
		out.Sub[i] = reversed(sub)
	}
	switch re.Op {
	case syntax.OpConcat:
		slices.Reverse(out.Sub)
	case syntax.OpLiteral:
		out.Rune = slices.Clone(re.Rune)
		slices.Reverse(out.Rune)
	case syntax.OpBeginLine:
		out.Op = syntax.OpEndLine
	case syntax.OpEndLine:
		out.Op = syntax.OpBeginLine
	case syntax.OpBeginText:
		out.Op, out.Flags = syntax.OpEndText, re.Flags&^syntax.WasDollar
	case syntax.OpEndText:
		out.Op = syntax.OpBeginText
	default:
	}
	return &out
}
