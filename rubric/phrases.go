package rubric

import (
	"regexp"
	"unicode"
	"unicode/utf8"
)

// phraseReach bounds the length of a phrase, in bytes.
const phraseReach = 160

// phrases finds the phrases of a vocabulary in a text. A phrase begins and ends
// between words, so only the beginnings of words are tried, each by the phrases
// that can begin with its first letters: hardly ever more than one regular
// expression, instead of the whole vocabulary at every byte.
type phrases struct {
	entries []*regexp.Regexp // anchored
	begin   map[string][]int // entries by the letters they can begin with, folded
	any     []int            // entries that can begin with too much to list
}

// newPhrases compiles a vocabulary. The index that find gives is that of the
// pattern.
func newPhrases(patterns []string) *phrases {
	p := &phrases{begin: map[string][]int{}}
	for i, pattern := range patterns {
		re := regexp.MustCompile(`(?i)^(?:` + pattern + `)`)
		re.Longest()
		p.entries = append(p.entries, re)
		begins, ok := beginnings(`(?i)(?:` + pattern + `)`)
		if !ok {
			p.any = append(p.any, i)
			continue
		}
		for b := range begins {
			p.begin[b] = append(p.begin[b], i)
		}
	}
	return p
}

// find calls found for every phrase in the text, in order of place; phrases of
// different patterns may overlap.
func (p *phrases) find(text string, found func(entry, start, end int)) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsSpace(r) && edge(text, at) {
			p.tryAll(p.any, text, at, found)
			letters := make([]byte, 0, beginLetters*utf8.UTFMax)
			for next := at; next < len(text) && len(letters) < cap(letters); {
				r, size := utf8.DecodeRuneInString(text[next:])
				letters = utf8.AppendRune(letters, foldRune(r))
				p.tryAll(p.begin[string(letters)], text, at, found)
				if next += size; utf8.RuneCount(letters) == beginLetters {
					break
				}
			}
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
	yes := false
	p.find(text, func(int, int, int) { yes = true })
	return yes
}
