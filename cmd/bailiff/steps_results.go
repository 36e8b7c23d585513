package main

import (
	_ "embed"
	"html/template"
	"io"
	"slices"

	"github.com/go-json-experiment/json"

	"bailiff/cmd/internal/api"
	"bailiff/judge/model"
)

// stepResults writes what a run of geval_steps gives into a folder.
type stepResults struct {
	*outputDir

	revision string
	done     map[string]api.ResolvedSteps
}

// stepsLine is one line of results.jsonl. Digest names the metrics of the case
// with their models, and the policy: --resume takes a line only for the same.
type stepsLine struct {
	CaseID    string            `json:"case_id"`
	CaseIndex int               `json:"case_index"`
	Digest    string            `json:"digest"`
	Result    api.ResolvedSteps `json:"result"`
}

func openStepResults(dir string, resume bool, revision string) (*stepResults, error) {
	r := &stepResults{revision: revision, done: map[string]api.ResolvedSteps{}}
	var err error
	r.outputDir, err = openOutput(dir, "", resume, r.loadLine)
	return r, err
}

func (r *stepResults) loadLine(text []byte) error {
	var line stepsLine
	if err := json.Unmarshal(text, &line, json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	// What ended in an error is tried again.
	if line.Result.Failed() == 0 {
		r.done[line.Digest] = line.Result
	}
	return nil
}

func (r *stepResults) digest(c stated) string {
	return digestOf(struct {
		Index    int
		ID       string
		Metrics  any
		Revision string
	}{c.index, c.item.ID, c.metrics, r.revision})
}

func (r *stepResults) kept(c stated) (api.ResolvedSteps, bool) {
	if len(r.done) == 0 {
		return api.ResolvedSteps{}, false
	}
	kept, ok := r.done[r.digest(c)]
	return kept, ok
}

func (r *stepResults) write(j stepsJob) error {
	if !r.used() {
		return nil
	}
	if err := r.caseFile(j.index, j.item.ID, j.done); err != nil {
		return err
	}
	return r.line(stepsLine{CaseID: j.item.ID, CaseIndex: j.index, Digest: r.digest(j.stated), Result: j.done})
}

func (r *stepResults) finish(title string, sum *stepTotals, shown *stepRows) error {
	if !r.used() {
		return nil
	}
	return r.outputDir.finish(sum, func(page io.Writer) error { return writeStepsHTML(page, title, sum, shown) })
}

// stepTotals sum up a run of geval_steps as it goes.
type stepTotals struct {
	Cases    int            `json:"cases"`
	Metrics  int            `json:"metrics"`
	Sources  map[string]int `json:"steps_source"` // how many metrics got their steps from where
	Rejected int            `json:"n_rejected"`
	Errors   int            `json:"n_error"`
	Reasons  map[string]int `json:"reasons"` // code -> how many have no steps for it
	Usage    usageTotals    `json:"usage"`
	Offline  bool           `json:"offline"`
	Policy   string         `json:"policy_revision"`
	usage    model.Usage
}

func newStepTotals(policy string, offline bool) *stepTotals {
	return &stepTotals{Sources: map[string]int{}, Reasons: map[string]int{}, Policy: policy, Offline: offline}
}

func (t *stepTotals) add(j stepsJob) {
	t.Cases++
	for _, m := range j.done.Steps {
		t.Metrics++
		switch {
		case m.Error != nil:
			t.Errors++
			t.Reasons[m.Error.Code]++
		case m.Rejection != nil:
			t.Rejected++
			t.Reasons[m.Rejection.Code]++
		case m.Source != nil:
			t.Sources[*m.Source]++
		}
	}
	t.usage = t.usage.Add(j.usage)
}

func (t *stepTotals) finish() { t.Usage = newUsageTotals(t.usage) }

// stepRow is one metric in the report.
type stepRow struct {
	ID     string
	Metric api.ResolvedMetric
}

// stepRows keep the metrics a reader wants to see first: those without steps,
// then the others as they came.
type stepRows struct{ rows []stepRow }

func (s *stepRows) add(j stepsJob) {
	for _, m := range j.done.Steps {
		s.rows = append(s.rows, stepRow{ID: j.item.ID, Metric: m})
	}
	if len(s.rows) >= 2*worstKept {
		s.trim()
	}
}

func (s *stepRows) trim() {
	rank := func(r stepRow) int { return min(1, len(r.Metric.Steps)) }
	slices.SortStableFunc(s.rows, func(a, b stepRow) int { return rank(a) - rank(b) })
	s.rows = s.rows[:min(len(s.rows), worstKept)]
}

//go:embed steps.html
var stepsHTML string

// writeStepsHTML writes the report: one file, nothing fetched from anywhere.
func writeStepsHTML(out io.Writer, title string, t *stepTotals, s *stepRows) error {
	s.trim()
	page, err := template.New("steps").Parse(stepsHTML)
	if err != nil {
		return err
	}
	return page.Execute(out, map[string]any{"Title": title, "Totals": t, "Rows": s.rows})
}
