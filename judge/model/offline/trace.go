package offline

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// wasteOf is how much of a step a fact makes superfluous, from 0 to 1.
var wasteOf = map[string]float64{
	"duplicate_call":      1,
	"loop":                1,
	"repeated_result":     0.7,
	"dead_end":            0.7,
	"unused_result":       0.6,
	"failed_then_retried": 0.4,
}

// defaultWaste is that of a fact of another kind.
const defaultWaste = 0.5

// maxNeeded bounds how many findings of needed steps are written.
const maxNeeded = 10

// scoreTrace judges how efficiently a trace did its task, by the facts counted
// in it. The score is ten times the share of the agent's steps that were not
// wasted: a step weighs as much as its gravest fact says.
func scoreTrace(in request) scoreAnswer {
	findings, share, wasted := wasteIn(in)
	return scoreAnswer{Findings: findings, Reason: reasonOfTrace(wasted, share), Score: int(math.Round(topScore * share))}
}

// strictTrace passes a trace in which no fact makes a step superfluous.
func strictTrace(in request) strictAnswer {
	findings, share, wasted := wasteIn(in)
	verdict := "fail"
	if len(wasted) == 0 && share == 1 {
		verdict = "pass"
	}
	return strictAnswer{Findings: findings, Reason: reasonOfTrace(wasted, share), Verdict: verdict}
}

// wasteIn weighs each step and gives the findings, the share of work that was
// not wasted, and the texts of the facts that cost most.
func wasteIn(in request) (findings []finding, share float64, wasted []string) {
	weight, why := map[int]float64{}, map[int]string{}
	for _, f := range in.Facts {
		w, known := wasteOf[f.Kind]
		if !known {
			w = defaultWaste
		}
		for i, n := range f.Steps {
			// The first of repeated steps was needed.
			if i == 0 && len(f.Steps) > 1 && (f.Kind == "duplicate_call" || f.Kind == "repeated_result" || f.Kind == "loop") {
				continue
			}
			if f.Kind == "failed_then_retried" && i > 0 {
				continue // the retry was needed, the failure was not
			}
			if w > weight[n] {
				weight[n], why[n] = w, f.Text
			}
		}
		wasted = append(wasted, f.Text)
	}
	findings = []finding{}
	worked, lost, needed := 0.0, 0.0, 0
	for _, s := range in.Trace {
		if s.given() {
			continue
		}
		worked++
		w := weight[s.Step]
		lost += w
		switch {
		case w >= metFrom:
			findings = append(findings, finding{Step: s.Step, Evidence: quote(why[s.Step]), Verdict: verdictNotMet})
		case w > 0:
			findings = append(findings, finding{Step: s.Step, Evidence: quote(why[s.Step]), Verdict: verdictPartly})
		case needed < maxNeeded:
			needed++
			findings = append(findings, finding{Step: s.Step, Evidence: s.title(), Verdict: verdictMet})
		}
	}
	if worked == 0 {
		return findings, 0, wasted
	}
	return findings, (worked - lost) / worked, wasted
}

// given reports whether a step is what the agent was handed.
func (s traceStep) given() bool { return s.Type == "user" || s.Type == "system" }

func (s traceStep) title() string {
	if s.Name == "" {
		return s.Type
	}
	return quote(s.Type + " " + s.Name)
}

func reasonOfTrace(wasted []string, share float64) string {
	const who = "Offline baseline: it counts repeated, failed and unused calls and does not judge whether the task was understood. "
	if len(wasted) == 0 {
		return who + "No superfluous step was counted."
	}
	return who + fmt.Sprintf("About %d %% of the steps were needed. First of %d facts: %s", int(math.Round(100*share)), len(wasted), quote(wasted[0]))
}

// maxTaskRunes bounds a task read from a trace.
const maxTaskRunes = 500

// taskOf is the goal of a trace: what the first user message asks, else the
// input of the first step that has one, else the name of what was done.
func taskOf(trace []traceStep) string {
	for _, given := range []bool{true, false} {
		for _, s := range trace {
			if (s.Type == "user") != given {
				continue
			}
			for _, raw := range []json.RawMessage{s.Input, s.Output} {
				if t := textIn(raw); strings.TrimSpace(t) != "" {
					return cutTask(t)
				}
			}
		}
	}
	for _, s := range trace {
		if s.Name != "" {
			return "Carry out the steps that begin with " + quote(s.Name) + "."
		}
	}
	return "Carry out the steps of the trace."
}

func cutTask(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	runes := []rune(s)
	if len(runes) <= maxTaskRunes {
		return s
	}
	return string(runes[:maxTaskRunes]) + "…"
}

// textIn finds the text in a JSON value: a string; the content, text, query or
// task of an object; the first such text of a list, a user's message before
// others.
func textIn(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	return textOf(v, 0)
}

// maxTextDepth bounds how deep a text is looked for.
const maxTextDepth = 8

func textOf(v any, depth int) string {
	if depth > maxTextDepth {
		return ""
	}
	switch v := v.(type) {
	case string:
		return v
	case []any:
		for _, role := range []string{"user", ""} {
			for _, item := range v {
				if m, ok := item.(map[string]any); ok && role != "" && m["role"] != role {
					continue
				} else if !ok && role != "" {
					continue
				}
				if t := textOf(item, depth+1); t != "" {
					return t
				}
			}
		}
	case map[string]any:
		for _, name := range []string{"task", "goal", "question", "query", "content", "text", "input", "prompt", "message", "messages", "parts"} {
			if t := textOf(v[name], depth+1); t != "" {
				return t
			}
		}
	}
	return ""
}
