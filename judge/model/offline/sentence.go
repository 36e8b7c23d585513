package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBracket bounds, in bytes, how far a closing bracket is looked for.
const maxBracket = 400

// terminators end a sentence; the wide ones do so without a space behind.
const (
	terminators     = ".!?؟।॥።…܀"
	wideTerminators = "。！？｡．"
)

// closers may follow a terminator and belong to the sentence it ends.
const closersOfSentence = "\"'”’»」』）)]】*_"

// brackets keep what is inside them in one sentence.
var brackets = map[rune]rune{'(': ')', '（': '）', '[': ']', '「': '」', '『': '』', '“': '”', '«': '»', '《': '》', '【': '】', '„': '“'}

// sentencesOf splits a span of text into sentences. A line break ends a
// sentence, a full stop does when what follows can begin one: abbreviations,
// decimals and what stands in brackets or quotation marks stay whole.
func sentencesOf(text string, within span) []span {
	var out []span
	start := within.start
	add := func(end int) {
		if s := (span{start, end}).trim(text); !s.empty() {
			out = append(out, s)
		}
		start = end
	}
	for i := within.start; i < within.end; {
		r, n := utf8.DecodeRuneInString(text[i:within.end])
		if r == '\n' || r == '\u2028' || r == '\u2029' {
			if !wraps(text[start:i], text[i+n:within.end]) {
				add(i)
			}
			i += n
			continue
		}
		if end := quoted(text, i, within.end); end > 0 {
			i += end
			continue
		}
		if closer, ok := brackets[r]; ok {
			if end := closing(text[i+n:within.end], r, closer); end > 0 {
				i += n + end
				continue
			}
		}
		i += n
		wide := strings.ContainsRune(wideTerminators, r)
		if !wide && !strings.ContainsRune(terminators, r) {
			continue
		}
		i = skipClosers(text, i, within.end)
		if wide || r == '।' || r == '॥' || endsHere(text, start, i, within.end, r) {
			add(i)
		}
	}
	add(within.end)
	return out
}

// wraps reports whether a sentence goes on in the next line: nothing ended it,
// and the next line begins with a small letter.
func wraps(before, after string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " \t"))
	return unicode.IsLower(r) && !endsSentence(before)
}

// quoted is the length of a quotation in straight marks that starts at i: a
// mark behind a space, closed on the same line in front of a space or a stop.
func quoted(text string, i, end int) int {
	mark := text[i]
	if mark != '"' && mark != '\'' || i > 0 && !strings.ContainsRune(" (:\n", rune(text[i-1])) {
		return 0
	}
	window := text[i+1 : min(end, i+1+maxBracket)]
	for at := 0; at < len(window); at++ {
		if window[at] == '\n' {
			return 0
		}
		if window[at] != mark || at == 0 {
			continue
		}
		if at+1 == len(window) || strings.IndexByte(" .,;:!?)\n", window[at+1]) >= 0 {
			return at + 2
		}
	}
	return 0
}

// closing is how far the closing bracket is, in bytes past it, or 0 when none
// is near on the same line.
func closing(s string, open, closer rune) int {
	depth := 1
	for i, r := range s[:min(len(s), maxBracket)] {
		switch r {
		case '\n':
			return 0
		case closer:
			if depth--; depth == 0 {
				return i + utf8.RuneLen(r)
			}
		case open:
			depth++
		}
	}
	return 0
}

func skipClosers(text string, i, end int) int {
	for i < end {
		r, n := utf8.DecodeRuneInString(text[i:end])
		if !strings.ContainsRune(closersOfSentence, r) && !strings.ContainsRune(terminators+wideTerminators, r) {
			break
		}
		i += n
	}
	return i
}

// endsHere reports whether a narrow terminator before at ends a sentence.
func endsHere(text string, start, at, end int, r rune) bool {
	if at >= end {
		return true
	}
	next, n := utf8.DecodeRuneInString(text[at:end])
	if !unicode.IsSpace(next) {
		return false
	}
	if r != '.' {
		return true
	}
	rest := strings.TrimLeftFunc(text[at+n:end], unicode.IsSpace)
	following, _ := utf8.DecodeRuneInString(rest)
	if unicode.IsLower(following) && !startsListMark(rest) {
		return false
	}
	return !abbreviated(text[max(start, at-longestAbbreviation) : at-1])
}

// startsListMark lets "… text. a) next" end a sentence before a small letter.
func startsListMark(s string) bool {
	return len(s) > 1 && (s[1] == ')' || s[1] == '.')
}

// abbreviations are words whose full stop ends no sentence.
var abbreviations = setOf("e.g", "i.e", "vs", "cf", "mr", "mrs", "ms", "dr", "prof", "fig", "eq", "no", "nr", "approx", "resp", "incl", "excl", "st", "z.b", "d.h", "u.a", "bzw", "ca", "ggf", "s", "p.ej", "p. ej", "ej", "sr", "sra", "art", "par ex", "env", "bijv", "d.w.z", "np", "tj", "т.е", "т.д", "т.п", "напр", "рис", "örn", "vb", "t.ex", "bl.a", "esim", "es", "ad es", "sec", "ch", "vol", "pp", "p", "al")

// longestAbbreviation bounds, in bytes, how far back an abbreviation is read.
const longestAbbreviation = 32

func abbreviated(before string) bool {
	at := strings.LastIndexFunc(before, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(（[,\"'“", r) })
	word := before
	if at >= 0 {
		_, n := utf8.DecodeRuneInString(before[at:])
		word = before[at+n:]
	}
	if len(word) > 16 {
		return false
	}
	if abbreviations[strings.ToLower(word)] {
		return true
	}
	// A single capital letter is an initial.
	r, n := utf8.DecodeRuneInString(word)
	return n == len(word) && unicode.IsUpper(r) && r != 'I'
}

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// wordEnds reports whether a word ends at byte n of s.
func wordEnds(s string, n int) bool {
	if n >= len(s) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s[n:])
	last, _ := utf8.DecodeLastRuneInString(s[:n])
	return !unicode.IsLetter(r) && !unicode.IsMark(r) || !unicode.IsLetter(last) && !unicode.IsMark(last)
}
