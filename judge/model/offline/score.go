package offline

import (
	"fmt"
	"math"
	"strings"
)

// topScore is the top of the judge's scale.
const topScore = 10

// score judges a record by its steps, or a trace by its facts. The score of a
// record is ten times the mean strength of the findings that apply, rounded: a
// finding that is met counts 0.7 to 1, one partly met 0.35 to 0.7, one not met
// less. A record with nothing that applies scores 0.
func score(in request) scoreAnswer {
	if in.Trace != nil {
		return scoreTrace(in)
	}
	findings, strengths := examine(in)
	s := 0
	if len(strengths) > 0 {
		sum := 0.0
		for _, v := range strengths {
			sum += v
		}
		s = int(math.Round(topScore * sum / float64(len(strengths))))
	}
	return scoreAnswer{Findings: findings, Reason: reasonOf(findings), Score: s}
}

// strict passes a record only when a step applies and every one that does is met.
func strict(in request) strictAnswer {
	if in.Trace != nil {
		return strictTrace(in)
	}
	findings, strengths := examine(in)
	verdict := "pass"
	for _, f := range findings {
		if f.Verdict != verdictMet && f.Verdict != verdictNotApplicable {
			verdict = "fail"
		}
	}
	if len(strengths) == 0 {
		verdict = "fail"
	}
	return strictAnswer{Findings: findings, Reason: reasonOf(findings), Verdict: verdict}
}

// examine measures each step. Where there is none, the definition is the step.
func examine(in request) ([]finding, []float64) {
	steps := in.Steps
	if len(steps) == 0 && strings.TrimSpace(in.Definition) != "" {
		steps = []string{in.Definition}
	}
	x := newExaminer(in.Record)
	findings := make([]finding, 0, len(steps))
	var strengths []float64
	for i, s := range steps {
		m := x.judge(s)
		findings = append(findings, finding{Step: i + 1, Evidence: m.evidence, Verdict: m.verdict()})
		if !m.skip {
			strengths = append(strengths, m.strength)
		}
	}
	return findings, strengths
}

// reasonOf says how the findings came out and what kind of judge found them.
func reasonOf(findings []finding) string {
	const who = "Offline baseline: it compares words, numbers and form and understands no meaning. "
	counts := map[string]int{}
	worst := -1
	rank := map[string]int{verdictNotMet: 2, verdictPartly: 1}
	for i, f := range findings {
		counts[f.Verdict]++
		if rank[f.Verdict] > 0 && (worst < 0 || rank[f.Verdict] > rank[findings[worst].Verdict]) {
			worst = i
		}
	}
	text := who + fmt.Sprintf("Steps met: %d of %d, partly: %d, not: %d.", counts[verdictMet], len(findings), counts[verdictPartly], counts[verdictNotMet])
	if worst >= 0 {
		text += fmt.Sprintf(" What weighs most is step %d: %s.", findings[worst].Step, strings.TrimRight(findings[worst].Evidence, ".。!?"))
	}
	return text
}
