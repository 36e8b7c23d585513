package registry_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bailiff/cmd/internal/registry"
	"bailiff/rubric"
)

func TestParseRef(t *testing.T) {
	for text, want := range map[string]int{
		"tone@3": 3, "Tone.v2_x-y@12": 12, "9@1": 1,
		"tone": 0, "tone@": 0, "@1": 0, "tone@0": 0, "tone@-1": 0, "tone@01": 0, "tone@+1": 0, "tone@1.0": 0, "tone@1@2": 0, "a b@1": 0, "-a@1": 0,
		"tone@latest": 0, "ton\u00e9@1": 0, "tone@99999999999999999999": 0, strings.Repeat("x", registry.MaxName+1) + "@1": 0, "tone@1\n": 0,
	} {
		name, number, ok := registry.ParseRef(text)
		if ok != (want > 0) || number != want || ok && registry.Version.Ref(registry.Version{Name: name, Number: number}) != text {
			t.Errorf("%q: %q, %d, %v", text, name, number, ok)
		}
	}
}

func TestSumTellsEveryPartApart(t *testing.T) {
	seen := map[string]int{}
	for i, v := range []struct {
		text   string
		steps  []string
		fields []rubric.Field
	}{
		{"a", nil, nil}, {"a ", nil, nil}, {"", []string{"a"}, nil}, {"", []string{"a", ""}, nil}, {"a", []string{"b"}, nil}, {"a", []string{"b", "c"}, nil},
		{"a", []string{"bc"}, nil}, {"a", nil, []rubric.Field{"output"}}, {"a", []string{"output"}, nil}, {"a", nil, []rubric.Field{"output", "input"}},
	} {
		sum := registry.Sum(v.text, v.steps, v.fields)
		if j, ok := seen[sum]; ok {
			t.Errorf("%d and %d have one sum", i, j)
		}
		seen[sum] = i
	}
}

func TestDiff(t *testing.T) {
	piece := func(op registry.Op, text string) registry.Piece { return registry.Piece{Op: op, Text: text} }
	for _, tt := range []struct {
		name, from, to string
		want           []registry.Piece
	}{
		{"equal", "The reply is kind.", "The reply is kind.", []registry.Piece{piece("equal", "The reply is kind.")}},
		{"nothing", "", "", []registry.Piece{}},
		{"all new", "", "a b", []registry.Piece{piece("insert", "a b")}},
		{"a word", "The reply is kind.", "The answer is kind.", []registry.Piece{piece("equal", "The "), piece("delete", "reply"), piece("insert", "answer"), piece("equal", " is kind.")}},
		{"words in a row", "a b c d", "a x y d", []registry.Piece{piece("equal", "a "), piece("delete", "b"), piece("insert", "x"), piece("equal", " "), piece("delete", "c"), piece("insert", "y"), piece("equal", " d")}},
		{"at the end", "a", "a b", []registry.Piece{piece("equal", "a"), piece("insert", " b")}},
		{"line breaks", "a\nb", "a\n\nb", []registry.Piece{piece("equal", "a"), piece("delete", "\n"), piece("insert", "\n\n"), piece("equal", "b")}},
	} {
		if diff := cmp.Diff(tt.want, registry.Diff(tt.from, tt.to)); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

// Both texts can be had back from a diff, whatever they are.
func TestDiffLosesNothing(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "the reply", " ", "\n", "\u00a0", "é", "\xff", "."}), 0, 30).Draw(t, "pieces"), "")
	})
	rapid.Check(t, func(t *rapid.T) {
		from, to := text.Draw(t, "from"), text.Draw(t, "to")
		restored(t, from, to)
	})
	long := strings.Repeat("one two three four ", 1500)
	restored(t, long, strings.ReplaceAll(long, "two", "2")+"end") // too many words to compare one by one
}

func restored(t rapid.TB, from, to string) {
	var older, newer strings.Builder
	last := registry.Equal
	for i, p := range registry.Diff(from, to) {
		if p.Text == "" || i > 0 && p.Op == last {
			t.Errorf("an empty piece, or two of one kind in a row: %+v", p)
		}
		last = p.Op
		if p.Op != registry.Insert {
			older.WriteString(p.Text)
		}
		if p.Op != registry.Delete {
			newer.WriteString(p.Text)
		}
	}
	if older.String() != from || newer.String() != to {
		t.Errorf("%q and %q do not come back", from, to)
	}
}

func TestChanged(t *testing.T) {
	got := registry.Changed([]string{"a", "b"}, []string{"b", "c"})
	if diff := cmp.Diff(registry.Changes{Added: []string{"c"}, Removed: []string{"a"}}, got); diff != "" {
		t.Error(diff)
	}
}
