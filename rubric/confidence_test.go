package rubric

import (
	"context"
	"math"
	"testing"
)

// confident is a scripted model with token probabilities: every byte is a
// token of log probability token.
type confident struct {
	*scripted
	token float64
	cut   bool // gives one log probability too few
}

func (m *confident) AskTokens(ctx context.Context, stage, system, user string, schema []byte) ([]byte, []string, []float64, error) {
	object, err := m.Ask(ctx, stage, system, user, schema)
	if m.token == 0 {
		return object, nil, nil, err
	}
	tokens, logprobs := []string{"Sure: "}, []float64{-9}
	for _, b := range object {
		tokens, logprobs = append(tokens, string([]byte{b})), append(logprobs, m.token)
	}
	if m.cut {
		logprobs = logprobs[1:]
	}
	return object, tokens, logprobs, err
}

var _ Confident = (*confident)(nil)

func TestConfidenceOfGeneratedSteps(t *testing.T) {
	tests := []struct {
		name  string
		model confident
		want  float64 // NaN is unknown
	}{
		{"every token at one half", confident{token: math.Log(0.5)}, 0.5},
		{"no probabilities", confident{}, math.NaN()},
		{"lists that do not fit", confident{token: -1, cut: true}, math.NaN()},
		{"an impossible probability", confident{token: 1}, math.NaN()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.model.scripted = script(map[string][]reply{"generate": {writes("Check \"it\" is dated.", "Prüfe\\ den Ort.")}})
			req := request(t, nil, prose)
			req.Model = &tt.model
			res := NewResolver(Config{}).Resolve(t.Context(), req)
			list := res.Rubric.Confidence()
			if len(list) != 2 {
				t.Fatalf("%s with %d confidences", end(res), len(list))
			}
			for i, c := range list {
				if math.IsNaN(tt.want) != (c == nil) || (c != nil && math.Abs(*c-tt.want) > 1e-9) {
					t.Errorf("step %d: %v, want %v", i, c, tt.want)
				}
			}
		})
	}
}

func TestConfidenceIsThatOfTheStepsOwnTokens(t *testing.T) {
	a := answer{object: []byte(`{"steps":["ab","\u0063d"]}`)}
	for _, token := range []struct {
		text string
		p    float64
	}{{`{"steps":[`, 0.01}, {`"ab"`, 0.5}, {`,`, 0.01}, {`"\u00`, 0.2}, {`63d"`, 0.4}, {`]}`, 0.01}} {
		a.tokens, a.logprobs = append(a.tokens, token.text), append(a.logprobs, math.Log(token.p))
	}
	got := confidence(a, 2)
	if got[0] == nil || got[1] == nil || math.Abs(*got[0]-0.5) > 1e-9 || math.Abs(*got[1]-0.3) > 1e-9 {
		t.Errorf("got %v %v, want 0.5 and 0.3", got[0], got[1])
	}
}

func TestStatedStepsAreCertain(t *testing.T) {
	m := &confident{scripted: script(map[string][]reply{"resolve": {finds("Check whether it names the ship.")}}), token: -3}
	req := request(t, nil, letter)
	req.Model = m
	list := NewResolver(Config{}).Resolve(t.Context(), req).Rubric.Confidence()
	if len(list) != 1 || list[0] == nil || *list[0] != 1 {
		t.Errorf("got %v", list)
	}
}
