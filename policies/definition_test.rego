package bailiff.definition_test

import data.bailiff.definition
import data.bailiff.fixture

test_a_rubric_is_allowed if {
	definition.decision == "allow" with input as fixture.rubric
	definition.reasons == [] with input as fixture.rubric
}

test_an_order_is_denied_with_a_reason if {
	subject := fixture.found([fixture.said("instruction_override", "critical")])
	definition.decision == "deny" with input as subject
	[reason] := definition.reasons with input as subject
	reason.code == "instruction_override"
}

test_an_order_in_steps_is_denied if {
	subject := object.union(fixture.found([fixture.said("step_smuggling", "high")]), {"kind": "steps"})
	definition.decision == "deny" with input as subject
}

test_a_weak_signal_is_reviewed if {
	definition.decision == "review" with input as fixture.found([fixture.said("jailbreak", "medium")])
}

test_a_text_without_criteria_is_reviewed if {
	definition.decision == "review" with input as fixture.chat
}

test_a_tenant_has_everything_reviewed if {
	definition.decision == "review" with input as fixture.for_tenant(fixture.rubric, {"review_all": true})
}

test_a_tenant_denies if {
	definition.decision == "deny" with input as fixture.for_tenant(fixture.rubric, {"fields": []})
}
