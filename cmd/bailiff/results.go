package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/judge"
)

// results writes what a run of evaluations gives into a folder; without a folder
// it writes nothing.
//
// Each line of results.jsonl carries a digest of what was judged: --resume
// takes a line only for the same record under the same metric, model and policy.
type results struct {
	*outputDir

	revision string // of the policy
	done     map[string]keptResult
	open     []keptLine // lines of the case being written
	caseAt   int
	caseID   string
}

// keptResult is what --resume needs of an evaluation that was done before.
type keptResult struct {
	line    jsontext.Value
	outcome judge.Outcome
}

// keptLine is one line of a case, for the case's own file.
type keptLine struct {
	key  string
	line jsontext.Value
}

// resultLine is one line of results.jsonl.
type resultLine struct {
	CaseID     string         `json:"case_id"`
	CaseIndex  int            `json:"case_index"`
	Key        string         `json:"key"`
	Digest     string         `json:"digest"`
	Evaluation jsontext.Value `json:"evaluation"`
}

func openResults(dir string, resume bool, revision string) (*results, error) {
	r := &results{revision: revision, done: map[string]keptResult{}, caseAt: -1}
	var err error
	r.outputDir, err = openOutput(dir, "cases", resume, r.loadLine)
	return r, err
}

func (r *results) loadLine(text []byte) error {
	var line resultLine
	if err := json.Unmarshal(text, &line); err != nil {
		return err
	}
	outcome, err := outcomeOf(line.Evaluation)
	if err != nil {
		return err
	}
	// What ended in an error is tried again.
	if outcome.Status != judge.Errored {
		r.done[line.Digest] = keptResult{line: line.Evaluation, outcome: outcome}
	}
	return nil
}

// digest names what is judged: the record, the metric with its arguments and
// model, the policy, and its place in the input.
func (r *results) digest(j job) string {
	return digestOf(struct {
		Index    int
		Key      string
		Record   judge.Record
		Metric   any
		Revision string
	}{j.index, j.key, j.item.Record, j.metric, r.revision})
}

// digestOf is 24 hex digits of a value's SHA-256.
func digestOf(v any) string {
	enc, err := json.Marshal(v, json.Deterministic(true))
	if err != nil { // nothing that is given to it can fail to encode
		return ""
	}
	sum := sha256.Sum256(enc)
	return hex.EncodeToString(sum[:12])
}

func (r *results) kept(j job) (judge.Outcome, bool) {
	if len(r.done) == 0 {
		return judge.Outcome{}, false
	}
	k, ok := r.done[r.digest(j)]
	return k.outcome, ok
}

// write appends one evaluation, and the case's own file when the case is done.
func (r *results) write(j job) error {
	if !r.used() {
		return nil
	}
	if j.index != r.caseAt {
		if err := r.closeCase(); err != nil {
			return err
		}
		r.caseAt, r.caseID = j.index, j.item.ID
	}
	d := r.digest(j)
	evaluation := r.done[d].line
	if evaluation == nil {
		var err error
		if evaluation, err = evaluationJSON(j); err != nil {
			return err
		}
	}
	r.open = append(r.open, keptLine{key: j.key, line: evaluation})
	return r.line(resultLine{CaseID: j.item.ID, CaseIndex: j.index, Key: j.key, Digest: d, Evaluation: evaluation})
}

// closeCase writes the case's own file.
func (r *results) closeCase() error {
	if len(r.open) == 0 {
		return nil
	}
	evaluations := make([]jsontext.Value, len(r.open))
	for i, l := range r.open {
		evaluations[i] = l.line
	}
	r.open = r.open[:0]
	return r.caseFile(r.caseAt, r.caseID, struct {
		CaseID      string           `json:"case_id"`
		Evaluations []jsontext.Value `json:"evaluations"`
	}{r.caseID, evaluations})
}

// finish writes the summary and the report, and puts results.jsonl in place.
func (r *results) finish(title string, sum *totals, shown *worst) error {
	if !r.used() {
		return nil
	}
	if err := r.closeCase(); err != nil {
		return err
	}
	return r.outputDir.finish(sum, func(page io.Writer) error { return writeHTML(page, title, sum, shown) })
}
