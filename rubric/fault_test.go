package rubric

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestUnusableAnswersAreAskedForOnceMore(t *testing.T) {
	malformed := map[string]string{
		"no JSON":                  `no`,
		"a list":                   `[]`,
		"cut":                      `{"steps": [`,
		"a missing verdict":        `{"steps":[],"missing_fields":[],"suggestions":[],"explanation":"x","is_rubric":true,"coherent":true}`,
		"null for a verdict":       strings.Replace(noSteps, `"is_rubric":true`, `"is_rubric":null`, 1),
		"a word for a verdict":     strings.Replace(noSteps, `"is_rubric":true`, `"is_rubric":"true"`, 1),
		"null for a list":          strings.Replace(noSteps, `"steps":[]`, `"steps":null`, 1),
		"one text for a list":      strings.Replace(noSteps, `"steps":[]`, `"steps":"1. a 2. b"`, 1),
		"a bare text for a step":   strings.Replace(noSteps, `"steps":[]`, `"steps":["a"]`, 1),
		"a null step":              strings.Replace(noSteps, `"steps":[]`, `"steps":[null]`, 1),
		"a step without included":  strings.Replace(noSteps, `"steps":[]`, `"steps":[{"step":"a","reason":null}]`, 1),
		"a null suggestion":        strings.Replace(noSteps, `"suggestions":[]`, `"suggestions":[null]`, 1),
		"the verdict twice":        strings.Replace(noSteps, `"is_rubric":true`, `"is_rubric":false,"is_rubric":true`, 1),
		"another case":             strings.Replace(noSteps, `"is_rubric"`, `"Is_Rubric"`, 1),
		"a member too many":        strings.Replace(noSteps, `"steps"`, `"score":10,"steps"`, 1),
		"an unknown reason":        strings.Replace(noSteps, `"steps":[]`, `"steps":[{"step":"a","included":false,"reason":"boring"}]`, 1),
		"left out for no reason":   strings.Replace(noSteps, `"steps":[]`, `"steps":[{"step":"a","included":false,"reason":null}]`, 1),
		"included, with a reason":  strings.Replace(noSteps, `"steps":[]`, `"steps":[{"step":"a","included":true,"reason":"duplicate"}]`, 1),
		"more steps than fit":      strings.Replace(noSteps, `"steps":[]`, `"steps":[`+strings.Repeat(`{"step":"a","included":true,"reason":null},`, maxExtracted)+`{"step":"a","included":true,"reason":null}]`, 1),
		"invalid UTF-8 in a text":  strings.Replace(noSteps, `"Criteria."`, "\"\xff\"", 1),
		"something behind the end": noSteps + `{}`,
	}
	for name, bad := range malformed {
		t.Run("resolve/"+name, func(t *testing.T) {
			m := script(map[string][]reply{"resolve": {says(bad)}})
			res := resolve(t, m, prose)
			if got := end(res); got != "fault semantic semantic_unavailable" || m.count("resolve") != 2 || res.Fault.Attempts != 2 || !res.Fault.Retryable {
				t.Errorf("end %q after %d calls, fault %+v", got, m.count("resolve"), res.Fault)
			}
			m = script(map[string][]reply{"resolve": {says(bad), finds("it names the ship")}})
			if res = resolve(t, m, prose); end(res) != "usable extracted" {
				t.Errorf("a good second answer: %s", end(res))
			}
			first, second := m.asked("resolve")[0].user, m.asked("resolve")[1].user
			if strings.Contains(first, "could not be used") || !strings.Contains(second, "could not be used. ") {
				t.Error("the second try does not name the mistake, or the first does")
			}
		})
	}
}

func TestUnusableStepsAreAskedForOnceMore(t *testing.T) {
	malformed := map[string]reply{
		"none":             writes(),
		"six":              writes("a b", "c d", "e f", "g h", "i j", "k l"),
		"an empty one":     writes("Check whether it is dated.", " \t"),
		"one twice":        writes("Check whether it is dated.", "check whether  it is dated"),
		"far too long":     writes(strings.Repeat("Check whether it is dated and ", 200)),
		"one text":         says(`{"steps":"1. a 2. b"}`),
		"null":             says(`{"steps":null}`),
		"a null step":      says(`{"steps":["Check whether it is dated.",null]}`),
		"no member":        says(`{}`),
		"another member":   says(`{"steps":["Check whether it is dated."],"note":"x"}`),
		"steps twice":      says(`{"steps":["Check whether it is dated."],"steps":["Check whether it is whole."]}`),
		"objects for text": says(`{"steps":[{"step":"Check whether it is dated."}]}`),
	}
	for name, bad := range malformed {
		t.Run(name, func(t *testing.T) {
			m := script(map[string][]reply{"generate": {bad}})
			res := resolve(t, m, prose)
			if got := end(res); got != "fault steps steps_unavailable" || m.count("generate") != 2 || res.Fault.Attempts != 2 {
				t.Errorf("end %q after %d calls", got, m.count("generate"))
			}
			m = script(map[string][]reply{"generate": {bad, writes("Check whether it is dated.")}})
			if got := end(resolve(t, m, prose)); got != "usable generated" {
				t.Errorf("a good second answer: %s", got)
			}
		})
	}
}

