package offline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// stepsFound gives the steps of a definition as text.
func stepsFound(definition string) []string {
	out := []string{}
	for _, s := range extract(definition) {
		out = append(out, s.of(definition))
	}
	return out
}

// TestExtract finds the steps of the definitions in testdata/steps.
func TestExtract(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/steps/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	definitions := 0
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(archive.Files); i += 2 {
			definition, steps := archive.Files[i], archive.Files[i+1]
			if steps.Name != definition.Name+".steps" {
				t.Fatalf("%s: %q is followed by %q, want its steps", name, definition.Name, steps.Name)
			}
			definitions++
			t.Run(definition.Name, func(t *testing.T) {
				t.Parallel()
				want := []string{}
				for l := range strings.Lines(string(steps.Data)) {
					want = append(want, strings.ReplaceAll(strings.TrimSuffix(l, "\n"), `\n`, "\n"))
				}
				got := stepsFound(strings.TrimSuffix(string(definition.Data), "\n"))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("steps (-want +got):\n%s", diff)
				}
			})
		}
	}
	if definitions < 80 {
		t.Errorf("%d definitions, want at least 80", definitions)
	}
}

func TestExtractKeepsLineBreaksOut(t *testing.T) {
	t.Parallel()
	got := stepsFound("1. States the total.\r\n2. States the currency.\r\n")
	if diff := cmp.Diff([]string{"States the total.", "States the currency."}, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// TestExtractMarks tries every list mark with the same three items.
func TestExtractMarks(t *testing.T) {
	t.Parallel()
	items := []string{"names the town", "names the river", "names the bridge"}
	for name, marks := range map[string][3]string{
		"dash": {"- ", "- ", "- "}, "star": {"* ", "* ", "* "}, "plus": {"+ ", "+ ", "+ "}, "dot": {"• ", "• ", "• "}, "en dash": {"– ", "– ", "– "}, "em dash": {"— ", "— ", "— "}, "square": {"▪", "▪", "▪"}, "tick": {"✓ ", "✓ ", "✓ "}, "arrow": {"→ ", "→ ", "→ "},
		"box": {"- [ ] ", "- [x] ", "- [X] "}, "decimal": {"1. ", "2. ", "3. "}, "paren": {"1) ", "2) ", "3) "}, "parens": {"(1) ", "(2) ", "(3) "}, "brackets": {"[1] ", "[2] ", "[3] "}, "wide": {"1．", "2．", "3．"}, "nested numbers": {"1.1. ", "1.2. ", "1.3. "},
		"lower": {"a) ", "b) ", "c) "}, "upper": {"A. ", "B. ", "C. "}, "letter parens": {"(a) ", "(b) ", "(c) "}, "roman": {"i. ", "ii. ", "iii. "}, "upper roman": {"I. ", "II. ", "III. "}, "roman paren": {"(i) ", "(ii) ", "(iii) "},
		"circled": {"① ", "② ", "③ "}, "parenthesised sign": {"⑴ ", "⑵ ", "⑶ "}, "full stop sign": {"⒈ ", "⒉ ", "⒊ "}, "negative circled": {"❶ ", "❷ ", "❸ "}, "han": {"一、", "二、", "三、"}, "han parens": {"（一）", "（二）", "（三）"},
		"arabic digits": {"١. ", "٢. ", "٣. "}, "persian digits": {"۱. ", "۲. ", "۳. "}, "devanagari digits": {"१. ", "२. ", "३. "}, "thai digits": {"๑. ", "๒. ", "๓. "}, "cyrillic letters": {"а) ", "б) ", "в) "}, "greek letters": {"α) ", "β) ", "γ) "}, "hangul": {"가. ", "나. ", "다. "},
		"step": {"Step 1: ", "Step 2: ", "Step 3: "}, "step dot": {"STEP 1. ", "STEP 2. ", "STEP 3. "}, "schritt": {"Schritt 1: ", "Schritt 2: ", "Schritt 3: "}, "étape": {"Étape 1 : ", "Étape 2 : ", "Étape 3 : "}, "paso": {"Paso 1: ", "Paso 2: ", "Paso 3: "}, "шаг": {"Шаг 1. ", "Шаг 2. ", "Шаг 3. "}, "adım": {"1. adım: ", "2. adım: ", "3. adım: "}, "第": {"第1步：", "第2步：", "第3步："}, "단계": {"1단계: ", "2단계: ", "3단계: "}, "q": {"Q1: ", "Q2: ", "Q3: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			b.WriteString("The reply is judged by this:\n")
			for i, item := range items {
				b.WriteString(marks[i] + item + "\n")
			}
			if diff := cmp.Diff(items, stepsFound(b.String())); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

// TestExtractNotMarks: what looks like a mark in running text is none.
func TestExtractNotMarks(t *testing.T) {
	t.Parallel()
	for _, definition := range []string{
		"3.5 is the mean.\n4.5 is the median.",
		"12:30 is the start.\n13:45 is the end.",
		"-5 degrees is the minimum.\n-3 degrees is the maximum.",
		"e.g. a name\ni.e. a place",
		"A response is good.\nA response is fair.",
		"I. M. Pei drew it.",
	} {
		if got := stepsFound(definition); len(got) > 0 {
			t.Errorf("extract(%q) = %q, want none", definition, got)
		}
	}
}

// FuzzExtract: whatever the definition, the spans are in order, apart, and
// whole characters of it.
func FuzzExtract(f *testing.F) {
	files, _ := filepath.Glob("testdata/steps/*.txtar")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(data).Files {
			f.Add(string(file.Data))
		}
	}
	f.Add("- \n1.\n(a\n[\n**1.**\n|||\n|-|-|\n\"'«“")
	f.Fuzz(func(t *testing.T, definition string) {
		last := 0
		for _, s := range extract(definition) {
			if s.start < last || s.end <= s.start || s.end > len(definition) {
				t.Fatalf("span %v after %d in %q", s, last, definition)
			}
			if text := s.of(definition); utf8.ValidString(definition) && !utf8.ValidString(text) {
				t.Fatalf("span %v cuts a character of %q", s, definition)
			}
			last = s.end
		}
		resolve(request{Definition: definition, Fields: []string{"output"}})
		generate(request{Definition: definition})
		reviewSafety(request{Definition: definition})
	})
}
