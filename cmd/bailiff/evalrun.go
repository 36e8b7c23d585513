package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
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

// jobs pairs every case with its metrics, in order.
func jobs(cases iter.Seq2[stated, error]) iter.Seq2[job, error] {
	return func(yield func(job, error) bool) {
		for c, err := range cases {
			if err != nil {
				yield(job{}, err)
				return
			}
			for i, m := range c.metrics {
				if !yield(job{index: c.index, item: c.item, metric: m, key: c.keys[i]}, nil) {
					return
				}
			}
		}
	}
}

// stated is a case with the metrics it is to be judged by.
type stated struct {
	index   int // from 0
	item    casefile.Case
	metrics []casefile.Metric
	keys    []string // metric names, numbered where the case repeats one
}

// withModels gives every case its metrics, the fallback where it names none, and
// every metric its model. limit counts cases; 0 takes all.
func (e *engine) withModels(cases iter.Seq2[casefile.Case, error], fallback []casefile.Metric, limit int) iter.Seq2[stated, error] {
	return func(yield func(stated, error) bool) {
		n := 0
		for c, err := range cases {
			if err != nil {
				yield(stated{}, err)
				return
			}
			if limit > 0 && n == limit {
				return
			}
			metrics := slices.Clone(c.Metrics)
			if len(metrics) == 0 {
				metrics = slices.Clone(fallback)
			}
			if len(metrics) == 0 {
				yield(stated{}, usageError(fmt.Errorf("case %s names no metric: give --definition, or geval.metrics in the file", c.ID)))
				return
			}
			for i := range metrics {
				metrics[i].Model = e.slugFor(metrics[i].Model)
			}
			if !yield(stated{index: n, item: c, metrics: metrics, keys: metricKeys(metrics)}, nil) {
				return
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

// inOrder works items on n workers and hands the results on in the order of the
// items. At most a few times n items are in memory. The first error of the input
// or of use ends it, after the work in flight.
func inOrder[T any](ctx context.Context, in iter.Seq2[T, error], n int, work func(context.Context, T) T, use func(T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pending := make(chan chan T, 4*n)
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
		for item, err := range in {
			if err != nil {
				inputErr = err
				return
			}
			result := make(chan T, 1)
			select {
			case pending <- result:
			case <-ctx.Done():
				return
			}
			todo <- func() { result <- work(ctx, item) }
		}
	}()
	var useErr error
	for result := range pending {
		item := <-result
		if useErr != nil {
			continue
		}
		if useErr = use(item); useErr != nil {
			cancel()
		}
	}
	workers.Wait()
	return errors.Join(useErr, inputErr)
}
