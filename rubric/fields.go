package rubric

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// FieldRef is a place where a text speaks of a field of the record.
type FieldRef struct {
	Field      Field
	Start, End int // byte offsets into the text
	// Sure tells words that can mean nothing but the field ("golden answer",
	// "{{context}}") from those that often do ("the question"). Only sure ones
	// decide; the others are worth a suggestion.
	Sure bool
}

// lexeme is one family of words for a field: a regular expression over NFC
// text, matched without case between word edges. The field "" shields a phrase
// that only looks as if it spoke of a field.
type lexeme struct {
	field   Field
	sure    bool
	pattern string
}

var vocabulary = sync.OnceValue(func() *phrases {
	patterns := make([]string, 0, len(lexicon()))
	for _, l := range lexicon() {
		patterns = append(patterns, l.pattern)
	}
	return newPhrases(patterns)
})

// DetectFields finds the fields of a record that a text speaks of, in order of
// place: by name, by placeholder ("{{golden_answer}}") or by the words people
// use for them, in the languages of the guard. Where phrases overlap, the sure
// and then the longer one counts: a "reference answer" is no answer.
func DetectFields(text string) []FieldRef {
	c := compose(text)
	refs := placeholderRefs(c.text)
	words := lexicon()
	vocabulary().find(c.text, func(i, start, end int) {
		refs = append(refs, FieldRef{Field: words[i].field, Start: start, End: end, Sure: words[i].sure})
	})
	slices.SortStableFunc(refs, func(a, b FieldRef) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.End-b.Start, a.End-a.Start))
	})
	var kept []FieldRef
	for _, r := range refs {
		if !slices.ContainsFunc(kept, func(k FieldRef) bool { return r.Start < k.End && k.Start < r.End }) {
			kept = append(kept, r)
		}
	}
	kept = slices.DeleteFunc(kept, func(r FieldRef) bool { return r.Field == "" })
	slices.SortFunc(kept, func(a, b FieldRef) int { return cmp.Compare(a.Start, b.Start) })
	for i := range kept {
		kept[i].Start, kept[i].End = c.span(kept[i].Start, kept[i].End)
	}
	return kept
}

// rank orders overlapping references: shields, then sure ones, then the rest,
// with the plain word for an answer last.
func rank(r FieldRef) int {
	switch {
	case r.Field == "":
		return 0
	case r.Sure:
		return 1
	case r.Field != Output:
		return 2
	}
	return 3
}

// fieldByAlias is the field that a name means, as records and placeholders of
// evaluation tools name it.
func fieldByAlias(name string) (Field, bool) {
	name = strings.ToLower(strings.Trim(strings.TrimSpace(name), "`'\"."))
	name = strings.NewReplacer("-", "_", " ", "_").Replace(name)
	switch name {
	case "output", "actual_output", "answer", "response", "reply", "generation", "completion", "prediction", "model_output":
		return Output, true
	case "input", "question", "query", "user_input", "user_query", "instruction", "request":
		return Input, true
	case "prompt", "system_prompt", "system_message", "system":
		return Prompt, true
	case "context", "contexts", "retrieved_context", "retrieval_context", "documents", "passages", "sources":
		return Context, true
	case "golden_answer", "goldenanswer", "expected_output", "expected_answer", "reference", "reference_answer", "ground_truth", "groundtruth", "gold_answer", "gold", "target":
		return GoldenAnswer, true
	}
	return "", false
}

// needed are the unselected fields without which a sentence cannot be judged:
// those it names surely, unless it defines them itself ("the reference answer
// is: 42") or offers a selected one in their stead; and the output, when it
// speaks of nothing else.
func needed(sentence string, selected []Field) []Field {
	refs := DetectFields(sentence)
	var missing []Field
	onlyOutput := len(refs) > 0 && !slices.Contains(selected, Output)
	for i, r := range refs {
		onlyOutput = onlyOutput && r.Field == Output
		if !r.Sure || r.Field == Prompt || slices.Contains(selected, r.Field) || definedInPlace(sentence, r) || optional(sentence, refs, i, selected) {
			continue
		}
		missing = append(missing, r.Field)
	}
	if onlyOutput {
		missing = append(missing, Output)
	}
	return unique(missing)
}

var inPlace = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^["'”’)\]]*\s*(?:[:=：＝]|(?:is|are|reads|es|est|ist|lautet|é|è|jest|это|є|są|adalah|là|는|은|は|是|为|為)\s*[:："“„«「『']|(?:is|es|est|ist|é|è|jest|adalah|là)\s+(?:\d|["“„«]))`)
})

// definedInPlace tells a field that the sentence itself fills in.
func definedInPlace(sentence string, r FieldRef) bool {
	return inPlace().MatchString(sentence[r.End:])
}

var alternative = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[\s,/(])(?:or|o|u|ou|oder|of|lub|albo|или|або|чи|veya|ya da|أو|یا|या|বা|hoặc|hay|atau)(?:[\s,)]|$)|/|或|または|あるいは|또는|หรือ`)
})

// optional tells a field that a selected one can stand in for.
func optional(sentence string, refs []FieldRef, i int, selected []Field) bool {
	for j, other := range refs {
		if j == i || other.Field == refs[i].Field || !slices.Contains(selected, other.Field) {
			continue
		}
		a, b := refs[min(i, j)], refs[max(i, j)]
		if alternative().MatchString(sentence[a.End:b.Start]) {
			return true
		}
	}
	return false
}
