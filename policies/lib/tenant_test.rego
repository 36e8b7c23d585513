package bailiff.tenant_test

import data.bailiff.fixture
import data.bailiff.tenant

denied(subject, own) := {denial.code | some denial in denials} if {
	denials := tenant.denials with input as fixture.for_tenant(subject, own)
}

doubted(subject, own) := {doubt.code | some doubt in doubts} if {
	doubts := tenant.doubts with input as fixture.for_tenant(subject, own)
}

with_text(changes) := object.union(fixture.rubric, {"text": object.union(fixture.text, changes)})

test_no_data_changes_nothing if {
	denied(fixture.rubric, {}) == set()
	doubted(fixture.rubric, {}) == set()
}

test_denied_category if {
	subject := fixture.found([fixture.said("off_topic", "low")])
	denied(subject, {"deny_categories": ["off_topic"]}) == {"tenant_category"}
	denied(subject, {"deny_categories": ["jailbreak"]}) == set()
}

test_a_category_that_is_only_talked_about_is_not_denied if {
	subject := fixture.found([fixture.hit("off_topic", "low", "quoted", "plain")])
	denied(subject, {"deny_categories": ["off_topic"]}) == set()
}

test_deny_doubtful if {
	own := {"deny_doubtful": true}
	denied(fixture.found([fixture.said("persuasion", "medium")]), own) == {"tenant_strict"}
	denied(fixture.chat, own) == {"tenant_strict"}
	denied(fixture.rubric, own) == set()
}

test_max_words if {
	denied(with_text({"words": 11}), {"max_words": 10}) == {"tenant_length"}
	denied(with_text({"words": 10}), {"max_words": 10}) == set()
}

test_max_urls if {
	denied(with_text({"urls": 1}), {"max_urls": 0}) == {"tenant_urls"}
	denied(with_text({"urls": 0}), {"max_urls": 0}) == set()
}

test_scripts if {
	denied(with_text({"scripts": ["Cyrillic", "Latin"]}), {"scripts": ["Latin"]}) == {"tenant_script"}
	denied(with_text({"scripts": ["Latin"]}), {"scripts": ["Latin"]}) == set()
}

test_fields if {
	denied(fixture.rubric, {"fields": ["input"]}) == {"tenant_field"}
	denied(fixture.rubric, {"fields": ["input", "output"]}) == set()
}

test_registered_only if {
	denied(fixture.rubric, {"registered_only": true}) == {"tenant_registered"}
	denied(fixture.rubric, {"registered_only": true, "registered": false}) == {"tenant_registered"}
	denied(fixture.rubric, {"registered_only": true, "registered": true}) == set()
	denied(fixture.rubric, {"registered_only": false}) == set()
}

test_being_registered_excuses_nothing_else if {
	subject := fixture.found([fixture.said("off_topic", "low")])
	denied(subject, {"registered_only": true, "registered": true, "deny_categories": ["off_topic"]}) == {"tenant_category"}
	denied(fixture.rubric, {"registered": true}) == set()
}

test_review_all if {
	doubted(fixture.rubric, {"review_all": true}) == {"tenant_review"}
	doubted(fixture.rubric, {"review_all": false}) == set()
}

test_data_that_cannot_be_applied_denies if {
	every name, kind in tenant.types {
		wrong := {"array": "x", "boolean": "x", "number": "x"}[kind]
		denied(fixture.rubric, {name: wrong}) == {"tenant_data"}
	}
}

test_members_that_no_rule_reads_are_ignored if {
	denied(fixture.rubric, {"display_name": "Acme"}) == set()
}
