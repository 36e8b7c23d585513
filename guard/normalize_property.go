package guard

import "unicode"

// trait is what a character is, as far as hiding text goes.
type trait uint8

const (
	traitPlain     trait = iota
	traitSpace           // white space and what is drawn like it
	traitBreak           // ends a line
	traitInvisible       // default ignorable: takes no room, has no shape
	traitBidi            // changes the direction of what follows
	traitTag             // tag characters, U+E0000 to U+E007F
	traitSelector        // variation selectors
	traitControl         // C0 and C1 controls
	traitPrivate         // private use, unassigned and noncharacters: no reader knows a meaning
	traitMark            // combining marks
)

const (
	backspace = 0x08
	deletion  = 0x7f
)

// traitOf goes by Unicode properties, so that characters nobody has thought of
// are treated like their kind.
func traitOf(r rune) trait {
	switch {
	case r < 0x80:
		return asciiTraits[r]
	case r == 0x85, r == 0x2028, r == 0x2029:
		return traitBreak
	case unicode.Is(unicode.Bidi_Control, r):
		return traitBidi
	case r >= 0xe0000 && r <= 0xe007f:
		return traitTag
	case unicode.Is(unicode.Variation_Selector, r):
		return traitSelector
	case unicode.Is(unicode.Zs, r), r == brailleBlank:
		return traitSpace
	case unicode.Is(unicode.Cc, r):
		return traitControl
	case isIgnorable(r):
		return traitInvisible
	case unicode.Is(unicode.Co, r), !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C):
		return traitPrivate
	case unicode.Is(unicode.M, r):
		return traitMark
	default:
		return traitPlain
	}
}

// brailleBlank is a pattern without dots: it looks like a space.
const brailleBlank = 0x2800

// isIgnorable is the derived property Default_Ignorable_Code_Point, with those
// format characters that have a shape left out.
func isIgnorable(r rune) bool {
	if r >= 0xfff9 && r <= 0xfffb || unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r >= 0x13430 && r <= 0x13440 {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) || r == 0x1d159
}

var asciiTraits = func() (t [128]trait) {
	for r := range t {
		switch {
		case r == '\n', r == '\r', r == '\v', r == '\f':
			t[r] = traitBreak
		case r == ' ', r == '\t':
			t[r] = traitSpace
		case r < ' ', r == deletion:
			t[r] = traitControl
		}
	}
	return t
}()
