package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/api"
	"bailiff/cmd/internal/casefile"
	"bailiff/judge"
	"bailiff/judge/model"
)

type estimateCmd struct {
	Node       string   `arg:"" enum:"eval,geval_steps" help:"What would be run: eval or geval_steps."`
	Input      string   `required:"" type:"existingfile" short:"i" help:"A file as bailiff run takes it."`
	Limit      int      `placeholder:"N" help:"Take only the first N cases."`
	Model      string   `placeholder:"SLUG" help:"Model to estimate for; the configured default without."`
	Definition string   `short:"d" placeholder:"TEXT|@FILE" help:"Definition for cases that name no metric."`
	Fields     []string `placeholder:"FIELD" help:"Record fields for --definition."`
	Output     string   `enum:"text,json" default:"text" help:"text for people, json for programs (${enum})."`
}

// Help is the longer text of bailiff estimate --help.
func (*estimateCmd) Help() string {
	return "Counts calls, tokens and US dollars by stage. No model is called."
}

func (c *estimateCmd) Run(ctx context.Context, std *stdio) error {
	like := runCmd{Node: c.Node, Definition: c.Definition, Fields: c.Fields}
	fallback, err := like.fallback()
	if err != nil {
		return err
	}
	eng, err := openEngine(ctx, std, c.Model, readStore)
	if err != nil {
		return err
	}
	defer eng.close()
	sum := judge.Estimator{Known: eng.judge.Kept}
	for j, err := range jobs(eng.withModels(casefile.Read(c.Input), fallback, c.Limit)) {
		if err != nil {
			return inputError(err)
		}
		req, err := eng.request(j.metric, j.item.Record, judge.DefaultThreshold)
		if err != nil {
			return err
		}
		sum.Add(ctx, req)
	}
	answer := newEstimate(sum.Sum(), c.Node == "geval_steps")
	if c.Output == "json" {
		if err := json.MarshalWrite(std.out, answer, jsontext.Multiline(true), json.Deterministic(true)); err != nil {
			return err
		}
		_, err := io.WriteString(std.out, "\n")
		return err
	}
	return answer.print(std.out)
}

// estimateAnswer is an estimate as it is printed.
type estimateAnswer struct {
	ModelCalls        int                  `json:"model_calls"`
	InputTokens       int                  `json:"input_tokens"`
	OutputTokens      int                  `json:"output_tokens"`
	Cost              *string              `json:"cost"` // US dollars, null when a price is unknown
	CostComplete      bool                 `json:"cost_complete"`
	ByStage           map[string]api.Usage `json:"by_stage"`
	Definitions       int                  `json:"definitions"`
	CachedDefinitions int                  `json:"cached_definitions"`
	DeniedDefinitions int                  `json:"denied_definitions"`
	SkippedRecords    int                  `json:"skipped_records"`
}

// newEstimate leaves the scoring out when only the steps are wanted.
func newEstimate(e judge.Estimate, stepsOnly bool) estimateAnswer {
	var total model.Usage
	a := estimateAnswer{
		ByStage: map[string]api.Usage{}, Definitions: e.Definitions, CachedDefinitions: e.CachedDefinitions, DeniedDefinitions: e.DeniedDefinitions, SkippedRecords: e.SkippedRecords,
	}
	for stage, usage := range e.By {
		if stepsOnly && (stage == "score" || stage == "strict" || stage == "task") {
			continue
		}
		total = total.Add(usage)
		a.ByStage[stage] = api.NewUsage(usage)
	}
	whole := api.NewUsage(total)
	a.ModelCalls, a.InputTokens, a.OutputTokens = whole.ModelCalls, whole.InputTokens, whole.OutputTokens
	a.Cost, a.CostComplete = whole.Cost, whole.CostComplete
	return a
}

func (a estimateAnswer) print(out io.Writer) error {
	fmt.Fprintf(out, "%-10s %8s %12s %12s   %s\n", "stage", "calls", "input", "output", "US dollars")
	for _, stage := range slices.Sorted(maps.Keys(a.ByStage)) {
		u := a.ByStage[stage]
		fmt.Fprintf(out, "%-10s %8d %12d %12d   %s\n", stage, u.ModelCalls, u.InputTokens, u.OutputTokens, dollars(u.Cost))
	}
	_, err := fmt.Fprintf(out, "%-10s %8d %12d %12d   %s\n%d definitions, %d of them resolved before, %d denied; %d records have nothing to judge\n",
		"total", a.ModelCalls, a.InputTokens, a.OutputTokens, dollars(a.Cost), a.Definitions, a.CachedDefinitions, a.DeniedDefinitions, a.SkippedRecords)
	return err
}

func dollars(cost *string) string {
	if cost == nil {
		return "unknown"
	}
	return *cost
}
