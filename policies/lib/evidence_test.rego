package bailiff.evidence_test

import data.bailiff.config
import data.bailiff.evidence
import data.bailiff.fixture
import data.bailiff.messages

test_nothing_found_scores_nothing if {
	evidence.score == 0 with input as fixture.rubric
	not evidence.denied with input as fixture.rubric
	not evidence.doubtful with input as fixture.rubric
}

test_every_category_is_denied_when_it_is_critical if {
	every category, _ in messages.by_category {
		evidence.denied with input as fixture.found([fixture.said(category, "critical")])
		evidence.denied with input as fixture.found([fixture.said(category, "high")])
	}
}

test_medium_leaves_a_doubt_in_a_rubric if {
	subject := fixture.found([fixture.said("persuasion", "medium")])
	evidence.doubtful with input as subject
	not evidence.denied with input as subject
}

test_medium_is_denied_where_there_are_no_criteria if {
	evidence.denied with input as fixture.found_in_chat([fixture.said("persuasion", "medium")])
}

test_low_counts_only_where_there_are_no_criteria if {
	hits := [fixture.said("off_topic", "low")]
	not evidence.doubtful with input as fixture.found(hits)
	evidence.doubtful with input as fixture.found_in_chat(hits)
	not evidence.denied with input as fixture.found_in_chat(hits)
}

test_weak_findings_never_add_up if {
	hits := [fixture.said(category, "low") | some category, _ in messages.by_category]
	not evidence.doubtful with input as fixture.found(hits)
	not evidence.denied with input as fixture.found_in_chat(hits)
}

test_categories_confirm_each_other if {
	three := [fixture.said(category, "medium") | some category in ["persuasion", "jailbreak", "output_hijack"]]
	evidence.denied with input as fixture.found(three)
	not evidence.denied with input as fixture.found(array_of_two(three))
}

array_of_two(list) := [list[0], list[1]]

test_talk_about_an_attack_is_let_through if {
	hits := [fixture.hit("prompt_disclosure", "critical", stance, "plain") | some stance in ["mentioned", "quoted"]]
	not evidence.doubtful with input as fixture.found(hits)
}

test_talk_in_disguise_leaves_a_doubt if {
	every layer in ["disguised", "decoded", "hidden"] {
		evidence.doubtful with input as fixture.found([fixture.hit("score_fixing", "critical", "quoted", layer)])
	}
}

test_buried_findings_count_more if {
	every layer in ["disguised", "decoded", "hidden"] {
		plain := evidence.score with input as fixture.found([fixture.said("score_fixing", "medium")])
		buried := evidence.score with input as fixture.found([fixture.hit("score_fixing", "medium", "asserted", layer)])
		buried > plain
	}
}

test_a_record_is_not_expected_to_hold_criteria if {
	subject := object.union(fixture.found_in_chat([fixture.said("off_topic", "low")]), {"kind": "record"})
	not evidence.doubtful with input as subject
}

test_reasons_name_rules_and_what_to_write_instead if {
	reasons := evidence.reasons with input as fixture.found([fixture.said("score_fixing", "critical"), fixture.said("off_topic", "low")])
	count(reasons) == 1
	some reason in reasons
	reason.code == "score_fixing"
	reason.rule_ids == ["score_fixing.sample"]
	contains(reason.message, "Write criteria")
}

test_thresholds_are_in_order if {
	config.review_from < config.deny_from
	config.points.asserted.low < config.review_from
}
