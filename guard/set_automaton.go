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

// automaton answers whether and where one expression first ends a match. States
// are built while texts are read and shared by all readers. It needs no copy of
// the text, so what stands around a window is seen as it is.
type automaton struct {
	prog *syntax.Prog

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
	next []atomic.Pointer[state] // by class
	wait []uint32                // instructions, ascending
	prev around
}

// stateCache are the states of an automaton. All but start is guarded by its
// lock.
type stateCache struct {
	start  [aroundKinds]atomic.Pointer[state]
	states map[string]*state
	bytes  int
}

// matched is where every match leads.
var matched = &state{}

func newAutomaton(expr string) (*automaton, error) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, err
	}
	return &automaton{prog: prog}, nil
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

// class is the class of the character at a place, and its length.
func (a *automaton) class(text string, at int) (col uint16, size int) {
	if at >= len(text) {
		return uint16(len(a.kinds) - 1), 1
	}
	if c := text[at]; c < utf8.RuneSelf {
		return a.ascii[c], 1
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	lo, hi := 0, len(a.bounds)
	for lo+1 < hi {
		if m := int(uint(lo+hi) >> 1); a.bounds[m] <= r {
			lo = m
		} else {
			hi = m
		}
	}
	return a.column[lo], size
}

// end finds the first place in the window where a match ends that begins in it,
// -1 when there is none. ok is false when the walk was given up.
func (a *automaton) end(text string, w span) (end int, ok bool) {
	a.once.Do(a.prepare)
	prev := aroundEnd
	if w.start > 0 {
		r, _ := utf8.DecodeLastRuneInString(text[:w.start])
		prev = kindOf(r)
	}
	s, built := a.begin(prev), 0
	for at := w.start; ; {
		col, size := a.class(text, at)
		next := s.next[col].Load()
		if next == nil {
			if built++; built > hastyStates && at-w.start < built*minStateBytes {
				return -1, false
			}
			next = a.build(s, col)
		}
		if next == matched {
			return at, true
		}
		if at >= w.end {
			return -1, true
		}
		s = next
		at += size
	}
}

// begin is the state at the start of a window.
func (a *automaton) begin(prev around) *state {
	if s := a.cache.Load().start[prev].Load(); s != nil {
		return s
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.intern(nil, prev)
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
	w.follow(uint32(a.prog.Start))
	for _, pc := range s.wait {
		w.follow(pc)
	}
	next := matched
	if !w.match {
		var wait []uint32
		if int(col) < len(a.sample) {
			wait = w.step(a.sample[col])
		}
		next = a.intern(wait, a.kinds[col])
	}
	s.next[col].Store(next)
	return next
}

// intern returns the state of the instructions, which may be in the cache. The
// caller holds the lock.
func (a *automaton) intern(wait []uint32, prev around) *state {
	key := make([]byte, 1, 1+3*len(wait))
	key[0] = byte(prev)
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
	s := &state{next: make([]atomic.Pointer[state], len(a.kinds)), wait: wait, prev: prev}
	c.states[string(key)] = s
	c.bytes += 128 + 8*len(a.kinds) + 7*len(wait)
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
