package guard

import (
	"unicode"
	"unicode/utf8"
)

const (
	zeroWidthNonJoiner = 0x200c
	zeroWidthJoiner    = 0x200d
	byteOrderMark      = 0xfeff
	emojiSelector      = 0xfe0f
	textSelector       = 0xfe0e
	blackFlag          = 0x1f3f4
	cancelTag          = 0xe007f
	keycap             = 0x20e3
	maxStackedMarks    = 4 // no orthography puts more on one letter
)

// clean repairs what is not UTF-8 and takes out every character without a
// shape, keeping count of those that have no business where they stand.
func clean(text string, t *tally) *view {
	b := newBuilder(text)
	prev, marks := rune(0), 0
	for b.pos < len(text) {
		r, size := utf8.DecodeRuneInString(text[b.pos:])
		if r == utf8.RuneError && size == 1 {
			t.repaired++
			b.put("\ufffd", 1, false)
			prev = r
			continue
		}
		kind := traitOf(r)
		if kind != traitMark {
			marks = 0
		}
		switch kind {
		case traitPlain, traitSpace, traitBreak:
			b.keep(size)
			prev = r
		case traitMark:
			if marks++; marks > maxStackedMarks {
				t.stacked++
				b.drop(size, true)
				continue
			}
			b.keep(size)
		case traitControl:
			t.control(b, r, size)
		default:
			t.hidden(b, r, size, prev, kind)
		}
	}
	return b.view(nil)
}

// hidden leaves out a character without a shape.
func (t *tally) hidden(b *builder, r rune, size int, prev rune, kind trait) {
	at := b.pos
	next, _ := utf8.DecodeRuneInString(b.src[at+size:])
	fair := false
	switch kind {
	case traitSelector:
		fair = t.selector(b, r, prev)
	case traitTag:
		fair = prev == blackFlag
		t.tags += count(!fair)
	case traitBidi:
		fair = !isForcedDirection(r)
		t.bidi += count(!fair)
	case traitPrivate:
		t.private++
	default:
		fair = isFairJoiner(r, prev, next) || r == byteOrderMark && at == 0
		t.invisible += count(!fair)
	}
	b.drop(size, !fair)
	if fair && kind != traitBidi {
		return
	}
	if n := len(t.runs); n > 0 && t.runs[n-1].end == at && t.runs[n-1].kind == kind {
		t.runs[n-1].end = at + size
		return
	}
	t.runs = append(t.runs, hiddenRun{span{at, at + size}, kind})
}

// selector accepts one variation selector after a character that has variants:
// emoji, ideographs, Mongolian letters.
func (t *tally) selector(b *builder, r, prev rune) bool {
	before, _ := utf8.DecodeLastRuneInString(b.src[:b.pos])
	fair := before == prev && (unicode.In(prev, unicode.So, unicode.Sm, unicode.Sk, unicode.Han, unicode.Mongolian, unicode.Po) ||
		prev >= '0' && prev <= '9' || prev == '#' || prev == '*')
	if fair && (r != emojiSelector && r != textSelector) && !unicode.In(prev, unicode.Han, unicode.Mongolian) {
		fair = false
	}
	t.selectors += count(!fair)
	return fair
}

// isFairJoiner accepts joiners where the writing system or an emoji needs them.
func isFairJoiner(r, prev, next rune) bool {
	if r != zeroWidthJoiner && r != zeroWidthNonJoiner {
		return false
	}
	return joins(prev) && joins(next) || r == zeroWidthJoiner && joins(prev)
}

// joins reports whether joiners have a meaning beside the character: Arabic and
// the scripts of India, and pictures.
func joins(r rune) bool {
	return r > 0x600 && (unicode.In(r, unicode.So, unicode.Sk, unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
		unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Mongolian, unicode.Nko) ||
		r == emojiSelector)
}

// isForcedDirection tells overrides and embeddings, which reorder letters, from
// marks and isolates, which ordinary text in two directions needs.
func isForcedDirection(r rune) bool {
	return r >= 0x202a && r <= 0x202e && r != 0x202c
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
