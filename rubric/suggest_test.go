package rubric

import (
	"slices"
	"strings"
	"testing"
)

func TestSuggestionsAreTiedToTheirPlace(t *testing.T) {
	tests := []struct {
		name, text string
		code, span string
		says       string
	}{
		{"a scale", "Is it kind? Rate it 1 to 5.", ScaleInDefinition, "1 to 5", "0 to 100"},
		{"a scale turned round", "Is it toxic? A higher score is worse.", InvertedScale, "higher score is worse", "100"},
		{"a field that is not selected", "It equals the golden answer. It is kind.", UnselectedField, "golden answer", "golden_answer"},
		{"a doubtful field", "It rests on the context. It is kind.", UnselectedField, "the context", "context"},
		{"a template leftover", "It greets {{customer}} by name.", TemplateLeftover, "{{customer}}", "filled in"},
		{"a vague word", "The tone is appropriate.", VagueWord, "appropriate", "measure"},
		{"a vague German word", "Der Ton ist angemessen.", VagueWord, "angemessen", "measure"},
		{"a vague Japanese word", "返信は適切である。", VagueWord, "適切", "measure"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := Request{Definition: tt.text, Fields: []Field{Input, Output}}
			list := suggest(req, nil, semanticAnswer{})
			i := slices.IndexFunc(list, func(s Suggestion) bool { return s.Code == tt.code })
			if i < 0 {
				t.Fatalf("no %s among %v", tt.code, codes(list))
			}
			if got := tt.text[list[i].Start:list[i].End]; got != tt.span {
				t.Errorf("tied to %q, want %q", got, tt.span)
			}
			if !strings.Contains(list[i].Text, tt.says) {
				t.Errorf("%q does not say %q", list[i].Text, tt.says)
			}
		})
	}
}

func TestSuggestionsAboutSteps(t *testing.T) {
	const def = "Check whether it is dated and signed and sealed. Give a score between 1 and 5. Check the hour."
	req := Request{Definition: def, Fields: []Field{Input, Output}}
	found := verify(req, []answeredStep{
		{"Check whether it is dated and signed and sealed.", true, ""}, {"Give a score between 1 and 5.", true, ""}, {"Check the hour.", true, ""},
	})
	got := codes(suggest(req, found, semanticAnswer{}))
	for _, code := range []string{MixedCriteria, StepLeftOut, ScaleInDefinition} {
		if !slices.Contains(got, code) {
			t.Errorf("%v lacks %s", got, code)
		}
	}
}

func TestAGoodDefinitionGetsNoSuggestion(t *testing.T) {
	for _, text := range []string{
		letter, prose,
		"Vérifiez qu'elle cite l'article du bail. Vérifiez qu'elle indique un délai.",
		"检查是否提到订单号。检查是否给出到货日期。",
		"تحقق مما إذا كان يذكر رقم الطلب.",
	} {
		if list := suggest(Request{Definition: text, Fields: []Field{Input, Output}}, nil, semanticAnswer{}); len(list) > 0 {
			t.Errorf("%q: %+v", text, list)
		}
	}
}

func TestModelsSuggestionsFollowOurs(t *testing.T) {
	m := script(map[string][]reply{"resolve": {answers(nil, `{"missing_fields":["context"],"suggestions":["Name the tone.","","Say\nwhen.","c","d","e","f"]}`)}})
	res := resolve(t, m, "Rate it 1 to 5. The response should be kind.")
	list := res.Rubric.Suggestions()
	want := []string{ScaleInDefinition, UnselectedField, FromModel, FromModel, FromModel, FromModel, FromModel}
	if got := codes(list); !slices.Equal(got, want) {
		t.Fatalf("codes %v, want %v", got, want)
	}
	if list[2].Text != "Name the tone." || list[3].Text != "Say when." {
		t.Errorf("the model's sentences: %q, %q", list[2].Text, list[3].Text)
	}
}

func TestSuggestionsAreBounded(t *testing.T) {
	text := strings.Repeat("A good, nice, appropriate, decent and suitable {{x}} {{y}} {{z}} {{w}}. Rate 1 to 5. Rate 0 to 9. Rate 0 to 8. Rate 0 to 7. ", 60)
	list := suggest(Request{Definition: text, Fields: []Field{Output}}, nil, semanticAnswer{})
	of := map[string]int{}
	for _, s := range list {
		if of[s.Code]++; of[s.Code] > maxOfAKind {
			t.Fatalf("more than %d of %s", maxOfAKind, s.Code)
		}
	}
	if of[LongDefinition] != 1 {
		t.Error("nothing is said of the length")
	}
}
