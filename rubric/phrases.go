package rubric

import (
	"regexp"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// phraseReach bounds the length of a phrase, in bytes.
const phraseReach = 160

// phrases finds the phrases of a vocabulary in a text. A phrase begins and ends
// between words, so only the beginnings of words are tried, each by the phrases
// that can begin with its letter: a few regular expressions of a language or
// two, not the whole vocabulary at every byte.
type phrases struct {
	entries []*regexp.Regexp // anchored
	first   map[rune][]int   // entries that can begin with a rune
	any     []int            // entries that can begin with too many to list
}

// maxFirst is how many first runes are listed for an entry.
const maxFirst = 200

// newPhrases compiles a vocabulary. The index that find gives is that of the
// pattern.
func newPhrases(patterns []string) *phrases {
	p := &phrases{first: map[rune][]int{}}
	for i, pattern := range patterns {
		re := regexp.MustCompile(`(?i)^(?:` + pattern + `)`)
		re.Longest()
		p.entries = append(p.entries, re)
		runes, ok := firstRunes(`(?i)(?:` + pattern + `)`)
		if !ok {
			p.any = append(p.any, i)
			continue
		}
		for r := range runes {
			p.first[r] = append(p.first[r], i)
		}
	}
	return p
}

// find calls found for every phrase in the text, in order of place; phrases of
// different patterns may overlap.
func (p *phrases) find(text string, found func(entry, start, end int)) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if edge(text, at) && !unicode.IsSpace(r) {
			p.tryAll(p.first[r], text, at, found)
			p.tryAll(p.any, text, at, found)
		}
		at += size
	}
}

func (p *phrases) tryAll(entries []int, text string, at int, found func(entry, start, end int)) {
	if len(entries) == 0 {
		return
	}
	end := min(len(text), at+phraseReach)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	for _, i := range entries {
		m := p.entries[i].FindStringIndex(text[at:end])
		if m != nil && m[1] > 0 && edge(text, at+m[1]) {
			found(i, at, at+m[1])
		}
	}
}

// has tells whether any phrase is in the text.
func (p *phrases) has(text string) bool {
	any := false
	p.find(text, func(int, int, int) { any = true })
	return any
}

// firstRunes are the runes that a match of a pattern can begin with, all cases
// of them; ok is false when they are too many to list.
func firstRunes(pattern string) (runes map[rune]bool, ok bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, false
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return nil, false
	}
	f := firsts{prog: prog, seen: map[uint32]bool{}, runes: map[rune]bool{}}
	return f.runes, f.walk(uint32(prog.Start))
}

type firsts struct {
	prog  *syntax.Prog
	seen  map[uint32]bool
	runes map[rune]bool
}

// walk follows a compiled pattern up to the first rune it needs.
func (f *firsts) walk(pc uint32) bool {
	if f.seen[pc] {
		return true
	}
	f.seen[pc] = true
	inst := &f.prog.Inst[pc]
	switch inst.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return f.walk(inst.Out) && f.walk(inst.Arg)
	case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
		return f.walk(inst.Out)
	case syntax.InstRune, syntax.InstRune1:
		return f.add(inst.Rune)
	default: // any rune, an empty match, failure
		return inst.Op == syntax.InstFail
	}
}

func (f *firsts) add(ranges []rune) bool {
	if len(ranges) == 1 {
		ranges = []rune{ranges[0], ranges[0]}
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > maxFirst || len(f.runes) > maxFirst {
			return false
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			f.runes[r] = true
			for folded := unicode.SimpleFold(r); folded != r; folded = unicode.SimpleFold(folded) {
				f.runes[folded] = true
			}
		}
	}
	return true
}
