package bailiff.shape_test

import data.bailiff.fixture
import data.bailiff.shape

with_text(changes) := object.union(fixture.rubric, {"text": object.union(fixture.text, changes)})

codes(subject) := {doubt.code | some doubt in doubts} if {
	doubts := shape.doubts with input as subject
}

test_a_rubric_leaves_no_doubt if {
	codes(fixture.rubric) == set()
}

test_a_text_without_criteria_is_doubted if {
	codes(fixture.chat) == {"not_criteria"}
}

test_an_unknown_language_is_doubted if {
	codes(with_text({"unknown_language": true})) == {"unknown_language"}
}

test_what_was_not_read_is_doubted if {
	codes(with_text({"truncated": true})) == {"not_read"}
}
