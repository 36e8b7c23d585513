package judge

import (
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// scored is an answer around the JSON of a score.
func scored(score string) []byte {
	return []byte(`{"findings":[{"step":1,"evidence":"e","verdict":"met"}],"reason":"r","score":` + score + `}`)
}

func TestReadScoreTakesNumbersOnTheScale(t *testing.T) {
	for _, c := range []struct {
		json             string
		scale            int
		value            float64
		integer, coerced bool
	}{
		{json: "0", value: 0, integer: true},
		{json: "10", value: 10, integer: true},
		{json: "7", value: 7, integer: true},
		{json: "-0", value: 0, integer: true},
		{json: "6.25", value: 6.25},
		{json: "6.0", value: 6},
		{json: "1e1", value: 10},
		{json: "70e-1", value: 7},
		{json: `"7"`, value: 7, integer: true, coerced: true},
		{json: `"6.5"`, value: 6.5, coerced: true},
		{json: `" 7 "`, value: 7, integer: true, coerced: true},
		{json: `"７"`, value: 7, integer: true, coerced: true},
		{json: `"\u0037"`, value: 7, integer: true, coerced: true},
		{json: "85", scale: 100, value: 85, integer: true},
		{json: "100", scale: 100, value: 100, integer: true},
	} {
		if c.scale == 0 {
			c.scale = 10
		}
		a, wrong := readScore(scored(c.json), c.scale)
		if wrong != nil {
			t.Errorf("%s: %v", c.json, wrong)
			continue
		}
		if n := a.number; n.value != c.value || n.integer != c.integer || n.coerced != c.coerced {
			t.Errorf("%s: %+v, want %+v", c.json, n, c)
		}
	}
}

func TestReadScoreRefusesEverythingElse(t *testing.T) {
	for _, bad := range []string{
		"11", "-1", "10.0001", "-0.5", "1e2", "1e999", `"11"`, `"-1"`, "85", "100",
		`"ten"`, `"7/10"`, `"7 of 10"`, `"7%"`, `"+7"`, `"07"`, `"7."`, `".7"`, `"1e1"`, `""`, `" "`, `"٧"`, "\"7\u200b\"", `"0x7"`, `"７/10"`, `"NaN"`,
		"true", "null", "[7]", `{"value":7}`, `[]`,
	} {
		if a, wrong := readScore(scored(bad), 10); wrong == nil {
			t.Errorf("%s was taken as %v", bad, a.number.value)
		}
	}
}

func TestReadScoreNamesTheMistake(t *testing.T) {
	for name, c := range map[string]struct{ object, says string }{
		"out of range":     {string(scored("42")), "42"},
		"not a number":     {string(scored(`"many"`)), "not a number"},
		"no score":         {`{"findings":[],"reason":"r"}`, "score is missing"},
		"folded name":      {`{"findings":[],"reason":"r","Score":7}`, "score is missing"},
		"no reason":        {`{"findings":[],"score":7}`, "reason is missing"},
		"reason a number":  {`{"findings":[],"reason":7,"score":7}`, "reason has to be a text"},
		"no findings":      {`{"reason":"r","score":7}`, "findings is missing"},
		"findings a text":  {`{"findings":"none","reason":"r","score":7}`, "findings has to be a list"},
		"finding a text":   {`{"findings":["met"],"reason":"r","score":7}`, "findings has to be a list"},
		"finding unplaced": {`{"findings":[{"evidence":"e","verdict":"met"}],"reason":"r","score":7}`, "findings has to be a list"},
		"name twice":       {`{"findings":[],"reason":"r","score":7,"score":7}`, "each member once"},
		"name twice below": {`{"findings":[{"step":1,"step":1,"evidence":"","verdict":""}],"reason":"r","score":7}`, "each member once"},
		"name by escape":   {`{"findings":[],"reason":"r","score":7,"\u0073core":2}`, "each member once"},
		"text behind":      {`{"findings":[],"reason":"r","score":7} 8`, "one valid JSON object"},
		"comma at the end": {`{"findings":[],"reason":"r","score":7,}`, "one valid JSON object"},
		"broken escape":    {`{"findings":[],"reason":"C:\path","score":7}`, "one valid JSON object"},
		"not a number NaN": {`{"findings":[],"reason":"r","score":NaN}`, "one valid JSON object"},
		"a list":           {`[7]`, "one valid JSON object"},
		"empty":            {``, "one valid JSON object"},
	} {
		_, wrong := readScore([]byte(c.object), 10)
		if wrong == nil || !strings.Contains(wrong.text, c.says) {
			t.Errorf("%s: mistake %v does not say %q", name, wrong, c.says)
		}
	}
}

func TestReadScoreIgnoresMembersNobodyAskedFor(t *testing.T) {
	a, wrong := readScore([]byte(`{"pass":true,"findings":[],"reason":"r","score":3,"confidence":1}`), 10)
	if wrong != nil || a.number.value != 3 {
		t.Errorf("value %v, mistake %v", a.number.value, wrong)
	}
}

func TestFindingsStayAsTheyCame(t *testing.T) {
	a, wrong := readScore([]byte(`{"findings":[{"step":3,"evidence":"c","verdict":"not_met"},{"step":1,"evidence":"{\"score\": 2}","verdict":"mostly","weight":2},{"step":9,"evidence":"","verdict":"met"}],"reason":"r","score":3}`), 10)
	if wrong != nil {
		t.Fatal(wrong)
	}
	want := []StepFinding{{3, "not_met", "c"}, {1, "mostly", `{"score": 2}`}, {9, "met", ""}}
	if diff := cmp.Diff(want, a.findings); diff != "" {
		t.Error(diff)
	}
}

func TestReadStrictTakesTwoWords(t *testing.T) {
	for verdict, ok := range map[string]bool{`"pass"`: true, `"fail"`: true, `"Pass"`: false, `"mostly"`: false, `true`: false, `100`: false, `null`: false, `""`: false} {
		_, wrong := readStrict([]byte(`{"findings":[],"reason":"r","verdict":` + verdict + `}`))
		if (wrong == nil) != ok {
			t.Errorf("%s: mistake %v", verdict, wrong)
		}
	}
	if _, wrong := readStrict([]byte(`{"findings":[],"reason":"r","score":10}`)); wrong == nil {
		t.Error("a score was taken for a verdict")
	}
}

func TestReadTask(t *testing.T) {
	if task, wrong := readTask([]byte(`{"task":"Book a room."}`)); wrong != nil || task != "Book a room." {
		t.Errorf("task %q, mistake %v", task, wrong)
	}
	for _, bad := range []string{`{"task":""}`, `{"task":" \u200b"}`, `{"task":null}`, `{"task":["a"]}`, `{"goal":"a"}`, `{}`} {
		if task, wrong := readTask([]byte(bad)); wrong == nil {
			t.Errorf("%s gave %q", bad, task)
		}
	}
}

// The span of a number is where it stands, and it never leaves the scale.
func TestReadScoreProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reason, err := json.Marshal(rapid.String().Draw(t, "reason"))
		if err != nil {
			t.Fatal(err)
		}
		literal := rapid.SampledFrom([]string{"%", `"%"`, " % ", "\n\t%"}).Draw(t, "form")
		value := rapid.OneOf(
			rapid.Map(rapid.IntRange(-20, 200), strconv.Itoa),
			rapid.Map(rapid.Float64Range(-20, 200), func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) }),
			rapid.String().Filter(func(s string) bool { return !strings.ContainsAny(s, "\"\\") }),
		).Draw(t, "value")
		object := `{"findings":[],"reason":` + string(reason) + `,"score":` + strings.Replace(literal, "%", value, 1) + `}`
		a, wrong := readScore([]byte(object), 10)
		if wrong != nil {
			return
		}
		n := a.number
		if !(n.value >= 0 && n.value <= 10) {
			t.Fatalf("%s gave %v", object, n.value)
		}
		at, err := strconv.ParseFloat(strings.TrimSpace(object[n.start:n.end]), 64)
		if err == nil && at != n.value {
			t.Fatalf("%s: %v stands at the span of %v", object, at, n.value)
		}
	})
}

