package rubric

import (
	"iter"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// sentenceEnd is where a sentence or list item ends.
var sentenceEnd = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[.!?…؟।॥]+(?:["'”’)\]]*\s+|$)|[。！？；;]|\n+`)
})

// unjudgeable are the fields without which nothing of a definition can be
// judged; nil when a step is in use or any sentence can do without them.
func unjudgeable(req Request, used []string) []Field {
	if len(used) > 0 {
		return nil
	}
	var missing []Field
	for sentence := range sentences(req.Definition) {
		needs := needed(sentence, req.Fields)
		if len(needs) == 0 {
			return nil
		}
		missing = append(missing, needs...)
	}
	return unique(missing)
}

// sentences yields the sentences of a text that say something.
func sentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for span := range sentenceSpans(text) {
			s := strings.TrimSpace(text[span.Start:span.End])
			if strings.ContainsFunc(s, unicode.IsLetter) && !yield(s) {
				return
			}
		}
	}
}

// sentenceSpans yields where the sentences and list items of a text stand, with
// the marks that end them.
func sentenceSpans(text string) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		from := 0
		for _, m := range sentenceEnd().FindAllStringIndex(text, -1) {
			if !yield(Span{from, m[1]}) {
				return
			}
			from = m[1]
		}
		if from < len(text) {
			yield(Span{from, len(text)})
		}
	}
}
