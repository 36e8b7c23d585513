package model_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tiktoken-go/tokenizer"

	"bailiff/judge/model"
)

func TestCountTokens(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"empty":    "",
		"word":     "hello",
		"sentence": "Check whether the response names the date of the hearing.",
		"json":     `{"findings": [{"step": 1, "evidence": "x", "verdict": "met"}], "score": 8}`,
		"long":     strings.Repeat("The quick brown fox jumps over the lazy dog.\n", 200),
		"greek":    strings.Repeat("Ελέγξτε αν η απάντηση αναφέρει την ημερομηνία. ", 40),
		"chinese":  strings.Repeat("检查回答是否说明了日期", 60),
	} {
		exact, err := codec.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := model.CountTokens(text); got < exact || float64(got) > float64(exact)*1.05+1 {
			t.Errorf("%s: %d tokens, the tokenizer counts %d", name, got, exact)
		}
	}
	long := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 10_000)
	exact := 10 * 10_000
	if got := model.CountTokens(long); got < exact*95/100 || got > exact*105/100 {
		t.Errorf("a long text has %d tokens, want about %d", got, exact)
	}
}

// TestCountTokensIsBounded gives a megabyte of what tokenizers are slow on.
func TestCountTokensIsBounded(t *testing.T) {
	model.CountTokens("load")
	for name, text := range map[string]string{
		"one letter":  strings.Repeat("a", 1<<20),
		"spaces":      strings.Repeat(" ", 1<<20),
		"line breaks": strings.Repeat("\n", 1<<20),
		"punctuation": strings.Repeat("!", 1<<20),
		"digits":      strings.Repeat("7", 1<<20),
		"marks":       strings.Repeat("e\u0301", 1<<18),
		"invalid":     strings.Repeat("\xff", 1<<20),
		"mixed":       strings.Repeat("aA1 \n!", 1<<17),
		"emoji":       strings.Repeat("🦊", 1<<18),
	} {
		started := time.Now()
		n := model.CountTokens(text)
		if took := time.Since(started); took > 2*time.Second {
			t.Errorf("%s took %v", name, took)
		}
		if n <= 0 || n > len(text) {
			t.Errorf("%s has %d tokens", name, n)
		}
	}
}
