package guard

import "unicode/utf8"

// Bounds of what is read as one stretch of joined letters.
const (
	minSpread        = 4    // words in a row before the signs between them count as spaces
	minJoinedLetters = 5    // fewer letters are a word, not words
	maxGroupLetters  = 4000 // longer stretches are read piece by piece
	minCovered       = 0.7  // of the letters must belong to words
)

// spread marks signs that stand between single words as spaces would: the same
// sign after each of several words, signs of their own between words, each word
// on a line of its own.
func (l *looser) spread() {
	n := len(l.chunks)
	for i := 0; i < n; {
		k := i + 1
		for k < n && l.sameJoint(i, k) {
			k++
		}
		if k-i >= minSpread {
			for j := i; j < k; j++ {
				l.chunks[j].trim = j < k-1
				l.chunks[j].join = j > i
			}
		}
		i = max(k-1, i+1)
	}
	for i := 0; i+2 < n; {
		k := i
		for k+2 < n && l.chunks[k].kind != chunkMark && l.sameMark(i+1, k+1) && l.chunks[k+2].kind != chunkMark {
			k += 2
		}
		if k-i >= 2*(minSpread-1) {
			for j := i + 1; j < k; j += 2 {
				l.chunks[j].drop = true
			}
		}
		i = max(k, i+1)
	}
}

// sameJoint reports whether chunk k-1 is parted from chunk k as chunk i is from
// its next: by the same signs, or by a line break.
func (l *looser) sameJoint(i, k int) bool {
	a, b := &l.chunks[i], &l.chunks[k-1]
	if a.kind == chunkMark || b.kind == chunkMark || l.chunks[k].kind == chunkMark || l.chunks[i+1].gap != l.chunks[k].gap {
		return false
	}
	signs := l.src[b.core.end:b.end]
	return l.src[a.core.end:a.end] == signs && (signs != "" || l.chunks[k].gap == '\n')
}

func (l *looser) sameMark(i, k int) bool {
	a, b := &l.chunks[i], &l.chunks[k]
	return a.kind == chunkMark && b.kind == chunkMark && l.src[a.start:a.end] == l.src[b.start:b.end]
}

// next writes the chunk at i, or the group that begins with it, and returns how
// many chunks that were.
func (l *looser) next(i int) int {
	c := &l.chunks[i]
	switch {
	case c.drop:
		l.b.drop(c.end-l.b.pos, true)
		return 1
	case c.kind == chunkJoined:
		l.part(c)
		return 1
	case isSuspect(c.kind):
		if n := l.group(i); l.divided(i, n) {
			return n
		}
	case c.kind != chunkKnown:
		l.keep(c)
		return 1
	}
	if l.pair(i) {
		return 2
	}
	if isSuspect(c.kind) && c.kind != chunkSingle {
		if w := l.mend(c); w != "" {
			l.lead(c)
			l.replace(w, c.core)
			l.trail(c)
			return 1
		}
	}
	l.keep(c)
	return 1
}

func isSuspect(k chunkKind) bool {
	return k == chunkSingle || k == chunkWord || k == chunkBroken
}

// group counts the chunks from i on whose letters may belong together.
func (l *looser) group(i int) int {
	n, letters := 1, 0
	for ; i+n < len(l.chunks) && letters < maxGroupLetters; n++ {
		prev, c := &l.chunks[i+n-1], &l.chunks[i+n]
		letters += prev.core.end - prev.core.start
		if l.endsClause(prev) {
			break
		}
		if isSuspect(c.kind) {
			continue
		}
		bridge := c.drop || c.kind == chunkMark && prev.kind == chunkSingle || c.kind == chunkKnown && c.core.end-c.core.start <= 3
		if !bridge || i+n+1 >= len(l.chunks) || !isSuspect(l.chunks[i+n+1].kind) {
			break
		}
	}
	return n
}

func (l *looser) endsClause(c *chunk) bool {
	if c.trim {
		return false
	}
	for _, s := range l.src[c.core.end:c.end] {
		if s == '.' || s == '!' || s == '?' || s == ';' || s == ':' {
			return true
		}
	}
	return false
}

// divided writes n chunks from i on as the words that their letters make
// together, if they do.
func (l *looser) divided(i, n int) bool {
	last := &l.chunks[i+n-1]
	letters, at, before := l.letters(i, n)
	if len(letters) < minJoinedLetters || n == 1 && len(letters) < 9 && l.chunks[i].kind == chunkWord {
		return false
	}
	cuts := l.voc.tree.divide(letters)
	if !l.reads(letters, cuts, before, n) {
		return false
	}
	l.lead(&l.chunks[i])
	for k, c := range cuts {
		if k > 0 && l.b.pos < at[c.start] {
			l.b.put(" ", at[c.start]-l.b.pos, true)
		} else if k > 0 {
			l.b.put(" ", 0, true)
		}
		end := at[c.end-1] + 1
		if k == len(cuts)-1 {
			end = last.core.end
		}
		from := at[c.start]
		word := ""
		if c.rank > 0 {
			word = l.voc.keys[letters[c.start:c.end]]
		}
		if word == "" {
			word = l.src[from:end]
		}
		l.replace(word, span{from, end})
	}
	l.trail(last)
	return true
}

