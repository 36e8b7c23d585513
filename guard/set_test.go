package guard

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bailiff/policies"
)

// oneByOne is what exprSet has to agree with: every expression by itself over
// the whole text.
func oneByOne(exprs []*regexp.Regexp, text string) map[int]span {
	first := map[int]span{}
	for i, re := range exprs {
		if at := re.FindStringIndex(text); at != nil {
			first[i] = span{at[0], at[1]}
		}
	}
	return first
}

// compiled are the expressions as the set reads them: the longest match wins.
func compiled(tb testing.TB, exprs []string) []*regexp.Regexp {
	tb.Helper()
	out := make([]*regexp.Regexp, len(exprs))
	for i, expr := range exprs {
		re, err := regexp.Compile(expr)
		if err != nil {
			tb.Fatal(err)
		}
		re.Longest()
		out[i] = re
	}
	return out
}

func firstSpans(s *exprSet, text string) map[int]span {
	first := map[int]span{}
	s.each(text, maxSpans, func(i int, spans []span) { first[i] = spans[0] })
	return first
}

// awkward are expressions whose strings are hard to get at: optional parts,
// classes, gaps, anchors, word borders inside, branches without strings.
var awkward = []string{
	`\bignore\b`, `ignore (?:\w+ ){0,3}(?:rules|prompts?)`, `(?:^|[.!?;:,\n]\s?)(?:give|award)\b`, `gr[ae]y`, `colou?r`, `(?:ab|cd)+ef`, `x{2,5}y`,
	`(?:foo|ba[rz]) .* (?:end|stop)`, `a[^b]*c`, `(?s)begin.*finish`, `\d{3}-\d{2}`, `(?:)end$`, `^start`, `(?m)^line\b`, `\w+@\w+`, `игнор\w*`, `忽略(?:之前|以上)的?指令`, `<\|im_(?:start|end)\|>`,
	`(?:give|grant)(?: \w+){0,3} (?:full|top|max(?:imum)?) (?:marks?|scores?)\b`, `\b(?:a|an|the) judge\b`, `you(?:'re| are) (?:now )?the (?:judge|grader)`, `(?:not|never|no) \S+ all`, `s+o+`, `(?i)Secret Key`,
}

// TestSetAgainstRegexp compares the set with one expression after another over
// texts made of the expressions' own words.
func TestSetAgainstRegexp(t *testing.T) {
	set, err := newExprSet(awkward, nil)
	if err != nil {
		t.Fatal(err)
	}
	exprs := compiled(t, awkward)
	words := []string{
		"ignore", "all", "the", "rules", "prompt", "prompts", "give", "award", "grey", "gray", "color", "abcdef", "ababef", "xxxy", "foo", "bar", "end", "stop", "aXc", "begin", "finish",
		"123-45", "start", "line", "me@here", "игнорируй", "忽略之前的指令", "<|im_start|>", "grant", "full", "max", "marks", "score", "maximum", "a", "judge", "you're", "now", "not", "never", "soo", "secret key",
		".", ",", "\n", "; ", ": ", "-", "_", "é", "\u0301", "\ufffd", "x", "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(words)*3), 0, 40).Draw(t, "words") {
			if i < len(words) {
				text += words[i]
			} else {
				text += " " + words[i%len(words)]
			}
		}
		want, got := oneByOne(exprs, text), firstSpans(set, text)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(span{})); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
	})
}

// FuzzSetAgainstRegexp does the same with the shipped patterns and any text.
func FuzzSetAgainstRegexp(f *testing.F) {
	packs, err := LoadPacks(policies.FS, patternDir)
	if err != nil {
		f.Fatal(err)
	}
	exprs := slices.Clone(awkward)
	for i := range packs.Patterns {
		exprs = append(exprs, packs.Patterns[i].Expr)
		for _, text := range packs.Patterns[i].Match {
			f.Add(text)
		}
	}
	set, err := newExprSet(exprs, nil)
	if err != nil {
		f.Fatal(err)
	}
	regexps := compiled(f, exprs)
	f.Fuzz(func(t *testing.T, text string) {
		v, _ := normalize(text)
		if diff := cmp.Diff(oneByOne(regexps, v.text), firstSpans(set, v.text), cmp.AllowUnexported(span{})); diff != "" {
			t.Fatalf("%q: %s", v.text, diff)
		}
	})
}