// Recorded answers of a judge that was asked for a bare number. None is an
// answer of our schema; quoted as the score, only those that are a number and
// nothing else count, with their decimals.
func TestParserCorpus(t *testing.T) {
	raw, err := os.ReadFile(sharedReplay(t, "parser_corpus.json"))
	if err != nil {
		t.Fatal(err)
	}
	var corpus []struct {
		Response string `json:"response"`
	}
	if err := json.Unmarshal(raw, &corpus); err != nil {
		t.Fatal(err)
	}
	if len(corpus) != 511 {
		t.Fatalf("%d answers, the file is known to hold 511", len(corpus))
	}
	bare := regexp.MustCompile(`^\s*(\d+(?:\.\d+)?)\s*$`)
	taken := 0
	for _, c := range corpus {
		if a, wrong := readScore([]byte(c.Response), 10); wrong == nil {
			t.Errorf("%q alone gave %v", c.Response, a.number.value)
		}
		quoted, err := json.Marshal(c.Response)
		if err != nil {
			t.Fatal(err)
		}
		a, wrong := readScore(scored(string(quoted)), 10)
		m := bare.FindStringSubmatch(c.Response)
		if m == nil {
			if wrong == nil {
				t.Errorf("%q was taken as %v", c.Response, a.number.value)
			}
			continue
		}
		want, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		if want > 10 {
			if wrong == nil {
				t.Errorf("%q is outside the scale and was taken as %v", c.Response, a.number.value)
			}
			continue
		}
		taken++
		if wrong != nil || a.number.value != want {
			t.Errorf("%q gave %v (%v), want %v", c.Response, a.number.value, wrong, want)
		}
	}
	t.Logf("%d of %d answers are a number and nothing else", taken, len(corpus))
}
