package rubric

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Codes of suggestions.
const (
	ScaleInDefinition = "scale_in_definition"
	InvertedScale     = "inverted_scale"
	UnselectedField   = "unselected_field"
	TemplateLeftover  = "template_leftover"
	VagueWord         = "vague_word"
	MixedCriteria     = "mixed_criteria"
	StepLeftOut       = "step_left_out"
	ShortDefinition   = "short_definition"
	LongDefinition    = "long_definition"
	FromModel         = "model"
)

const (
	maxOfAKind      = 3       // suggestions of one code
	maxFromModel    = 5       // a model's own sentences
	shortWords      = 3       // fewer words than this rarely say what is good
	longBytes       = 6 << 10 // a definition beyond this buries its criteria
	maxShownExcerpt = 40      // runes of the text that a suggestion quotes
)

// suggest says what would make a definition better: what can be told from the
// text first, then what the model found.
func suggest(req Request, found []Step, a semanticAnswer) []Suggestion {
	text := req.Definition
	var out []Suggestion
	out = append(out, scaleSuggestions(text)...)
	out = append(out, fieldSuggestions(text, req.Fields, a.Missing)...)
	out = append(out, placeholderSuggestions(text)...)
	out = append(out, wordSuggestions(text)...)
	out = append(out, stepSuggestions(text, found)...)
	out = append(out, lengthSuggestions(text)...)
	return append(out, modelSuggestions(a.Suggestions)...)
}

func scaleSuggestions(text string) []Suggestion {
	var out []Suggestion
	for _, s := range DetectScales(text) {
		if len(out) == maxOfAKind {
			break
		}
		out = append(out, Suggestion{Code: ScaleInDefinition, Start: s.Start, End: s.End, Text: fmt.Sprintf(
			"Leave the scale %s to %s (%q) out of the definition: results are on one scale of 0 to 100, and the judge is told to use its own.",
			decimal(s.Min), decimal(s.Max), excerpt(text[s.Start:s.End]))})
	}
	if m := inverted().FindStringIndex(text); m != nil {
		out = append(out, Suggestion{Code: InvertedScale, Start: m[0], End: m[1], Text: fmt.Sprintf(
			"Say what is good instead of turning the scale round (%q): 100 always means that the definition is met.", excerpt(text[m[0]:m[1]]))})
	}
	return out
}

// fieldSuggestions names each unselected field once, where the text first
// speaks of it; fields that only the model missed are about the whole.
func fieldSuggestions(text string, selected []Field, missing []string) []Suggestion {
	var out []Suggestion
	told := map[Field]bool{}
	for _, r := range DetectFields(text) {
		if !told[r.Field] && !slices.Contains(selected, r.Field) && !definedInPlace(text, r) {
			told[r.Field] = true
			out = append(out, Suggestion{Code: UnselectedField, Start: r.Start, End: r.End, Text: fmt.Sprintf(
				"The definition speaks of %s (%q), which is not selected, so the judge does not see it. Add %s to evaluation_fields or leave it out.",
				r.Field, excerpt(text[r.Start:r.End]), r.Field)})
		}
	}
	for _, name := range missing {
		for _, f := range fieldsNamed(name) {
			if !told[f] && !slices.Contains(selected, f) {
				told[f] = true
				out = append(out, Suggestion{Code: UnselectedField, Text: fmt.Sprintf(
					"Part of the definition needs %s, which is not selected, so the judge does not see it. Add %s to evaluation_fields or leave that part out.", f, f)})
			}
		}
	}
	return out
}

func placeholderSuggestions(text string) []Suggestion {
	var out []Suggestion
	for _, p := range DetectPlaceholders(text) {
		if len(out) == maxOfAKind {
			break
		}
		out = append(out, Suggestion{Code: TemplateLeftover, Start: p.Start, End: p.End, Text: fmt.Sprintf(
			"%q looks like a template placeholder. Nothing is filled in here: the judge reads it as it stands and gets the record's fields beside it.", excerpt(text[p.Start:p.End]))})
	}
	return out
}

func wordSuggestions(text string) []Suggestion {
	var out []Suggestion
	c := compose(text)
	told := map[string]bool{}
	vague().find(c.text, func(_, start, end int) {
		word := strings.ToLower(c.text[start:end])
		if told[word] || len(out) == maxOfAKind {
			return
		}
		told[word] = true
		start, end = c.span(start, end)
		out = append(out, Suggestion{Code: VagueWord, Start: start, End: end, Text: fmt.Sprintf(
			"Say how one can tell what is %q here: graders differ where a word has no measure.", excerpt(text[start:end]))})
	})
	return out
}

// stepSuggestions are about steps: those that ask several things at once, and
// those that were left out for a reason the author can mend.
func stepSuggestions(text string, found []Step) []Suggestion {
	var out []Suggestion
	mixed := 0
	for _, s := range found {
		switch {
		case s.Included && mixes(s.Text) && mixed < maxOfAKind:
			mixed++
			out = append(out, Suggestion{Code: MixedCriteria, Start: s.Start, End: s.End, Text: fmt.Sprintf(
				"Split %q into steps that each ask one thing; a single finding cannot tell which part was met.", excerpt(s.Text))})
		case s.Reason == InstructionToJudge && s.End > 0:
			out = append(out, Suggestion{Code: StepLeftOut, Start: s.Start, End: s.End, Text: fmt.Sprintf(
				"%q tells the judge how to work instead of what to look for, so it is not used as a step.", excerpt(text[s.Start:s.End]))})
		}
	}
	return out
}

// mixes tells a step that joins three or more criteria.
func mixes(step string) bool {
	joined := 0
	conjunctions().find(compose(step).text, func(int, int, int) { joined++ })
	return joined >= 2 || (joined == 1 && strings.ContainsAny(step, ";；"))
}

func lengthSuggestions(text string) []Suggestion {
	words := len(strings.Fields(text))
	switch {
	case words < shortWords && utf8.RuneCountInString(text) < 12:
		return []Suggestion{{Code: ShortDefinition, Text: "Say more about what makes an answer good: so few words leave it to the judge."}}
	case len(text) > longBytes:
		return []Suggestion{{Code: LongDefinition, Text: "Shorten the definition to its criteria: a judge loses some of a long text, and every record pays for its tokens."}}
	}
	return nil
}

func modelSuggestions(texts []string) []Suggestion {
	var out []Suggestion
	for _, t := range texts {
		if t = public(t); t != "" && len(out) < maxFromModel {
			out = append(out, Suggestion{Code: FromModel, Text: t})
		}
	}
	return out
}

// suggestForSteps is about steps that the caller gave: fields that they speak
// of and that are not selected. They are used all the same.
func suggestForSteps(req Request) []Suggestion {
	var out []Suggestion
	told := map[Field]bool{}
	for i, step := range req.Steps {
		for _, f := range needed(step, req.Fields) {
			if !told[f] {
				told[f] = true
				out = append(out, Suggestion{Code: UnselectedField, Text: fmt.Sprintf(
					"Step %d needs %s, which is not selected, so the judge does not see it. Add %s to evaluation_fields or leave the step out.", i+1, f, f)})
			}
		}
	}
	return out
}

func leftOut(missing []Field) Suggestion {
	return Suggestion{Code: UnselectedField, Text: fmt.Sprintf(
		"A generated step was left out because it needs %s, which is not selected. Add %s to evaluation_fields to have that part judged.", names(missing), names(missing))}
}

// excerpt is a short piece of the author's own text, on one line.
func excerpt(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > maxShownExcerpt {
		return string(runes[:maxShownExcerpt]) + "…"
	}
	return s
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
