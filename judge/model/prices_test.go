package model

import "testing"

func TestListPrice(t *testing.T) {
	for slug, want := range map[string]float64{
		"gpt-4o-mini":                0.15,
		"GPT-4o-mini":                0.15,
		"gpt-4o-mini-2024-07-18":     0.15,
		"gpt-4o-2024-08-06":          2.50,
		"gpt-4o-2024-05-13":          5,
		"openai/gpt-4.1":             2,
		"o4-mini":                    1.10,
		"claude-sonnet-4-5-20250929": 3,
		"claude-3-5-haiku-latest":    0.80,
		"google/gemini-2.5-flash":    0.30,
	} {
		if p := ListPrice(slug); p == nil || p.Input != want {
			t.Errorf("%s costs %+v, want %v for input", slug, p, want)
		}
	}
	for _, slug := range []string{"", "gpt", "my-own", "gpt-4o-mini-tuned", "ft:gpt-4o-mini:acme::abc", "llama3.2:3b", "acme/"} {
		if p := ListPrice(slug); p != nil {
			t.Errorf("%q costs %+v, want it unknown", slug, p)
		}
	}
	a, b := ListPrice("gpt-4o"), ListPrice("gpt-4o")
	if a.Input = 99; b.Input == 99 {
		t.Error("a caller can change the list")
	}
	for slug, p := range prices {
		if p.Input <= 0 || p.Output < p.Input || p.Cached > p.Input {
			t.Errorf("%s costs %+v", slug, p)
		}
	}
	if PricesAsOf().IsZero() {
		t.Error("the list has no date")
	}
}

func TestCost(t *testing.T) {
	price := &Price{Input: 0.15, Output: 0.60, Cached: 0.075}
	if got := price.Of(2000, 300, 500).Known(); got != "0.0004425" {
		t.Errorf("cost is %s, want 0.0004425", got)
	}
	var none *Price
	sum := price.Of(2000, 300, 500).Add(none.Of(1, 1, 0))
	if sum.Complete() || sum.String() != "" || sum.Known() != "0.0004425" {
		t.Errorf("with an unknown part: %q, known %q", sum, sum.Known())
	}
	if (Cost{}).String() != "0" {
		t.Errorf("no call costs %q", Cost{})
	}
}
