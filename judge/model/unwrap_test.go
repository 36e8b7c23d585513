package model_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bailiff/judge/model"
)

// FuzzUnwrap checks what an answer's object always is: a part of the content,
// one JSON object, without a member twice.
func FuzzUnwrap(f *testing.F) {
	for _, seed := range []string{
		`{"score": 8}`, "```json\n{\"a\":[{}]}\n```", `<think>{"a":1}</think>{"b":2}`, `{} {}`, `{"a":1,"a":2}`, "\ufeff{}",
		`[{}]`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `<think>`, `</think>{}`, `{"a":{"a":{}}}`, `<THINK></thInk>{}`, `{"\u0061":1,"a":1}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		object, start, err := model.Unwrap(content)
		if err != nil {
			if object != nil || start != 0 {
				t.Fatalf("object %q at %d with error %v", object, start, err)
			}
			if strings.TrimSpace(content) != "" && len(content) > 8 && strings.Contains(err.Error(), content) {
				t.Fatalf("the error %q holds the content", err)
			}
			return
		}
		if content[start:start+len(object)] != string(object) || object[0] != '{' || object[len(object)-1] != '}' {
			t.Fatalf("%q is not at %d of %q", object, start, content)
		}
		if !json.Valid(object) {
			t.Fatalf("%q is not JSON", object)
		}
		if again, at, err := model.Unwrap(string(object)); err != nil || at != 0 || !bytes.Equal(again, object) {
			t.Fatalf("the object %q unwraps to %q at %d, %v", object, again, at, err)
		}
		if _, _, err := model.Unwrap(content + string(object)); err == nil {
			t.Fatalf("twice the object in %q is accepted", content+string(object))
		}
	})
}

// TestUnwrapProperty wraps any object in harmless text and finds it again.
func TestUnwrapProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object, err := json.Marshal(rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "object"))
		if err != nil {
			t.Fatal(err)
		}
		outside := rapid.StringMatching(`[^{}\[\]<>]*`)
		before := outside.Draw(t, "before") + rapid.SampledFrom([]string{"", "<think>{\"a\": 1}</think>", "```\n"}).Draw(t, "wrap")
		after := outside.Draw(t, "after")
		got, start, err := model.Unwrap(before + string(object) + after)
		if err != nil || start != len(before) || !bytes.Equal(got, object) {
			t.Fatalf("got %q at %d, %v", got, start, err)
		}
	})
}

// TestUnwrapIsLinear gives a megabyte of what could be read over and over.
func TestUnwrapIsLinear(t *testing.T) {
	const size = 1 << 20
	for name, content := range map[string]string{
		"open braces":    strings.Repeat("{", size),
		"open thoughts":  strings.Repeat("<think>", size/7),
		"angles":         strings.Repeat("<", size),
		"half closings":  "<think>" + strings.Repeat("</thin", size/6),
		"thoughts":       strings.Repeat("<think></think>", size/15),
		"nested members": strings.Repeat(`{"a":`, size/5),
		"many members":   "{" + strings.TrimSuffix(strings.Repeat(`"a":1,`, size/6), ",") + "}",
		"long string":    `{"a":"` + strings.Repeat("x", size) + `"}`,
		"brackets":       strings.Repeat("[ ", size/2),
		"white space":    "[" + strings.Repeat(" ", size) + "{}",
	} {
		started := time.Now()
		_, _, _ = model.Unwrap(content)
		if took := time.Since(started); took > 2*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
