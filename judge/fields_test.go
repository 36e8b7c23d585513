package judge

import (
	"testing"

	"bailiff/rubric"
)

func TestBlank(t *testing.T) {
	for _, s := range []string{
		"", " ", "\t\r\n\v\f", "\u00a0\u2003\u3000", "\u200b\u200c\u200d\u2060\ufeff", "\u00ad", "\u115f\u1160\u3164\uffa0", "\u2028\u2029",
		"\ufe0f", "\U000e0041\U000e007f", "\U000e0100", "\u034f", "\u180e", "\u061c", "\u2066\u2069", "\u2800", "\x00\x1b", "\u17b4",
	} {
		if !Blank(s) {
			t.Errorf("%q shows something", s)
		}
	}
	for _, s := range []string{"0", ".", "-", "null", "é", "\u0301a", "字", "👍", "\u200b0\u200b", "\ufffd", "٨"} {
		if Blank(s) {
			t.Errorf("%q shows nothing", s)
		}
	}
}

func TestRecordEmpty(t *testing.T) {
	for _, c := range []struct {
		name   string
		record Record
		field  rubric.Field
		empty  bool
	}{
		{"nothing", Record{}, rubric.Output, true},
		{"another field", Record{Output: "x"}, rubric.Input, true},
		{"a zero", Record{Output: "0"}, rubric.Output, false},
		{"no list", Record{}, rubric.Context, true},
		{"an empty list", Record{Context: []string{}}, rubric.Context, true},
		{"a list of blanks", Record{Context: []string{"", " ", "\u200b"}}, rubric.Context, true},
		{"a list with one text", Record{Context: []string{"", "x"}}, rubric.Context, false},
		{"retrieval context alone", Record{RetrievalContext: []string{"x"}}, rubric.Context, false},
	} {
		if got := c.record.empty(c.field); got != c.empty {
			t.Errorf("%s: empty is %v", c.name, got)
		}
	}
}

func TestSelectedFieldsAreOrderedAndOnce(t *testing.T) {
	got := selectedFields([]rubric.Field{rubric.GoldenAnswer, rubric.Output, rubric.GoldenAnswer})
	if len(got) != 2 || got[0] != rubric.Output || got[1] != rubric.GoldenAnswer {
		t.Errorf("selected %v", got)
	}
	if got := selectedFields(nil); len(got) != len(rubric.Fields()) {
		t.Errorf("no selection gives %v", got)
	}
}
