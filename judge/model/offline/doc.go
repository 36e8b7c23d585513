package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// doc is a text of the record, read once for all steps.
type doc struct {
	text      string
	lower     string // same offsets are not promised
	sentences []passage
	keys      map[string]bool // stems of all words, stop words included
	numbers   map[string]bool
	words     int
}

// passage is a sentence with its stems.
type passage struct {
	text  string
	lower string
	keys  map[string]bool
}

// negated reports whether the sentence denies what it says.
func (p passage) negated() bool { return saysNo(p.lower) }

// maxPassages bounds how many sentences evidence is looked for in; a longer
// text still counts whole for its words, numbers and length.
const maxPassages = 2000

func newDoc(text string) *doc {
	d := &doc{text: text, lower: strings.ToLower(text), keys: map[string]bool{}, numbers: numbersOf(text), words: wordCount(text)}
	for _, s := range sentencesOf(text, span{0, len(text)}) {
		p := passage{text: s.of(text), lower: strings.ToLower(s.of(text)), keys: map[string]bool{}}
		for _, w := range wordsOf(p.text) {
			k := keyOf(w)
			p.keys[k] = true
			d.keys[k] = true
		}
		if len(d.sentences) < maxPassages {
			d.sentences = append(d.sentences, p)
		}
	}
	return d
}

// blank reports a text without a letter, digit or symbol that can be seen.
func (d *doc) blank() bool {
	return strings.IndexFunc(d.text, func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != '\u200b' && r != '\u00ad' && r != '\u2800' && r != '\u3164'
	}) < 0
}

// cover is the share of keys that the text holds.
func (d *doc) cover(keys []string) float64 { return share(keys, d.keys) }

func share(keys []string, in map[string]bool) float64 {
	if len(keys) == 0 {
		return 0
	}
	hit := 0
	for _, k := range keys {
		if in[k] {
			hit++
		}
	}
	return float64(hit) / float64(len(keys))
}

// best is the sentence that holds most of keys, and the share it holds.
func (d *doc) best(keys []string) (passage, float64) {
	var best passage
	top := 0.0
	for _, p := range d.sentences {
		if s := share(keys, p.keys); s > top {
			best, top = p, s
		}
	}
	return best, top
}

// find is the first sentence that holds one of the cues, lower case.
func (d *doc) find(cues []string) (passage, bool) {
	for _, p := range d.sentences {
		if holdsCue(p.lower, cues) {
			return p, true
		}
	}
	return passage{}, false
}

// first is the first sentence, for evidence about the text as a whole.
func (d *doc) first() passage {
	if len(d.sentences) == 0 {
		return passage{}
	}
	return d.sentences[0]
}

// holdsCue reports whether a lower-case text holds a cue that starts at the
// start of a word. Cues end in a space when they are whole words.
func holdsCue(lower string, cues []string) bool {
	for _, c := range cues {
		if strings.Contains(lower, c) && containsWord(lower+" ", []string{c}) {
			return true
		}
	}
	return false
}

// maxQuoteRunes bounds a quotation given as evidence.
const maxQuoteRunes = 160

// quote cuts a sentence to a verbatim quotation.
func quote(s string) string {
	if utf8.RuneCountInString(s) <= maxQuoteRunes {
		return s
	}
	n := 0
	for i := range s {
		if n == maxQuoteRunes {
			return strings.TrimRightFunc(s[:i], unicode.IsSpace)
		}
		n++
	}
	return s
}

// numbersOf are the numbers of a text in one spelling: 1,000 and 1000 are one,
// 95.80 and 95.8 too. Digits that are part of a word (B2, v3) count with it.
func numbersOf(text string) map[string]bool {
	out := map[string]bool{}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if _, ok := digitOf(r); !ok {
			i += n
			continue
		}
		end := i
		var b strings.Builder
		for end < len(text) {
			r, n := utf8.DecodeRuneInString(text[end:])
			if d, ok := digitOf(r); ok {
				b.WriteByte(byte('0' + d))
			} else if (r == '.' || r == ',') && end+n < len(text) {
				next, _ := utf8.DecodeRuneInString(text[end+n:])
				if _, ok := digitOf(next); !ok {
					break
				}
				b.WriteRune(r)
			} else {
				break
			}
			end += n
		}
		out[plainNumber(b.String())] = true
		i = end
	}
	return out
}

// plainNumber takes grouping out of a number and zeros off its end.
func plainNumber(s string) string {
	last := strings.LastIndexAny(s, ".,")
	if last < 0 {
		return trimZeros(s)
	}
	whole, part := strings.NewReplacer(".", "", ",", "").Replace(s[:last]), s[last+1:]
	if len(part) == 3 && (s[last] == ',' || strings.Count(s, string(s[last])) > 1) {
		return trimZeros(whole + part)
	}
	part = strings.TrimRight(part, "0")
	if part == "" {
		return trimZeros(whole)
	}
	return trimZeros(whole) + "." + part
}

func trimZeros(s string) string {
	if t := strings.TrimLeft(s, "0"); t != "" {
		return t
	}
	return "0"
}
