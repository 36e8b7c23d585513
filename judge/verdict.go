package judge

import "math"

// Methods of a score, in Meta.Method.
const (
	MethodLogprob = "logprob" // expectation over the alternatives of the score's token
	MethodSampled = "sampled" // mean of several answers
	MethodRaw     = "raw"     // the one number, or the one verdict, as it came
)

// z95 is the two-sided 95 % quantile of the normal distribution.
const z95 = 1.96

// verdict is what one or several answers say together, on 0..100.
type verdict struct {
	mean       float64
	spread     *float64 // standard deviation, nil for one number without weights
	low, high  *float64 // nil where spread is
	borderline bool     // the threshold lies within low..high
	mass       *float64 // mean over the answers, nil unless all are weighted
	method     string
	reason     string // why the method is not logprob
}

// summarise joins the answers. One weighted answer has the standard deviation
// of its distribution, and ± that as its interval; several answers have their
// sample standard deviation s, and mean ± 1.96·s/√n.
func summarise(samples []sample, scale int, threshold float64) verdict {
	unit := 100 / float64(scale)
	v := verdict{method: MethodLogprob}
	n := float64(len(samples))
	var mass float64
	weighted := 0
	for _, s := range samples {
		v.mean += s.value() * unit / n
		if s.reason == "" {
			weighted++
			mass += s.dist.mass / n
		} else if v.reason == "" {
			v.reason = s.reason
		}
	}
	if weighted == len(samples) {
		v.mass = &mass
	} else {
		v.method = MethodRaw
		if len(samples) > 1 {
			v.method = MethodSampled
		}
		if weighted > 0 {
			v.reason = ReasonMixed
		}
	}
	switch {
	case len(samples) > 1:
		sd := deviation(samples, v.mean, unit)
		v.interval(sd, z95*sd/math.Sqrt(n), threshold)
	case weighted == 1:
		sd := samples[0].dist.sd * unit
		v.interval(sd, sd, threshold)
	}
	return v
}

// interval notes the spread and whether the threshold lies within mean ± half.
// The ends are those of a scale of 0..100: beyond it there are no scores.
func (v *verdict) interval(sd, half, threshold float64) {
	low, high := round2(math.Max(0, v.mean-half)), round2(math.Min(100, v.mean+half))
	sd = round2(sd)
	v.spread, v.low, v.high = &sd, &low, &high
	v.borderline = low <= threshold && threshold <= high
}

// deviation is the sample standard deviation (n−1) on 0..100.
func deviation(samples []sample, mean, unit float64) float64 {
	var squares float64
	for _, s := range samples {
		d := s.value()*unit - mean
		squares += d * d
	}
	return math.Sqrt(squares / float64(len(samples)-1))
}

// majority turns several strict verdicts into one: pass when more than half
// pass. A tie is a fail, as strictness has it.
func majority(samples []sample, scale int) float64 {
	passed := 0
	for _, s := range samples {
		if s.answer.number.value == float64(scale) {
			passed++
		}
	}
	if 2*passed > len(samples) {
		return 100
	}
	return 0
}

// round2 rounds half away from zero to the 2 decimals that are published. The
// first rounding takes off what binary fractions left at the end.
func round2(x float64) float64 {
	return math.Round(math.Round(x*1e8)/1e6) / 100
}

// score closes the outcome with the verdict of the answers. It compares with
// the threshold what is published, not what was computed.
func (e *evaluation) score(samples []sample, scale int) {
	v := summarise(samples, scale, e.out.Threshold)
	score := round2(v.mean)
	typical := nearest(samples, v.mean, scale)
	if e.req.Args.Strict {
		score = majority(samples, scale)
		typical = nearest(samples, score, scale)
		v.borderline = v.spread != nil && *v.spread > 0
		v.low, v.high = nil, nil
	}
	passed := score >= e.out.Threshold

	e.out.Status, e.out.Score, e.out.Passed = Scored, &score, &passed
	m := &e.out.Meta
	m.Method, m.MethodReason, m.Mass, m.Samples = v.method, v.reason, v.mass, len(samples)
	m.Spread, m.Low, m.High, m.Borderline = v.spread, v.low, v.high, v.borderline
	m.StepFindings = typical.answer.findings
	m.Fingerprint, m.JudgeModel = typical.reply.Fingerprint, typical.reply.Model
	for _, s := range samples {
		m.Coerced = m.Coerced || s.answer.number.coerced
	}
	if e.req.Args.IncludeReason {
		e.out.Explanation = typical.answer.reason
		if Blank(e.out.Explanation) {
			e.out.Explanation = sentenceNoReason
		}
	}
}

// nearest is the answer whose score lies closest to the mean, the first among
// equals: its reason and findings stand for all.
func nearest(samples []sample, mean float64, scale int) sample {
	unit := 100 / float64(scale)
	best := samples[0]
	for _, s := range samples[1:] {
		if math.Abs(s.value()*unit-mean) < math.Abs(best.value()*unit-mean) {
			best = s
		}
	}
	return best
}
