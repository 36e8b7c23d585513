package guard

import (
	"context"
	"fmt"
	"slices"
)

// checkFloors asks the policy about findings alone, one sort at a time, for
// every category that a rule can report: whatever a policy's author weighs,
// something grave that is said in earnest is never let through, in whatever
// disguise it was found. So a weight that a new category lacks, or a rule that
// was lost, shows when the policy is loaded and not when it is needed.
func (p *Policy) checkFloors(ctx context.Context) []Problem {
	var problems []Problem
	_, features := p.engine.scan("")
	text := features.public()
	for _, category := range p.categories() {
		for _, floor := range floors() {
			g := hitGroup{category, floor.severity, stanceAsserted, floor.sight, 1, []string{"selftest"}}
			r, err := p.decide(ctx, floor.kind, []hitGroup{g}, text, []string{"output"}, nil)
			what := "the policy says " + string(r.decision)
			switch {
			case ctx.Err() != nil:
				return problems
			case err != nil:
				what = err.Error()
			case strictness(r.decision) >= strictness(floor.least):
				continue
			}
			problems = append(problems, floor.problem(category, what))
			break // one example of a category is enough
		}
	}
	return problems
}

// floor is the least that a policy must say about one finding.
type floor struct {
	kind, severity, sight string
	least                 Decision
}

func floors() []floor {
	var out []floor
	for _, sight := range []string{sightPlain, sightDisguised, sightDecoded, sightHidden} {
		out = append(out,
			floor{kindDefinition, "critical", sight, Deny},
			floor{kindDefinition, "high", sight, Review},
			floor{kindSteps, "critical", sight, Deny},
			floor{kindSteps, "high", sight, Review},
		)
	}
	return out
}

func (f floor) problem(category, what string) Problem {
	return Problem{Stage: "selftest", Message: fmt.Sprintf(
		"one %s finding of category %s, said in earnest (%s), in a text of kind %s: %s; it must say %s or stricter",
		f.severity, category, f.sight, f.kind, what, f.least)}
}

// categories are those that the rules in force can report.
func (p *Policy) categories() []string {
	var out []string
	for _, r := range p.rules {
		if r.Kind != "rego" && r.Category != "" && r.Mode != modeMonitor && !slices.Contains(out, r.Category) {
			out = append(out, r.Category)
		}
	}
	return out
}
