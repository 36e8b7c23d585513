package judge

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"bailiff/rubric"
)

// CodeNoFieldValue and CodeNothingToEvaluate are the codes of a Skip.
const (
	CodeNoFieldValue      = "no_field_value"
	CodeNothingToEvaluate = "nothing_to_evaluate"
)

// selectedFields is the selection in the contract's order, each field once;
// nil or empty selects all.
func selectedFields(selection []rubric.Field) []rubric.Field {
	if len(selection) == 0 {
		return rubric.Fields()
	}
	var fields []rubric.Field
	for _, f := range rubric.Fields() {
		if slices.Contains(selection, f) {
			fields = append(fields, f)
		}
	}
	return fields
}

// checkFields is the first stage of g_eval: without any value in the selected
// fields there is nothing to judge and no model is asked.
func checkFields(_ context.Context, e *evaluation) bool {
	leave := e.enter(stageFields)
	for _, f := range e.fields {
		if !e.req.Record.empty(f) {
			leave("ok", "")
			return true
		}
	}
	leave("skipped", "")
	e.skip(CodeNoFieldValue, sentenceEmpty(e.fields))
	return false
}

// empty reports whether a field holds nothing that can be read.
func (r Record) empty(f rubric.Field) bool {
	for _, s := range r.values(f) {
		if !Blank(s) {
			return false
		}
	}
	return true
}

// values are the texts of a field; a list field has one for each item.
func (r Record) values(f rubric.Field) []string {
	switch f {
	case rubric.Output:
		return []string{r.Output}
	case rubric.Prompt:
		return []string{r.Prompt}
	case rubric.Input:
		return []string{r.Input}
	case rubric.GoldenAnswer:
		return []string{r.GoldenAnswer}
	case rubric.Context:
		return slices.Concat(r.Context, r.RetrievalContext)
	}
	return nil
}

// Blank reports whether a text shows nothing to a reader: it is empty or made
// of white space, control characters, default-ignorable and other invisible
// code points, Hangul fillers and blank Braille cells alone.
func Blank(s string) bool {
	return strings.IndexFunc(s, visible) < 0
}

func visible(r rune) bool {
	switch {
	case unicode.IsSpace(r), unicode.IsControl(r):
		return false
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r), unicode.Is(unicode.Zs, r):
		return false
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Variation_Selector, r):
		return false
	case r == '\u2800': // blank Braille cell
		return false
	}
	return true
}