func TestFailedCallsFailTheirStage(t *testing.T) {
	tests := []struct {
		kind      string
		want      string // "<stage> <code>"; %s is the stage, %u its own code
		calls     int
		retryable bool
	}{
		{"model_unavailable", "%s %u", 1, true},
		{"model_timeout", "%s %u", 1, true},
		{"truncated", "%s %u", 1, true},
		{"refused", "%s %u", 1, false},
		{"malformed", "%s %u", 2, true},
		{"a kind nobody knows", "%s %u", 1, true},
		{"model_rate_limited", "%s model_rate_limited", 1, true},
		{"model_auth", "%s model_auth", 1, false},
		{"budget_exhausted", "meter budget_exhausted", 1, false},
	}
	for stage, of := range map[string]struct{ outcome, code string }{
		"resolve": {"semantic", "semantic_unavailable"}, "generate": {"steps", "steps_unavailable"},
	} {
		for _, tt := range tests {
			t.Run(stage+"/"+tt.kind, func(t *testing.T) {
				m := script(map[string][]reply{stage: {fails(tt.kind)}})
				res := resolve(t, m, prose)
				want := "fault " + strings.NewReplacer("%s", of.outcome, "%u", of.code).Replace(tt.want)
				if got := end(res); got != want || m.count(stage) != tt.calls || res.Fault.Retryable != tt.retryable {
					t.Errorf("end %q after %d calls, retryable %v; want %q after %d, %v", got, m.count(stage), res.Fault.Retryable, want, tt.calls, tt.retryable)
				}
				explained(t, res)
			})
		}
	}
}

func TestAttemptsCountEveryCall(t *testing.T) {
	tries := func(n int) reply {
		return func(ctx context.Context, c call) (string, error) { return "", &modelError{"model_unavailable", n} }
	}
	m := script(map[string][]reply{"resolve": {says(`{}`), tries(3)}})
	if res := resolve(t, m, prose); res.Fault == nil || res.Fault.Attempts != 4 {
		t.Errorf("one malformed answer and three failed tries: %+v", res.Fault)
	}
}

func TestAModelThatPanicsFailsItsStage(t *testing.T) {
	for stage, want := range map[string]string{
		"safety": "fault safety safety_unavailable", "resolve": "fault semantic semantic_unavailable", "generate": "fault steps steps_unavailable",
	} {
		m := script(map[string][]reply{stage: {panics}})
		if got := end(resolve(t, m, prose)); got != want {
			t.Errorf("%s panics: %q, want %q", stage, got, want)
		}
	}
}

func TestWorkEndsAtItsDeadline(t *testing.T) {
	for stage, want := range map[string]string{
		"safety": "fault safety safety_unavailable", "resolve": "fault semantic semantic_unavailable", "generate": "fault steps steps_unavailable",
	} {
		m := script(map[string][]reply{stage: {hangs}})
		r := NewResolver(Config{Timeout: 30 * time.Millisecond})
		if got := end(r.Resolve(t.Context(), request(t, m, prose))); got != want {
			t.Errorf("%s hangs: %q, want %q", stage, got, want)
		}
	}
}

func TestFaultsAreNotKept(t *testing.T) {
	for _, stage := range []string{"safety", "resolve", "generate"} {
		m := script(map[string][]reply{stage: {fails("model_unavailable"), script(nil).script[stage][0]}})
		r := NewResolver(Config{Cache: newStore()})
		if res := r.Resolve(t.Context(), request(t, m, prose)); res.Fault == nil {
			t.Fatalf("%s fails and nothing is said", stage)
		}
		if got := end(r.Resolve(t.Context(), request(t, m, prose))); got != "usable generated" {
			t.Errorf("after the outage of %s: %s", stage, got)
		}
	}
}
