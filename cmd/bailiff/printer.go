package main

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/judge"
)

// printer prints a run's results on stdout: for people a line an evaluation
// and a summary, for programs one JSON object a line.
type printer struct {
	std  *stdio
	json bool
}

func newPrinter(std *stdio, output string) *printer {
	return &printer{std: std, json: output == "json"}
}

func (p *printer) evaluation(j job) error {
	if p.json {
		evaluation, err := evaluationJSON(j)
		if err != nil {
			return err
		}
		line, err := json.Marshal(struct {
			CaseID     string         `json:"case_id"`
			Key        string         `json:"key"`
			Evaluation jsontext.Value `json:"evaluation"`
		}{j.item.ID, j.key, evaluation})
		if err != nil {
			return err
		}
		_, err = p.std.out.Write(append(line, '\n'))
		return err
	}
	_, err := fmt.Fprintf(p.std.out, "%-7s %-24s %-24s %s\n", p.mark(j.done), shorten(j.item.ID, 24), shorten(j.key, 24), oneLine(j.done))
	return err
}

// mark is the score, or what stands in its place.
func (p *printer) mark(o judge.Outcome) string {
	text, color := string(o.Status), "33"
	if o.Score != nil {
		text, color = fmt.Sprintf("%6.2f", *o.Score), "31"
		if o.Passed != nil && *o.Passed {
			color = "32"
		}
	}
	if !p.std.color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// oneLine is the explanation without line breaks and controls, which could
// redraw a terminal.
func oneLine(o judge.Outcome) string {
	text := o.Explanation
	if code := notScored(o); code != "" {
		text = code + ": " + text
	}
	return shorten(strings.Map(printable, text), 160)
}

func printable(c rune) rune {
	if c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 {
		return ' '
	}
	return c
}

func (p *printer) summary(t *totals) error {
	if p.json {
		return nil
	}
	s := t.Summary
	cost := "unknown, known part $" + t.Usage.CostKnown
	if t.Usage.Cost != nil {
		cost = "$" + *t.Usage.Cost
	}
	result := "none"
	if t.Result != nil {
		result = fmt.Sprintf("%.2f", *t.Result)
	}
	_, err := fmt.Fprintf(p.std.out, "\n%d cases, %d evaluations: %d scored (%d passed, %d failed), %d rejected, %d skipped, %d errors\nmean of the scored %s   model calls %d   tokens %d + %d   cost %s\n",
		t.Cases, s.Total, s.Scored, s.Passed, s.Failed, s.Rejected, s.Skipped, s.Errors,
		result, t.Usage.ModelCalls, t.Usage.InputTokens, t.Usage.OutputTokens, cost)
	return err
}
