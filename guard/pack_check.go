package guard

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"time"
)

// Limits of a pack. A program of 4,000 instructions is a lexicon of some
// hundred words with gaps between; more costs every text more than it finds.
const (
	maxPatterns     = 4096
	maxExprBytes    = 64 << 10 // after the lexicon is expanded
	maxProgram      = 20_000   // instructions of the compiled expression
	maxExamples     = 64
	maxExampleBytes = 4 << 10
	maxIDBytes      = 80
)

// pattern checks the i-th pattern of the file and makes it ready. seen keeps
// the ids of all packs.
func (f *packFile) pattern(i int, words, seen map[string]string) (Pattern, []Problem) {
	d := &f.doc.Patterns[i]
	var problems []Problem
	bad := func(member, format string, args ...any) {
		problems = append(problems, f.problemf(i, member, format, args...))
	}
	if !validID(d.ID) {
		bad("id", "the id %q must be made of a-z, 0-9, _ and dots, at most %d", d.ID, maxIDBytes)
	} else if other, dup := seen[d.ID]; dup {
		bad("id", "the id %s is taken by %s", d.ID, other)
	} else if isEngineRule(d.ID) {
		bad("id", "the id %s belongs to a rule of the text engine", d.ID)
	}
	seen[d.ID] = f.name
	expr := f.expr(i, "pattern", d.Pattern, words, bad)
	unless, excuse := "", (*regexp.Regexp)(nil)
	if d.Unless != "" {
		if unless = f.expr(i, "unless", d.Unless, words, bad); unless != "" {
			excuse, _ = regexp.Compile(unless)
		}
	}
	kind := orDefault(d.Kind, kindAttack)
	oneOf := func(member, value string, allowed ...string) {
		if !slices.Contains(allowed, value) {
			bad(member, "%s: %s is %q; it must be one of %s", d.ID, member, value, strings.Join(allowed, ", "))
		}
	}
	oneOf("kind", kind, kindAttack, kindMention, kindRubric, kindRole)
	if kind == kindAttack {
		oneOf("severity", d.Severity, "critical", "high", "medium", "low")
		if !validID(d.Category) {
			bad("category", "%s: an attack needs a category", d.ID)
		}
		if strings.TrimSpace(d.Why) == "" {
			bad("why", "%s: say in one sentence why this is an attack", d.ID)
		}
	} else if d.Severity != "" {
		bad("severity", "%s: only attacks have a severity", d.ID)
	}
	oneOf("mention", orDefault(d.Mention, mentionRespect), mentionRespect, mentionQuoted, mentionIgnore)
	oneOf("mode", orDefault(d.Mode, "enforce"), "enforce", modeMonitor)
	for _, v := range d.Views {
		oneOf("views", v, viewText, viewLoose, viewDecoded, viewHidden, viewRaw)
	}
	if len(d.Languages) == 0 {
		bad("", "%s: languages is missing; name them, or write [any]", d.ID)
	}
	if d.Expires != "" {
		if _, err := time.Parse(time.DateOnly, d.Expires); err != nil || d.Mode != modeMonitor {
			bad("expires", "%s: expires is a date such as 2027-01-31 and belongs to mode: monitor", d.ID)
		}
	}
	if len(d.Match) == 0 {
		bad("", "%s: match is missing; give at least one text that must be found", d.ID)
	}
	if len(d.NoMatch) == 0 && kind == kindAttack {
		bad("", "%s: no_match is missing; give at least one text that must be let through", d.ID)
	}
	for _, list := range [][]string{d.Match, d.NoMatch} {
		if len(list) > maxExamples || slices.ContainsFunc(list, func(s string) bool { return s == "" || len(s) > maxExampleBytes }) {
			bad("match", "%s: examples are 1 to %d bytes long, at most %d of a kind", d.ID, maxExampleBytes, maxExamples)
		}
	}
	return Pattern{
		ID: d.ID, Kind: kind, Category: d.Category, Severity: d.Severity, Languages: d.Languages, Expr: expr, Unless: unless, unless: excuse,
		Mention: orDefault(d.Mention, mentionRespect), Views: d.Views, Mode: orDefault(d.Mode, "enforce"),
		Why: d.Why, References: d.References, Match: d.Match, NoMatch: d.NoMatch, Source: f.name,
	}, problems
}

// expr expands and checks one expression of the i-th pattern; "" when it is bad.
func (f *packFile) expr(i int, member, source string, words map[string]string, bad func(member, format string, args ...any)) string {
	expr, err := expandWords(source, words)
	if err == nil {
		err = checkExpr(expr)
	}
	if err != nil {
		bad(member, "%s: %s", f.doc.Patterns[i].ID, err)
		return ""
	}
	return expr
}

// checkExpr accepts what both RE2 and Go's regexp understand, within the
// limits, and refuses what matches everywhere.
func checkExpr(expr string) error {
	if len(expr) > maxExprBytes {
		return errorText("the expression has more than " + itoa(maxExprBytes) + " bytes")
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return err
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return err
	}
	if len(prog.Inst) > maxProgram {
		return errorText("the expression compiles to more than " + itoa(maxProgram) + " instructions; shorten the lists or the gaps")
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return err
	}
	if re.MatchString("") || re.MatchString("zq") {
		return errorText("the expression matches a text without content")
	}
	return nil
}

type errorText string

func (e errorText) Error() string { return string(e) }

func validID(id string) bool {
	if id == "" || len(id) > maxIDBytes {
		return false
	}
	for i := 0; i < len(id); i++ {
		c := id[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

func orDefault(s, d string) string {
	if s == "" {
		return d
	}
	return s
}
