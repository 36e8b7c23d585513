package judge

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func near(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil || math.Abs(*got-want) > 1e-6 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestCorrelationsOfKnownLists(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5}, []float64{2, 1, 4, 3, 5}
	near(t, "pearson", Pearson(x, y), 0.8)
	near(t, "spearman", Spearman(x, y), 0.8)
	near(t, "kendall", KendallB(x, y), 0.6)

	// Ties on both sides; τ-b by its definition: (5−0)/√(5·5).
	near(t, "kendall with ties", KendallB([]float64{1, 1, 2, 3}, []float64{1, 1, 2, 3}), 1)
	near(t, "kendall with other ties", KendallB([]float64{1, 1, 2, 2}, []float64{1, 2, 1, 2}), 0)
}

func TestCorrelationIsUndefinedWithoutDifferences(t *testing.T) {
	for _, lists := range [][2][]float64{
		{{1, 1, 1}, {1, 2, 3}}, {{1, 2, 3}, {0.1, 0.1, 0.1}}, {{1}, {1}}, {{}, {}},
	} {
		if Pearson(lists[0], lists[1]) != nil || Spearman(lists[0], lists[1]) != nil || KendallB(lists[0], lists[1]) != nil {
			t.Errorf("%v has a correlation", lists)
		}
	}
}

// kendallByPairs is τ-b straight from its definition.
func kendallByPairs(x, y []float64) *float64 {
	var concordant, discordant, tx, ty float64
	for i := range x {
		for j := range i {
			switch dx, dy := x[i]-x[j], y[i]-y[j]; {
			case dx == 0 && dy == 0:
			case dx == 0:
				tx++
			case dy == 0:
				ty++
			case (dx > 0) == (dy > 0):
				concordant++
			default:
				discordant++
			}
		}
	}
	d := math.Sqrt((concordant + discordant + tx) * (concordant + discordant + ty))
	if d == 0 {
		return nil
	}
	tau := (concordant - discordant) / d
	return &tau
}

func TestKendallEqualsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "n")
		draw := func(name string) []float64 {
			out := make([]float64, n)
			for i := range out {
				out[i] = float64(rapid.IntRange(0, 6).Draw(t, name))
			}
			return out
		}
		x, y := draw("x"), draw("y")
		got, want := KendallB(x, y), kendallByPairs(x, y)
		if (got == nil) != (want == nil) || got != nil && math.Abs(*got-*want) > 1e-12 {
			t.Fatalf("%v %v: %v, by pairs %v", x, y, got, want)
		}
	})
}

func TestAUCCountsPairs(t *testing.T) {
	near(t, "auc", AUC([]float64{1, 2, 3, 4}, []bool{false, false, true, true}), 1)
	near(t, "auc of ties", AUC([]float64{5, 5, 5, 5}, []bool{false, true, false, true}), 0.5)
	near(t, "auc of one wrong pair", AUC([]float64{1, 3, 2, 4}, []bool{false, false, true, true}), 0.75)
	if AUC([]float64{1, 2}, []bool{true, true}) != nil {
		t.Error("one kind alone has an AUC")
	}
}

// items makes labelled items: good ones score around high, bad ones around low.
func items(n int, low, high float64) []Labelled {
	var out []Labelled
	for i := range n {
		out = append(out,
			Labelled{Doc: "a", Score: low + float64(i%5), Human: 0},
			Labelled{Doc: "a", Score: high + float64(i%5), Human: 1})
	}
	return out
}

func TestCalibrateFindsTheCutThatSeparates(t *testing.T) {
	a := Calibrate(items(50, 10, 70), CalibrateOptions{})
	if a.BestThreshold == nil || a.BestThreshold.Value != 70 || a.BestThreshold.Balanced != 1 {
		t.Fatalf("best threshold %+v, want 70 without a mistake", a.BestThreshold)
	}
	if a.BestThreshold.Low > 70 || a.BestThreshold.High < 70 {
		t.Errorf("interval %v..%v does not hold the cut", a.BestThreshold.Low, a.BestThreshold.High)
	}
	near(t, "auc", a.AUC, 1)
	near(t, "human cut", a.HumanCut, 0.5)
	if again := Calibrate(items(50, 10, 70), CalibrateOptions{}); *again.BestThreshold != *a.BestThreshold {
		t.Errorf("the interval moved from %+v to %+v with the same items", a.BestThreshold, again.BestThreshold)
	}
}

func TestCalibrateWarnsOfAJudgeThatSaysNothing(t *testing.T) {
	var same []Labelled
	for i := range 100 {
		same = append(same, Labelled{Score: 90, Human: float64(i % 5)})
	}
	a := Calibrate(same, CalibrateOptions{})
	if a.DatasetPearson != nil {
		t.Errorf("a constant judge correlates: %v", *a.DatasetPearson)
	}
	near(t, "ties", a.Ties, 1)
	if text := strings.Join(a.Warnings, "\n"); !strings.Contains(text, "bits") || !strings.Contains(text, "same number") {
		t.Errorf("warnings %q tell neither of entropy nor of the one number", a.Warnings)
	}
}

func TestCalibrateWithoutItems(t *testing.T) {
	if a := Calibrate(nil, CalibrateOptions{}); a.N != 0 || a.Mean != nil || a.Warnings == nil {
		t.Errorf("no items gave %+v", a)
	}
}
