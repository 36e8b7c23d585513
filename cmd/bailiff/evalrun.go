package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"bailiff/cmd/internal/casefile"
	"bailiff/judge"
)

// job is one record under one metric.
type job struct {
	index  int // of the case, from 0
	item   casefile.Case
	metric casefile.Metric
	key    string // metric name, numbered when a case repeats it
	done   judge.Outcome
}

// jobs pairs every case with its metrics, in order. limit counts cases; 0
// takes all.
func jobs(cases iter.Seq2[casefile.Case, error], fallback []casefile.Metric, limit int) iter.Seq2[job, error] {
	return func(yield func(job, error) bool) {
		n := 0
		for c, err := range cases {
			if err != nil {
				yield(job{}, err)
				return
			}
			if limit > 0 && n == limit {
				return
			}
			metrics := c.Metrics
			if len(metrics) == 0 {
				metrics = fallback
			}
			if len(metrics) == 0 {
				yield(job{}, usageError(fmt.Errorf("case %s names no metric: give --definition, or geval.metrics in the file", c.ID)))
				return
			}
			keys := metricKeys(metrics)
			for i, m := range metrics {
				if !yield(job{index: n, item: c, metric: m, key: keys[i]}, nil) {
					return
				}
			}
			n++
		}
	}
}

// metricKeys names each metric once: its name, numbered #1, #2 … where it
// repeats.
func metricKeys(metrics []casefile.Metric) []string {
	count := map[string]int{}
	name := func(m casefile.Metric) string {
		if m.Name != "" {
			return m.Name
		}
		return m.Metric
	}
	for _, m := range metrics {
		count[name(m)]++
	}
	keys, seen := make([]string, len(metrics)), map[string]int{}
	for i, m := range metrics {
		keys[i] = name(m)
		if count[keys[i]] > 1 {
			seen[keys[i]]++
			keys[i] = fmt.Sprintf("%s#%d", keys[i], seen[name(m)])
		}
	}
	return keys
}

// inOrder works jobs on n workers and hands the results on in the order of the
// jobs. At most a few times n jobs are in memory. The first error of the input
// or of use ends it, after the work in flight.
func inOrder(ctx context.Context, in iter.Seq2[job, error], n int, work func(context.Context, job) judge.Outcome, use func(job) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pending := make(chan chan job, 4*n)
	todo := make(chan func())
	var workers sync.WaitGroup
	for range n {
		workers.Go(func() {
			for f := range todo {
				f()
			}
		})
	}
	var inputErr error
	go func() {
		defer close(pending)
		defer close(todo)
		for j, err := range in {
			if err != nil {
				inputErr = err
				return
			}
			result := make(chan job, 1)
			select {
			case pending <- result:
			case <-ctx.Done():
				return
			}
			todo <- func() {
				j.done = work(ctx, j)
				result <- j
			}
		}
	}()
	var useErr error
	for result := range pending {
		j := <-result
		if useErr != nil {
			continue
		}
		if useErr = use(j); useErr != nil {
			cancel()
		}
	}
	workers.Wait()
	return errors.Join(useErr, inputErr)
}
