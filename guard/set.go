package guard

import (
	"regexp"
	"slices"
	"sync"

	re2 "github.com/wasilibs/go-re2/experimental"
)

// setMemory bounds what RE2 may use for one set: the program and the automaton
// that it builds while it reads.
const setMemory = 64 << 20

// exprSet answers which of many expressions occur in a text, in one pass. RE2
// does the work; wherever it cannot (an expression it refuses, memory it does
// not get) the answer comes from Go's own regexp, one expression after another.
// It is safe for concurrent use.
type exprSet struct {
	exprs []string
	fast  *re2.Set // nil: RE2 does not take the set
	slow  []func() *regexp.Regexp
}

func newExprSet(exprs []string) (*exprSet, error) {
	s := &exprSet{exprs: exprs, slow: make([]func() *regexp.Regexp, len(exprs))}
	for i, expr := range exprs {
		if _, err := regexp.Compile(expr); err != nil {
			return nil, err
		}
		s.slow[i] = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	}
	if len(exprs) == 0 {
		return s, nil
	}
	if fast, err := re2.CompileSetWithOptions(exprs, re2.CompileOptions{MaxMem: setMemory}); err == nil {
		s.fast = fast
	}
	return s, nil
}

// match lists the expressions that occur in text, in order. The text must be
// valid UTF-8: RE2 does not see a match beside an invalid byte.
func (s *exprSet) match(text string) []int {
	if len(s.exprs) == 0 || text == "" {
		return nil
	}
	if s.fast != nil {
		if found, err := s.fast.FindAllStringWithError(text, -1); err == nil {
			slices.Sort(found)
			return found
		}
	}
	return s.matchOneByOne(text)
}

func (s *exprSet) matchOneByOne(text string) []int {
	var found []int
	for i, re := range s.slow {
		if re().MatchString(text) {
			found = append(found, i)
		}
	}
	return found
}

// spans finds up to most places where the i-th expression occurs in text.
func (s *exprSet) spans(i int, text string, most int) [][]int {
	return s.slow[i]().FindAllStringIndex(text, most)
}
