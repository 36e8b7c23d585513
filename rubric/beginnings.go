package rubric

import (
	"regexp/syntax"
	"unicode"
)

const (
	beginLetters  = 3   // letters of a beginning
	maxClass      = 200 // runes of a class that are listed one by one
	maxBeginnings = 20000
)

// beginnings are what the matches of a pattern can begin with: up to three
// letters, folded, fewer where a match can end or go on with too many letters
// to list. ok is false when that is so for the first one already.
func beginnings(pattern string) (found map[string]bool, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, false
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, false
	}
	b := beginner{prog: prog, seen: map[beginState]bool{}, found: map[string]bool{}}
	b.walk(beginState{pc: uint32(prog.Start)})
	b.dropLonger()
	return b.found, !b.found[""] && len(b.found) <= maxBeginnings
}

// dropLonger drops beginnings that a shorter one covers.
func (b *beginner) dropLonger() {
	for letters := range b.found {
		for i := range letters {
			if i > 0 && b.found[letters[:i]] {
				delete(b.found, letters)
				break
			}
		}
	}
}

type beginner struct {
	prog  *syntax.Prog
	seen  map[beginState]bool
	found map[string]bool
}

type beginState struct {
	pc      uint32
	letters string
	n       int
}

// walk follows a compiled pattern for as many letters as a beginning has.
func (b *beginner) walk(s beginState) {
	if b.seen[s] || len(b.found) > maxBeginnings {
		return
	}
	b.seen[s] = true
	inst := &b.prog.Inst[s.pc]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		b.walk(beginState{inst.Out, s.letters, s.n})
		b.walk(beginState{inst.Arg, s.letters, s.n})
	case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
		b.walk(beginState{inst.Out, s.letters, s.n})
	case syntax.InstRune, syntax.InstRune1:
		b.step(inst, s)
	case syntax.InstFail:
	default: // any rune, or the end of a match
		b.found[s.letters] = true
	}
}

func (b *beginner) step(inst *syntax.Inst, s beginState) {
	ranges := inst.Rune
	if len(ranges) == 1 {
		ranges = []rune{ranges[0], ranges[0]}
	}
	size := rune(0)
	for i := 0; i+1 < len(ranges); i += 2 {
		size += ranges[i+1] - ranges[i] + 1
	}
	if size > maxClass {
		b.found[s.letters] = true
		return
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			letters := s.letters + string(foldRune(r))
			if s.n+1 == beginLetters {
				b.found[letters] = true
				continue
			}
			b.walk(beginState{inst.Out, letters, s.n + 1})
		}
	}
}

// foldRune is one rune for all cases of a letter.
func foldRune(r rune) rune {
	if r < unicode.MaxASCII {
		return unicode.ToLower(r)
	}
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	return unicode.ToLower(least)
}
