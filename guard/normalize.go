package guard

import (
	"unicode/utf8"
)

// tally is what normalising took out of a text or put right in it.
type tally struct {
	repaired  int // bytes that are not UTF-8
	invisible int // characters that take no room, outside emoji and joining scripts
	bidi      int // characters that turn the direction of writing by force
	tags      int // tag characters outside flags
	selectors int // variation selectors that select nothing
	controls  int // C0 and C1 controls
	private   int // private use, unassigned
	stacked   int // combining marks that no letter takes
	mixed     int // words of one script with look-alikes of another
	foldable  int // words of another script that look Latin throughout
	runs      []hiddenRun
}

// hiddenRun is a run of characters that have no shape and may carry a text.
type hiddenRun struct {
	span
	kind trait
}

// normalize makes the reading that patterns are matched against: compatibility
// forms composed (NFKC), lower case, Latin letters without diacritics, look-
// alikes in Latin words folded, invisible characters taken out, runs of white
// space as one space or one line break, quotation marks and dashes as ASCII.
// Scripts other than Latin keep their letters and marks.
//
// The result is valid UTF-8 whatever the text is, and normalising it once more
// changes nothing.
func normalize(text string) (*view, tally) {
	var t tally
	if isASCII(text) {
		return normalizeASCII(text, &t), t
	}
	cleaned := clean(text, &t)
	composed := compose(cleaned)
	return foldRunes(composed, &t), t
}

func isASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// lowered is the ASCII byte in lower case, 0 for white space and controls.
var lowered = func() (t [128]byte) {
	for c := byte(' ') + 1; c < deletion; c++ {
		t[c] = c
		if c >= 'A' && c <= 'Z' {
			t[c] = c + 'a' - 'A'
		}
	}
	return t
}()

// normalizeASCII is the fast path: one pass over bytes.
func normalizeASCII(text string, t *tally) *view {
	b := newBuilder(text)
	for b.pos < len(text) {
		i := b.pos
		for i < len(text) && lowered[text[i]] != 0 {
			b.buf = append(b.buf, lowered[text[i]])
			i++
		}
		b.pos = i
		if i == len(text) {
			break
		}
		if asciiTraits[text[i]] == traitControl {
			t.control(b, rune(text[i]), 1)
			continue
		}
		b.blank(blankRun(text[i:]))
	}
	return b.view(nil)
}

// control leaves a control character out; those that erase do so.
func (t *tally) control(b *builder, r rune, size int) {
	t.controls++
	if r == backspace || r == deletion {
		b.erase(size)
		return
	}
	b.drop(size, true)
}

// blankRun measures the white space at the start of text and tells whether it
// ends a line.
func blankRun(text string) (size int, ends bool) {
	for size < len(text) {
		r, n := rune(text[size]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[size:])
		}
		switch traitOf(r) {
		case traitBreak:
			ends = true
		case traitSpace:
		default:
			return size, ends
		}
		size += n
	}
	return size, ends
}

// blank writes a run of white space as one space or line break, and nothing at
// either end of the text.
func (b *builder) blank(size int, ends bool) {
	switch {
	case len(b.buf) == 0 || b.pos+size == len(b.src):
		b.drop(size, false)
	case size == 1 && (b.src[b.pos] == ' ' || b.src[b.pos] == '\n'):
		b.keep(1)
	case ends:
		b.put("\n", size, false)
	default:
		b.put(" ", size, false)
	}
}
