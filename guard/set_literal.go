package guard

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of the analysis. More strings in a slot find no more, and longer ones
// cost memory without ruling out much.
const (
	maxExactStrings = 400 // of an alternation that is kept as strings
	maxCrossStrings = 96  // of a sequence that is kept as strings
	maxClassRunes   = 12
)

// slot is a set of strings of which each match of an expression contains one.
type slot struct {
	texts     []string
	wordStart bool // the string stands at the start of a word
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
	least := maxLeadBytes
	for _, t := range s.texts {
		least = min(least, len(t))
	}
	return least*1000 - min(len(s.texts), 999)
}

// clip shortens a string to whole characters.
func clip(t string) string {
	if len(t) <= maxLeadBytes {
		return t
	}
	n := maxLeadBytes
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
