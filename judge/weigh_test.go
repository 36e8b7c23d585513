package judge

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bailiff/judge/model"
)

// tok makes a token with linear probabilities, the token's own among them.
func tok(text string, top map[string]float64) model.Token {
	t := model.Token{Bytes: []byte(text), Logprob: math.Log(0.999)}
	for alt, p := range top {
		t.Top = append(t.Top, model.Alternative{Text: alt, Logprob: math.Log(p)})
		if alt == text {
			t.Logprob = math.Log(p)
		}
	}
	slices.SortFunc(t.Top, func(a, b model.Alternative) int {
		if a.Logprob != b.Logprob && a.Logprob > b.Logprob {
			return -1
		}
		return 1
	})
	return t
}

// spell splits a text into one token for each piece; the piece that begins
// with "§" carries the alternatives.
func spell(top map[string]float64, pieces ...string) (string, []model.Token) {
	var content strings.Builder
	var tokens []model.Token
	for _, p := range pieces {
		text, marked := strings.CutPrefix(p, "§")
		content.WriteString(text)
		alts := map[string]float64{text: 0.999}
		if marked {
			alts = top
		}
		tokens = append(tokens, tok(text, alts))
	}
	return content.String(), tokens
}

// find reads a bare object {"score": …} the way the score stage does, with the
// members that the schema wants beside it put in.
func find(content string, tokens []model.Token, scale int) (answer, distribution, string, *mistakeError) {
	a, wrong := readScore([]byte(content), scale)
	if wrong != nil {
		return a, distribution{}, "", wrong
	}
	if !a.number.integer {
		return a, distribution{}, ReasonDecimal, nil
	}
	d, reason := weigh(content, a.number.start, a.number.end, tokens, scale)
	return a, d, reason, nil
}

