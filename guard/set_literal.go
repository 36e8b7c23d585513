package guard

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of the analysis. More strings in a slot find no more, and longer ones
// cost memory without ruling out much.
const (
	maxExactStrings = 400 // of an alternation that is kept as strings
	maxCrossStrings = 96  // of a sequence that is kept as strings
	maxLiteralBytes = 10  // of a string in a slot
	maxSlots        = 4
	maxClassRunes   = 12
)

// slot is a set of strings of which each match of an expression contains one.
type slot struct {
	texts     []string
	wordStart bool // the string stands at the start of a word
}

// need is what a text must hold for an expression to match: one string of each
// slot, in order, without overlap, within reach.
type need struct {
	slots []slot
	reach reach
}

// reach bounds the length of a match in bytes: fixed, plus so many runs of
// characters without white space, each as long as the longest in the text.
type reach struct {
	fixed, runs int
	line        bool // a match may run on to the end of a line
	text        bool // a match may run on to the end of the text
}

func (r reach) add(o reach) reach {
	return reach{r.fixed + o.fixed, r.runs + o.runs, r.line || o.line, r.text || o.text}
}

func (r reach) most(o reach) reach {
	return reach{max(r.fixed, o.fixed), max(r.runs, o.runs), r.line || o.line, r.text || o.text}
}

func (r reach) times(n int) reach { return reach{r.fixed * n, r.runs * n, r.line, r.text} }

// needOf analyses an expression. Strings are in lower case; they are looked for
// without regard to the case of ASCII letters.
func needOf(expr string) (need, error) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return need{}, err
	}
	var a analyser
	n := need{slots: chooseSlots(a.closed(a.part(re))), reach: reachOf(re)}
	if _, newline := canMatch(re); newline && n.reach.line {
		n.reach.text = true
	}
	return n, nil
}

// facts are what is known of a part of an expression: all strings that it
// matches when these are few (exact is not nil), else slots.
type facts struct {
	exact []string
	start bool // exact strings begin at the start of a word
	slots []slot
}

// analyser walks the syntax tree of an expression. texts, when given, is shown
// every run of strings on the way, those of optional parts included.
type analyser struct{ texts func(texts []string) }

// closed turns exact strings into a slot.
func (a *analyser) closed(f facts) []slot {
	if f.exact == nil {
		return f.slots
	}
	return a.appendSlot(f.slots, f.exact, f.start)
}

func (a *analyser) appendSlot(slots []slot, texts []string, start bool) []slot {
	if a.texts != nil {
		a.texts(texts)
	}
	if len(texts) == 0 || slices.Contains(texts, "") {
		return slots
	}
	return append(slots, slot{texts, start})
}

func (a *analyser) part(re *syntax.Regexp) facts {
	switch re.Op {
	case syntax.OpLiteral:
		return facts{exact: []string{strings.ToLower(string(re.Rune))}}
	case syntax.OpCharClass:
		if texts, few := classTexts(re.Rune); few {
			return facts{exact: texts}
		}
		return facts{}
	case syntax.OpCapture:
		return a.part(re.Sub[0])
	case syntax.OpConcat:
		return a.sequence(re.Sub)
	case syntax.OpAlternate:
		return a.choice(re.Sub)
	case syntax.OpQuest:
		f := a.part(re.Sub[0])
		if f.exact != nil && !f.start {
			return facts{exact: append([]string{""}, f.exact...)}
		}
		a.closed(f)
		return facts{}
	case syntax.OpStar:
		a.closed(a.part(re.Sub[0]))
		return facts{}
	case syntax.OpPlus:
		return facts{slots: a.closed(a.part(re.Sub[0]))}
	case syntax.OpRepeat:
		slots := a.closed(a.part(re.Sub[0]))
		if re.Min == 0 {
			return facts{}
		}
		return facts{slots: slots}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpBeginText, syntax.OpEndLine, syntax.OpEndText, syntax.OpNoWordBoundary:
		return facts{exact: []string{""}}
	case syntax.OpWordBoundary:
		return facts{exact: []string{""}, start: true}
	default:
		return facts{}
	}
}

// classTexts lists the characters of a class, when they are few. White space
// other than space and line break does not occur in normalised text, and in raw
// text the search takes all of it for one of these two.
func classTexts(ranges []rune) ([]string, bool) {
	var out []string
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i+1]-ranges[i] > 128 {
			return nil, false
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			text := strings.ToLower(string(r))
			if asciiBlank(r) && r != '\n' {
				text = " "
			}
			if slices.Contains(out, text) {
				continue
			}
			if out = append(out, text); len(out) > maxClassRunes {
				return nil, false
			}
		}
	}
	return out, len(out) > 0
}

func asciiBlank(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }

// sequence joins exact parts that follow each other and closes what it
// has when the number of strings would grow too large.
func (a *analyser) sequence(parts []*syntax.Regexp) facts {
	var slots []slot
	run := facts{exact: []string{""}}
	flush := func() {
		slots = a.appendSlot(slots, run.exact, run.start)
		run = facts{exact: []string{""}}
	}
	exact := true
	for _, part := range parts {
		f := a.part(part)
		if f.exact == nil {
			exact = false
			flush()
			slots = append(slots, f.slots...)
			continue
		}
		if f.start && len(run.exact) == 1 && run.exact[0] == "" {
			run.start = true
		}
		if len(run.exact)*len(f.exact) > maxCrossStrings && !(len(run.exact) == 1 && run.exact[0] == "") {
			exact = false
			after := endsWithBlank(run.exact)
			flush()
			run.start = f.start || after
		}
		run.exact = cross(run.exact, f.exact)
	}
	if exact {
		return run
	}
	flush()
	return facts{slots: slots}
}

