// Package run works runs: records × metrics, one result for each, whatever
// happens.
//
// A run is kept before anything of it is worked, and every result as it comes.
// A gateway that stops in the middle leaves a run that is picked up at the next
// start and goes on where it was: a result is kept once, and written to the
// audit log before it can be seen. A run pins the policy revision it began
// with. Nothing here knows HTTP.
package run

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"bailiff/judge"
	"bailiff/judge/model"
)

// Errors of a Store and of a Service.
var (
	ErrNotFound   = errors.New("there is no such run")
	ErrAliasTaken = errors.New("the alias is taken")
	ErrDraining   = errors.New("the gateway is going down")
)

// Status of a run.
type Status string

// The statuses.
const (
	Queued              Status = "queued"
	Running             Status = "running"
	Completed           Status = "completed"
	CompletedWithErrors Status = "completed_with_errors"
	Cancelled           Status = "cancelled"
	Failed              Status = "failed" // it could not be worked at all
)

// Statuses lists every status.
func Statuses() []Status {
	return []Status{Queued, Running, Completed, CompletedWithErrors, Cancelled, Failed}
}

// Done reports whether a run of this status is over.
func (s Status) Done() bool { return s != Queued && s != Running }

// Run is a run without its records and results.
type Run struct {
	ID         string
	TenantID   string
	KeyID      string // who made it
	Alias      string // unique for the tenant, "" when it has none
	Status     Status
	Threshold  float64
	Model      string
	Metrics    int // metrics of all groups
	Total      int // evaluations
	Revision   string
	Attempts   int // how often it was begun
	CreatedAt  time.Time
	StartedAt  *time.Time
	FinishedAt *time.Time
	CancelAt   *time.Time // when cancelling was asked for
}

// Spec is all that has to be worked, checked before.
type Spec struct {
	TenantData map[string]any `json:"tenant_data,omitzero"`
	Groups     []Group        `json:"groups"`
}

// Group is some records under some metrics.
type Group struct {
	Metrics []Metric `json:"metrics"`
	Records []Record `json:"records"`
}

// Metric is one way to judge every record of a group.
type Metric struct {
	Metric    string     `json:"metric"`
	Key       string     `json:"key"` // names its results, unique in the group
	Model     string     `json:"model"`
	Threshold float64    `json:"threshold"`
	Args      judge.Args `json:"args"`
	Rubric    string     `json:"rubric,omitzero"` // name@version of the registered rubric that Args hold the text of
}

// Record is one record with what the caller sent, to be shown again.
type Record struct {
	Judged judge.Record   `json:"judged"`
	Shown  jsontext.Value `json:"shown"`
}

// AllMetrics are the metrics of every group, to be changed in place.
func (s Spec) AllMetrics() []*Metric {
	var list []*Metric
	for g := range s.Groups {
		for m := range s.Groups[g].Metrics {
			list = append(list, &s.Groups[g].Metrics[m])
		}
	}
	return list
}

// Total is the number of evaluations.
func (s Spec) Total() int {
	n := 0
	for _, g := range s.Groups {
		n += len(g.Metrics) * len(g.Records)
	}
	return n
}

// Task is one evaluation of a run: a record under a metric.
type Task struct {
	Position int // in the run: group, then record, then metric
	Index    int // of the record in its group
	Record   Record
	Metric   Metric
}

// Tasks gives every evaluation in order of position.
func (s Spec) Tasks(yield func(Task) bool) {
	position := 0
	for _, g := range s.Groups {
		for i, r := range g.Records {
			for _, m := range g.Metrics {
				if !yield(Task{Position: position, Index: i, Record: r, Metric: m}) {
					return
				}
				position++
			}
		}
	}
}

// Done is a worked task.
type Done struct {
	Task
	ID       string
	RunID    string // "" when it belongs to no run
	TenantID string
	Outcome  judge.Outcome
}

// Result is a result as it is kept.
type Result struct {
	ID       string
	RunID    string
	TenantID string
	Position int
	Order    int64 // 1, 2, … as results came; set by the store
	Index    int
	RecordID string
	Key      string
	Status   string
	Score    *float64
	Passed   *bool
	Usage    model.Usage
	Body     jsontext.Value // as it is shown
}

