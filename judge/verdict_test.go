package judge

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func raw(v float64) sample {
	return sample{answer: answer{number: number{value: v}}, reason: ReasonNoLogprobs}
}

func weighted(mean, sd float64) sample {
	return sample{dist: distribution{mean: mean, sd: sd, mass: 0.9}}
}

func TestRound2(t *testing.T) {
	for x, want := range map[float64]float64{79.996: 80, 79.994: 79.99, 79.995: 80, 0.005: 0.01, 100: 100, 0: 0, 200.0 / 3: 66.67, 76.36363636: 76.36, 0.1 + 0.2: 0.3} {
		if got := round2(x); got != want {
			t.Errorf("round2(%v) is %v, want %v", x, got, want)
		}
	}
}

func TestSummarise(t *testing.T) {
	for _, c := range []struct {
		name       string
		samples    []sample
		scale      int
		threshold  float64
		mean       float64
		method     string
		reason     string
		spread     float64 // −1: none
		borderline bool
	}{
		{"one number", []sample{raw(7)}, 10, 70, 70, MethodRaw, ReasonNoLogprobs, -1, false},
		{"one weighted number near the threshold", []sample{weighted(7.9, 0.7)}, 10, 80, 79, MethodLogprob, "", 7, true},
		{"one weighted number far from it", []sample{weighted(7.9, 0.7)}, 10, 60, 79, MethodLogprob, "", 7, false},
		{"three numbers around it", []sample{raw(8), raw(9), raw(7)}, 10, 80, 80, MethodSampled, ReasonNoLogprobs, 10, true},
		{"three numbers far from it", []sample{raw(10), raw(10), raw(9)}, 10, 50, 290.0 / 3, MethodSampled, ReasonNoLogprobs, 10 / math.Sqrt(3), false},
		{"three equal numbers beside it", []sample{raw(8), raw(8), raw(8)}, 10, 79, 80, MethodSampled, ReasonNoLogprobs, 0, false},
		{"two weighted numbers", []sample{weighted(8, 0.1), weighted(6, 0.1)}, 10, 70, 70, MethodLogprob, "", 10 * math.Sqrt2, true},
		{"weighted and not", []sample{weighted(8, 0.1), raw(6)}, 10, 80, 70, MethodSampled, ReasonMixed, 10 * math.Sqrt2, true},
		{"a scale of a hundred", []sample{raw(85)}, 100, 80, 85, MethodRaw, ReasonNoLogprobs, -1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := summarise(c.samples, c.scale, c.threshold)
			if math.Abs(v.mean-c.mean) > 1e-9 || v.method != c.method || v.reason != c.reason || v.borderline != c.borderline {
				t.Errorf("mean %v method %s reason %s borderline %v", v.mean, v.method, v.reason, v.borderline)
			}
			if (v.spread == nil) != (c.spread < 0) || v.spread != nil && math.Abs(*v.spread-c.spread) > 0.005 {
				t.Errorf("spread %v, want %v", v.spread, c.spread)
			}
			if (v.mass != nil) != (c.method == MethodLogprob) {
				t.Errorf("mass %v with method %s", v.mass, c.method)
			}
		})
	}
}

func TestMajorityOfVerdicts(t *testing.T) {
	for _, c := range []struct {
		passes, fails int
		want          float64
	}{{1, 0, 100}, {0, 1, 0}, {2, 1, 100}, {1, 2, 0}, {2, 2, 0}, {3, 2, 100}} {
		var samples []sample
		for range c.passes {
			samples = append(samples, raw(10))
		}
		for range c.fails {
			samples = append(samples, raw(0))
		}
		if got := majority(samples, 10); got != c.want {
			t.Errorf("%d pass, %d fail: %v, want %v", c.passes, c.fails, got, c.want)
		}
	}
}

// The mean lies between the least and the greatest answer, and the interval
// around the mean.
func TestSummariseProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var samples []sample
		least, most := 100.0, 0.0
		for range rapid.IntRange(1, 20).Draw(t, "n") {
			v := float64(rapid.IntRange(0, 10).Draw(t, "score"))
			samples = append(samples, raw(v))
			least, most = min(least, v*10), max(most, v*10)
		}
		v := summarise(samples, 10, float64(rapid.IntRange(0, 100).Draw(t, "threshold")))
		if v.mean < least-1e-9 || v.mean > most+1e-9 {
			t.Fatalf("mean %v outside %v..%v", v.mean, least, most)
		}
		if v.low != nil && (*v.low > v.mean+0.005 || *v.high < v.mean-0.005) {
			t.Fatalf("mean %v outside its interval %v..%v", v.mean, *v.low, *v.high)
		}
	})
}
