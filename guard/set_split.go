package guard

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of the strings that a part of an expression is looked for by.
const (
	maxLeads     = 1200 // more strings than this say less than fewer, shorter ones
	maxLeadBytes = 12   // longer strings cost memory without ruling out much
)

// piece is one branch of an expression, divided where its strings stand best:
// every match has one of leads at the place where back ends and ahead begins.
type piece struct {
	back  *syntax.Regexp // nil: the leads stand at the start of a match
	ahead *syntax.Regexp
	leads []string // in lower case
	start bool     // leads stand at the start of a word
}

// divide cuts an expression into pieces, where strings stand that f knows to be
// rare. An expression that has no strings to look for gives a piece without leads.
func divide(expr string, f frequency) ([]piece, error) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	var out []piece
	for _, b := range branches(re) {
		p := f.best(b)
		if p.leads != nil {
			out = append(out, p)
			continue
		}
		spread := distributed(b)
		for _, b := range spread {
			if q := f.best(b); q.leads != nil {
				out = append(out, q)
			} else {
				spread = nil
				break
			}
		}
		if spread == nil {
			out = append(out, p)
		}
	}
	return out, nil
}

// branches are the alternatives of an expression, each a sequence of parts.
func branches(re *syntax.Regexp) [][]*syntax.Regexp {
	switch re.Op {
	case syntax.OpCapture:
		return branches(re.Sub[0])
	case syntax.OpAlternate:
		var out [][]*syntax.Regexp
		for _, sub := range re.Sub {
			out = append(out, branches(sub)...)
		}
		return out
	case syntax.OpConcat:
		return [][]*syntax.Regexp{flat(re)}
	default:
		return [][]*syntax.Regexp{{re}}
	}
}

// maxSpread bounds the pieces that one choice is spread over.
const maxSpread = 64

// distributed spreads a sequence over the branches of its first choice.
func distributed(parts []*syntax.Regexp) [][]*syntax.Regexp {
	for i, part := range parts {
		for part.Op == syntax.OpCapture {
			part = part.Sub[0]
		}
		if part.Op != syntax.OpAlternate || len(part.Sub) > maxSpread {
			continue
		}
		var out [][]*syntax.Regexp
		for _, sub := range part.Sub {
			out = append(out, slices.Concat(parts[:i], flat(sub), parts[i+1:]))
		}
		return out
	}
	return nil
}

// flat is a sequence without sequences inside.
func flat(re *syntax.Regexp) []*syntax.Regexp {
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	if re.Op != syntax.OpConcat {
		return []*syntax.Regexp{re}
	}
	var out []*syntax.Regexp
	for _, sub := range re.Sub {
		out = append(out, flat(sub)...)
	}
	return out
}

// best divides a sequence where its strings are rarest.
func (f frequency) best(parts []*syntax.Regexp) piece {
	at, least := -1, 1e9
	var leads []string
	for i := range parts {
		texts := leadsOf(parts[i:])
		if texts == nil {
			continue
		}
		cost := f.rarity(texts)
		if i > 0 {
			cost = cost*1.2 + 1
		}
		if cost < least {
			at, least, leads = i, cost, texts
		}
	}
	if at < 0 {
		return piece{ahead: sequenceOf(parts)}
	}
	p := piece{ahead: sequenceOf(parts[at:]), leads: leads}
	if at > 0 {
		p.back = sequenceOf(parts[:at])
	}
	p.start = parts[at].Op == syntax.OpWordBoundary || at > 0 && parts[at-1].Op == syntax.OpWordBoundary
	return p
}

func sequenceOf(parts []*syntax.Regexp) *syntax.Regexp {
	if len(parts) == 1 {
		return parts[0]
	}
	return &syntax.Regexp{Op: syntax.OpConcat, Flags: parts[0].Flags, Sub: parts}
}

// wordEnd stands at the end of a string that a word border follows.
const wordEnd = "\x00"

// leadsOf lists strings such that every match of the sequence begins with one
// of them, nil when there is no such list.
func leadsOf(parts []*syntax.Regexp) []string {
	texts, _ := leadsOfSequence(parts)
	if len(texts) == 0 || slices.Contains(texts, "") {
		return nil
	}
	for i := range texts {
		texts[i] = clip(texts[i])
	}
	slices.Sort(texts)
	return minimal(slices.Compact(texts))
}

