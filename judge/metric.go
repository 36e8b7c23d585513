package judge

import (
	"fmt"
	"slices"

	"bailiff/rubric"
)

// Names of the metrics.
const (
	GEval          = "g_eval"
	StepEfficiency = "step_efficiency"
)

// Limits of metric arguments.
const (
	MaxSamples = 20
	// DefaultThreshold passes a score when the caller names none, 0..100.
	DefaultThreshold = 80.0
	strictThreshold  = 100.0
)

// metric is one way to judge a record. Adding one is a file and a line in
// metricTable.
type metric interface {
	info() MetricInfo
	// stages are worked in order until one decides the outcome.
	stages() []step
	// question is what the score stage asks of the judge.
	question(e *evaluation) (question, error)
}

func metricTable() []metric { return []metric{gEval{}, stepEfficiency{}} }

func metricByName(name string) (metric, bool) {
	for _, m := range metricTable() {
		if m.info().Name == name {
			return m, true
		}
	}
	return nil, false
}

// MetricInfo describes a metric to those who offer it: requests are checked
// and help is written from it.
type MetricInfo struct {
	Name             string
	Title            string
	Description      string
	DefaultThreshold float64 // 0..100
	Args             []ArgInfo
	Needs            []string // what of a record is judged
}

// ArgInfo describes one member of metric_args.
type ArgInfo struct {
	Name        string
	Type        string // string | boolean | integer | array of string
	Default     any    // nil when there is none
	Required    string // "" | "always" | "unless <other>"
	Description string
	Min, Max    int      // of an integer; both 0 when unbounded
	Enum        []string // allowed items, nil when any
}

// Metrics lists every metric, in a fixed order.
func Metrics() []MetricInfo {
	table := metricTable()
	infos := make([]MetricInfo, len(table))
	for i, m := range table {
		infos[i] = m.info()
	}
	return infos
}

// argsOfAll are the arguments that every metric takes.
func argsOfAll() []ArgInfo {
	return []ArgInfo{
		{Name: "strict_mode", Type: "boolean", Default: false, Description: "Ask the judge for a verdict instead of a number: 100 or 0, threshold 100."},
		{Name: "include_reason", Type: "boolean", Default: true, Description: "Give the judge's reason as the explanation."},
		{Name: "samples", Type: "integer", Min: 1, Max: MaxSamples, Description: "Number of answers to average, exact when given."},
		{Name: "name", Type: "string", Description: "Name of this metric in the results; the metric's own name when left out."},
	}
}

// checkArgs says what makes a request unworkable, "" when nothing does.
func checkArgs(req Request) string {
	if _, ok := metricByName(req.Metric); !ok {
		return fmt.Sprintf("There is no metric named %q, so nothing was judged.", req.Metric)
	}
	if req.Model == nil {
		return "Nothing was judged: no model was given to judge with."
	}
	if n := req.Args.Samples; n < 0 || n > MaxSamples {
		return fmt.Sprintf("Nothing was judged: samples is %d and has to be between 1 and %d.", n, MaxSamples)
	}
	if t := req.Threshold; !(t >= 0 && t <= 100) {
		return "Nothing was judged: the threshold has to be between 0 and 100."
	}
	for _, f := range req.Args.Fields {
		if !slices.Contains(rubric.Fields(), f) {
			return fmt.Sprintf("Nothing was judged: there is no record field named %q.", f)
		}
	}
	if req.Metric == GEval && Blank(req.Args.Definition) && len(req.Args.Steps) == 0 {
		return "Nothing was judged: g_eval needs a definition or evaluation steps."
	}
	return ""
}
