package bailiff.definition

import data.bailiff.config

decision := "deny" if {
	count(denials) > 0
} else := "review" if {
	count(doubts) > 0
} else := "allow"

reasons := [r | some r in (denials | doubts)]

# METADATA
# title: Said in earnest and grave
# custom:
#   id: policy.asserted
denials contains reason("asserted", "The text tells the evaluator what to do.", hit.rules) if {
	some hit in input.hits
	hit.stance == "asserted"
	hit.n >= config.deny_from
}

doubts contains reason("mentioned", "The text talks about orders to the evaluator.", hit.rules) if {
	some hit in input.hits
	hit.stance != "asserted"
	object.get(input.tenant, "strict", false) == true
}

reason(code, message, rules) := {"code": code, "message": message, "rule_ids": rules}