// leadsOfSequence lists how matches of the sequence begin; whole says that these
// are all of its matches, from end to end. It is nil when anything may come; "" in
// a list that is not whole says that the sequence may be empty.
func leadsOfSequence(parts []*syntax.Regexp) (texts []string, whole bool) {
	run := []string{""}
	for i, part := range parts {
		if part.Op == syntax.OpWordBoundary {
			run = ended(run)
			continue
		}
		texts, whole := leadsOfPart(part)
		if texts != nil && !whole && slices.Contains(texts, "") {
			// What follows a part that may be left out leads too.
			rest, _ := leadsOfSequence(parts[i+1:])
			if rest == nil {
				return soFar(run), false
			}
			texts = append(without(texts, ""), rest...)
		}
		if texts == nil || len(run)*len(texts) > maxLeads {
			return soFar(run), false
		}
		run = extended(run, texts)
		if !whole || !slices.ContainsFunc(run, func(s string) bool { return len(s) < maxLeadBytes }) {
			return run, false
		}
	}
	return run, true
}

// ended notes that a word border follows.
func ended(run []string) []string {
	out := make([]string, len(run))
	for i, text := range run {
		if out[i] = text; text != "" && !strings.HasSuffix(text, wordEnd) {
			out[i] += wordEnd
		}
	}
	return out
}

// extended joins what begins a match with what follows it.
func extended(run, texts []string) []string {
	out := make([]string, 0, len(run)*len(texts))
	for _, a := range run {
		for _, b := range texts {
			if b == "" {
				out = append(out, a)
				continue
			}
			out = append(out, strings.TrimSuffix(a, wordEnd)+b)
		}
	}
	return out
}

// soFar is what a sequence begins with when it is not known how it goes on.
func soFar(run []string) []string {
	if slices.Contains(run, "") {
		return nil
	}
	return run
}

func without(texts []string, drop string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return s == drop })
}

// leadsOfPart does the same for one part; nil when anything may come. With ""
// among texts that are not whole, the part may be left out.
func leadsOfPart(re *syntax.Regexp) (texts []string, whole bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(re.Rune))}, true
	case syntax.OpCharClass:
		texts, few := classTexts(re.Rune)
		if !few {
			return nil, false
		}
		return texts, true
	case syntax.OpCapture:
		return leadsOfPart(re.Sub[0])
	case syntax.OpConcat:
		return leadsOfSequence(flat(re))
	case syntax.OpAlternate:
		return leadsOfChoice(re.Sub)
	case syntax.OpQuest:
		texts, whole := leadsOfPart(re.Sub[0])
		return optional(texts), whole
	case syntax.OpStar:
		texts, _ := leadsOfPart(re.Sub[0])
		return optional(texts), false
	case syntax.OpPlus:
		texts, _ := leadsOfPart(re.Sub[0])
		return texts, false
	case syntax.OpRepeat:
		texts, _ := leadsOfPart(re.Sub[0])
		if re.Min == 0 {
			texts = optional(texts)
		}
		return texts, false
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpBeginText, syntax.OpEndLine, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return []string{""}, true
	default:
		return nil, false
	}
}

func optional(texts []string) []string {
	if texts == nil {
		return nil
	}
	return append([]string{""}, texts...)
}

func leadsOfChoice(subs []*syntax.Regexp) (texts []string, whole bool) {
	whole = true
	for _, sub := range subs {
		t, w := leadsOfPart(sub)
		if t == nil || !w && slices.Contains(t, "") {
			return nil, false
		}
		texts = append(texts, t...)
		whole = whole && w
	}
	if len(texts) > maxLeads {
		return nil, false
	}
	return texts, whole
}

// frequency counts how often words of a sample begin with a string.
type frequency map[string]int32

// maxCounted bounds the beginnings that are counted, in bytes.
const maxCounted = 8

// newFrequency counts in texts that are normalised.
func newFrequency(texts []string) frequency {
	f := frequency{}
	for _, text := range texts {
		for i := 0; i < len(text); i++ {
			if !isWordByte(text[i]) || i > 0 && isWordByte(text[i-1]) {
				continue
			}
			for n := 1; n <= maxCounted && i+n <= len(text); n++ {
				f[text[i:i+n]]++
			}
		}
	}
	return f
}

// rarity estimates how often one of the strings stands in a text: low is rare.
func (f frequency) rarity(texts []string) float64 {
	sum := 0.0
	for _, t := range texts {
		n := min(len(t), maxLeadBytes)
		cost := [...]float64{1000, 500, 120, 60, 30, 16, 10, 6, 4, 3, 2, 1.5, 1}[n]
		switch word := strings.TrimLeft(t, " "); {
		case word == "":
			cost = 20_000
		case len(f) > 0 && word[0] < utf8.RuneSelf && isWordByte(word[0]):
			ended := strings.HasSuffix(word, wordEnd)
			word = strings.TrimSuffix(word, wordEnd)
			cost = 1 + 4*float64(f[word[:min(len(word), maxCounted)]])
			if ended {
				// Longer words begin so, too.
				cost /= 2
			}
		case t[0] >= utf8.RuneSelf:
			cost /= 20
		}
		sum += cost
	}
	return sum
}
