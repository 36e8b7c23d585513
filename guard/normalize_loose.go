package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// chunkKind is what a run without white space looks like.
type chunkKind uint8

const (
	chunkOther  chunkKind = iota // numbers, signs, addresses
	chunkKnown                   // a word, or words joined as they often are
	chunkSingle                  // one letter
	chunkWord                    // letters that are no known word
	chunkBroken                  // letters with something between them
	chunkJoined                  // known words joined by signs
	chunkMark                    // signs alone
)

// chunk is a run without white space, with the part between its outer signs.
type chunk struct {
	span
	core span
	kind chunkKind
	gap  byte // what stands in front: ' ', '\n' or 0
	drop bool // the chunk only parts words
	trim bool // the signs at its end only part words
	join bool // the line break in front only parts words
}

// looser makes the loose reading of a normalised text: letters that were split,
// joined, dressed up, shuffled or misspelt are put right where that yields words
// of the packs, and signs that only part words are taken out.
type looser struct {
	voc    *vocabulary
	src    string
	chunks []chunk
	b      *builder
	words  int // put right
}

// loosen returns the loose reading, nil when it would read like v, and how many
// words it put right.
func (voc *vocabulary) loosen(v *view) (*view, int) {
	p := prose(v)
	l := &looser{voc: voc, src: p.text}
	if !l.split() {
		if p == v {
			return nil, 0
		}
		return p, 0
	}
	l.b = newBuilder(l.src)
	l.spread()
	for i := 0; i < len(l.chunks); {
		i += l.next(i)
	}
	l.b.keep(len(l.src) - l.b.pos)
	if !l.b.changed() {
		if p == v {
			return nil, 0
		}
		return p, 0
	}
	return l.b.view(p), l.words
}

// split cuts the text into chunks and reports whether any of them gives reason
// to look closer.
func (l *looser) split() bool {
	suspect, marks, short := false, 0, 0
	l.chunks = make([]chunk, 0, 16+len(l.src)/6)
	for i := 0; i < len(l.src); {
		c := chunk{}
		if l.src[i] == ' ' || l.src[i] == '\n' {
			c.gap = l.src[i]
			i++
		}
		c.start = i
		for i < len(l.src) && l.src[i] != ' ' && l.src[i] != '\n' {
			i++
		}
		c.end = i
		if c.start == c.end {
			continue
		}
		l.classify(&c)
		switch c.kind {
		case chunkWord, chunkBroken, chunkJoined:
			suspect = true
		case chunkSingle:
			short++
		case chunkMark:
			marks++
		case chunkKnown:
			short += count(c.gap == '\n')
		default:
		}
		l.chunks = append(l.chunks, c)
	}
	return suspect || marks > 2 || short > 3 || l.trailing()
}

// trailing reports whether several chunks in a row end with the same sign.
func (l *looser) trailing() bool {
	run := 0
	for i := range l.chunks {
		c := &l.chunks[i]
		if c.core.end < c.end && i > 0 && l.chunks[i-1].end > l.chunks[i-1].core.end && l.src[c.end-1] == l.src[l.chunks[i-1].end-1] {
			if run++; run >= 2 {
				return true
			}
			continue
		}
		run = 0
	}
	return false
}

// classify looks at one chunk. The common case, a word in ASCII, comes first.
func (l *looser) classify(c *chunk) {
	c.core = c.span
	for c.core.start < c.core.end && isEdge(l.src[c.core.start]) {
		c.core.start++
	}
	for c.core.end > c.core.start && isEdge(l.src[c.core.end-1]) {
		c.core.end--
	}
	core := l.src[c.core.start:c.core.end]
	if core == "" {
		c.kind = chunkMark
		return
	}
	letters, digits, others, wide := 0, 0, 0, 0
	for i := 0; i < len(core); i++ {
		switch b := core[i]; {
		case isLetterByte(b):
			letters++
		case b >= utf8.RuneSelf:
			wide++
		case b >= '0' && b <= '9':
			digits++
		default:
			others++
		}
	}
	if wide > 0 {
		c.kind = l.classifyWide(core, digits+others)
		return
	}
	switch {
	case letters == 0 && (others == 0 || digits > 0):
		c.kind = chunkOther
	case letters == 0:
		c.kind = chunkMark
	case letters == 1 && digits+others == 0:
		c.kind = chunkSingle
	case digits+others == 0:
		c.kind = chunkWord
		if l.voc.known(core) {
			c.kind = chunkKnown
		}
	default:
		c.kind = l.classifyMixed(core, others)
	}
}

// isEdge are signs that surround words.
func isEdge(c byte) bool {
	switch c {
	case '.', ',', ';', ':', '?', '!', '"', '\'', '(', ')', '[', ']', '{', '}', '<', '>', '*', '_', '`', '~', '-', '/', '\\', '|', '=', '#', '&', '^':
		return true
	}
	return false
}

// classifyWide looks at chunks that are not ASCII. Whole words of other scripts
// are ordinary.
func (l *looser) classifyWide(core string, signs int) chunkKind {
	letters, apart, glued := 0, 0, 0
	for _, r := range core {
		switch {
		case isGlued(r):
			glued++
			letters++
		case unicode.IsLetter(r), unicode.IsMark(r):
			letters++
		case r >= utf8.RuneSelf:
			apart++
		}
	}
	switch {
	case letters == 0:
		return chunkMark
	case letters == 1:
		return chunkSingle
	case apart+signs > 0:
		return chunkBroken
	case l.voc.known(core), glued > 1:
		return chunkKnown
	default:
		return chunkWord
	}
}

// classifyMixed looks at ASCII chunks with digits or signs between letters.
func (l *looser) classifyMixed(core string, others int) chunkKind {
	if strings.Contains(core, "://") || strings.IndexByte(core, '@') > 1 && strings.IndexByte(core, '.') > 0 {
		return chunkOther
	}
	if others == 0 {
		return chunkBroken
	}
	known, parts := 0, 0
	for part := range strings.FieldsFuncSeq(core, func(r rune) bool { return !isLetterByte(byte(r)) && (r < '0' || r > '9') }) {
		parts++
		known += count(len(part) > 1 && l.voc.known(part) || part == "a" || part == "s" || part == "t" || isDigits(part))
	}
	switch {
	case parts > 1 && known == parts && (parts > 3 || strings.IndexFunc(core, func(r rune) bool { return r != '\'' && r != '-' && r != '/' && !isWordByte(byte(r)) }) >= 0):
		return chunkJoined
	case parts > 1 && known == parts:
		return chunkKnown
	default:
		return chunkBroken
	}
}

func isDigits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
