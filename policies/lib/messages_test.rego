package bailiff.messages_test

import data.bailiff.messages

test_every_message_says_what_to_do if {
	every _, message in messages.by_category {
		endswith(message, ".")
		some word in ["Write", "write", "Describe", "Leave", "Remove", "Refer"]
		contains(message, word)
	}
}

test_a_known_category_has_its_own_message if {
	messages.of("delimiter") == messages.by_category.delimiter
}

test_a_new_category_has_a_message if {
	contains(messages.of("made_up"), "Write criteria")
}
