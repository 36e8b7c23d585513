package model_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
)

// asker is the power that this file is about.
type asker interface {
	AskTokens(ctx context.Context, stage, system, user string, schema []byte) ([]byte, []string, []float64, error)
}

func TestAskTokens(t *testing.T) {
	t.Parallel()
	steps := modeltest.Steps("Check the date.", "Prüfe den Ort 👍🏽.")
	for name, tt := range map[string]struct {
		reply  modeltest.Reply
		change func(*model.ClientConfig)
		script func(*modeltest.Server)
		known  bool
		calls  int
	}{
		"given":                {reply: steps.Logprobs(map[string]float64{}), known: true, calls: 1},
		"characters in pieces": {reply: steps.Logprobs(map[string]float64{}).SplitUTF8(), known: true, calls: 1},
		"texts without bytes":  {reply: steps.Logprobs(map[string]float64{}).TokenBytes("null"), known: true, calls: 1},
		"a fence around it":    {reply: steps.Logprobs(map[string]float64{}).Wrap("```json\n", "\n```"), known: true, calls: 1},
		"none given":           {reply: steps, calls: 1},
		"refused": {
			reply: steps.Logprobs(map[string]float64{}), calls: 2,
			script: func(up *modeltest.Server) { up.Reject(modeltest.Param("logprobs")) },
		},
		"a model known to have none": {
			reply: steps.Logprobs(map[string]float64{}), calls: 1,
			change: func(cfg *model.ClientConfig) { cfg.Slug = "o4-mini" },
		},
	} {
		for _, metered := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				up := modeltest.New(t)
				up.Script("generate", tt.reply.Usage(50, 20, 0, 0))
				if tt.script != nil {
					tt.script(up)
				}
				c := client(t, up, tt.change)
				meter := model.NewMeter(model.NewMeter(c, nil), nil)
				var m asker = c
				if metered {
					m = meter
				}
				object, tokens, logprobs, err := m.AskTokens(t.Context(), "generate", "s", "u", []byte(schema))
				if err != nil || up.Count("generate") != tt.calls {
					t.Fatalf("%v after %d calls", err, up.Count("generate"))
				}
				if metered && meter.Usage().OutputTokens != 20 {
					t.Errorf("metered as %+v", meter.Usage())
				}
				if !tt.known {
					if tokens != nil || logprobs != nil {
						t.Errorf("%d tokens, %d log probabilities", len(tokens), len(logprobs))
					}
					return
				}
				if len(tokens) != len(logprobs) || !strings.Contains(strings.Join(tokens, ""), string(object)) {
					t.Errorf("%q with %d log probabilities do not spell %q", tokens, len(logprobs), object)
				}
				for _, lp := range logprobs {
					if p := math.Exp(lp); p < 0.99 || p > 1 {
						t.Fatalf("a token's probability is %v", p)
					}
				}
			})
		}
	}
}

// TestAskTokensWantsNoAlternatives keeps the answer small: only the tokens' own
// probabilities are read.
func TestAskTokensWantsNoAlternatives(t *testing.T) {
	up := modeltest.New(t)
	if _, _, _, err := client(t, up, nil).AskTokens(t.Context(), "generate", "s", "u", []byte(schema)); err != nil {
		t.Fatal(err)
	}
	body := up.Requests("generate")[0].Body
	if _, there := body["top_logprobs"]; there || body["logprobs"] != true {
		t.Errorf("logprobs %v, top_logprobs %v", body["logprobs"], body["top_logprobs"])
	}
}

func TestAskTokensFailsAsAskDoes(t *testing.T) {
	up := modeltest.New(t)
	up.Script("generate", modeltest.Refusal("No.").Usage(100, 10, 0, 0))
	m := model.NewMeter(client(t, up, nil), nil)
	_, tokens, _, err := m.AskTokens(t.Context(), "generate", "s", "u", []byte(schema))
	wantCode(t, err, model.CodeRefused, 1)
	if tokens != nil || m.Usage().InputTokens != 100 {
		t.Errorf("%d tokens, usage %+v", len(tokens), m.Usage())
	}
}
