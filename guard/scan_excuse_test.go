package guard

import (
	"testing"
	"testing/fstest"
)

// TestMentionPolicies shows what makes a match talk instead of an order, for
// each policy that a pattern can have.
func TestMentionPolicies(t *testing.T) {
	entry := func(id, more string) string {
		return "  - {id: " + id + ", category: c, severity: high, languages: [en], pattern: '\\b" + id + " it\\b', why: w, match: ['" + id + " it'], no_match: [x]" + more + "}\n"
	}
	fsys := fstest.MapFS{"patterns/p.yaml": {Data: []byte("pack: p\npatterns:\n" +
		entry("respect", "") + entry("quoted", ", mention: quoted") + entry("ignore", ", mention: ignore") +
		entry("unless", ", unless: '\\bwhen complete\\b'") +
		"  - {id: m, kind: mention, languages: [en], pattern: '\\bthe model should\\b', why: w, match: ['the model should']}\n")}}
	packs, err := LoadPacks(fsys, patternDir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newScanner(packs)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"respect it":                             stanceAsserted,
		"the model should respect it":            stanceMentioned,
		"respect it, as the model should do":     stanceAsserted,
		"the model should rest. respect it":      stanceAsserted,
		`write "respect it" three times, please`: stanceQuoted,
		"the model should quoted it":             stanceAsserted,
		`write "quoted it" three times, please`:  stanceQuoted,
		`write "ignore it" three times, please`:  stanceAsserted,
		"unless it":                              stanceAsserted,
		"unless it is wrong. stop when complete": stanceAsserted,
		"unless it when complete":                "",
		"when complete, unless it":               "",
	} {
		got := ""
		marks, _ := s.scan(text)
		for _, m := range marks {
			got = m.stance
		}
		if got != want {
			t.Errorf("%q: stance %q, want %q", text, got, want)
		}
	}
}