func endsWithBlank(texts []string) bool {
	for _, s := range texts {
		if s == "" || s[len(s)-1] != ' ' && s[len(s)-1] != '\n' {
			return false
		}
	}
	return true
}

func cross(a, b []string) []string {
	if len(b) == 1 && b[0] == "" {
		return a
	}
	out := make([]string, 0, len(a)*len(b))
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

// choice keeps strings when every branch has them, else the best slot of
// every branch as one.
func (a *analyser) choice(branches []*syntax.Regexp) facts {
	var exact []string
	all, start := true, true
	parts := make([]facts, len(branches))
	for i, b := range branches {
		parts[i] = a.part(b)
		all = all && parts[i].exact != nil
		start = start && parts[i].start
		exact = append(exact, parts[i].exact...)
	}
	if all && len(exact) <= maxExactStrings {
		return facts{exact: exact, start: start}
	}
	var either slot
	either.wordStart = true
	for _, f := range parts {
		slots := a.closed(f)
		if len(slots) == 0 {
			return facts{}
		}
		best := slots[0]
		for _, s := range slots[1:] {
			if weight(s) > weight(best) {
				best = s
			}
		}
		either.texts = append(either.texts, best.texts...)
		either.wordStart = either.wordStart && best.wordStart
	}
	return facts{slots: []slot{either}}
}

// weight is how much a slot rules out: its shortest string, then how few it has.
func weight(s slot) int {
	least := maxLiteralBytes
	for _, t := range s.texts {
		least = min(least, len(t))
	}
	return least*1000 - min(len(s.texts), 999)
}

// chooseSlots keeps the slots that rule out most, in their order, with their
// strings cut to a useful length.
func chooseSlots(slots []slot) []slot {
	slots = slices.Clone(slots)
	for len(slots) > maxSlots || len(slots) > 1 && slices.ContainsFunc(slots, isWeak) {
		worst := 0
		for i := range slots {
			if weight(slots[i]) < weight(slots[worst]) {
				worst = i
			}
		}
		slots = slices.Delete(slots, worst, worst+1)
	}
	for i := range slots {
		texts := make([]string, len(slots[i].texts))
		for j, t := range slots[i].texts {
			texts[j] = clip(t)
		}
		slices.Sort(texts)
		slots[i].texts = minimal(slices.Compact(texts))
	}
	return slots
}

func isWeak(s slot) bool {
	return slices.ContainsFunc(s.texts, func(t string) bool { return len(t) < 3 })
}

// clip shortens a string to whole characters.
func clip(t string) string {
	if len(t) <= maxLiteralBytes {
		return t
	}
	n := maxLiteralBytes
	for !utf8.RuneStart(t[n]) {
		n--
	}
	return t[:n]
}

// minimal leaves out strings that begin with another of the sorted list.
func minimal(texts []string) []string {
	out := texts[:0]
	for _, t := range texts {
		if len(out) == 0 || !strings.HasPrefix(t, out[len(out)-1]) {
			out = append(out, t)
		}
	}
	return out
}

// reachOf bounds the length of a match.
func reachOf(re *syntax.Regexp) reach {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return reach{fixed: utf8.UTFMax * len(re.Rune)}
		}
		return reach{fixed: len(string(re.Rune))}
	case syntax.OpCharClass:
		return reach{fixed: max(utf8.RuneLen(re.Rune[len(re.Rune)-1]), 1)}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return reach{fixed: utf8.UTFMax}
	case syntax.OpCapture, syntax.OpQuest:
		return reachOf(re.Sub[0])
	case syntax.OpConcat:
		var r reach
		for _, sub := range re.Sub {
			r = r.add(reachOf(sub))
		}
		return r
	case syntax.OpAlternate:
		var r reach
		for _, sub := range re.Sub {
			r = r.most(reachOf(sub))
		}
		return r
	case syntax.OpRepeat:
		if re.Max >= 0 {
			return reachOf(re.Sub[0]).times(re.Max)
		}
		return endless(re.Sub[0]).add(reachOf(re.Sub[0]).times(re.Min))
	case syntax.OpStar, syntax.OpPlus:
		return endless(re.Sub[0])
	default:
		return reach{}
	}
}

// endless bounds any number of repetitions by what they can run over.
func endless(re *syntax.Regexp) reach {
	blank, newline := canMatch(re)
	switch {
	case newline:
		return reach{text: true}
	case blank:
		return reach{line: true}
	default:
		return reach{runs: 1}
	}
}

// canMatch reports whether a part can match a space or a line break.
func canMatch(re *syntax.Regexp) (blank, newline bool) {
	has := func(r rune) bool {
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if r >= re.Rune[i] && r <= re.Rune[i+1] {
				return true
			}
		}
		return false
	}
	switch re.Op {
	case syntax.OpLiteral:
		return slices.ContainsFunc(re.Rune, unicode.IsSpace), slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		return has(' '), has('\n')
	case syntax.OpAnyChar:
		return true, true
	case syntax.OpAnyCharNotNL:
		return true, false
	default:
		for _, sub := range re.Sub {
			b, n := canMatch(sub)
			blank, newline = blank || b, newline || n
		}
		return blank, newline
	}
}
