package guard

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// vocabulary are the words that the packs know: those of their expressions and
// of their examples. Words that were split, dressed up or misspelt are put
// right only into these, so what counts as a disguise follows the packs, in any
// language they have.
type vocabulary struct {
	words map[string]wordRank
	keys  map[string]string // what a disguise leaves of a word, to the word
	tree  wordTree          // of canonical words, to take joined letters apart
}

// wordRank orders words that a disguise could stand for.
type wordRank uint8

const (
	rankCommon  wordRank = iota + 1 // holds sentences together
	rankExample                     // stands in an example
	rankPattern                     // part of an expression
)

// Bounds of what a vocabulary keeps.
const (
	minRepairBytes = 4  // shorter words are one slip away from too many others
	maxWordBytes   = 32 // longer ones are not words
)

func newVocabulary(packs *Packs) *vocabulary {
	v := &vocabulary{words: map[string]wordRank{}, keys: map[string]string{}}
	for i := range packs.Patterns {
		p := &packs.Patterns[i]
		v.addExpr(p.Expr)
		for _, text := range slices.Concat(p.Match, p.NoMatch) {
			n, _ := normalize(text)
			v.addText(n.text, rankExample)
		}
	}
	v.addText(commonWords, rankCommon)
	v.index()
	return v
}

// addExpr adds the whole words among the strings of an expression.
func (v *vocabulary) addExpr(expr string) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return
	}
	a := analyser{texts: func(texts []string) {
		for _, t := range texts {
			v.addText(t, rankPattern)
		}
	}}
	a.closed(a.part(re))
}

func (v *vocabulary) addText(text string, rank wordRank) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		if len(w) > maxWordBytes || utf8.RuneCountInString(w) < 2 && w != "a" && w != "i" {
			continue
		}
		// Parts of words in expressions are no words.
		if r := rank; r > v.words[w] && (r != rankPattern || len(w) >= 3 && (w[0] >= utf8.RuneSelf || isEnglish(w) || v.words[w] > 0 || len(w) > 5)) {
			v.words[w] = r
		}
	}
}

// index builds the keys, words of higher rank first.
func (v *vocabulary) index() {
	list := make([]string, 0, len(v.words))
	for w := range v.words {
		list = append(list, w)
	}
	slices.SortFunc(list, func(a, b string) int {
		if d := int(v.words[b]) - int(v.words[a]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	v.tree = newWordTree()
	for _, w := range list {
		v.tree.add(canonical(w), v.words[w])
		v.key(canonical(w), w)
		if v.words[w] == rankCommon || len(w) < minRepairBytes {
			continue
		}
		for _, key := range disguises(w) {
			v.key(key, w)
		}
	}
	v.tree.freeze()
}

func (v *vocabulary) key(key, word string) {
	if _, taken := v.keys[key]; !taken && key != "" {
		v.keys[key] = word
	}
}

// known reports whether a word needs no putting right.
func (v *vocabulary) known(w string) bool { return v.words[w] > 0 || isEnglish(w) }

// matters reports whether patterns or examples have the word.
func (v *vocabulary) matters(w string) bool { return v.words[w] >= rankExample }

// disguises are the keys that a word is found by after its letters were
// shuffled, thinned out, repeated or misspelt. The first byte keeps the kinds
// of key apart.
func disguises(w string) []string {
	c := canonical(w)
	keys := []string{"r" + squeeze(c), "o" + shuffled(c), "s" + skeletonOf(w)}
	if t := thin(w); len(t) >= 3 {
		keys = append(keys, "V"+t)
	}
	if len(w) >= 5 {
		keys = append(keys, "D"+c)
		for i, r := range c {
			keys = append(keys, "D"+c[:i]+c[i+utf8.RuneLen(r):])
		}
	}
	return keys
}

// canonical maps letters and the digits and signs that pass for them to one
// letter each: i stands for i, l, 1, ! and |.
func canonical(w string) string {
	plain := true
	for i := 0; i < len(w); i++ {
		c := w[i]
		if c >= utf8.RuneSelf || canonicalByte[c] != c {
			plain = false
			break
		}
	}
	if plain {
		return w
	}
	b := make([]byte, 0, len(w))
	for i := 0; i < len(w); i++ {
		c := w[i]
		if c < utf8.RuneSelf {
			if c = canonicalByte[c]; c == 0 {
				continue
			}
		}
		b = append(b, c)
	}
	return string(b)
}

// canonicalByte is 0 for signs that pass for no letter.
var canonicalByte = func() (t [128]byte) {
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-32] = c, c
	}
	for from, to := range map[byte]byte{
		'l': 'i', '1': 'i', '!': 'i', '|': 'i', 'L': 'i', '0': 'o', '3': 'e', '4': 'a', '@': 'a', '5': 's', '$': 's', '7': 't', '+': 't',
		'8': 'b', '9': 'g', '6': 'g', '2': 'z',
	} {
		t[from] = to
	}
	return t
}()

// squeeze keeps one of each run of a letter.
func squeeze(w string) string {
	b := make([]byte, 0, len(w))
	for i := 0; i < len(w); i++ {
		if i == 0 || w[i] != w[i-1] || w[i] >= utf8.RuneSelf {
			b = append(b, w[i])
		}
	}
	return string(b)
}

// shuffled sorts all letters but the first and the last.
func shuffled(w string) string {
	rs := []rune(w)
	if len(rs) > 3 {
		slices.Sort(rs[1 : len(rs)-1])
	}
	return string(rs)
}

// thin leaves out the vowels after the first letter.
func thin(w string) string {
	b := make([]byte, 0, len(w))
	for i := 0; i < len(w); i++ {
		if i == 0 || strings.IndexByte("aeiou", w[i]) < 0 {
			b = append(b, w[i])
		}
	}
	return string(b)
}

// skeletonOf is the UTS #39 skeleton, as far as it goes without marks.
func skeletonOf(w string) string {
	of := prototypeOf()
	var b strings.Builder
	for _, r := range w {
		if !unicode.IsMark(r) {
			b.WriteString(of(r))
		}
	}
	return b.String()
}
