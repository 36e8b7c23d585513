package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSteps bounds how many steps are taken from one definition.
const maxSteps = 200

// extract finds the steps that a definition states and gives them as spans of
// it, in order. Lists come first; where a definition has none, tables, inline
// enumerations, sentences that ask for a check, questions and semicolon lists
// are looked for, in that order. Lists that describe the levels of a scale, or
// stand under a heading such as "Example" or "Not judged", are no steps.
func extract(text string) []span {
	l := layoutOf(text)
	steps := fromLists(text, l.lists)
	if len(steps) == 0 {
		steps = fromTables(text, l.prose)
	}
	if len(steps) == 0 {
		steps = fromPlainLines(text, l.prose)
	}
	if len(steps) == 0 {
		steps = fromProse(text, paragraphsOf(text, l))
	}
	return steps[:min(len(steps), maxSteps)]
}

// fromLists takes the items of the lists with the highest rank.
func fromLists(text string, lists []list) []span {
	byRank := map[rank][]span{}
	for _, l := range lists {
		if l.rank == rankOther {
			continue
		}
		byRank[l.rank] = append(byRank[l.rank], itemsOf(text, l)...)
	}
	if len(byRank[rankSteps]) > 0 {
		return byRank[rankSteps]
	}
	both := slices.Concat(byRank[rankCriteria], byRank[rankNeutral])
	slices.SortFunc(both, func(a, b span) int { return a.start - b.start })
	return both
}

// itemsOf are the steps of one list, none when it describes a scale or when its
// only item does not look like a check.
func itemsOf(text string, l list) []span {
	steps := stepsOf(text, l.entries)
	if len(steps) == 1 && !l.intro && !isCheck(steps[0].of(text)) && l.rank < rankCriteria {
		return nil
	}
	return steps
}

// stepsOf walks items of one level. An item with items under it is a heading
// for them when it is short or ends in a colon; else they are its details.
func stepsOf(text string, entries []*entry) []span {
	if isScale(textsOf(text, entries)) || colonScale(text, entries) {
		return nil
	}
	var out []span
	for _, e := range entries {
		if len(e.children) == 0 {
			out = append(out, e.body.trim(text))
			continue
		}
		own := e.body.of(text)
		switch under := stepsOf(text, e.children); {
		case !headsItems(own):
			out = append(out, e.whole().trim(text))
		case len(under) == 0:
			out = append(out, e.body.trim(text))
		default:
			out = append(out, under...)
		}
	}
	return tidy(text, out)
}

func textsOf(text string, entries []*entry) []string {
	texts := make([]string, 0, len(entries))
	for _, e := range entries {
		texts = append(texts, e.body.of(text))
	}
	return texts
}

// colonScale reports a list marked "1:", "2:" whose items are no checks.
func colonScale(text string, entries []*entry) bool {
	for _, e := range entries {
		if e.mark.kind != markColon || isCheck(e.body.of(text)) {
			return false
		}
	}
	return len(entries) > 0
}

// maxHeadWords bounds how many words an item has that only heads others.
const maxHeadWords = 6

func headsItems(own string) bool {
	own = strings.TrimRight(strings.TrimSpace(own), "*_ ")
	if strings.HasSuffix(own, ":") || strings.HasSuffix(own, "：") {
		return !isCheck(own)
	}
	r, _ := utf8.DecodeLastRuneInString(own)
	return wordCount(own) <= maxHeadWords && !strings.ContainsRune(terminators+wideTerminators, r)
}

// tidy takes weights and emphasis off the ends and drops what holds no letter.
func tidy(text string, spans []span) []span {
	out := spans[:0]
	for _, s := range spans {
		s = trimTail(text, s.trim(text))
		if strings.IndexFunc(s.of(text), unicode.IsLetter) >= 0 {
			out = append(out, s)
		}
	}
	return out
}

// trimTail takes a closing "(weight 2)" and stray emphasis off a step.
func trimTail(text string, s span) span {
	t := s.of(text)
	for {
		cut := strings.TrimRightFunc(t, unicode.IsSpace)
		if strings.Count(cut, "**")%2 == 1 {
			cut = strings.TrimSuffix(cut, "**")
		}
		if at := weightAt(cut); at > 0 {
			cut = cut[:at]
		}
		if cut == t {
			break
		}
		t = cut
	}
	return span{s.start, s.start + len(t)}
}

// weightWords open the bracket with a step's weight.
var weightWords = []string{"weight", "权重", "權重", "gewicht", "gewichtung", "peso", "poids", "waga", "вес", "вага", "ağırlık", "重み", "가중치", "trọng số", "bobot", "الوزن", "وزن"}

// weightAt is where a closing bracket with a weight starts, or -1.
func weightAt(s string) int {
	if !strings.HasSuffix(s, ")") && !strings.HasSuffix(s, "）") {
		return -1
	}
	at := max(strings.LastIndex(s, "("), strings.LastIndex(s, "（"))
	if at < 0 || len(s)-at > 48 {
		return -1
	}
	_, n := utf8.DecodeRuneInString(s[at:])
	inner := strings.ToLower(strings.TrimRight(s[at+n:], ")） "))
	for _, w := range weightWords {
		if rest, ok := strings.CutPrefix(inner, w); ok && isNumberRange(strings.TrimLeft(rest, " :：=")) {
			return at
		}
	}
	return -1
}

// fromPlainLines takes unmarked lines under a heading that names steps or
// criteria, one step a line.
func fromPlainLines(text string, prose []proseLine) []span {
	var out []span
	var texts []string
	for i, l := range prose {
		if l.head || l.rank < rankCriteria {
			continue
		}
		t := l.of(text)
		if len(sentencesOf(text, l.span)) > 1 || i > 0 && prose[i-1].head && i+1 < len(prose) && prose[i+1].head {
			return nil
		}
		out, texts = append(out, l.span), append(texts, t)
	}
	if len(out) < 2 || isScale(texts) {
		return nil
	}
	return tidy(text, out)
}

// paragraphsOf joins the lines of prose that may state steps into paragraphs:
// lines that follow each other directly. Lines of a scale are left out.
func paragraphsOf(text string, l layout) []span {
	var out []span
	for _, p := range l.prose {
		if p.rank == rankOther || p.head && p.rank == rankOther || isGrade(labelOf(p.of(text))) {
			continue
		}
		if n := len(out); n > 0 && strings.TrimFunc(text[out[n-1].end:p.start], func(r rune) bool { return r != '\n' && unicode.IsSpace(r) }) == "\n" && !p.head {
			out[n-1].end = p.end
			continue
		}
		out = append(out, p.span)
	}
	return out
}
