package offline

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// shared is where labelled data may lie beside a checkout. Tests that measure
// on it are skipped where it does not.
const shared = "../../../../shared/data/"

// readLines decodes a JSON-lines file, gzipped or not, and skips the test when
// it is not there.
func readLines[T any](t *testing.T, name string) []T {
	t.Helper()
	if raceEnabled {
		t.Skip("measures quality, where nothing runs at once")
	}
	f, err := os.Open(shared + name)
	if err != nil {
		t.Skipf("no labelled data to measure on: %v", err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	var out []T
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestMeasureSteps counts how many labelled definitions are resolved to exactly
// the steps that people marked.
func TestMeasureSteps(t *testing.T) {
	t.Parallel()
	type row struct {
		ID, Definition, Lang, Kind string
		Steps                      []string
	}
	stated, exact, none, quiet := 0, 0, 0, 0
	for _, r := range readLines[row](t, "rubric_steps.dev.jsonl") {
		got := []string{}
		for _, s := range resolve(request{Definition: r.Definition}).Steps {
			if !strings.Contains(r.Definition, s.Step) {
				t.Errorf("%s: step %q is no span of the definition", r.ID, s.Step)
			}
			if s.Included {
				got = append(got, plainStep(s.Step))
			}
		}
		if len(r.Steps) == 0 {
			none++
			if len(got) == 0 {
				quiet++
			}
			continue
		}
		stated++
		want := []string{}
		for _, s := range r.Steps {
			want = append(want, plainStep(s))
		}
		if slices.Equal(want, got) {
			exact++
		} else {
			t.Logf("%s %s %s:\n want %q\n got  %q", r.ID, r.Lang, r.Kind, want, got)
		}
	}
	t.Logf("exact: %d of %d (%.1f %%); without steps: %d of %d left alone", exact, stated, 100*float64(exact)/float64(stated), quiet, none)
	if exact*100 < stated*90 {
		t.Errorf("exact: %d of %d, want 90 %%", exact, stated)
	}
	if quiet*100 < none*95 {
		t.Errorf("without steps: %d of %d left alone, want 95 %%", quiet, none)
	}
}

var listMark = regexp.MustCompile(`(?i)^\s*(?:[-*•]\s*(?:\[[ x]?\])?|\(?(?:\d{1,2}|[a-h]|[ivx]{1,4})[.)])\s+`)

// plainStep folds a step: NFC, white space, list mark, closing stop, case.
func plainStep(s string) string {
	s = strings.Join(strings.Fields(norm.NFC.String(s)), " ")
	s = listMark.ReplaceAllString(s, "")
	return strings.ToLower(strings.TrimSpace(strings.TrimRight(s, ".。．;；,")))
}

// TestMeasureReading counts how ordinary rubrics, requests and hostile texts
// are read by the semantic check and by the safety check.
func TestMeasureReading(t *testing.T) {
	t.Parallel()
	type row struct{ ID, Text string }
	read := func(name string) (criteria, cleared, n int) {
		for _, r := range readLines[row](t, "corpora/"+name+".dev.jsonl") {
			n++
			if a := resolve(request{Definition: r.Text}); a.IsRubric && a.Coherent && a.Applicable {
				criteria++
			}
			if reviewSafety(request{Definition: r.Text}).Verdict == "safe" {
				cleared++
			}
		}
		t.Logf("%-18s %4d texts: %4d read as criteria, %4d cleared", name, n, criteria, cleared)
		return criteria, cleared, n
	}
	criteria, cleared, n := read("rubric_benign")
	if criteria*1000 < n*990 || cleared*1000 < n*995 {
		t.Errorf("of %d ordinary rubrics %d are read as criteria and %d are cleared; want 99 and 99.5 %%", n, criteria, cleared)
	}
	criteria, cleared, n = read("rubric_benign_hard")
	if criteria*100 < n*98 || cleared*100 < n*95 {
		t.Errorf("of %d hard rubrics %d are read as criteria and %d are cleared; want 98 and 95 %%", n, criteria, cleared)
	}
	if criteria, _, n = read("generic_benign"); criteria*2 > n {
		t.Errorf("of %d ordinary requests %d are read as criteria, want at most half", n, criteria)
	}
	if _, cleared, n = read("rubric_attack"); cleared*100 > n*75 {
		t.Errorf("of %d hostile definitions %d are cleared; the second line should stop a quarter", n, cleared)
	}
}

// TestMeasureAgents scores labelled outputs of agents: right ones should come
// out above wrong ones.
func TestMeasureAgents(t *testing.T) {
	t.Parallel()
	type row struct {
		Label      string
		Prompt     string
		Trajectory json.RawMessage
		Output     json.RawMessage `json:"agent_output"`
		Reference  json.RawMessage `json:"reference_answer"`
	}
	rows := readLines[row](t, "replay/bc038_corpus_70.jsonl.gz")
	for name, c := range map[string]struct {
		steps  []string
		golden bool
		want   float64
	}{
		"with the reference":    {[]string{"Check whether the output agrees with the golden answer."}, true, 0.85},
		"with the context only": {[]string{"Check whether every value of the output is supported by the context.", "Check whether the output is correct."}, false, 0.55},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var right, wrong []float64
			for _, r := range rows {
				output, context := string(r.Output), []string{string(r.Trajectory)}
				rec := record{Input: r.Prompt, Output: &output, Context: &context}
				if golden := string(r.Reference); c.golden {
					rec.GoldenAnswer, rec.Context = &golden, nil
				}
				s := float64(score(request{Steps: c.steps, Record: rec}).Score)
				if r.Label == "correct" {
					right = append(right, s)
				} else {
					wrong = append(wrong, s)
				}
			}
			got := auc(right, wrong)
			t.Logf("AUC %.3f over %d right and %d wrong outputs", got, len(right), len(wrong))
			if got < c.want {
				t.Errorf("AUC %.3f, want %.2f", got, c.want)
			}
		})
	}
}

// auc is the chance that a right one scores above a wrong one, ties half.
func auc(right, wrong []float64) float64 {
	sum := 0.0
	for _, r := range right {
		for _, w := range wrong {
			switch {
			case r > w:
				sum++
			case r == w:
				sum += 0.5
			}
		}
	}
	return sum / float64(len(right)*len(wrong))
}
