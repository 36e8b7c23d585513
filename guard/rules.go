package guard

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// RuleInfo describes one rule that a finding or a reason can name.
type RuleInfo struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind"` // pattern | engine | rego
	Category   string   `json:"category"`
	Severity   string   `json:"severity"` // critical | high | medium | low, "" for Rego rules
	Mode       string   `json:"mode"`     // enforce | monitor
	Why        string   `json:"why"`
	Languages  []string `json:"languages"`
	References []string `json:"references"`
	Source     string   `json:"source"` // file of the rule inside the policy, "" for engine rules
}

// rules lists the annotated rules of the Rego modules, one for each file, title
// and place, in order of id.
func (ms modules) rules() []RuleInfo {
	var out []RuleInfo
	for file, m := range ms.policy {
		for _, a := range m.Annotations {
			if a.Scope == "rule" || a.Scope == "document" {
				out = append(out, regoRule(file, a))
			}
		}
	}
	slices.SortFunc(out, func(a, b RuleInfo) int {
		if a.ID != b.ID {
			if a.ID < b.ID {
				return -1
			}
			return 1
		}
		return 0
	})
	return out
}

// regoRule reads the METADATA block of a rule: title or description say why,
// custom.id, custom.category and custom.severity place it.
func regoRule(file string, a *ast.Annotations) RuleInfo {
	r := RuleInfo{
		ID: customText(a, "id"), Kind: "rego", Category: customText(a, "category"), Severity: customText(a, "severity"),
		Mode: "enforce", Why: a.Description, Languages: []string{}, References: []string{}, Source: file,
	}
	if r.ID == "" && a.GetTargetPath() != nil {
		r.ID = a.GetTargetPath().String()
	}
	if r.Why == "" {
		r.Why = a.Title
	}
	for _, ref := range a.RelatedResources {
		r.References = append(r.References, ref.Ref.String())
	}
	return r
}

func customText(a *ast.Annotations, key string) string {
	s, _ := a.Custom[key].(string)
	return s
}
