package judge

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"sync"
	"time"

	"bailiff/guard"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// DefaultConcurrency is how many evaluations an Evaluator works at once.
const DefaultConcurrency = 8

// Setup is what an Evaluator judges with. Judge, Policy and Model are required.
type Setup struct {
	Judge       *Judge
	Policy      *guard.Policy
	Model       model.Model
	Second      model.Model    // second safety reviewer; nil takes Model
	Tenant      string         // part of every cache key; "" is "local"
	TenantData  map[string]any // can only make the policy stricter
	Concurrency int            // 0 takes DefaultConcurrency
	Timeout     time.Duration  // of one evaluation; 0 takes DefaultTimeout
}

// Evaluator judges a slice of anything by the metrics that are added to it:
//
//	e := judge.From(setup, cases, toRecord).
//		AddGEval("The answer names the refund period.", judge.WithThreshold(70)).
//		AddStepEfficiency()
//	for r, err := range e.Run(ctx) { … }
//
// An Evaluator may be run more than once, but not while a metric is added.
type Evaluator[T any] struct {
	setup   Setup
	items   []T
	record  func(T) Record
	metrics []added
}

// added is one metric with its arguments.
type added struct {
	metric    string
	args      Args
	threshold float64
}

// Result is one outcome: item by item in the order of the slice, and for each
// item metric by metric in the order they were added.
type Result[T any] struct {
	Index   int // of the item in the slice, from 0
	Item    T
	Key     string // the metric's name; with "#1", "#2" … when several share it
	Outcome Outcome
}

// From begins an Evaluator over items; record says what of an item is judged.
func From[T any](setup Setup, items []T, record func(T) Record) *Evaluator[T] {
	return &Evaluator[T]{setup: setup, items: items, record: record}
}

// Option changes one metric.
type Option func(*added)

// WithThreshold passes scores from t on, 0..100.
func WithThreshold(t float64) Option { return func(m *added) { m.threshold = t } }

// Strict asks for a verdict instead of a number: 100 or 0, threshold 100.
func Strict() Option { return func(m *added) { m.args.Strict = true } }

// WithFields selects what of a record the judge sees; all fields otherwise.
func WithFields(fields ...rubric.Field) Option {
	return func(m *added) { m.args.Fields = append([]rubric.Field{}, fields...) }
}

// WithSamples averages n answers, 1..MaxSamples.
func WithSamples(n int) Option { return func(m *added) { m.args.Samples = n } }

// WithoutReason leaves the judge's reason out of the outcome.
func WithoutReason() Option { return func(m *added) { m.args.IncludeReason = false } }

// Named gives the metric a name of its own in Result.Key.
func Named(name string) Option { return func(m *added) { m.args.Name = name } }

// WithTask gives the task of an agent's trace instead of having it read out.
func WithTask(task string) Option { return func(m *added) { m.args.Task = task } }

// AddGEval judges by criteria in plain language. Steps that they state are
// used; otherwise a model writes some, once for all items.
func (e *Evaluator[T]) AddGEval(criteria string, opts ...Option) *Evaluator[T] {
	return e.add(GEval, Args{Definition: criteria}, opts)
}

// AddGEvalSteps judges by steps that are used as they are.
func (e *Evaluator[T]) AddGEvalSteps(steps []string, opts ...Option) *Evaluator[T] {
	return e.add(GEval, Args{Steps: append([]string{}, steps...)}, opts)
}

// AddStepEfficiency judges how efficiently the steps of Record.Trace did its
// task.
func (e *Evaluator[T]) AddStepEfficiency(opts ...Option) *Evaluator[T] {
	return e.add(StepEfficiency, Args{}, opts)
}

func (e *Evaluator[T]) add(metric string, args Args, opts []Option) *Evaluator[T] {
	m := added{metric: metric, args: args, threshold: DefaultThreshold}
	m.args.IncludeReason = true
	for _, o := range opts {
		o(&m)
	}
	e.metrics = append(e.metrics, m)
	return e
}

