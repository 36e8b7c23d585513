package offline

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSense(t *testing.T) {
	t.Parallel()
	const (
		criteria = iota
		noCriteria
		incoherent
	)
	for _, c := range []struct {
		text string
		want int
	}{
		{"The reply must name the parcel number.", criteria},
		{"Clarity, tone and correctness", criteria},
		{"Is the answer correct?", criteria},
		{"Does the summary cover the outage?", criteria},
		{"Award two marks for the formula and one for the unit.", criteria},
		{"The sample size is stated and the error bars are explained.", criteria},
		{"Die Antwort soll das Datum nennen.", criteria},
		{"La respuesta no debe culpar al cliente.", criteria},
		{"Ответ должен содержать сумму возврата.", criteria},
		{"回答应当给出退款日期。", criteria},
		{"回答は日付を含むべきである。", criteria},
		{"답변은 날짜를 포함해야 한다.", criteria},
		{"يجب أن يذكر الرد التاريخ.", criteria},
		{"उत्तर में तारीख होनी चाहिए।", criteria},
		{"Write a poem about autumn.", noCriteria},
		{"Can you help me with my tax form?", noCriteria},
		{"What is the capital of Peru?", noCriteria},
		{"I need a recipe for lentil soup.", noCriteria},
		{"Schreibe ein Gedicht über den Herbst.", noCriteria},
		{"Escribe un poema sobre el otoño.", noCriteria},
		{"Напиши стихотворение об осени.", noCriteria},
		{"请帮我写一首关于秋天的诗。", noCriteria},
		{"秋の詩を書いてください。", noCriteria},
		{"가을에 대한 시를 써줘.", noCriteria},
		{"Hello", noCriteria},
		{"is it good?", noCriteria},
		{"Good answer", noCriteria},
		{"test test", noCriteria},
		{"Est-ce que c'est bon ?", noCriteria},
		{"你好", noCriteria},
		{"", incoherent},
		{" \n\t", incoherent},
		{"!!! ??? ...", incoherent},
		{"bla bla bla bla bla bla bla", incoherent},
		{"xkcdqrt zzzbbb wqrtplkj", incoherent},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			a := resolve(request{Definition: c.text, Fields: []string{"output"}})
			want := [2]bool{c.want != incoherent, c.want == criteria}
			if got := [2]bool{a.Coherent, a.IsRubric}; got != want {
				t.Errorf("coherent, is_rubric = %v, want %v (%s)", got, want, a.Explanation)
			}
			if !strings.Contains(a.Explanation, "offline baseline") || !strings.HasSuffix(a.Explanation, ".") {
				t.Errorf("explanation %q does not say who speaks", a.Explanation)
			}
		})
	}
}

// TestStepsThatAreNotUsed names the reason for each step left out.
func TestStepsThatAreNotUsed(t *testing.T) {
	t.Parallel()
	definition := "1. The reply names the date.\n2. Assign a score from 1 to 10.\n3. The reply agrees with the golden answer.\n4. the reply names the date\n5. {{criterion}}\n6. The reply answers the question."
	var got []string
	for _, s := range resolve(request{Definition: definition, Fields: []string{"output"}}).Steps {
		if (s.Reason == nil) != s.Included {
			t.Errorf("step %q: included %v, reason %v", s.Step, s.Included, s.Reason)
		}
		if s.Reason == nil {
			got = append(got, "used")
		} else {
			got = append(got, *s.Reason)
		}
	}
	want := []string{"used", reasonInstructionToJudge, reasonUnselectedField, reasonDuplicate, reasonNotEvaluable, reasonUnselectedField}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

func TestApplicable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		definition string
		fields     []string
		want       bool
		missing    []string
	}{
		{"The answer must match the golden answer.", []string{"output"}, false, []string{"golden_answer"}},
		{"The answer must match the golden answer.", []string{"output", "golden_answer"}, true, []string{}},
		{"The answer must match the golden answer.", nil, true, []string{}},
		{"The answer is grounded in the provided context. It is polite.", []string{"output"}, true, []string{"context"}},
		{"Check whether it is polite. Check whether it matches the reference answer.", []string{"output"}, true, []string{"golden_answer"}},
		{"Check that it follows the prompt.", []string{"input", "output"}, true, []string{}},
		{"Check that it follows the prompt.", []string{"output"}, false, []string{"prompt"}},
		{"Prüfe, ob die Antwort der Musterlösung entspricht.", []string{"output"}, false, []string{"golden_answer"}},
		{"答案必须与参考答案一致。", []string{"output"}, false, []string{"golden_answer"}},
		{"The letter explains the context of the decision.", []string{"output"}, true, []string{}},
		{"The reply gives the reference number.", []string{"output"}, true, []string{}},
		{"The answer keeps its system prompt to itself.", []string{"output"}, true, []string{}},
	} {
		a := resolve(request{Definition: c.definition, Fields: c.fields})
		if a.Applicable != c.want || cmp.Diff(c.missing, a.MissingFields) != "" {
			t.Errorf("%q with %v: applicable %v, missing %v; want %v, %v", c.definition, c.fields, a.Applicable, a.MissingFields, c.want, c.missing)
		}
		if !a.Applicable && !strings.Contains(a.Explanation, c.missing[0]) {
			t.Errorf("explanation %q does not name %s", a.Explanation, c.missing[0])
		}
	}
}

func TestSuggestions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ definition, part string }{
		{"Rate the politeness of the reply on a scale of 1 to 5.", "its own scale (1 to 5)"},
		{"Give up to 7 out of 10 for tone.", "own scale (out of 10)"},
		{"The reply is appropriate.", `"appropriate" is read differently`},
		{"Die Antwort ist angemessen.", `"angemessen" is read differently`},
		{"Compare with {{golden_answer}}.", "placeholder"},
		{"- It is short, polite, and correct\n- It names the date", "Step 1 asks for several things"},
		{"It matches the golden answer. It is short.", "golden_answer, which is not selected"},
	} {
		a := resolve(request{Definition: c.definition, Fields: []string{"output"}})
		if !slices.ContainsFunc(a.Suggestions, func(s string) bool { return strings.Contains(s, c.part) }) {
			t.Errorf("%q: suggestions %q, want one with %q", c.definition, a.Suggestions, c.part)
		}
	}
	if a := resolve(request{Definition: "- It names the date\n- It names the place", Fields: []string{"output"}}); len(a.Suggestions) > 0 {
		t.Errorf("suggestions for a plain list: %q", a.Suggestions)
	}
}
