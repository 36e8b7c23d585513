package model

import (
	"math/big"
	"strings"
)

// Cost is an amount of US dollars that may be partly unknown: a call whose
// price is unknown adds to Unpriced, never a zero to the amount. The zero
// value is a known cost of nothing.
type Cost struct {
	pico     int64 // known part in 1e-12 USD
	Unpriced int   // calls whose price is unknown
}

// Price is what a model costs, in US dollars per million tokens.
type Price struct {
	Input  float64
	Output float64
	Cached float64 // of an input token served from the provider's cache; 0 means as Input
}

// Of is the cost of one call's tokens.
func (p *Price) Of(input, output, cached int) Cost {
	if p == nil {
		return Cost{Unpriced: 1}
	}
	c := p.Cached
	if c == 0 {
		c = p.Input
	}
	// One dollar per million tokens is 1e6 pico-dollars per token.
	pico := func(tokens int, usdPerMillion float64) int64 {
		return int64(float64(tokens)*usdPerMillion*1e6 + 0.5)
	}
	return Cost{pico: pico(input-cached, p.Input) + pico(cached, c) + pico(output, p.Output)}
}

// Add returns the sum; one unknown part does not lose the known one.
func (c Cost) Add(d Cost) Cost {
	return Cost{pico: c.pico + d.pico, Unpriced: c.Unpriced + d.Unpriced}
}

// Complete reports whether every part has a price.
func (c Cost) Complete() bool { return c.Unpriced == 0 }

// Pico is the known part in 1e-12 US dollars.
func (c Cost) Pico() int64 { return c.pico }

// Known is the known part as a decimal string in US dollars: "0", "0.00042".
func (c Cost) Known() string {
	s := new(big.Rat).SetFrac64(c.pico, 1_000_000_000_000).FloatString(12)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// String is Known when the cost is complete, else "" (unknown).
func (c Cost) String() string {
	if !c.Complete() {
		return ""
	}
	return c.Known()
}
