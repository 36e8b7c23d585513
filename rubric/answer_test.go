package rubric

import (
	"encoding/json"
	"strings"
	"testing"
)

// An answer that is taken has every member once, with its exact name and type:
// the plain decoder, told to refuse unknown members, reads the same from it.
func FuzzParseSemantic(f *testing.F) {
	for _, seed := range []string{
		noSteps,
		`{"steps":[{"step":"a","included":true,"reason":null},{"step":"b","included":false,"reason":"duplicate"}],"missing_fields":["context"],"suggestions":["x"],"explanation":"","is_rubric":false,"coherent":false,"applicable":false}`,
		strings.Replace(noSteps, `"is_rubric":true`, `"is_rubric":false,"is_rubric":true`, 1),
		strings.ToUpper(noSteps), `{}`, `[]`, `null`, noSteps + noSteps,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		a, err := parseSemantic(object)
		if err != nil {
			return
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(object, &members) != nil || len(members) != 7 {
			t.Fatalf("taken with %d members: %q", len(members), object)
		}
		for _, word := range []struct {
			name string
			got  bool
		}{{"is_rubric", a.IsRubric}, {"coherent", a.Coherent}, {"applicable", a.Applicable}} {
			if string(members[word.name]) != map[bool]string{true: "true", false: "false"}[word.got] {
				t.Fatalf("%s is %s and was read as %v", word.name, members[word.name], word.got)
			}
		}
		for _, s := range a.Steps {
			if s.Included != (s.Reason == "") {
				t.Fatalf("a step that contradicts itself: %+v", s)
			}
		}
	})
}

// Steps that are taken are one to five, trimmed, none empty, none twice.
func FuzzParseGenerated(f *testing.F) {
	for _, seed := range []string{twoSteps, `{"steps":[]}`, `{"steps":["a","a"]}`, `{"steps":[" a "],"steps":[]}`, `{"steps":["a","b","c","d","e","f"]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		steps, err := parseGenerated(object)
		if err != nil {
			return
		}
		if len(steps) < 1 || len(steps) > maxGenerated {
			t.Fatalf("%d steps", len(steps))
		}
		for i, s := range steps {
			if s == "" || s != strings.TrimSpace(s) || foldStep(s) == "" {
				t.Fatalf("step %d is %q", i, s)
			}
			for _, other := range steps[:i] {
				if other == s {
					t.Fatalf("%q is there twice", s)
				}
			}
		}
	})
}
