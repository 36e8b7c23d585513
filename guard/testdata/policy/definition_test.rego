package bailiff.definition_test

import data.bailiff.definition

hit := {"category": "score_fixing", "severity": "critical", "stance": "asserted", "layer": "plain", "n": 1, "rules": ["a.b"]}

test_asserted_is_denied if {
	definition.decision == "deny" with input as {"hits": [hit], "tenant": {}}
}

test_nothing_is_allowed if {
	definition.decision == "allow" with input as {"hits": [], "tenant": {}}
}

test_mentioned_is_reviewed_for_strict_tenants if {
	mention := object.union(hit, {"stance": "mentioned"})
	definition.decision == "review" with input as {"hits": [mention], "tenant": {"strict": true}}
	definition.decision == "allow" with input as {"hits": [mention], "tenant": {}}
}
