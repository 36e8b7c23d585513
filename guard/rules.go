package guard

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