func TestWeighing(t *testing.T) {
	even := map[string]float64{"6": 0.5, "5": 0.3, "7": 0.2}
	head := []string{`{"findings":[],"reason":"`}
	for _, c := range []struct {
		name   string
		scale  int
		top    map[string]float64
		pieces []string
		mean   float64
		mass   float64
		reason string
		raw    float64
	}{
		{name: "number after a digit in the reason", top: even, pieces: []string{"6 of 6", `","score":`, "§6", "}"}, mean: 5.9, mass: 1},
		{name: "space before the number", top: even, pieces: []string{"ok", `","score":`, " ", "§6", "}"}, mean: 5.9, mass: 1},
		{name: "space in the token", top: map[string]float64{" 6": 0.5, " 5": 0.3, "7": 0.2}, pieces: []string{"ok", `","score":`, "§ 6", "}"}, mean: 5.9, mass: 1},
		{name: "bracket in the token", top: map[string]float64{"6}": 0.6, "5}": 0.4}, pieces: []string{"ok", `","score":`, "§6}"}, mean: 5.6, mass: 1},
		{name: "quoted number", top: even, pieces: []string{"ok", `","score":"`, "§6", `"}`}, mean: 5.9, mass: 1},
		{name: "quotation marks in the token", top: map[string]float64{`"6"`: 0.6, `"5"`: 0.4}, pieces: []string{"ok", `","score":`, `§"6"`, `}`}, mean: 5.6, mass: 1},
		{name: "spread over lines", top: even, pieces: []string{"ok", "\",\n  \"score\"", ":\n\t", "§6", "\n}"}, mean: 5.9, mass: 1},
		{name: "score in the middle", top: even, pieces: []string{"ok", `","score":`, "§6", `,"note":"not `, "6", `"}`}, mean: 5.9, mass: 1},
		{name: "neighbours off the scale", top: map[string]float64{"9": 0.7, "90": 0.2, "-9": 0.1}, pieces: []string{"ok", `","score":`, "§9", "}"}, mean: 9, mass: 0.7},
		{name: "half a digit is no integer", top: map[string]float64{"9": 0.7, "09": 0.1, "9.": 0.1, "nine": 0.1}, pieces: []string{"ok", `","score":`, "§9", "}"}, mean: 9, mass: 0.7},
		{name: "alternatives of the same number add up", top: map[string]float64{"4": 0.3, " 4": 0.3, "2": 0.4}, pieces: []string{"ok", `","score":`, "§4", "}"}, mean: 3.2, mass: 1},
		{name: "share under the floor", top: map[string]float64{"4": 0.9, "3": 0.09, "0": 0.0099}, pieces: []string{"ok", `","score":`, "§4", "}"}, mean: (4*0.9 + 3*0.09) / 0.99, mass: 0.99},
		{name: "just enough mass", top: map[string]float64{"4": 0.3, "2": 0.2, "x": 0.5}, pieces: []string{"ok", `","score":`, "§4", "}"}, mean: 3.2, mass: 0.5},
		{name: "token missing from its own list", top: map[string]float64{"5": 0.0005}, pieces: []string{"ok", `","score":`, "§6", "}"}, mean: 6, mass: 0.999},
		{name: "scale of a hundred", scale: 100, top: map[string]float64{"72": 0.5, "70": 0.25, "75": 0.25}, pieces: []string{"ok", `","score":`, "§72", "}"}, mean: 72.25, mass: 1},
		{name: "zero", top: map[string]float64{"0": 0.75, "1": 0.25}, pieces: []string{"ok", `","score":`, "§0", "}"}, mean: 0.25, mass: 1},

		{name: "too little mass", top: map[string]float64{"4": 0.3, "2": 0.15, "x": 0.5}, pieces: []string{"ok", `","score":`, "§4", "}"}, reason: ReasonLowMass, raw: 4},
		{name: "everything under the floor", top: map[string]float64{"4": 0.009, "2": 0.009}, pieces: []string{"ok", `","score":`, "§4", "}"}, reason: ReasonLowMass, raw: 4},
		{name: "number over two tokens", top: map[string]float64{"1": 0.9, "7": 0.1}, pieces: []string{"ok", `","score":`, "§1", "0", "}"}, reason: ReasonSeveralTokens, raw: 10},
		{name: "token that holds more than the number", top: map[string]float64{`":6`: 0.9}, pieces: []string{"ok", `","score`, `§":6`, "}"}, mean: 6, mass: 0.9},
		{name: "token with a letter in it", top: even, pieces: []string{"ok", `","scor`, `§e":6`, "}"}, reason: ReasonSeveralTokens, raw: 6},
		{name: "decimal", top: even, pieces: []string{"ok", `","score":`, "§6", ".", "5", "}"}, reason: ReasonDecimal, raw: 6.5},
		{name: "integer with a decimal point", top: even, pieces: []string{"ok", `","score":`, "§6", ".", "0", "}"}, reason: ReasonDecimal, raw: 6},
		{name: "exponent", top: even, pieces: []string{"ok", `","score":`, "§1", "e1", "}"}, reason: ReasonDecimal, raw: 10},
		{name: "probabilities over one", top: map[string]float64{"6": 0.8, "5": 0.8}, pieces: []string{"ok", `","score":`, "§6", "}"}, reason: ReasonBadLogprobs, raw: 6},
		{name: "positive log probability", top: map[string]float64{"6": 1.5}, pieces: []string{"ok", `","score":`, "§6", "}"}, reason: ReasonBadLogprobs, raw: 6},
		{name: "no alternatives", top: map[string]float64{}, pieces: []string{"ok", `","score":`, "§6", "}"}, reason: ReasonNoLogprobs, raw: 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.scale == 0 {
				c.scale = 10
			}
			content, tokens := spell(c.top, slices.Concat(head, c.pieces)...)
			a, d, reason, wrong := find(content, tokens, c.scale)
			if wrong != nil {
				t.Fatalf("%s: %v", content, wrong)
			}
			if reason != c.reason {
				t.Fatalf("reason %q, want %q", reason, c.reason)
			}
			if reason != "" {
				if a.number.value != c.raw {
					t.Errorf("raw %v, want %v", a.number.value, c.raw)
				}
				return
			}
			if math.Abs(d.mean-c.mean) > 1e-9 || math.Abs(d.mass-c.mass) > 1e-9 {
				t.Errorf("mean %v mass %v, want %v and %v", d.mean, d.mass, c.mean, c.mass)
			}
		})
	}
}

func TestWeighingSurvivesTextAroundTheObject(t *testing.T) {
	top := map[string]float64{"6": 0.5, "5": 0.3, "7": 0.2}
	content, tokens := spell(top, "Score below, 6 likely.\n", `{"findings":[],"reason":"ok","score":`, "§6", "}")
	start := strings.LastIndex(content, "6")
	if d, reason := weigh(content, start, start+1, tokens, 10); reason != "" || math.Abs(d.mean-5.9) > 1e-9 {
		t.Errorf("mean %v reason %q, want 5.9", d.mean, reason)
	}

	// What the model thought was taken out of the content, not out of the tokens.
	_, thought := spell(nil, "<think>", "a 6?", "</think>\n")
	if d, reason := weigh(content, start, start+1, slices.Concat(thought, tokens), 10); reason != "" || math.Abs(d.mean-5.9) > 1e-9 {
		t.Errorf("with a thought before it: mean %v reason %q, want 5.9", d.mean, reason)
	}
	marked := append(slices.Clone(tokens), tok("<|end|>", nil))
	if d, reason := weigh("x"+content, start+1, start+2, marked, 10); reason != "" || math.Abs(d.mean-5.9) > 1e-9 {
		t.Errorf("with a mark behind it: mean %v reason %q, want 5.9", d.mean, reason)
	}
	_, other := spell(top, "Score below, 6 likely!", `{"findings":[],"reason":"ok","score":`, "§6", ".}")
	if _, reason := weigh(content, start, start+1, other, 10); reason != ReasonTokenMismatch {
		t.Errorf("tokens that spell something else: reason %q", reason)
	}
}

