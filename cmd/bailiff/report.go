package main

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"slices"

	"bailiff/judge"
)

// worstKept is how many evaluations the report shows: the report of a long run
// stays a page, and the rest is in results.jsonl.
const worstKept = 200

//go:embed report.html
var reportHTML string

// worst keeps the evaluations a reader wants to see first: what was not
// scored, then the lowest scores.
type worst struct{ rows []job }

func (w *worst) add(j job) {
	w.rows = append(w.rows, j)
	if len(w.rows) >= 2*worstKept {
		w.trim()
	}
}

func (w *worst) trim() {
	slices.SortStableFunc(w.rows, func(a, b job) int {
		return cmp.Or(cmp.Compare(rank(a.done), rank(b.done)), cmp.Compare(a.index, b.index))
	})
	w.rows = w.rows[:min(len(w.rows), worstKept)]
}

func rank(o judge.Outcome) float64 {
	if o.Score == nil {
		return -1
	}
	return *o.Score
}

// writeHTML writes the report: one file, nothing fetched from anywhere.
func writeHTML(out io.Writer, title string, t *totals, w *worst) error {
	w.trim()
	page, err := template.New("report").Funcs(template.FuncMap{
		"percent": func(n, of int) int {
			if of == 0 {
				return 0
			}
			return 100 * n / of
		},
		"highest": func(h [10]int) int { return slices.Max(h[:]) },
		"tens":    func(i int) int { return 10 * i },
		"code":    notScored,
	}).Parse(reportHTML)
	if err != nil {
		return err
	}
	type shown struct {
		ID, Key string
		Done    judge.Outcome
		Output  string
	}
	rows := make([]shown, 0, len(w.rows))
	for _, j := range w.rows {
		rows = append(rows, shown{ID: j.item.ID, Key: j.key, Done: j.done, Output: shorten(j.item.Record.Output, 600)})
	}
	return page.Execute(out, map[string]any{"Title": title, "Totals": t, "Rows": rows})
}

// shorten cuts a text to n characters, and shows that it did.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}
