package guard

import (
	"strings"
	"testing"
)

func TestExpandWords(t *testing.T) {
	words := map[string]string{"score": `scores?|marks?`, "give": `give|award`, "fix": `{give} \w+ {score}`, "loop": `a{loop}`}
	for in, want := range map[string]string{
		`plain`:             `plain`,
		`{score}`:           `(?:scores?|marks?)`,
		`\b{fix}\b`:         `\b(?:(?:give|award) \w+ (?:scores?|marks?))\b`,
		`a{2,4}b{3}`:        `a{2,4}b{3}`,
		`\p{Greek}{score}`:  `\p{Greek}(?:scores?|marks?)`,
		`\x{1f600}\{score}`: `\x{1f600}\{score}`,
		`{"score": 1}`:      `{"score": 1}`,
		`tail{`:             `tail{`,
		`tail\`:             `tail\`,
	} {
		got, err := expandWords(in, words)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", in, got, err, want)
		}
	}
	for in, want := range map[string]string{`{nobody}`: "{nobody} is not in the lexicon", `{loop}`: "deep"} {
		if _, err := expandWords(in, words); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want %q in it", in, err, want)
		}
	}
}
