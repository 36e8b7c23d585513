package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordsOf splits a text into lower-case words. Scripts that put no spaces
// between words give pairs of neighbouring signs, the usual stand-in for words
// in text retrieval; a single sign between others gives itself.
func wordsOf(text string) []string {
	words := make([]string, 0, len(text)/6+1)
	start := -1
	var wide []string
	flush := func(end int) {
		if start >= 0 {
			words = append(words, strings.ToLower(text[start:end]))
			start = -1
		}
		switch {
		case len(wide) == 1:
			words = append(words, wide[0])
		case len(wide) > 1:
			for i := 1; i < len(wide); i++ {
				words = append(words, wide[i-1]+wide[i])
			}
		}
		wide = wide[:0]
	}
	for i, r := range text {
		switch {
		case isUnspaced(r):
			if start >= 0 {
				flush(i)
			}
			wide = append(wide, text[i:i+utf8.RuneLen(r)])
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || joinsWord(r, text, i, start):
			if start < 0 {
				flush(i)
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(text))
	return words
}

// isUnspaced reports letters of scripts without spaces between words.
func isUnspaced(r rune) bool {
	return r > 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// joinsWord keeps apostrophes inside words and points inside numbers.
func joinsWord(r rune, text string, i, start int) bool {
	if start < 0 || r != '\'' && r != '’' && r != '_' && r != '.' && r != ',' {
		return false
	}
	prev, _ := utf8.DecodeLastRuneInString(text[:i])
	next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
	if r == '.' || r == ',' {
		return unicode.IsDigit(prev) && unicode.IsDigit(next)
	}
	return unicode.IsLetter(prev) && unicode.IsLetter(next)
}
