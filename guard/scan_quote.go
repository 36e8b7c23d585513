package guard

import "strings"

// maxQuotation bounds a quotation in bytes: a longer one is a stray mark.
const maxQuotation = 600

// quotations lists what stands between quotation marks, in code spans and in
// block quotes of a normalised text. What quotes the whole text quotes nothing.
func quotations(text string) []span {
	var out []span
	lineStart := 0
	for lineStart < len(text) {
		end := strings.IndexByte(text[lineStart:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += lineStart
		}
		out = quotesInLine(out, text, lineStart, end)
		lineStart = end + 1
	}
	whole := span{0, len(text)}
	kept := out[:0]
	for _, q := range out {
		if q.end-q.start+2 < whole.end-whole.start {
			kept = append(kept, q)
		}
	}
	return kept
}

func quotesInLine(out []span, text string, start, end int) []span {
	if start < end && text[start] == '>' {
		return append(out, span{start, end})
	}
	open := [3]int{-1, -1, -1}
	for i := start; i < end; i++ {
		k := strings.IndexByte("\"'`", text[i])
		if k < 0 {
			continue
		}
		opens := opensQuote(text, start, i)
		closes := closesQuote(text, end, i)
		if k == 2 {
			opens, closes = true, true
		}
		switch {
		case open[k] >= 0 && closes && i-open[k] <= maxQuotation:
			out = append(out, span{open[k] + 1, i})
			open[k] = -1
		case opens:
			open[k] = i
		}
	}
	return out
}

// opensQuote and closesQuote tell quotation marks from apostrophes and inches.
func opensQuote(text string, start, i int) bool {
	return (i == start || !isWordByte(text[i-1])) && i+1 < len(text) && text[i+1] != ' '
}

func closesQuote(text string, end, i int) bool {
	return i > 0 && text[i-1] != ' ' && (i+1 >= end || !isWordByte(text[i+1]) || text[i+1] >= 0x80)
}