// Totals sum up what a run has so far.
type Totals struct {
	Keys  map[string]KeyTotals
	Usage Usage
}

// KeyTotals sum up the results of one key.
type KeyTotals struct {
	Scored, Rejected, Skipped, Errors, Passed, Failed int
	Sum                                               float64 // of the scores
}

// Usage is model.Usage as a store can sum it.
type Usage struct {
	InputTokens, OutputTokens, CachedTokens, ReasoningTokens, Calls int
	CostPico                                                        int64 // known part in 1e-12 US dollars
	Unpriced                                                        int   // calls whose price is unknown
}

// UsageOf takes a usage apart.
func UsageOf(u model.Usage) Usage {
	return Usage{
		InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CachedTokens: u.CachedTokens, ReasoningTokens: u.ReasoningTokens, Calls: u.Calls,
		CostPico: u.Cost.Pico(), Unpriced: u.Cost.Unpriced,
	}
}

// Add counts n results of a key that share a status, of which some passed and
// whose scores sum up to sum.
func (t *Totals) Add(key, status string, n, passed int, sum float64, u Usage) {
	k := t.Keys[key]
	switch judge.Status(status) {
	case judge.Scored:
		k.Scored += n
		k.Passed += passed
		k.Failed += n - passed
		k.Sum += sum
	case judge.Rejected:
		k.Rejected += n
	case judge.Skipped:
		k.Skipped += n
	case judge.Errored:
		k.Errors += n
	}
	t.Keys[key] = k
	t.Usage.InputTokens += u.InputTokens
	t.Usage.OutputTokens += u.OutputTokens
	t.Usage.CachedTokens += u.CachedTokens
	t.Usage.ReasoningTokens += u.ReasoningTokens
	t.Usage.Calls += u.Calls
	t.Usage.CostPico += u.CostPico
	t.Usage.Unpriced += u.Unpriced
}

// All sums up all keys.
func (t Totals) All() KeyTotals {
	var sum KeyTotals
	for _, k := range t.Keys {
		sum.Scored += k.Scored
		sum.Rejected += k.Rejected
		sum.Skipped += k.Skipped
		sum.Errors += k.Errors
		sum.Passed += k.Passed
		sum.Failed += k.Failed
		sum.Sum += k.Sum
	}
	return sum
}

// Done is the number of results.
func (k KeyTotals) Done() int { return k.Scored + k.Rejected + k.Skipped + k.Errors }

// ListFilter selects runs, newest first.
type ListFilter struct {
	Before string // runs with a smaller id; "" begins with the newest
	Status Status // "" for all
	Alias  string // "" for all
	Limit  int
}

// ResultFilter selects results of a run.
type ResultFilter struct {
	After   int // position above this; -1 begins with the first
	Ordered int64
	ByOrder bool   // by Order above Ordered instead of by position
	Status  string // "" for all
	Limit   int
}

// Store keeps runs. All methods that take a tenant find only what is the
// tenant's.
type Store interface {
	CreateRun(ctx context.Context, r Run, spec []byte) error // ErrAliasTaken
	Run(ctx context.Context, tenantID, id string) (Run, error)
	Runs(ctx context.Context, tenantID string, f ListFilter) ([]Run, error)
	OpenRuns(ctx context.Context) ([]Run, error) // not done, oldest first, of all tenants
	Spec(ctx context.Context, id string) ([]byte, error)
	// StartRun notes a beginning and counts it. The first one sets the time and
	// the revision. It gives the run as it then is.
	StartRun(ctx context.Context, id, revision string, at time.Time) (Run, error)
	// FinishRun ends a run that is not done, and reports whether it was this
	// call that did.
	FinishRun(ctx context.Context, id string, s Status, at time.Time) (bool, error)
	CancelRun(ctx context.Context, tenantID, id string, at time.Time) error
	DeleteRun(ctx context.Context, tenantID, id string) error

	// AddResult keeps a result unless there is one for the position, and
	// reports whether it did. A run that is gone takes none.
	AddResult(ctx context.Context, r Result) (bool, error)
	Results(ctx context.Context, tenantID, runID string, f ResultFilter) ([]Result, error)
	Positions(ctx context.Context, runID string) (map[int]bool, error)
	Totals(ctx context.Context, tenantID, runID string) (Totals, error)
}
