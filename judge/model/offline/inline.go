package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

func sortSpans(s []span) { slices.SortFunc(s, func(a, b span) int { return a.start - b.start }) }

// inlineLists takes enumerations inside a paragraph: "(1) …, (2) …", "a) … b) …",
// "① … ② …", "Step 1: … Step 2: …", "• … • …".
func inlineLists(text string, paragraphs []span) []span {
	var out []span
	for _, p := range paragraphs {
		out = append(out, inlineList(text, p)...)
	}
	return out
}

// place is a mark inside a paragraph.
type place struct {
	mark
	at int
}

func inlineList(text string, p span) []span {
	var best []place
	runs := map[markKind][]place{}
	for i := p.start; i < p.end; {
		_, n := utf8.DecodeRuneInString(text[i:p.end])
		if startsMark(text, p, i) {
			if m := markAt(text[i:p.end]); inlineKind(text[i:p.end], m) {
				run := append(runs[m.kind], place{m, i})
				if !follows(runs[m.kind], m) {
					run = []place{{m, i}}
				}
				runs[m.kind] = run
				if len(run) > len(best) && (m.value == 0 || run[0].value == 1) {
					best = run
				}
				i += max(n, m.size)
				continue
			}
		}
		i += n
	}
	if len(best) < 2 {
		return nil
	}
	return between(text, p, best)
}

// startsMark reports whether a mark may start at i: at the start of the
// paragraph, or behind a space or punctuation.
func startsMark(text string, p span, i int) bool {
	if i == p.start {
		return true
	}
	prev, _ := utf8.DecodeLastRuneInString(text[p.start:i])
	return unicode.IsSpace(prev) || strings.ContainsRune(":：;；,，、。.（(", prev) || signAt(text[i:p.end]).kind != markNone
}

// inlineKind reports which marks count inside running text: those that rarely
// stand there for another reason.
func inlineKind(s string, m mark) bool {
	switch m.kind {
	case markSign, markWord, markDecimal:
		return true
	case markLetter, markRoman, markHan:
		end := s[:m.size]
		return strings.ContainsAny(end, ")）") || m.kind == markHan && strings.Contains(end, "、")
	default:
		return strings.HasPrefix(string(m.kind), string(markBullet)) && strings.ContainsAny(s[:m.size], "•▪◦●■")
	}
}

// follows reports whether a mark goes on with a run.
func follows(run []place, m mark) bool {
	return len(run) > 0 && (m.value == 0 || m.value == run[len(run)-1].value+1)
}

// between cuts a paragraph at its marks. The last item ends with its sentence
// when the others are no sentences themselves.
func between(text string, p span, marks []place) []span {
	var out []span
	sentences := true
	for i, m := range marks {
		end := p.end
		if i+1 < len(marks) {
			end = marks[i+1].at
		}
		item := trimJoin(text, span{min(m.at+m.size, end), end})
		if i+1 < len(marks) {
			sentences = sentences && endsSentence(item.of(text)) && !strings.HasSuffix(item.of(text), ";")
		} else if parts := sentencesOf(text, item); len(parts) > 1 && (!sentences || len(sentencesOf(text, out[0])) == 1) {
			item.end = parts[0].end
		}
		out = append(out, trimJoin(text, item))
	}
	return out
}

// joiners stand between the items of an enumeration, lower case.
var joiners = []string{"and", "or", "and also", "y", "e", "o", "et", "ou", "und", "oder", "ed", "en", "of", "i", "oraz", "lub", "и", "или", "та", "і", "й", "або", "ve", "veya", "och", "eller", "ja", "và", "hoặc", "dan", "atau", "at", "o", "و", "أو", "یا", "और", "या", "এবং", "বা", "และ", "หรือ", "和", "以及", "并且", "또는", "그리고", "そして", "および"}

// trimJoin takes separators and a closing "and" off the end of an item.
func trimJoin(text string, s span) span {
	for range 4 {
		s = s.trim(text)
		t := s.of(text)
		cut := strings.TrimRight(t, ",;，；、،؛ ")
		if cut == t {
			lower := strings.ToLower(t[max(0, len(t)-32):])
			for _, j := range joiners {
				if before, ok := strings.CutSuffix(lower, j); ok && len(before) > 0 {
					last, _ := utf8.DecodeLastRuneInString(before)
					if unicode.IsSpace(last) || strings.ContainsRune(",;，；、،؛", last) {
						cut = t[:len(t)-len(j)]
						break
					}
				}
			}
		}
		if cut == t {
			return s
		}
		s.end = s.start + len(cut)
	}
	return s.trim(text)
}

// minSemicolonItems is how many items make a semicolon list behind a colon.
const minSemicolonItems = 2

// semicolons takes "The answer has to: name the date; give a reason; …".
func semicolons(text string, paragraphs []span) []span {
	var out []span
	for _, p := range paragraphs {
		for _, s := range sentencesOf(text, p) {
			at := strings.IndexAny(s.of(text), ":：")
			if at < 0 {
				continue
			}
			_, n := utf8.DecodeRuneInString(text[s.start+at:])
			items := splitList(text, span{s.start + at + n, s.end})
			if len(items) >= minSemicolonItems && len(items) > 2-min(1, wordCount(s.of(text)[:at])/4) {
				out = append(out, items...)
			}
		}
	}
	return out
}

// splitList cuts at semicolons.
func splitList(text string, s span) []span {
	var out []span
	start := s.start
	for i, r := range s.of(text) {
		if r == ';' || r == '；' || r == '؛' {
			out = append(out, span{start, s.start + i})
			start = s.start + i + utf8.RuneLen(r)
		}
	}
	if len(out) == 0 {
		return nil
	}
	out = append(out, span{start, s.end})
	kept := out[:0]
	for _, item := range out {
		if item = skipJoin(text, trimJoin(text, item)); !item.empty() {
			kept = append(kept, item)
		}
	}
	return kept
}

// skipJoin takes an "and" off the start of an item.
func skipJoin(text string, s span) span {
	head := headOf(s.of(text))
	for _, j := range joiners {
		if rest, ok := strings.CutPrefix(head, j+" "); ok && rest != "" {
			s.start += len(j)
			return s.trim(text)
		}
	}
	return s
}

// splitAtSemicolons cuts one check sentence that lists several: "Check that A;
// that B; and that C" makes three steps.
func splitAtSemicolons(text string, s sentence) []span {
	items := splitList(text, s.span)
	if len(items) < 2 {
		return []span{s.span}
	}
	for _, item := range items[1:] {
		if wordCount(item.of(text)) < 3 {
			return []span{s.span}
		}
	}
	return items
}
