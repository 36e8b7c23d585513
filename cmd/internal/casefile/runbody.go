package casefile

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/judge"
)

// body is what a run body says that matters to a local run.
type body struct {
	Threshold   *float64 `json:"threshold"`
	ModelSlug   *string  `json:"model_slug"`
	Evaluations []struct {
		Metrics   []jsontext.Value `json:"metrics"`
		Threshold *float64         `json:"threshold"`
		ModelSlug *string          `json:"model_slug"`
		Data      []row            `json:"data"`
	} `json:"evaluations"`
}

type bodyMetric struct {
	Metric    string   `json:"metric"`
	Args      bodyArgs `json:"metric_args"`
	Threshold *float64 `json:"threshold"`
	ModelSlug *string  `json:"model_slug"`
}

// bodyArgs are the arguments of every metric. Unknown ones are refused: an
// argument that changes nothing would be a silent mistake.
type bodyArgs struct {
	Definition    string   `json:"eval_definition"`
	Fields        []string `json:"evaluation_fields"`
	Steps         []string `json:"evaluation_steps"`
	Strict        bool     `json:"strict_mode"`
	IncludeReason *bool    `json:"include_reason"`
	Samples       int      `json:"samples"`
	Name          string   `json:"name"`
	Task          string   `json:"task"`
}

func runBody(text []byte, emit func(Case) bool) error {
	var b body
	if err := json.Unmarshal(text, &b); err != nil {
		return plain(err)
	}
	if len(b.Evaluations) == 0 {
		return errors.New("/evaluations is empty: there is nothing to judge")
	}
	for i, e := range b.Evaluations {
		var metrics []Metric
		for j, raw := range e.Metrics {
			m, err := readMetric(raw)
			if err != nil {
				return fmt.Errorf("/evaluations/%d/metrics/%d: %w", i, j, err)
			}
			m.Threshold = firstOf(m.Threshold, e.Threshold, b.Threshold)
			m.Model = firstText(m.Model, e.ModelSlug, b.ModelSlug)
			metrics = append(metrics, m)
		}
		if len(metrics) == 0 {
			return fmt.Errorf("/evaluations/%d/metrics is empty", i)
		}
		for j, r := range e.Data {
			c, err := r.toCase()
			if err != nil {
				return fmt.Errorf("/evaluations/%d/data/%d: %w", i, j, err)
			}
			c.Metrics = metrics
			if !emit(c) {
				return errStopped
			}
		}
	}
	return nil
}

func readMetric(raw jsontext.Value) (Metric, error) {
	var m bodyMetric
	if raw.Kind() == '"' {
		if err := json.Unmarshal(raw, &m.Metric); err != nil {
			return Metric{}, plain(err)
		}
	} else if err := json.Unmarshal(raw, &m, json.RejectUnknownMembers(true)); err != nil {
		return Metric{}, plain(err)
	}
	if _, ok := known()[m.Metric]; !ok {
		return Metric{}, fmt.Errorf("unknown metric %q", m.Metric)
	}
	a := m.Args
	out, err := metric(m.Metric, a.Fields, judge.Args{
		Definition: a.Definition, Steps: a.Steps, Strict: a.Strict, Samples: a.Samples, Name: a.Name, Task: a.Task,
		IncludeReason: a.IncludeReason == nil || *a.IncludeReason,
	})
	if err != nil {
		return Metric{}, err
	}
	out.Threshold = m.Threshold
	if m.ModelSlug != nil {
		out.Model = *m.ModelSlug
	}
	return out, nil
}

func known() map[string]struct{} {
	names := map[string]struct{}{}
	for _, m := range judge.Metrics() {
		names[m.Name] = struct{}{}
	}
	return names
}

func firstOf(values ...*float64) *float64 {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

func firstText(text string, others ...*string) string {
	for _, o := range others {
		if text != "" {
			break
		}
		if o != nil {
			text = *o
		}
	}
	return text
}
