package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/api"
	"bailiff/cmd/internal/casefile"
	"bailiff/judge/model"
)

// stepsJob is a case whose steps are resolved.
type stepsJob struct {
	stated

	done  api.ResolvedSteps
	usage model.Usage
	err   error // the case cannot be asked about: the run ends
}

// resolveSteps resolves the steps of every metric of every case. One case
// prints its object alone; several print one object a line.
func (c *runCmd) resolveSteps(ctx context.Context, std *stdio, eng *engine, fallback []casefile.Metric) error {
	sink, err := openStepResults(c.OutputDir, c.Resume, eng.policy.Revision())
	if err != nil {
		return err
	}
	defer sink.close()
	sum := newStepTotals(eng.policy.Revision(), eng.offline())
	shown := &stepRows{}
	printer := &stepPrinter{out: std.out}
	bar := newProgress(std, "resolving")
	work := func(ctx context.Context, j stepsJob) stepsJob {
		if kept, ok := sink.kept(j.stated); ok {
			j.done = kept
			return j
		}
		j.done, j.usage, j.err = eng.caseSteps(ctx, j.stated)
		return j
	}
	use := func(j stepsJob) error {
		if j.err != nil {
			return j.err
		}
		sum.add(j)
		shown.add(j)
		bar.step(sum.Cases)
		if err := printer.print(j.done); err != nil {
			return err
		}
		return sink.write(j)
	}
	runErr := inOrder(ctx, stepsJobs(eng.withModels(casefile.Read(c.Input), fallback, c.Limit)), c.Concurrency, work, use)
	bar.done(sum.Cases)
	sum.finish()
	if err := printer.flush(); err != nil {
		return err
	}
	if err := sink.finish("bailiff run geval_steps "+filepath.Base(c.Input), sum, shown); err != nil {
		return err
	}
	switch {
	case runErr != nil:
		return inputError(runErr)
	case ctx.Err() != nil:
		return exitCode(exitInterrupted)
	case sum.Errors > 0:
		fmt.Fprintf(std.err, "%d metrics ended in an error\n", sum.Errors)
		return exitCode(exitFailed)
	}
	return nil
}

func stepsJobs(cases iter.Seq2[stated, error]) iter.Seq2[stepsJob, error] {
	return func(yield func(stepsJob, error) bool) {
		for c, err := range cases {
			if !yield(stepsJob{stated: c}, err) || err != nil {
				return
			}
		}
	}
}

// caseSteps resolves the metrics of one case. A metric with neither criteria
// nor steps is left out.
func (e *engine) caseSteps(ctx context.Context, c stated) (api.ResolvedSteps, model.Usage, error) {
	out := api.ResolvedSteps{Steps: []api.ResolvedMetric{}}
	var usage model.Usage
	for i, m := range c.metrics {
		if m.Args.Definition == "" && len(m.Args.Steps) == 0 {
			continue
		}
		res, used, err := e.resolve(ctx, m)
		if err != nil {
			return out, usage, err
		}
		usage = usage.Add(used)
		name := m.Name
		if name == "" {
			name = m.Metric
		}
		out.Steps = append(out.Steps, api.NewResolvedMetric(c.keys[i], name, m.ItemFields, res))
	}
	out.Cost = api.NewStepsCost(usage)
	return out, usage, nil
}

// stepPrinter prints what was resolved. It keeps the first object back: alone
// it is printed for reading, before others on one line.
type stepPrinter struct {
	out   io.Writer
	first *api.ResolvedSteps
	lines bool
}

func (p *stepPrinter) print(object api.ResolvedSteps) error {
	switch {
	case p.lines:
		return p.write(object)
	case p.first == nil:
		p.first = &object
		return nil
	}
	p.lines = true
	if err := p.write(*p.first); err != nil {
		return err
	}
	return p.write(object)
}

// flush prints an object that stayed alone.
func (p *stepPrinter) flush() error {
	if p.lines || p.first == nil {
		return nil
	}
	return p.write(*p.first, jsontext.Multiline(true))
}

func (p *stepPrinter) write(object api.ResolvedSteps, how ...json.Options) error {
	text, err := json.Marshal(object, how...)
	if err != nil {
		return err
	}
	_, err = p.out.Write(append(text, '\n'))
	return err
}
