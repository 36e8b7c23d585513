package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/judge"
)

// results writes what a run gives into a folder; a nil folder writes nothing.
//
// results.jsonl is appended to as evaluations end, in the order of the input,
// so an interrupted run keeps what was done. Each line carries a digest of
// what was judged: --resume takes a line only for the same record under the
// same metric.
type results struct {
	dir    string
	file   *os.File
	out    *bufio.Writer
	done   map[string]keptResult
	open   []keptLine // lines of the case being written
	caseAt int
	caseID string
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

func openResults(dir string, resume bool) (*results, error) {
	r := &results{dir: dir, done: map[string]keptResult{}, caseAt: -1}
	if dir == "" {
		return r, nil
	}
	if err := os.MkdirAll(filepath.Join(dir, "cases"), 0o750); err != nil {
		return nil, failedError(err)
	}
	path := filepath.Join(dir, "results.jsonl")
	if resume {
		if err := r.load(path); err != nil {
			return nil, err
		}
	} else if _, err := os.Stat(path); err == nil {
		return nil, usageError(fmt.Errorf("%s is there already: give --resume to go on with it, or another folder", path))
	}
	// A resumed file is written anew, in the order of the input, beside the
	// old one, which is replaced when the run ends.
	file, err := os.OpenFile(path+".part", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) //nolint:gosec // the caller names the folder
	if err != nil {
		return nil, failedError(err)
	}
	r.file, r.out = file, bufio.NewWriterSize(file, 64<<10)
	return r, nil
}

// load reads what an earlier run left, finished or not. A torn last line is
// what a killed run leaves and is done again; any other bad line is refused.
func (r *results) load(path string) error {
	for _, name := range []string{path, path + ".part"} {
		f, err := os.Open(name) //nolint:gosec // the caller names the folder
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return failedError(err)
		}
		bad := 0
		err = eachLine(f, maxScanText, func(n int, line []byte) bool {
			if bad != 0 {
				return false
			}
			if loadErr := r.loadLine(line); loadErr != nil {
				bad = n
			}
			return true
		})
		torn := bad != 0 && err == nil && r.isLastLine(name, bad)
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return failedError(err)
		}
		if bad != 0 && !torn {
			return usageError(fmt.Errorf("%s:%d is not a line of results: mend or remove it, or start in another folder", name, bad))
		}
	}
	return nil
}

func (*results) isLastLine(path string, line int) bool {
	data, err := os.ReadFile(path) //nolint:gosec // as above
	return err == nil && strings.Count(strings.TrimRight(string(data), "\n"), "\n") == line-1
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

// digest names what is judged: the record, the metric with its arguments, and
// its place in the input.
func digest(j job) string {
	h := sha256.New()
	enc, err := json.Marshal(struct {
		Index  int
		Key    string
		Record judge.Record
		Metric any
	}{j.index, j.key, j.item.Record, j.metric}, json.Deterministic(true))
	if err != nil { // nothing in a job can fail to encode
		return ""
	}
	h.Write(enc)
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func (r *results) kept(j job) (judge.Outcome, bool) {
	k, ok := r.done[digest(j)]
	return k.outcome, ok
}

// write appends one evaluation, and the case's own file when the case is done.
func (r *results) write(j job) error {
	if r.dir == "" {
		return nil
	}
	if j.index != r.caseAt {
		if err := r.closeCase(); err != nil {
			return err
		}
		r.caseAt, r.caseID = j.index, j.item.ID
	}
	d := digest(j)
	evaluation := r.done[d].line
	if evaluation == nil {
		var err error
		if evaluation, err = evaluationJSON(j); err != nil {
			return err
		}
	}
	line, err := json.Marshal(resultLine{CaseID: j.item.ID, CaseIndex: j.index, Key: j.key, Digest: d, Evaluation: evaluation})
	if err != nil {
		return err
	}
	r.open = append(r.open, keptLine{key: j.key, line: evaluation})
	if _, err := r.out.Write(append(line, '\n')); err != nil {
		return failedError(fmt.Errorf("write results: %w", err))
	}
	return nil
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
	text, err := json.Marshal(struct {
		CaseID      string           `json:"case_id"`
		Evaluations []jsontext.Value `json:"evaluations"`
	}{r.caseID, evaluations}, jsontext.Multiline(true))
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%06d-%s.json", r.caseAt+1, fileName(r.caseID))
	if err := os.WriteFile(filepath.Join(r.dir, "cases", name), append(text, '\n'), 0o600); err != nil {
		return failedError(fmt.Errorf("write the case's file: %w", err))
	}
	return nil
}

// fileName keeps of an id what every file system takes.
func fileName(id string) string {
	safe := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			return c
		}
		return '_'
	}, id)
	return safe[:min(len(safe), 60)]
}

// finish writes the summary and the report, and puts results.jsonl in place.
func (r *results) finish(title string, sum *totals, shown *worst) error {
	if r.dir == "" {
		return nil
	}
	if err := r.closeCase(); err != nil {
		return err
	}
	if err := errors.Join(r.out.Flush(), r.file.Sync(), r.file.Close()); err != nil {
		return failedError(fmt.Errorf("write results: %w", err))
	}
	r.file = nil
	path := filepath.Join(r.dir, "results.jsonl")
	if err := os.Rename(path+".part", path); err != nil {
		return failedError(err)
	}
	text, err := json.Marshal(sum, jsontext.Multiline(true), json.Deterministic(true))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.dir, "summary.json"), append(text, '\n'), 0o600); err != nil {
		return failedError(err)
	}
	page, err := os.OpenFile(filepath.Join(r.dir, "report.html"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) //nolint:gosec // the caller names the folder
	if err != nil {
		return failedError(err)
	}
	return errors.Join(writeHTML(page, title, sum, shown), page.Close())
}

// close keeps what was written when the run could not be finished.
func (r *results) close() {
	if r.file == nil {
		return
	}
	_ = r.out.Flush() // the run's own error is the one to tell
	_ = r.file.Close()
}
