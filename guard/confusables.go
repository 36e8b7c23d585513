package guard

import (
	"sync"
	"unicode"
)

//go:generate sh -c "python3 confusables_gen.py | gofmt > confusables_table.go"

// lookalike is what a reader takes a character for.
type lookalike struct {
	r  rune
	to string
}

// foldClass says when a character is folded to what it looks like.
type foldClass uint8

const (
	foldNever   foldClass = iota
	foldAlways            // Latin letters and signs drawn from them: nobody reads them as anything else
	foldInLatin           // letters of other scripts: only where the word is meant to be Latin
)

// foldTable finds the look-alikes of a character, page by page.
type foldTable struct {
	pages [(unicode.MaxRune + 1) >> 8]*[256]fold
}

type fold struct {
	to    string
	class foldClass
}

// latinFolds is built once and never changes.
var latinFolds = sync.OnceValue(func() *foldTable {
	t := &foldTable{}
	for _, l := range latinLookalikes {
		page := t.pages[l.r>>8]
		if page == nil {
			page = &[256]fold{}
			t.pages[l.r>>8] = page
		}
		page[l.r&0xff] = fold{l.to, classOf(l.r)}
	}
	return t
})

func (t *foldTable) of(r rune) fold {
	if r < 0 || r > unicode.MaxRune {
		return fold{}
	}
	if page := t.pages[r>>8]; page != nil {
		return page[r&0xff]
	}
	return fold{}
}

// classOf folds Latin letters, digits of any script and symbols everywhere;
// letters of other scripts, and those that several scripts share (the Japanese
// prolonged sound mark), depend on the word around them.
func classOf(r rune) foldClass {
	switch {
	case unicode.Is(unicode.Latin, r), unicode.Is(unicode.Nd, r):
		return foldAlways
	case unicode.Is(unicode.Common, r) && !unicode.IsLetter(r) && r < 0x2e80:
		return foldAlways
	case unicode.Is(unicode.Common, r) && !unicode.IsLetter(r) && r >= 0x1d000:
		return foldAlways
	default:
		return foldInLatin
	}
}

// prototypeOf is the UTS #39 prototype of a character, itself when it has none.
// ASCII prototypes are given in lower case.
var prototypeOf = sync.OnceValue(func() func(r rune) string {
	table := make(map[rune]string, len(prototypes))
	for _, p := range prototypes {
		table[p.r] = p.to
	}
	folds := latinFolds()
	return func(r rune) string {
		if f := folds.of(r); f.class != foldNever {
			return f.to
		}
		if to, ok := table[r]; ok {
			return to
		}
		return string(r)
	}
})
