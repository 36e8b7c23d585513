package guard

import "slices"

// engineRule is something that the engine finds without a pattern.
type engineRule struct {
	id, severity, why string
}

// Rules of the text engine: characters that can only be there to hide a text.
var (
	ruleTags      = engineRule{"hidden.tag_characters", "high", "tag characters outside a flag spell out a text that nobody sees"}
	ruleSelectors = engineRule{"hidden.variation_selectors", "high", "variation selectors that select nothing carry bytes that nobody sees"}
	ruleBits      = engineRule{"hidden.invisible_bits", "high", "a long run of invisible characters carries a text bit by bit"}
	ruleInvisible = engineRule{"hidden.invisible_in_words", "medium", "invisible characters inside words hide them from a reader who searches"}
	ruleControls  = engineRule{"hidden.control_characters", "medium", "control characters erase or hide letters on a terminal"}
	ruleBidi      = engineRule{"hidden.bidi_override", "medium", "forced writing direction shows the letters in another order than a model reads"}
)

const (
	categoryHidden = "hidden_text"
	hiddenRefs     = "OWASP-LLM01"
)

func engineRules() []RuleInfo {
	var out []RuleInfo
	for _, r := range allEngineRules() {
		out = append(out, RuleInfo{
			ID: r.id, Kind: "engine", Category: categoryHidden, Severity: r.severity, Mode: "enforce", Why: r.why,
			Languages: []string{"any"}, References: []string{hiddenRefs},
		})
	}
	return out
}

func allEngineRules() []engineRule {
	return []engineRule{ruleTags, ruleSelectors, ruleBits, ruleInvisible, ruleControls, ruleBidi}
}

// isEngineRule reports whether an id belongs to the engine.
func isEngineRule(id string) bool {
	return slices.ContainsFunc(allEngineRules(), func(r engineRule) bool { return r.id == id })
}
