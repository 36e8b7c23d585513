package guard

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestPatternsAreReadInTheirViewsAlone holds that a pattern which names views
// is matched in no other.
func TestPatternsAreReadInTheirViewsAlone(t *testing.T) {
	entry := func(id, views string) string {
		return `
  - id: ` + id + `
    category: test
    severity: high
    languages: [en]
    pattern: '\bignore previous\b'
    views: ` + views + `
    why: for the test
    references: [OWASP-LLM01]
    match: ["ignore previous"]
    no_match: ["ignore later"]`
	}
	packs, err := LoadPacks(fstest.MapFS{"patterns/test.yaml": {Data: []byte("pack: test\npatterns:" +
		entry("test.all", "[]") + entry("test.text", "[text]") + entry("test.loose", "[loose]") + "\n")}}, "patterns")
	if err != nil {
		t.Fatal(err)
	}
	s, err := newScanner(packs)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"please ignore previous notes":         "test.all test.text",
		"please 1gn0re prev10us notes":         "test.all test.loose",
		"please i g n o r e  p r e v i o u s!": "test.all test.loose",
		"please ignore later notes":            "",
	} {
		marks, _ := s.scan(text)
		var got []string
		for _, m := range marks {
			if !slices.Contains(got, m.RuleID) {
				got = append(got, m.RuleID)
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", text, got, want)
		}
	}
}
