package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBracket bounds, in bytes, how far a closing bracket is looked for.
const maxBracket = 240

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
	enclosed := enclosures{}
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
		if end := enclosed.skip(text, i, within.end); end > i {
			i = end
			if last, ok := lastInside(text[:i]); ok && endsHere(text, start, i, within.end, last) {
				add(i)
			}
			continue
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

// enclosures finds brackets and quotations that close on the same line. It
// remembers, for each opening sign, up to where there is nothing that closes
// it, so that a run of opening signs is not searched again for each.
type enclosures map[rune]int

// skip is the offset behind the enclosure that starts at i, or i when none does.
func (e enclosures) skip(text string, i, end int) int {
	r, n := utf8.DecodeRuneInString(text[i:end])
	closer, bracket := brackets[r]
	if !bracket && (r != '"' && r != '\'' || i > 0 && !strings.ContainsRune(" (:\n", rune(text[i-1]))) || i < e[r] {
		return i
	}
	window := text[i+n : min(end, i+n+maxBracket)]
	if at := strings.IndexByte(window, '\n'); at >= 0 {
		window = window[:at]
	}
	var length int
	var seen bool
	if bracket {
		length, seen = closing(window, r, closer)
	} else {
		length = closingQuote(window, byte(r))
	}
	if length == 0 && !seen {
		e[r] = i + n + len(window)
	}
	if length == 0 {
		return i
	}
	return i + n + length
}

// lastInside is the terminator in front of the sign that closes an enclosure.
func lastInside(before string) (rune, bool) {
	_, n := utf8.DecodeLastRuneInString(before)
	r, _ := utf8.DecodeLastRuneInString(before[:len(before)-n])
	return r, strings.ContainsRune(terminators, r)
}

// closingQuote is the length up to and with the straight mark that closes a
// quotation: one in front of a space or a stop.
func closingQuote(window string, mark byte) int {
	for at := 1; at < len(window); at++ {
		if window[at] == mark && (at+1 == len(window) || strings.IndexByte(" .,;:!?)", window[at+1]) >= 0) {
			return at + 1
		}
	}
	return 0
}

// closing is the length up to and with the bracket that closes the one in
// front, 0 when none does; seen tells whether there was any.
func closing(window string, open, closer rune) (length int, seen bool) {
	depth := 1
	for i, r := range window {
		switch r {
		case closer:
			seen = true
			if depth--; depth == 0 {
				return i + utf8.RuneLen(r), true
			}
		case open:
			depth++
		}
	}
	return 0, seen
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
