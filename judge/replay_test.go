package judge

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sharedReplay is a folder of recorded judge answers that is not part of this
// repository.
func sharedReplay(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "data", "replay", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("recorded answers are not beside this checkout: %v", err)
	}
	return path
}

// replayFile replays a file and gives its groups by "judge/mode/dim", with an
// empty judge left out.
func replayFile(t *testing.T, name string, opt ReplayOptions) map[string]ReplayGroup {
	t.Helper()
	f, err := os.Open(sharedReplay(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	groups, err := Replay(f, opt)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]ReplayGroup{}
	for _, g := range groups {
		by[strings.TrimPrefix(g.Judge+"/"+g.Mode+"/"+g.Dim, "/")] = g
	}
	return by
}

func TestReplayReproducesRecordedCorrelations(t *testing.T) {
	if testing.Short() {
		t.Skip("replays 53,000 recorded answers")
	}
	raw, err := os.ReadFile(sharedReplay(t, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string]map[string]any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	topical := replayFile(t, "topicalchat_gpt35_n20.jsonl.gz", ReplayOptions{})
	zeroed := replayFile(t, "topicalchat_gpt35_n20.jsonl.gz", ReplayOptions{NullAs: new(0.0)})
	// Of its answers one could not be read; the recorded figures count it as −1.
	summ := replayFile(t, "summeval12_scores_only.jsonl.gz", ReplayOptions{NullAs: new(-1.0)})
	checked := 0
	for set, entries := range want {
		for name, figures := range entries {
			groups, key := summ, name
			if set == "topicalchat_gpt35_n20" {
				groups = topical
				var zero bool
				if key, zero = strings.CutSuffix(name, "/zero"); zero {
					groups = zeroed
				}
				key = strings.TrimSuffix(key, "/drop")
			}
			g, ok := groups[key]
			if !ok {
				t.Errorf("%s %s: no such group", set, name)
				continue
			}
			compareFigures(t, set+" "+name, g, figures)
			checked++
		}
	}
	if checked != 92 {
		t.Errorf("checked %d entries, the file is known to hold 92", checked)
	}
}

func compareFigures(t *testing.T, name string, g ReplayGroup, want map[string]any) {
	t.Helper()
	b, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	for figure, w := range want {
		tolerance := 1.0001e-6
		switch figure {
		case "distinct_scores":
			continue
		case "mean", "human_mean":
			tolerance = 5.1e-5 // recorded with 4 decimals
		}
		have, ok := got[figure].(float64)
		if !ok || math.Abs(have-w.(float64)) > tolerance {
			t.Errorf("%s: %s is %v, recorded %v", name, figure, got[figure], w)
		}
	}
}

func TestReplayReadsRows(t *testing.T) {
	rows := `{"doc":"a","sys":"1","dim":"tone","score":4,"human":5}
{"doc":"a","sys":"2","dim":"tone","scores":[1,null,2],"human":1}

{"doc":"a","sys":"3","dim":"tone","scores":[null],"human":3}
{"doc":"b","sys":"1","dim":"tone","judge":"other","score":null,"human":3}`
	groups, err := Replay(strings.NewReader(rows), ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) != 2 {
		t.Fatalf("%d groups, want 2: one judge without a name, one named", len(groups))
	}
	g := groups[0]
	if g.N != 2 || g.Samples != 5 || g.Unparsed != 2 || g.Docs != 1 {
		t.Errorf("n %d samples %d unparsed %d docs %d, want 2, 5, 2, 1", g.N, g.Samples, g.Unparsed, g.Docs)
	}
	if got := *g.Mean; got != 2.75 {
		t.Errorf("mean %v, want 2.75: nulls are no zeros", got)
	}
	if groups[1].N != 0 || groups[1].DatasetPearson != nil {
		t.Errorf("a group without a score has figures: %+v", groups[1])
	}

	zero, err := Replay(strings.NewReader(rows), ReplayOptions{NullAs: new(0.0)})
	if err != nil {
		t.Fatal(err)
	}
	if got := *zero[0].Mean; math.Abs(got-5.0/3) > 1e-6 {
		t.Errorf("mean with nulls as zero %v, want 1.6667", got)
	}
}

func TestReplayReadsGzip(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(`{"dim":"d","score":1,"human":1}` + "\n"))
	_ = z.Close()
	groups, err := Replay(&b, ReplayOptions{})
	if err != nil || len(groups) != 1 || groups[0].N != 1 {
		t.Errorf("groups %v, error %v", groups, err)
	}
}

func TestReplayNamesTheBadLine(t *testing.T) {
	good := `{"dim":"d","score":1,"human":1}` + "\n"
	for name, bad := range map[string]string{
		"no label":       `{"dim":"d","score":1}`,
		"not json":       `score: 1`,
		"text as number": `{"dim":"d","score":"1","human":1}`,
		"both":           `{"dim":"d","score":1,"scores":[1],"human":1}`,
		"too long":       `{"dim":"` + strings.Repeat("d", maxReplayLine) + `"}`,
	} {
		_, err := Replay(strings.NewReader(good+bad), ReplayOptions{})
		if err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: error %v does not name line 2", name, err)
		}
	}
}