// Run judges every item and yields the results as they come, in order: as many
// as items × metrics, also when ctx is cancelled (those that were not judged
// are then errors that say so). It yields one error and no result when the
// Evaluator cannot work at all; what goes wrong with one evaluation is in its
// Outcome. Leaving the loop cancels what still runs and waits for its end.
func (e *Evaluator[T]) Run(ctx context.Context) iter.Seq2[Result[T], error] {
	return func(yield func(Result[T], error) bool) {
		if err := e.check(); err != nil {
			yield(Result[T]{}, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		var running sync.WaitGroup
		left := make(chan struct{})
		defer running.Wait()
		defer cancel()
		defer close(left)
		for slot := range e.start(ctx, &running, left) {
			if !yield(<-slot, nil) {
				return
			}
		}
	}
}

// start works the evaluations, so many at once as are allowed to run or to
// wait for the reader. A slot for each comes in order; left ends it.
func (e *Evaluator[T]) start(ctx context.Context, running *sync.WaitGroup, left <-chan struct{}) <-chan chan Result[T] {
	n := e.setup.Concurrency
	if n <= 0 {
		n = DefaultConcurrency
	}
	slots := make(chan chan Result[T], n-1)
	keys := e.keys()
	running.Go(func() {
		defer close(slots)
		for i, item := range e.items {
			for k, m := range e.metrics {
				slot := make(chan Result[T], 1)
				select {
				case slots <- slot:
				case <-left:
					return
				}
				running.Go(func() {
					slot <- Result[T]{Index: i, Item: item, Key: keys[k], Outcome: e.one(ctx, item, m)}
				})
			}
		}
	})
	return slots
}

func (e *Evaluator[T]) one(ctx context.Context, item T, m added) Outcome {
	return e.setup.Judge.Evaluate(ctx, e.request(m, e.record(item)))
}

func (e *Evaluator[T]) request(m added, r Record) Request {
	tenant := e.setup.Tenant
	if tenant == "" {
		tenant = "local"
	}
	return Request{
		Tenant:     tenant,
		TenantData: e.setup.TenantData,
		Policy:     e.setup.Policy,
		Metric:     m.metric,
		Args:       m.args,
		Record:     r,
		Threshold:  m.threshold,
		Model:      e.setup.Model,
		Second:     e.setup.Second,
		Timeout:    e.setup.Timeout,
	}
}

// check reports everything that keeps the Evaluator from working.
func (e *Evaluator[T]) check() error {
	var all []error
	if e.setup.Judge == nil {
		all = append(all, errors.New("evaluator: Setup.Judge is missing"))
	}
	if e.setup.Policy == nil {
		all = append(all, errors.New("evaluator: Setup.Policy is missing: a definition is judged only when a policy has cleared it"))
	}
	if e.setup.Model == nil {
		all = append(all, errors.New("evaluator: Setup.Model is missing"))
	}
	if e.record == nil {
		all = append(all, errors.New("evaluator: the function that maps an item to a record is missing"))
	}
	if len(e.metrics) == 0 {
		all = append(all, errors.New("evaluator: no metric was added"))
	}
	for i, m := range e.metrics {
		if problem := checkArgs(e.request(m, Record{})); problem != "" && e.setup.Model != nil {
			all = append(all, fmt.Errorf("evaluator: metric %d (%s): %s", i+1, m.metric, problem))
		}
	}
	return errors.Join(all...)
}

// keys are the names of the metrics in results; those that several share are
// numbered.
func (e *Evaluator[T]) keys() []string {
	count := map[string]int{}
	keys := make([]string, len(e.metrics))
	for i, m := range e.metrics {
		keys[i] = m.args.Name
		if keys[i] == "" {
			keys[i] = m.metric
		}
		count[keys[i]]++
	}
	at := map[string]int{}
	for i, k := range keys {
		if count[k] > 1 {
			at[k]++
			keys[i] = k + "#" + strconv.Itoa(at[k])
		}
	}
	return keys
}