// letters joins the canonical letters of n chunks. at is where each byte comes
// from; before counts those that already stood in known words.
func (l *looser) letters(i, n int) (letters string, at []int, before int) {
	buf := make([]byte, 0, 64)
	for k := i; k < i+n; k++ {
		c := &l.chunks[k]
		if c.kind == chunkMark {
			continue
		}
		start := len(buf)
		for j := c.core.start; j < c.core.end; j++ {
			b := l.src[j]
			if b < utf8.RuneSelf {
				if b = canonicalByte[b]; b == 0 {
					continue
				}
			}
			buf = append(buf, b)
			at = append(at, j)
		}
		if c.kind == chunkKnown {
			before += len(buf) - start
		}
	}
	return string(buf), at, before
}

// reads decides whether the words make more sense than the chunks did.
func (l *looser) reads(letters string, cuts []cut, before, chunks int) bool {
	covered, matter, long := 0, false, 0
	for _, c := range cuts {
		if c.rank == 0 || c.end-c.start < 2 && len(cuts) > 1 && chunks == 1 {
			continue
		}
		covered += c.end - c.start
		if c.end-c.start >= minRepairBytes {
			long++
			matter = matter || c.rank >= rankExample
		}
	}
	return matter && float64(covered) >= minCovered*float64(len(letters)) && covered > before && (long > 1 || len(cuts) <= 3)
}

// pair writes two chunks as the one word that they make, if they do.
func (l *looser) pair(i int) bool {
	if i+1 >= len(l.chunks) {
		return false
	}
	a, b := &l.chunks[i], &l.chunks[i+1]
	if !isSuspect(a.kind) && !isSuspect(b.kind) || a.kind == chunkMark || b.kind == chunkMark || a.core.end < a.end && !a.trim {
		return false
	}
	if l.voc.known(l.src[b.core.start:b.core.end]) && l.voc.known(l.src[a.core.start:a.core.end]) {
		return false
	}
	letters, _, _ := l.letters(i, 2)
	w, ok := l.voc.keys[letters]
	if !ok || len(w) < minJoinedLetters || !l.voc.matters(w) {
		return false
	}
	l.lead(a)
	l.replace(w, span{a.core.start, b.core.end})
	l.trail(b)
	return true
}

// mend is the word that one chunk stands for, with the signs at its edges if
// these pass for letters.
func (l *looser) mend(c *chunk) string {
	core := l.src[c.core.start:c.core.end]
	if whole := l.src[c.start:c.end]; whole != core && c.kind == chunkBroken || c.end-c.core.end > 0 && l.src[c.core.end] != '.' && l.src[c.core.end] != ',' {
		if w, ok := l.voc.keys[canonical(whole)]; ok && len(canonical(whole)) > len(canonical(core)) && l.voc.matters(w) {
			c.core = c.span
			return w
		}
	}
	if w := l.voc.repair(core); w != "" && w != core {
		return w
	}
	return ""
}

// part writes a chunk of joined words with spaces between them.
func (l *looser) part(c *chunk) {
	l.lead(c)
	for l.b.pos < c.core.end {
		if b := l.src[l.b.pos]; isWordByte(b) || b == '\'' {
			l.b.keep(1)
			continue
		}
		n := 1
		for l.b.pos+n < c.core.end && !isWordByte(l.src[l.b.pos+n]) {
			n++
		}
		l.b.put(" ", n, true)
	}
	l.trail(c)
}

// lead writes what stands in front of a chunk's core.
func (l *looser) lead(c *chunk) {
	if c.gap == '\n' && c.join && l.b.pos < c.start {
		l.b.put(" ", c.start-l.b.pos, true)
	}
	l.b.keep(max(c.core.start-l.b.pos, 0))
}

// trail writes what stands after a chunk's core.
func (l *looser) trail(c *chunk) {
	if n := c.end - l.b.pos; c.trim {
		l.b.drop(n, true)
	} else {
		l.b.keep(n)
	}
}

func (l *looser) keep(c *chunk) {
	l.lead(c)
	l.b.keep(c.core.end - l.b.pos)
	l.trail(c)
}

// replace writes a word for a piece of the source.
func (l *looser) replace(word string, at span) {
	if l.src[at.start:at.end] == word {
		l.b.keep(at.end - l.b.pos)
		return
	}
	l.words++
	l.b.put(word, at.end-l.b.pos, true)
}
