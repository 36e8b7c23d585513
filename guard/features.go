package guard

import (
	"slices"
	"strings"
	"unicode"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Features are the counts of a text that the policy weighs beside the findings,
// as input.text. Counts are of the text as written unless they say otherwise.
type Features struct {
	Length             int      `json:"length"`              // bytes
	Words              int      `json:"words"`               // runs of letters and digits; for scripts without spaces, runs between punctuation
	Sentences          int      `json:"sentences"`           // pieces that end with a sentence mark or a line break
	Clauses            int      `json:"clauses"`             // sentences divided at semicolons, colons and commas
	Imperatives        int      `json:"imperatives"`         // clauses that begin with an order in one of the supported languages
	AddressedEvaluator int      `json:"addressed_evaluator"` // places that speak to the evaluator or about its role
	AboutResponse      int      `json:"about_response"`      // clauses whose subject is the response that is judged
	RubricMarks        int      `json:"rubric_marks"`        // marks of evaluation criteria
	Questions          int      `json:"questions"`           // question marks of any script
	Quotes             int      `json:"quotes"`              // quotations
	CodeSpans          int      `json:"code_spans"`          // code spans and fences
	Lists              int      `json:"lists"`               // lines that begin with a bullet or a number
	Numbers            int      `json:"numbers"`             // runs of digits
	URLs               int      `json:"urls"`                // http and https addresses
	LongestToken       int      `json:"longest_token"`       // bytes of the longest run without white space
	EntropyBlobs       int      `json:"entropy_blobs"`       // long tokens that look like encoded bytes and that nothing decoded
	DecodedLayers      int      `json:"decoded_layers"`      // pieces that an encoding yielded a text from
	HiddenLayers       int      `json:"hidden_layers"`       // comments, hidden elements and runs of shapeless characters with a text in them
	RepairedWords      int      `json:"repaired_words"`      // words put together or put right in the loose reading
	MixedScriptWords   int      `json:"mixed_script_words"`  // words of one script with look-alikes of another
	Invisible          int      `json:"invisible"`           // characters that take no room where no script needs them
	Bidi               int      `json:"bidi"`                // forced changes of the writing direction
	Tags               int      `json:"tags"`                // tag characters outside flags
	VariationSelectors int      `json:"variation_selectors"` // variation selectors that select nothing
	Control            int      `json:"control"`             // C0 and C1 controls other than white space
	PrivateUse         int      `json:"private_use"`         // private use and unassigned characters
	StackedMarks       int      `json:"stacked_marks"`       // combining marks that no letter takes
	Repaired           int      `json:"repaired"`            // bytes that are not UTF-8
	UnknownLanguage    bool     `json:"unknown_language"`    // most letters belong to a language without patterns
	Truncated          bool     `json:"truncated"`           // an encoded part was larger or nested deeper than the scan follows
	Scripts            []string `json:"scripts"`             // scripts with letters in the text, by name
}

// value is the object for the policy. Every member is always there.
func (f *Features) value() ast.Value {
	counts, flags := f.members()
	items := make([][2]*ast.Term, 0, len(counts)+len(flags)+1)
	for _, c := range counts {
		items = append(items, ast.Item(ast.InternedTerm(c.name), ast.InternedTerm(c.n)))
	}
	for _, c := range flags {
		items = append(items, ast.Item(ast.InternedTerm(c.name), ast.InternedTerm(c.on)))
	}
	scripts := make([]*ast.Term, len(f.Scripts))
	for i, name := range f.Scripts {
		scripts[i] = ast.StringTerm(name)
	}
	items = append(items, ast.Item(ast.InternedTerm("scripts"), ast.ArrayTerm(scripts...)))
	return ast.NewObject(items...)
}

func (f *Features) public() map[string]any {
	out := map[string]any{"scripts": f.Scripts}
	counts, flags := f.members()
	for _, c := range counts {
		out[c.name] = c.n
	}
	for _, c := range flags {
		out[c.name] = c.on
	}
	return out
}

type featureCount struct {
	name string
	n    int
}

type featureFlag struct {
	name string
	on   bool
}

// members lists the counts and flags by their JSON names; a test holds it
// against the struct.
func (f *Features) members() ([27]featureCount, [2]featureFlag) {
	return [...]featureCount{
		{"length", f.Length}, {"words", f.Words}, {"sentences", f.Sentences}, {"clauses", f.Clauses}, {"imperatives", f.Imperatives},
		{"addressed_evaluator", f.AddressedEvaluator}, {"about_response", f.AboutResponse}, {"rubric_marks", f.RubricMarks},
		{"questions", f.Questions}, {"quotes", f.Quotes}, {"code_spans", f.CodeSpans}, {"lists", f.Lists}, {"numbers", f.Numbers}, {"urls", f.URLs},
		{"longest_token", f.LongestToken}, {"entropy_blobs", f.EntropyBlobs}, {"decoded_layers", f.DecodedLayers}, {"hidden_layers", f.HiddenLayers},
		{"repaired_words", f.RepairedWords}, {"mixed_script_words", f.MixedScriptWords}, {"invisible", f.Invisible}, {"bidi", f.Bidi}, {"tags", f.Tags},
		{"variation_selectors", f.VariationSelectors}, {"control", f.Control}, {"private_use", f.PrivateUse}, {"stacked_marks", f.StackedMarks},
	}, [...]featureFlag{{"unknown_language", f.UnknownLanguage}, {"truncated", f.Truncated}}
}

// measureText counts what can be counted without patterns.
func measureText(text string, v *view, t *tally) Features {
	f := Features{
		Length: len(text), Invisible: t.invisible, Bidi: t.bidi, Tags: t.tags, VariationSelectors: t.selectors, Control: t.controls,
		PrivateUse: t.private, StackedMarks: t.stacked, MixedScriptWords: t.mixed, Repaired: t.repaired, Scripts: scriptsOf(v.text),
	}
	f.Sentences = len(clauseEnds(v.text))
	f.Words = len(strings.Fields(v.text))
	return f
}

// scriptsOf lists the scripts of the letters of a text.
func scriptsOf(text string) []string {
	if isASCII(text) {
		if strings.ContainsFunc(text, unicode.IsLetter) {
			return []string{"Latin"}
		}
		return []string{}
	}
	found := []string{}
	var last *unicode.RangeTable
	for _, r := range text {
		if !unicode.IsLetter(r) || last != nil && unicode.Is(last, r) {
			continue
		}
		for name, table := range unicode.Scripts {
			if unicode.Is(table, r) {
				last = table
				if name != "Common" && name != "Inherited" && !slices.Contains(found, name) {
					found = append(found, name)
				}
				break
			}
		}
	}
	slices.Sort(found)
	return found
}
