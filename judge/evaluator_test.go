package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bailiff/judge/model"
	"bailiff/rubric"
)

// letter is what a user of the library may have in a slice.
type letter struct{ question, answer string }

func toRecord(l letter) Record { return Record{Input: l.question, Output: l.answer} }

func letters(n int) []letter {
	out := make([]letter, n)
	for i := range out {
		out[i] = letter{"When?", fmt.Sprintf("On 3 May, says letter %d.", i)}
	}
	return out
}

func (b *bench) setup(m model.Model) Setup {
	return Setup{Judge: b.judge, Policy: b.policy, Model: m}
}

func TestEvaluatorKeepsTheOrder(t *testing.T) {
	b := newBench(t)
	m := script(map[string][]reply{"score": {func(ctx context.Context, r model.Request) (model.Reply, error) {
		if strings.Contains(r.User, "letter 0") { // the first is the last to be ready
			select {
			case <-time.After(30 * time.Millisecond):
			case <-ctx.Done():
			}
		}
		return scores(8)(ctx, r)
	}}})
	setup := b.setup(m)
	setup.Concurrency = 4
	e := From(setup, letters(12), toRecord).
		AddGEval(definition(1), WithFields(rubric.Input, rubric.Output), WithThreshold(70), Named("tone")).
		AddGEvalSteps([]string{"Check whether it is short."}, WithoutReason()).
		AddGEvalSteps([]string{"Check whether it is kind."})
	var got []string
	for r, err := range e.Run(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome.Status != Scored {
			t.Fatalf("%d %s: %+v", r.Index, r.Key, r.Outcome.Fault)
		}
		got = append(got, fmt.Sprint(r.Index, " ", r.Key))
		if r.Key == "tone" && r.Outcome.Threshold != 70 || r.Key == "g_eval#1" && r.Outcome.Explanation != "" || r.Item != letters(12)[r.Index] {
			t.Errorf("%s: threshold %v, explanation %q, item %v", r.Key, r.Outcome.Threshold, r.Outcome.Explanation, r.Item)
		}
	}
	var want []string
	for i := range 12 {
		want = append(want, fmt.Sprint(i, " tone"), fmt.Sprint(i, " g_eval#1"), fmt.Sprint(i, " g_eval#2"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("results came as %v", got)
	}
	if m.count("safety") != 3 {
		t.Errorf("%d safety checks for three definitions", m.count("safety"))
	}
}

func TestEvaluatorMayBeLeftAndRunAgain(t *testing.T) {
	b := newBench(t)
	m := script(nil)
	e := From(b.setup(m), letters(1000), toRecord).AddGEval(definition(1))
	for r, err := range e.Run(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Index == 2 {
			break
		}
	}
	if n := m.count("score"); n > 2*DefaultConcurrency+4 {
		t.Errorf("%d records were judged for three that were taken", n)
	}
	n := 0
	for range e.Run(t.Context()) {
		n++
	}
	if n != 1000 {
		t.Errorf("the second run gave %d results", n)
	}
}

func TestEvaluatorGivesEveryResultWhenCancelled(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	scoredRows, cancelled := 0, 0
	for r, err := range From(b.setup(script(nil)), letters(50), toRecord).AddGEval(definition(1)).Run(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case r.Outcome.Status == Scored:
			scoredRows++
		case r.Outcome.Fault != nil && r.Outcome.Fault.Code == "cancelled":
			cancelled++
		}
		if r.Index == 5 {
			cancel()
		}
	}
	cancel()
	if scoredRows < 6 || scoredRows+cancelled != 50 {
		t.Errorf("%d scored and %d cancelled of 50", scoredRows, cancelled)
	}
}

func TestEvaluatorTellsAllThatIsMissing(t *testing.T) {
	for _, c := range []struct {
		setup Setup
		words []string
	}{
		{Setup{}, []string{"Setup.Judge", "Setup.Policy", "Setup.Model", "maps an item"}},
		{Setup{Model: script(nil)}, []string{"Setup.Judge", "Setup.Policy", "metric 1", "metric 2"}},
	} {
		n := 0
		for _, err := range From[letter](c.setup, nil, nil).AddGEval(" ").AddGEvalSteps([]string{"x"}, WithSamples(99)).Run(t.Context()) {
			n++
			for _, word := range c.words {
				if err == nil || !strings.Contains(err.Error(), word) {
					t.Errorf("%v does not speak of %s", err, word)
				}
			}
		}
		if n != 1 {
			t.Errorf("%d results", n)
		}
	}
	for _, err := range From(Setup{}, letters(1), toRecord).Run(t.Context()) {
		if err == nil || !strings.Contains(err.Error(), "no metric") {
			t.Errorf("%v", err)
		}
	}
}
