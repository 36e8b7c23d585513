package guard

import (
	"regexp"
	"strings"
	"testing"

	"bailiff/policies"
)

// benchText is an ordinary definition of 2 KB.
var benchText = strings.Repeat(`The response should answer the question that the customer asked and name the order number. Check whether every date in the answer agrees with the context, and whether the tone stays polite when the customer is upset. Score 5 if all facts are supported; score 3 if one detail is missing; score 1 if the answer contradicts the policy. `, 7)[:2048]

func shippedScanner(tb testing.TB) *scanner {
	tb.Helper()
	packs, err := LoadPacks(policies.FS, patternDir)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := newScanner(packs)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// BenchmarkScan is the whole text engine on an ordinary definition.
func BenchmarkScan(b *testing.B) {
	s := shippedScanner(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(benchText)))
	for b.Loop() {
		s.scan(benchText)
	}
}

// BenchmarkOneByOneRegexp is the baseline: the same expressions over the same
// normalised text, one after another.
func BenchmarkOneByOneRegexp(b *testing.B) {
	s := shippedScanner(b)
	v, _ := normalize(benchText)
	res := make([]*regexp.Regexp, len(s.packs.Patterns))
	for i := range res {
		res[i] = regexp.MustCompile(s.packs.Patterns[i].Expr)
	}
	b.SetBytes(int64(len(benchText)))
	for b.Loop() {
		for _, re := range res {
			re.MatchString(v.text)
		}
	}
}
