package bailiff.record_test

import data.bailiff.fixture
import data.bailiff.record

subject := object.union(fixture.found_in_chat([fixture.said("score_fixing", "critical")]), {"kind": "record"})

test_an_attack_in_a_record_is_flagged_and_judged if {
	record.decision == "allow" with input as subject
	[reason] := record.reasons with input as subject
	reason.code == "score_fixing"
}

test_a_tenant_has_records_denied if {
	record.decision == "deny" with input as fixture.for_tenant(subject, {"deny_records": true})
}

test_a_harmless_record_is_never_denied if {
	harmless := object.union(fixture.chat, {"kind": "record", "tenant": {"deny_records": true}})
	record.decision == "allow" with input as harmless
	record.reasons == [] with input as harmless
}
