package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bailiff/cmd/internal/casefile"
	"bailiff/judge"
	"bailiff/rubric"
)

type runCmd struct {
	Node        string   `arg:"" enum:"eval,geval_steps" help:"eval scores the cases, geval_steps only resolves their steps."`
	Input       string   `required:"" type:"existingfile" short:"i" help:"JSON array, JSON lines, CSV, Parquet, a nexa-gauge case file, or a run body."`
	OutputDir   string   `short:"o" placeholder:"DIR" help:"Write one JSON a case, results.jsonl, summary.json and report.html there."`
	Limit       int      `placeholder:"N" help:"Take only the first N cases."`
	Model       string   `placeholder:"SLUG" help:"Model to judge with; the configured default without."`
	Concurrency int      `default:"8" help:"Evaluations at the same time, 1 to 256."`
	Resume      bool     `help:"Keep what results.jsonl in the output folder already holds, and do the rest."`
	NoCache     bool     `help:"Resolve every definition anew and keep nothing between runs; without, the store (BAILIFF_STORE) keeps what was resolved."`
	FailUnder   *float64 `placeholder:"N" help:"End with 1 when the mean of the scored is below N (0-100), or nothing was scored."`

	Definition string   `short:"d" placeholder:"TEXT|@FILE" help:"Definition for cases that name no metric."`
	Fields     []string `placeholder:"FIELD" help:"Record fields for --definition: output, input, prompt, context, golden_answer."`
	Threshold  float64  `default:"80" help:"Score from which an evaluation passes, where the file names none (0-100)."`
	Strict     bool     `help:"Ask for pass or fail with --definition: 100 or 0."`
	Samples    int      `help:"Answers to average with --definition, 1 to 20."`
	Output     string   `enum:"text,json" default:"text" help:"What to print: text for people, json for programs (${enum})."`
}

// Help is the longer text of bailiff run --help.
func (*runCmd) Help() string {
	return "Judges the cases of a file without a gateway. Ends with 1 below --fail-under, with 3 when some evaluations ended in an error."
}

func (c *runCmd) Run(ctx context.Context, std *stdio) error {
	if err := c.check(); err != nil {
		return err
	}
	fallback, err := c.fallback()
	if err != nil {
		return err
	}
	keep := keepInStore
	if c.NoCache {
		keep = keepNothing
	}
	eng, err := openEngine(ctx, std, c.Model, keep)
	if err != nil {
		return err
	}
	defer eng.close()
	if c.Node == "geval_steps" {
		return c.resolveSteps(ctx, std, eng, fallback)
	}
	return c.evaluate(ctx, std, eng, fallback)
}

func (c *runCmd) check() error {
	switch {
	case c.Concurrency < 1 || c.Concurrency > 256:
		return usageError(fmt.Errorf("--concurrency is %d; it must be 1 to 256", c.Concurrency))
	case c.Threshold < 0 || c.Threshold > 100:
		return usageError(fmt.Errorf("--threshold is %g; it must be 0 to 100", c.Threshold))
	case c.FailUnder != nil && (*c.FailUnder < 0 || *c.FailUnder > 100):
		return usageError(fmt.Errorf("--fail-under is %g; it must be 0 to 100", *c.FailUnder))
	case c.Samples < 0 || c.Samples > judge.MaxSamples:
		return usageError(fmt.Errorf("--samples is %d; it must be 1 to %d", c.Samples, judge.MaxSamples))
	case c.Resume && c.OutputDir == "":
		return usageError(fmt.Errorf("--resume needs --output-dir: what was done is read from its results.jsonl"))
	case c.Limit < 0:
		return usageError(fmt.Errorf("--limit is %d; it must be 1 or more", c.Limit))
	}
	return nil
}

// fallback is the metric of the flags, for cases that name none.
func (c *runCmd) fallback() ([]casefile.Metric, error) {
	text := c.Definition
	if file, ok := strings.CutPrefix(text, "@"); ok {
		data, err := os.ReadFile(file) //nolint:gosec // the caller names the file to read
		if err != nil {
			return nil, usageError(err)
		}
		text = strings.TrimSpace(string(data))
	}
	if text == "" {
		if len(c.Fields) > 0 || c.Strict || c.Samples > 0 {
			return nil, usageError(fmt.Errorf("--fields, --strict and --samples belong to --definition, which is missing"))
		}
		return nil, nil
	}
	args := judge.Args{Definition: text, Strict: c.Strict, Samples: c.Samples, IncludeReason: true}
	for _, name := range c.Fields {
		f, err := casefile.FieldOf(name)
		if err != nil {
			return nil, usageError(err)
		}
		args.Fields = append(args.Fields, f)
	}
	return []casefile.Metric{{Metric: judge.GEval, Args: args, ItemFields: c.Fields}}, nil
}

// evaluate scores every case and writes what was asked for.
func (c *runCmd) evaluate(ctx context.Context, std *stdio, eng *engine, fallback []casefile.Metric) error {
	sink, err := openResults(c.OutputDir, c.Resume, eng.policy.Revision())
	if err != nil {
		return err
	}
	defer sink.close()
	sum := newTotals(eng.policy.Revision(), eng.offline())
	shown := &worst{}
	bar := newProgress(std, "scoring")
	printer := newPrinter(std, c.Output)

	work := func(ctx context.Context, j job) job {
		kept, ok := sink.kept(j)
		if j.done = kept; !ok {
			j.done = eng.evaluate(ctx, j, c.Threshold)
		}
		return j
	}
	use := func(j job) error {
		sum.add(j)
		shown.add(j)
		bar.step(sum.Summary.Total)
		if err := printer.evaluation(j); err != nil {
			return err
		}
		return sink.write(j)
	}
	runErr := inOrder(ctx, jobs(eng.withModels(casefile.Read(c.Input), fallback, c.Limit)), c.Concurrency, work, use)
	bar.done(sum.Summary.Total)
	sum.finish()
	title := "bailiff run eval " + filepath.Base(c.Input)
	if err := sink.finish(title, sum, shown); err != nil {
		return err
	}
	if runErr != nil {
		return inputError(runErr)
	}
	if err := printer.summary(sum); err != nil {
		return err
	}
	return c.verdict(ctx, std, sum)
}

// verdict is what the run's exit code says.
func (c *runCmd) verdict(ctx context.Context, std *stdio, sum *totals) error {
	if ctx.Err() != nil {
		return exitCode(exitInterrupted)
	}
	if c.FailUnder != nil && (sum.Result == nil || *sum.Result < *c.FailUnder) {
		if sum.Result == nil {
			fmt.Fprintf(std.err, "nothing was scored, so the mean is not at least %g\n", *c.FailUnder)
		} else {
			fmt.Fprintf(std.err, "the mean %g is below %g\n", *sum.Result, *c.FailUnder)
		}
		return exitCode(exitNo)
	}
	if sum.Summary.Errors > 0 {
		fmt.Fprintf(std.err, "%d of %d evaluations ended in an error\n", sum.Summary.Errors, sum.Summary.Total)
		return exitCode(exitFailed)
	}
	return nil
}

// defaultFields are selected when a metric names none.
func defaultFields(m casefile.Metric) []rubric.Field {
	if len(m.Args.Fields) > 0 {
		return m.Args.Fields
	}
	return rubric.Fields()
}
