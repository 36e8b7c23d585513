package api

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/run"
	"bailiff/judge"
)

// exportPage is how many evaluations an export reads at a time.
const exportPage = 500

// listEvaluations gives the evaluations of a run in their order: a page, or
// all of them as lines of JSON or as CSV.
func (a *API) listEvaluations(c *call) error {
	id, err := c.pathID("id")
	if err != nil {
		return err
	}
	q := c.query()
	statuses := []judge.Status{judge.Scored, judge.Rejected, judge.Skipped, judge.Errored}
	f := run.ResultFilter{After: q.numberCursor(-1), Status: q.oneOf("status", texts(statuses)...)}
	limit := q.limit()
	if err := q.done(); err != nil {
		return err
	}
	if _, err := a.cfg.RunStore.Run(c.Request.Context(), c.tenantID(), id); err != nil {
		return err
	}
	switch wanted(c.Request.Header.Values("Accept")) {
	case "application/x-ndjson":
		return a.exportLines(c, id, f)
	case "text/csv":
		return a.exportCSV(c, id, f)
	}
	f.Limit = limit + 1
	results, err := a.cfg.RunStore.Results(c.Request.Context(), c.tenantID(), id, f)
	if err != nil {
		return err
	}
	results, more := page(results, limit)
	list := listObject[jsontext.Value]{Data: noEvaluations(), HasMore: more}
	for _, r := range results {
		list.Data = append(list.Data, r.Body)
	}
	if more {
		list.NextCursor = cursorOf(strconv.Itoa(results[len(results)-1].Position))
	}
	return c.json(http.StatusOK, list)
}

// wanted is the first form of an export that Accept names, "" for a page.
func wanted(accept []string) string {
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		kind, _, _ := strings.Cut(part, ";")
		switch kind = strings.TrimSpace(kind); kind {
		case "application/x-ndjson", "text/csv":
			return kind
		case "application/json":
			return ""
		}
	}
	return ""
}

// export reads all evaluations, a piece at a time, and hands on each. The first
// piece is read before the answer begins, so that its error can be told.
func (a *API) export(c *call, id, contentType string, f run.ResultFilter, begin func() error, use func(run.Result) error) error {
	f.Limit = exportPage
	for started := false; ; {
		results, err := a.cfg.RunStore.Results(c.Request.Context(), c.tenantID(), id, f)
		if err != nil {
			return err
		}
		if !started {
			started, c.served = true, true
			c.Header("Content-Type", contentType)
			c.Status(http.StatusOK)
			if err := begin(); err != nil {
				return fmt.Errorf("%w: %w", errBroken, err)
			}
		}
		for _, r := range results {
			if err := use(r); err != nil {
				return fmt.Errorf("%w: %w", errBroken, err)
			}
		}
		c.extend()
		if len(results) < exportPage {
			return nil
		}
		c.Writer.Flush()
		f.After = results[len(results)-1].Position
	}
}

func (a *API) exportLines(c *call, id string, f run.ResultFilter) error {
	nothing := func() error { c.Writer.WriteHeaderNow(); return nil }
	return a.export(c, id, "application/x-ndjson", f, nothing, func(r run.Result) error {
		_, err := c.Writer.Write(append(r.Body, '\n'))
		return err
	})
}

// csvColumns are the columns of an export as CSV.
func csvColumns() []string {
	return []string{
		"id", "run_id", "record_index", "record_id", "metric", "key", "status", "result", "threshold", "is_success", "is_gte_threshold", "explanation",
		"model_slug", "started_at", "finished_at", "evaluation_cost", "code",
	}
}

// csvRow is what CSV shows of an evaluation.
type csvRow struct {
	ID             string   `json:"id"`
	RunID          string   `json:"run_id"`
	RecordIndex    int      `json:"record_index"`
	RecordID       *string  `json:"record_id"`
	Metric         string   `json:"metric"`
	Key            string   `json:"key"`
	Status         string   `json:"status"`
	Result         *float64 `json:"result"`
	Threshold      float64  `json:"threshold"`
	IsSuccess      bool     `json:"is_success"`
	IsGTEThreshold *bool    `json:"is_gte_threshold"`
	Explanation    *string  `json:"explanation"`
	ModelSlug      string   `json:"model_slug"`
	StartedAt      string   `json:"started_at"`
	FinishedAt     string   `json:"finished_at"`
	EvaluationCost *string  `json:"evaluation_cost"`
	Rejection      *coded   `json:"rejection"`
	Error          *coded   `json:"error"`
	Skip           *coded   `json:"skip"`
}

type coded struct {
	Code string `json:"code"`
}

func (a *API) exportCSV(c *call, id string, f run.ResultFilter) error {
	w := csv.NewWriter(c.Writer)
	begin := func() error { return w.Write(csvColumns()) }
	err := a.export(c, id, "text/csv; charset=utf-8", f, begin, func(r run.Result) error {
		var row csvRow
		if err := json.Unmarshal(r.Body, &row); err != nil {
			return err
		}
		return w.Write(row.cells())
	})
	w.Flush()
	if err == nil {
		err = w.Error()
	}
	return err
}

func (r csvRow) cells() []string {
	code := ""
	for _, x := range []*coded{r.Rejection, r.Error, r.Skip} {
		if x != nil {
			code = x.Code
		}
	}
	cells := []string{
		r.ID, r.RunID, strconv.Itoa(r.RecordIndex), textOf(r.RecordID), r.Metric, r.Key, r.Status, numberText(r.Result), numberText(&r.Threshold),
		strconv.FormatBool(r.IsSuccess), flagText(r.IsGTEThreshold), textOf(r.Explanation), r.ModelSlug, r.StartedAt, r.FinishedAt, textOf(r.EvaluationCost), code,
	}
	for i, s := range cells {
		cells[i] = plainCell(s)
	}
	return cells
}

// plainCell keeps a spreadsheet from taking a text for a formula.
func plainCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func numberText(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}

func flagText(b *bool) string {
	if b == nil {
		return ""
	}
	return strconv.FormatBool(*b)
}