func TestWeighingFindsTheTokenByBytes(t *testing.T) {
	top := map[string]float64{"6": 0.5, "5": 0.3, "7": 0.2}
	content, tokens := spell(top, `{"findings":[],"reason":"`, "gut 👍 fertig", `","score":`, "§6", "}")
	var split []model.Token
	for i, tk := range tokens {
		if i != 1 {
			split = append(split, tk)
			continue
		}
		for _, b := range tk.Bytes { // as tokenisers do, in the middle of a character
			split = append(split, model.Token{Bytes: []byte{b}, Logprob: -0.1})
		}
	}
	broken := slices.Clone(tokens) // the character's pieces given as text
	broken[1].Bytes = []byte("gut \ufffd\ufffd fertig")
	for name, tokens := range map[string][]model.Token{"in bytes": split, "in replacement characters": broken} {
		_, d, reason, wrong := find(content, tokens, 10)
		if wrong != nil || reason != "" || math.Abs(d.mean-5.9) > 1e-9 {
			t.Errorf("%s: mean %v, reason %q, mistake %v, want 5.9", name, d.mean, reason, wrong)
		}
	}
}

// The weighted score lies within the scale, whatever the alternatives are.
func TestWeighingStaysOnTheScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]int{10, 100}).Draw(t, "scale")
		top := map[string]float64{}
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			top[rapid.StringMatching(`[ "]?-?[0-9a-z]{1,3}[},]?`).Draw(t, "alternative")] = rapid.Float64Range(0, 0.3).Draw(t, "p")
		}
		raw := rapid.IntRange(0, scale).Draw(t, "raw")
		content, tokens := spell(top, `{"findings":[],"reason":"","score":`, fmt.Sprintf("§%d", raw), "}")
		_, d, reason, wrong := find(content, tokens, scale)
		if wrong != nil {
			t.Fatalf("%v", wrong)
		}
		if reason == "" && !(d.mean >= 0 && d.mean <= float64(scale) && d.sd >= 0 && d.mass >= minMass && d.mass <= 1) {
			t.Fatalf("%v gave %+v", top, d)
		}
	})
}

// vector is one case of a file of recorded tokens with the right score.
type vector struct {
	ID     string  `json:"id"`
	Scale  []int   `json:"scale"`
	Text   *string `json:"text"`
	Tokens []struct {
		Token string             `json:"token"`
		Top   map[string]float64 `json:"top"`
	} `json:"tokens"`
	Want struct {
		Raw    *float64 `json:"raw"`
		Method *string  `json:"method"`
		Score  *float64 `json:"score"`
		Mass   *float64 `json:"mass"`
	} `json:"want"`
}

// vectors reads the file where it lies beside this checkout.
func vectors(t *testing.T) []vector {
	t.Helper()
	raw, err := os.ReadFile(sharedReplay(t, "weighting_vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []vector `json:"vectors"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) == 0 {
		t.Fatal("the file holds no vectors")
	}
	return file.Vectors
}

// content is the answer of a vector. The vectors hold bare objects, so that
// the members of our schema that are not in it are put before the score.
func (v vector) content() (string, []model.Token) {
	var b strings.Builder
	var tokens []model.Token
	if v.Text != nil {
		b.WriteString(*v.Text)
	}
	for _, tk := range v.Tokens {
		b.WriteString(tk.Token)
		tokens = append(tokens, tok(tk.Token, tk.Top))
	}
	content := b.String()
	lead := `{"findings":[],`
	if !strings.Contains(content, `"reason"`) {
		lead += `"reason":"",`
	}
	rest := strings.TrimPrefix(content, "{")
	if len(tokens) > 0 {
		first := strings.TrimPrefix(string(tokens[0].Bytes), "{")
		tokens = slices.Concat([]model.Token{tok(lead, nil), tok(first, nil)}, tokens[1:])
	}
	return lead + rest, tokens
}

func TestWeightingVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			content, tokens := v.content()
			a, d, reason, wrong := find(content, tokens, v.Scale[1])
			if v.Want.Score == nil {
				if wrong == nil {
					t.Fatalf("%s gave %v, want none", content, a.number.value)
				}
				return
			}
			if wrong != nil {
				t.Fatalf("%s: %v", content, wrong)
			}
			method, score := MethodRaw, a.number.value
			if reason == "" {
				method, score = MethodLogprob, d.mean
			}
			if a.number.value != *v.Want.Raw || method != *v.Want.Method || math.Abs(score-*v.Want.Score) > 5e-5 {
				t.Errorf("raw %v method %s score %v, want %v %s %v", a.number.value, method, score, *v.Want.Raw, *v.Want.Method, *v.Want.Score)
			}
			if v.Want.Mass != nil && math.Abs(d.mass-*v.Want.Mass) > 1e-9 {
				t.Errorf("mass %v, want %v", d.mass, *v.Want.Mass)
			}
		})
	}
}
