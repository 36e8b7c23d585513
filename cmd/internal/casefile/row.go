package casefile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/judge"
	"bailiff/rubric"
)

// texts is a text or a list of texts.
type texts []string

// UnmarshalJSON accepts null, a string, or a list of strings.
func (t *texts) UnmarshalJSON(data []byte) error {
	switch jsontext.Value(data).Kind() {
	case 'n':
		*t = nil
		return nil
	case '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*t = texts{s}
		return nil
	}
	var list []string
	if err := json.Unmarshal(data, &list); err != nil {
		return errors.New("must be text or a list of texts")
	}
	*t = list
	return nil
}

// row is a record as files spell it: our names, and nexa-gauge's beside them.
type row struct {
	ID     jsontext.Value `json:"id"`
	CaseID jsontext.Value `json:"case_id"`

	Prompt       *string `json:"prompt"`
	Input        *string `json:"input"`
	Question     *string `json:"question"`
	Output       *string `json:"output"`
	Generation   *string `json:"generation"`
	GoldenAnswer *string `json:"golden_answer"`
	Reference    *string `json:"reference"`
	Context      texts   `json:"context"`

	Trace jsontext.Value `json:"trace"`
	Human *float64       `json:"human"`

	Definition string   `json:"eval_definition"`
	Steps      []string `json:"evaluation_steps"`
	Fields     []string `json:"evaluation_fields"`
	GEval      *struct {
		Metrics []nexaMetric `json:"metrics"`
	} `json:"geval"`
}

type nexaMetric struct {
	Name       string   `json:"name"`
	ItemFields []string `json:"item_fields"`
	Criteria   string   `json:"criteria"`
	Steps      []string `json:"evaluation_steps"`
	Strict     bool     `json:"strict_mode"`
	Threshold  *float64 `json:"threshold"`
}

func (r row) toCase() (Case, error) {
	id, err := idText(r.ID, r.CaseID)
	if err != nil {
		return Case{}, err
	}
	record, err := r.record()
	if err != nil {
		return Case{}, err
	}
	record.ID = id
	c := Case{ID: id, Record: record, Human: r.Human}
	if r.Definition != "" || len(r.Steps) > 0 {
		m, err := metric("g_eval", r.Fields, judge.Args{Definition: r.Definition, Steps: r.Steps, IncludeReason: true})
		if err != nil {
			return Case{}, err
		}
		c.Metrics = append(c.Metrics, m)
	}
	if r.GEval == nil {
		return c, nil
	}
	for i, n := range r.GEval.Metrics {
		m, err := metric("g_eval", n.ItemFields, judge.Args{
			Definition: n.Criteria, Steps: n.Steps, Strict: n.Strict, IncludeReason: true, Name: n.Name,
		})
		if err != nil {
			return Case{}, fmt.Errorf("/geval/metrics/%d: %w", i, err)
		}
		m.Name, m.Threshold = n.Name, n.Threshold
		c.Metrics = append(c.Metrics, m)
	}
	return c, nil
}

func (r row) record() (judge.Record, error) {
	rec := judge.Record{Context: r.Context}
	if r.Trace != nil && r.Trace.Kind() != 'n' {
		rec.Trace = r.Trace.Clone()
	}
	for _, f := range []struct {
		to         *string
		ours, nexa *string
		names      string
	}{
		{&rec.Prompt, r.Prompt, nil, "prompt"},
		{&rec.Input, r.Input, r.Question, "input and question"},
		{&rec.Output, r.Output, r.Generation, "output and generation"},
		{&rec.GoldenAnswer, r.GoldenAnswer, r.Reference, "golden_answer and reference"},
	} {
		switch {
		case f.ours != nil && f.nexa != nil:
			return judge.Record{}, fmt.Errorf("%s are the same field: give one of them", f.names)
		case f.ours != nil:
			*f.to = *f.ours
		case f.nexa != nil:
			*f.to = *f.nexa
		}
	}
	return rec, nil
}

// idText takes the id that is there: text as it is, a number as written.
func idText(ids ...jsontext.Value) (string, error) {
	for _, v := range ids {
		switch v.Kind() {
		case '"':
			var s string
			if err := json.Unmarshal(v, &s); err != nil {
				return "", err
			}
			if s != "" {
				return s, nil
			}
		case '0':
			return string(v), nil
		case 0, 'n':
		default:
			return "", errors.New("id must be text or a number")
		}
	}
	return "", nil
}

// fieldNames maps every spelling of a field to ours.
var fieldNames = map[string]rubric.Field{
	"output": rubric.Output, "generation": rubric.Output, "actual_output": rubric.Output,
	"prompt": rubric.Prompt,
	"input":  rubric.Input, "question": rubric.Input,
	"context":       rubric.Context,
	"golden_answer": rubric.GoldenAnswer, "reference": rubric.GoldenAnswer, "expected_output": rubric.GoldenAnswer,
}

// FieldOf finds our field for a name of ours or of nexa-gauge's.
func FieldOf(name string) (rubric.Field, error) {
	f, ok := fieldNames[name]
	if !ok {
		return "", fmt.Errorf("unknown field %q: use input (or question), output (or generation), golden_answer (or reference), prompt, context", name)
	}
	return f, nil
}

// metric builds a Metric with its fields mapped, each once, in order.
func metric(name string, items []string, args judge.Args) (Metric, error) {
	seen := map[rubric.Field]bool{}
	for _, item := range items {
		f, err := FieldOf(strings.TrimSpace(item))
		if err != nil {
			return Metric{}, err
		}
		if !seen[f] {
			seen[f] = true
			args.Fields = append(args.Fields, f)
		}
	}
	return Metric{Metric: name, Name: args.Name, Args: args, ItemFields: items}, nil
}
