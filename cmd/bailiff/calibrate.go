package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/casefile"
	"bailiff/judge"
)

type calibrateCmd struct {
	Input       string   `required:"" type:"existingfile" short:"i" help:"Labelled cases: a file as bailiff run takes it, with a member human; or, with --replay, recorded answers."`
	Replay      bool     `help:"Take recorded answers and call no model: JSON lines, also .gz, {doc, sys, dim, mode?, judge?, scores or score, human}."`
	NullAs      *float64 `placeholder:"N" help:"With --replay: count an answer without a score as N instead of leaving it out."`
	HumanCut    *float64 `placeholder:"N" help:"A label from N up is a good record; the middle of the labels without."`
	Limit       int      `placeholder:"N" help:"Take only the first N cases."`
	Model       string   `placeholder:"SLUG" help:"Model to judge with; the configured default without."`
	Concurrency int      `default:"8" help:"Evaluations at the same time, 1 to 256."`
	Definition  string   `short:"d" placeholder:"TEXT|@FILE" help:"Definition for cases that name no metric."`
	Fields      []string `placeholder:"FIELD" help:"Record fields for --definition."`
	Output      string   `enum:"text,json" default:"text" help:"text for people, json for programs (${enum})."`
}

// Help is the longer text of bailiff calibrate --help.
func (*calibrateCmd) Help() string {
	return "Compares a judge's scores with what people gave: correlations, AUC, bias, ties, and the threshold that tells good from bad best."
}

func (c *calibrateCmd) Run(ctx context.Context, std *stdio) error {
	opt := judge.CalibrateOptions{HumanCut: c.HumanCut}
	groups, err := c.groups(ctx, std, opt)
	if err != nil {
		return err
	}
	if c.Output == "json" {
		answer := struct {
			Groups []judge.ReplayGroup `json:"groups"`
		}{groups}
		if err := json.MarshalWrite(std.out, answer, jsontext.Multiline(true)); err != nil {
			return err
		}
		_, err := io.WriteString(std.out, "\n")
		return err
	}
	return printGroups(std.out, groups)
}

func (c *calibrateCmd) groups(ctx context.Context, std *stdio, opt judge.CalibrateOptions) ([]judge.ReplayGroup, error) {
	if !c.Replay {
		return c.judged(ctx, std, opt)
	}
	f, err := os.Open(c.Input)
	if err != nil {
		return nil, usageError(err)
	}
	defer f.Close()
	groups, err := judge.Replay(f, judge.ReplayOptions{CalibrateOptions: opt, NullAs: c.NullAs})
	if err != nil {
		return nil, usageError(fmt.Errorf("%s: %w", c.Input, err))
	}
	return groups, nil
}

// judged scores labelled cases and compares, a group for each metric.
func (c *calibrateCmd) judged(ctx context.Context, std *stdio, opt judge.CalibrateOptions) ([]judge.ReplayGroup, error) {
	like := runCmd{Node: "eval", Concurrency: c.Concurrency, Definition: c.Definition, Fields: c.Fields}
	if err := like.check(); err != nil {
		return nil, err
	}
	fallback, err := like.fallback()
	if err != nil {
		return nil, err
	}
	eng, err := openEngine(ctx, std, c.Model, keepInStore)
	if err != nil {
		return nil, err
	}
	defer eng.close()
	type group struct {
		items           []judge.Labelled
		asked, unscored int
	}
	byKey, order := map[string]*group{}, []string{}
	bar, done := newProgress(std, "judging"), 0
	use := func(j job) error {
		if j.item.Human == nil {
			return usageError(fmt.Errorf("case %s has no member human: there is nothing to compare with", j.item.ID))
		}
		g := byKey[j.key]
		if g == nil {
			g = &group{}
			byKey[j.key] = g
			order = append(order, j.key)
		}
		g.asked++
		if j.done.Score == nil {
			g.unscored++
		} else {
			g.items = append(g.items, judge.Labelled{Doc: j.item.ID, Score: *j.done.Score, Human: *j.item.Human})
		}
		done++
		bar.step(done)
		return nil
	}
	work := func(ctx context.Context, j job) job {
		j.done = eng.evaluate(ctx, j, judge.DefaultThreshold)
		return j
	}
	if err := inOrder(ctx, jobs(eng.withModels(casefile.Read(c.Input), fallback, c.Limit)), c.Concurrency, work, use); err != nil {
		return nil, inputError(err)
	}
	bar.done(done)
	groups := make([]judge.ReplayGroup, 0, len(order))
	for _, key := range order {
		g := byKey[key]
		groups = append(groups, judge.ReplayGroup{
			Judge: eng.slug, Mode: key, Samples: g.asked, Unparsed: g.unscored, Agreement: judge.Calibrate(g.items, opt),
		})
	}
	if len(groups) == 0 {
		return nil, usageError(errors.New("there is no case to judge"))
	}
	return groups, nil
}

func printGroups(out io.Writer, groups []judge.ReplayGroup) error {
	for _, g := range groups {
		fmt.Fprintf(out, "%s %s %s: %d items of %d answers, %d without a score, %d documents\n", g.Judge, g.Mode, g.Dim, g.N, g.Samples, g.Unparsed, g.Docs)
		fmt.Fprintf(out, "  all records   Pearson %s   Spearman %s   Kendall %s\n", figure(g.DatasetPearson), figure(g.DatasetSpearman), figure(g.DatasetKendallB))
		fmt.Fprintf(out, "  per document  Pearson %s   Spearman %s   Kendall %s\n", figure(g.DocPearson), figure(g.DocSpearman), figure(g.DocKendallB))
		fmt.Fprintf(out, "  mean %s, people's %s, AUC %s, ties %s\n", figure(g.Mean), figure(g.HumanMean), figure(g.AUC), figure(g.Ties))
		if t := g.BestThreshold; t != nil {
			fmt.Fprintf(out, "  best threshold %g (95 %% of resampled ones %g to %g), balanced accuracy %.3f\n", t.Value, t.Low, t.High, t.Balanced)
		}
		for _, w := range g.Warnings {
			fmt.Fprintln(out, "  note:", w)
		}
	}
	_, err := fmt.Fprintln(out)
	return err
}

func figure(v *float64) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", *v)
}
