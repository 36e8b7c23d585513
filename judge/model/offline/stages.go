package offline

import "strings"

func generate(in request) generateAnswer {
	return generateAnswer{Steps: []string{"Check whether this holds: " + strings.TrimSpace(in.Definition)}}
}

func score(in request) scoreAnswer {
	s := strict(in)
	return scoreAnswer{Findings: s.Findings, Reason: s.Reason, Score: 5}
}

func strict(in request) strictAnswer {
	out := strictAnswer{Findings: []finding{}, Reason: "Offline baseline.", Verdict: "fail"}
	for i := range in.Steps {
		out.Findings = append(out.Findings, finding{Step: i + 1, Verdict: "partly"})
	}
	return out
}

func taskOf(trace []traceStep) string {
	if len(trace) == 0 {
		return ""
	}
	return string(trace[0].Input)
}
