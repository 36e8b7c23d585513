package judge

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"bailiff/judge/model"
)

// longAnswer is an answer of about n tokens with 20 alternatives each, the
// score's among them.
func longAnswer(n int) (string, []model.Token) {
	pieces := []string{`{"findings":[],"reason":"`}
	for i := range n {
		pieces = append(pieces, "word"+strconv.Itoa(i)+" ")
	}
	pieces = append(pieces, `","score":`, "§8", "}")
	top := map[string]float64{}
	for i := range 11 {
		top[strconv.Itoa(i)] = 0.05
	}
	top["8"] = 0.4
	content, tokens := spell(top, pieces...)
	for i := range tokens {
		for len(tokens[i].Top) < 20 {
			tokens[i].Top = append(tokens[i].Top, model.Alternative{Text: "x" + strconv.Itoa(len(tokens[i].Top)), Logprob: math.Log(1e-6)})
		}
	}
	return content, tokens
}

func BenchmarkReadScore(b *testing.B) {
	content, _ := longAnswer(200)
	b.ReportAllocs()
	for b.Loop() {
		if _, wrong := readScore([]byte(content), 10); wrong != nil {
			b.Fatal(wrong)
		}
	}
}

func BenchmarkWeigh(b *testing.B) {
	content, tokens := longAnswer(200)
	at := strings.LastIndex(content, "8")
	b.ReportAllocs()
	for b.Loop() {
		if _, reason := weigh(content, at, at+1, tokens, 10); reason != "" {
			b.Fatal(reason)
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	bench := newBench(b)
	req := bench.request(script(nil))
	req.Record.Output = strings.Repeat("On 3 May at ten, in room 4. ", 40)
	b.ReportAllocs()
	for b.Loop() {
		if o := bench.judge.Evaluate(b.Context(), req); o.Status != Scored {
			b.Fatalf("%+v", o.Fault)
		}
	}
}

func BenchmarkParseTrace(b *testing.B) {
	raw := []byte("[" + strings.TrimSuffix(strings.Repeat(`{"type":"tool","name":"find","input":{"room":"hall"},"output":{"id":"L-42","text":"a lamp of brass"}},`, 50), ",") + "]")
	b.ReportAllocs()
	for b.Loop() {
		t, err := ParseTrace(raw)
		if err != nil || len(Facts(t)) == 0 {
			b.Fatal(err)
		}
	}
}
