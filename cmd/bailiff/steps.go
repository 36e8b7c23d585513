package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/api"
	"bailiff/cmd/internal/casefile"
	"bailiff/judge/model"
)

// resolveSteps resolves the steps of every metric of every case. One case
// prints its object alone; several print one object a line.
func (c *runCmd) resolveSteps(ctx context.Context, std *stdio, eng *engine, fallback []casefile.Metric) error {
	if c.OutputDir != "" {
		if err := os.MkdirAll(c.OutputDir, 0o750); err != nil {
			return failedError(err)
		}
	}
	bar := newProgress(std, "resolving")
	var (
		single, failed = []jsontext.Value{}, 0
		n              int
	)
	for item, err := range casefile.Read(c.Input) {
		if err != nil {
			return inputError(err)
		}
		if c.Limit > 0 && n == c.Limit {
			break
		}
		if ctx.Err() != nil {
			return exitCode(exitInterrupted)
		}
		n++
		object, err := c.caseSteps(ctx, eng, item, fallback)
		if err != nil {
			return err
		}
		failed += object.Failed()
		text, err := json.Marshal(object, jsontext.Multiline(true))
		if err != nil {
			return err
		}
		if c.OutputDir != "" {
			name := fmt.Sprintf("%06d-%s.json", n, fileName(item.ID))
			if err := os.WriteFile(filepath.Join(c.OutputDir, name), append(text, '\n'), 0o600); err != nil {
				return failedError(err)
			}
		}
		if single = append(single, text); len(single) > 1 {
			if err := flushLines(std, &single); err != nil {
				return err
			}
		}
		bar.step(n)
	}
	bar.done(n)
	if err := printSteps(std, single, n); err != nil {
		return err
	}
	if failed > 0 {
		fmt.Fprintf(std.err, "%d metrics ended in an error\n", failed)
		return exitCode(exitFailed)
	}
	return nil
}

// flushLines prints objects one a line.
func flushLines(std *stdio, objects *[]jsontext.Value) error {
	for _, o := range *objects {
		if err := o.Compact(); err != nil {
			return err
		}
		if _, err := std.out.Write(append(o, '\n')); err != nil {
			return err
		}
	}
	*objects = (*objects)[:0]
	return nil
}

func printSteps(std *stdio, left []jsontext.Value, n int) error {
	if n == 1 && len(left) == 1 {
		_, err := std.out.Write(append(left[0], '\n'))
		return err
	}
	return flushLines(std, &left)
}

// caseSteps resolves the metrics of one case. A metric with neither criteria
// nor steps is left out.
func (c *runCmd) caseSteps(ctx context.Context, eng *engine, item casefile.Case, fallback []casefile.Metric) (api.ResolvedSteps, error) {
	metrics := item.Metrics
	if len(metrics) == 0 {
		metrics = fallback
	}
	if len(metrics) == 0 {
		return api.ResolvedSteps{}, usageError(fmt.Errorf("case %s names no metric: give --definition, or geval.metrics in the file", item.ID))
	}
	out := api.ResolvedSteps{Steps: []api.ResolvedMetric{}}
	var usage model.Usage
	keys := metricKeys(metrics)
	for i, m := range metrics {
		if m.Args.Definition == "" && len(m.Args.Steps) == 0 {
			continue
		}
		res, used, err := eng.resolve(ctx, m)
		if err != nil {
			return out, err
		}
		usage = usage.Add(used)
		name := m.Name
		if name == "" {
			name = m.Metric
		}
		out.Steps = append(out.Steps, api.NewResolvedMetric(keys[i], name, m.ItemFields, res))
	}
	if ctx.Err() != nil {
		return out, errors.Join(exitCode(exitInterrupted))
	}
	out.Cost = api.NewStepsCost(usage)
	return out, nil
}
