package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// compose brings a view into NFKC.
func compose(v *view) *view {
	if norm.NFKC.IsNormalString(v.text) {
		return v
	}
	b := newBuilder(v.text)
	var out []byte
	for b.pos < len(b.src) {
		if span := norm.NFKC.QuickSpanString(b.src[b.pos:]); span > 0 {
			b.keep(span)
			continue
		}
		size := norm.NFKC.NextBoundaryInString(b.src[b.pos:], true)
		piece := b.src[b.pos : b.pos+size]
		out = norm.NFKC.AppendString(out[:0], piece)
		if string(out) == piece {
			b.keep(size)
			continue
		}
		b.put(string(out), size, isDisguisedForm(piece))
	}
	return b.view(v)
}

// isDisguisedForm tells forms that were made up to look like plain letters
// (mathematical, enclosed, full-width Latin) from orthography.
func isDisguisedForm(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	if r < 0x80 {
		return false
	}
	d := norm.NFKC.PropertiesString(s).Decomposition()
	return len(d) > 0 && d[0] < utf8.RuneSelf && isLetterByte(d[0]|0x20) && !unicode.Is(unicode.Nl, r) && norm.NFC.PropertiesString(s).Decomposition() == nil
}

func isLetterByte(c byte) bool { return c >= 'a' && c <= 'z' }

// foldRunes lowers case, folds Latin letters to ASCII and look-alikes in Latin
// words to Latin, and joins white space.
func foldRunes(v *view, t *tally) *view {
	b := newBuilder(v.text)
	folds := latinFolds()
	for b.pos < len(b.src) {
		rest := b.src[b.pos:]
		if c := rest[0]; c < utf8.RuneSelf && lowered[c] != 0 && !isWordByte(c) {
			b.keep(1)
			continue
		}
		if size, ends := blankRun(rest); size > 0 {
			b.blank(size, ends)
			continue
		}
		if n := wordLen(rest); n > 0 {
			b.word(rest[:n], folds, t)
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		if to := punctuation(r); to != "" {
			b.put(to, size, false)
		} else if f := folds.of(r); f.class == foldAlways {
			b.put(f.to, size, isLetterByte(f.to[0]))
		} else {
			b.keep(size)
		}
	}
	return b.view(v)
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

// wordLen measures the letters, digits and marks at the start of text.
func wordLen(text string) int {
	n := 0
	for n < len(text) {
		c := text[n]
		if c < utf8.RuneSelf {
			if !isWordByte(c) {
				return n
			}
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			return n
		}
		n += size
	}
	return n
}

// word folds one word of the source, which is at the builder's position.
func (b *builder) word(w string, folds *foldTable, t *tally) {
	into := b.meantToBeLatin(w, folds, t)
	base := rune(0)
	for len(w) > 0 {
		r, size := utf8.DecodeRuneInString(w)
		w = w[size:]
		if r < utf8.RuneSelf {
			b.put(string(lowered[r]), size, false)
			base = r
			continue
		}
		if unicode.IsMark(r) {
			if base < utf8.RuneSelf || unicode.Is(unicode.Latin, base) {
				t.stacked++
				b.drop(size, true)
			} else {
				b.keep(size)
			}
			continue
		}
		base = r
		b.letter(r, size, into, folds)
	}
}

func (b *builder) letter(r rune, size int, into bool, folds *foldTable) {
	f := folds.of(r)
	if f.class == foldAlways || into && f.class == foldInLatin {
		b.put(f.to, size, f.class == foldInLatin || isDressed(r))
		return
	}
	if r == 'ß' || r == 'ẞ' {
		b.put("ss", size, false)
		return
	}
	low := unicode.ToLower(r)
	if unicode.Is(unicode.Latin, r) {
		if d := norm.NFD.PropertiesString(string(low)).Decomposition(); len(d) > 0 {
			if base, _ := utf8.DecodeRune(d); base < utf8.RuneSelf {
				b.put(string(base), size, false)
				return
			} else if f := folds.of(base); f.class == foldAlways {
				b.put(f.to, size, false)
				return
			}
		}
	}
	b.put(string(low), size, false)
}

// isDressed reports whether a Latin letter belongs to no orthography of the
// supported languages, so that it only stands in for a plain one.
func isDressed(r rune) bool {
	switch r {
	case 'æ', 'Æ', 'œ', 'Œ', 'ø', 'Ø', 'đ', 'Đ', 'ð', 'ł', 'Ł', 'ı', 'ħ', 'Ħ', 'ŧ', 'Ŧ', 'ŉ', 'ĸ', 'ŀ', 'Ŀ':
		return false
	}
	return !unicode.Is(unicode.Nd, r)
}

// meantToBeLatin decides whether look-alikes in a word stand for Latin letters:
// some letters are Latin and every other one looks Latin. Words that look Latin
// throughout are counted for a reading of their own.
func (b *builder) meantToBeLatin(w string, folds *foldTable, t *tally) bool {
	latin, alike, other := 0, 0, 0
	for _, r := range w {
		switch {
		case r < utf8.RuneSelf:
			latin += count(isLetterByte(byte(r) | 0x20))
		case unicode.IsMark(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		case folds.of(r).class == foldInLatin:
			alike++
		case unicode.IsLetter(r):
			other++
		}
	}
	if alike == 0 || other > 0 {
		return false
	}
	if latin == 0 {
		t.foldable++
		return false
	}
	t.mixed++
	return true
}

// foldAll folds words that look Latin throughout, though all of their letters
// belong to another script.
func foldAll(v *view) *view {
	b := newBuilder(v.text)
	folds := latinFolds()
	for b.pos < len(b.src) {
		n := wordLen(b.src[b.pos:])
		if n == 0 {
			_, size := utf8.DecodeRuneInString(b.src[b.pos:])
			b.keep(size)
			continue
		}
		w := b.src[b.pos : b.pos+n]
		if isASCII(w) || strings.ContainsFunc(w, func(r rune) bool { return folds.of(r).class != foldInLatin && !unicode.IsMark(r) }) {
			b.keep(n)
			continue
		}
		for _, r := range w {
			b.put(folds.of(r).to, utf8.RuneLen(r), true)
		}
	}
	return b.view(v)
}

// punctuation is the ASCII form of quotation marks, dashes and primes, "" for
// everything else.
func punctuation(r rune) string {
	switch r {
	case '\u2018', '\u2019', '\u201a', '\u201b', '\u2039', '\u203a', '\u2032':
		return "'"
	case '\u201c', '\u201d', '\u201e', '\u201f', '\u00ab', '\u00bb', '\u2033', '\u300c', '\u300d', '\u300e', '\u300f', '\u301d', '\u301e', '\u301f', '\u275d', '\u275e':
		return `"`
	}
	if unicode.Is(unicode.Pd, r) || r == '\u2212' {
		return "-"
	}
	return ""
}
