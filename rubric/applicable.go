package rubric

import (
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
func sentences(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, s := range sentenceEnd().Split(text, -1) {
			if s = strings.TrimSpace(s); strings.ContainsFunc(s, unicode.IsLetter) && !yield(s) {
				return
			}
		}
	}
}
