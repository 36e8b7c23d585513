package casefile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"bailiff/judge"
	"bailiff/rubric"
)

func readAll(t *testing.T, name, content string) ([]Case, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	var cases []Case
	for c, err := range Read(path) {
		if err != nil {
			return cases, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// The same two records, in every kind of file.
func TestReadKinds(t *testing.T) {
	want := []Case{
		{ID: "a", Record: judge.Record{ID: "a", Input: "When does it open?", Output: "At nine.", Context: []string{"Opens 9:00"}}},
		{ID: "2", Record: judge.Record{Input: "And on Sunday?", Output: "Closed, \"sorry\"."}},
	}
	const (
		first  = `{"id":"a","input":"When does it open?","output":"At nine.","context":"Opens 9:00"}`
		second = `{"question":"And on Sunday?","generation":"Closed, \"sorry\".","context":null}`
	)
	for _, tc := range []struct{ name, file, content string }{
		{"array", "x.json", "[\n  " + first + ",\n  " + second + "\n]\n"},
		{"array with a byte order mark", "x.json", "\xef\xbb\xbf[" + first + "," + second + "]"},
		{"lines", "x.jsonl", first + "\n\n" + second},
		{"lines without the ending", "x.txt", first + "\r\n" + second + "\r\n"},
		{"csv", "x.csv", "id,input,output,context\na,When does it open?,At nine.,\"[\"\"Opens 9:00\"\"]\"\n,And on Sunday?,\"Closed, \"\"sorry\"\".\",\n"},
		{"csv with a byte order mark", "x.CSV", "\ufeffinput,id,output,context\nWhen does it open?,a,At nine.,Opens 9:00\nAnd on Sunday?,,\"Closed, \"\"sorry\"\".\",\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readAll(t, tc.file, tc.content)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("cases (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadParquet(t *testing.T) {
	type columns struct {
		ID      string   `parquet:"id"`
		Input   string   `parquet:"input"`
		Output  string   `parquet:"output"`
		Context []string `parquet:"context,list"`
		Extra   int64    `parquet:"extra"`
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := parquet.WriteFile(path, []columns{
		{ID: "p1", Input: "Where?", Output: "Here.", Context: []string{"map", "legend"}, Extra: 4},
		{ID: "p2", Input: "Who?", Output: "Me."},
	}); err != nil {
		t.Fatal(err)
	}
	var got []judge.Record
	for c, err := range Read(path) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.Record)
	}
	want := []judge.Record{
		{ID: "p1", Input: "Where?", Output: "Here.", Context: []string{"map", "legend"}},
		{ID: "p2", Input: "Who?", Output: "Me."},
	}
	if diff := cmp.Diff(want, got, cmp.Transformer("nilIsEmpty", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestNexaCase(t *testing.T) {
	got, err := readAll(t, "case.json", `{
	  "case_id": "opening-hours",
	  "question": "When does the museum open?",
	  "generation": "At nine.",
	  "reference": "9:00",
	  "geval": {"metrics": [
	    {"name": "exact", "item_fields": ["generation", "reference"], "criteria": "The answer must agree with the reference."},
	    {"name": "steps", "item_fields": ["question", "generation"], "evaluation_steps": ["Check whether a time is given."]}
	  ]}
	}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []Case{{
		ID:     "opening-hours",
		Record: judge.Record{ID: "opening-hours", Input: "When does the museum open?", Output: "At nine.", GoldenAnswer: "9:00"},
		Metrics: []Metric{
			{Metric: "g_eval", Name: "exact", ItemFields: []string{"generation", "reference"}, Args: judge.Args{
				Definition: "The answer must agree with the reference.", Name: "exact", IncludeReason: true,
				Fields: []rubric.Field{rubric.Output, rubric.GoldenAnswer},
			}},
			{Metric: "g_eval", Name: "steps", ItemFields: []string{"question", "generation"}, Args: judge.Args{
				Steps: []string{"Check whether a time is given."}, Name: "steps", IncludeReason: true,
				Fields: []rubric.Field{rubric.Input, rubric.Output},
			}},
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cases (-want +got):\n%s", diff)
	}
}

func TestRunBody(t *testing.T) {
	got, err := readAll(t, "run.json", `{"threshold": 70, "model_slug": "m", "evaluations": [
	  {"metrics": [{"metric": "g_eval", "threshold": 90, "metric_args": {"eval_definition": "The answer gives a time.", "evaluation_fields": ["output"], "samples": 3, "include_reason": false}}, "step_efficiency"],
	   "data": [{"id": "r", "output": "At nine.", "trace": [{"type": "tool"}]}]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || len(got[0].Metrics) != 2 {
		t.Fatalf("got %d cases: %+v", len(got), got)
	}
	m := got[0].Metrics
	if *m[0].Threshold != 90 || *m[1].Threshold != 70 || m[0].Model != "m" || m[0].Args.Samples != 3 || m[0].Args.IncludeReason || !m[1].Args.IncludeReason {
		t.Errorf("precedence and arguments: %+v", m)
	}
	if string(got[0].Record.Trace) != `[{"type": "tool"}]` {
		t.Errorf("trace %s", got[0].Record.Trace)
	}
}

// Each bad file is refused with the line and what is wrong; the rows before
// it were read.
func TestBadFiles(t *testing.T) {
	for _, tc := range []struct {
		name, file, content string
		rows, line          int
		says                string
	}{
		{"empty", "x.json", " \n\n", 0, 0, "empty"},
		{"cut line", "x.jsonl", "{\"output\":\"a\"}\n{\"output\":", 1, 2, "not valid JSON"},
		{"cut array", "x.json", "[{\"output\":\"a\"},\n{\"output\"", 1, 2, "not valid JSON"},
		{"row is not an object", "x.json", "[\n{\"output\":\"a\"},\n7]", 1, 3, "object"},
		{"number for text", "x.jsonl", "{\"output\":\"a\"}\n{\"output\":5}", 1, 2, "/output"},
		{"duplicate member", "x.jsonl", "{\"output\":\"a\"}\n{\"output\":\"a\",\"output\":\"b\"}", 1, 2, "duplicate"},
		{"both spellings", "x.jsonl", "{\"output\":\"a\",\"generation\":\"b\"}", 0, 1, "same field"},
		{"context of a wrong type", "x.jsonl", "{\"context\":{}}", 0, 1, "list of texts"},
		{"unknown item field", "x.json", "{\"geval\":{\"metrics\":[{\"name\":\"n\",\"item_fields\":[\"summary\"],\"criteria\":\"c\"}]}}", 0, 1, "/geval/metrics/0: unknown field \"summary\""},
		{"two documents", "x.json", "[]\n[]", 0, 0, "one JSON object a line"},
		{"unknown metric", "x.json", "{\"evaluations\":[{\"metrics\":[\"bleu\"],\"data\":[]}]}", 0, 1, "unknown metric \"bleu\""},
		{"unknown argument", "x.json", "{\"evaluations\":[{\"metrics\":[{\"metric\":\"g_eval\",\"metric_args\":{\"eval_defn\":\"x\"}}],\"data\":[]}]}", 0, 1, "eval_defn"},
		{"csv without a judged column", "x.csv", "a,b\n1,2\n", 0, 1, "no column can be judged"},
		{"csv with a column twice", "x.csv", "output,output\n1,2\n", 0, 1, "twice"},
		{"csv row too short", "x.csv", "input,output\nq,a\nq\n", 1, 3, "wrong number of fields"},
		{"csv bad steps", "x.csv", "output,evaluation_steps\na,do it\n", 0, 2, "must hold JSON"},
		{"not parquet", "x.parquet", "PAR1 or so", 0, 0, "Parquet"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := readAll(t, tc.file, tc.content)
			bad, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("error %v (%T) is not an *Error", err, err)
			}
			if len(got) != tc.rows {
				t.Errorf("%d rows came before the error, want %d", len(got), tc.rows)
			}
			if tc.line != 0 && bad.Line != tc.line {
				t.Errorf("line %d, want %d (%v)", bad.Line, tc.line, err)
			}
			if !strings.Contains(err.Error(), tc.says) {
				t.Errorf("error %q does not say %q", err, tc.says)
			}
		})
	}
}

func TestReadStopsWhenAsked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte("{\"output\":\"a\"}\n{\"output\":\"b\"}\nbroken"), 0o600); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range Read(path) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("read %d cases", n)
	}
}
