# What the form of a text gives cause to doubt, whatever its words are.
package bailiff.shape

# METADATA
# description: The text holds no mark of evaluation criteria in any supported language.
# custom:
#   id: shape.not_criteria
doubts contains doubt("not_criteria", "The text does not read as evaluation criteria. Write what a good response looks like, such as \"The answer names the delivery date\".", "shape.not_criteria") if {
	input.text.rubric_marks == 0
}

# METADATA
# description: Most of the text is in a language that the patterns do not cover.
# custom:
#   id: shape.unknown_language
doubts contains doubt("unknown_language", "The text is in a language that the scan does not know well. Write it in one of the supported languages to have it decided at once.", "shape.unknown_language") if {
	input.text.unknown_language
}

# METADATA
# description: Something encoded is larger or nested deeper than the scan follows.
# custom:
#   id: shape.not_read
doubts contains doubt("not_read", "The text holds encoded parts that were not read to the end. Write them in plain words.", "shape.not_read") if {
	input.text.truncated
}

doubt(code, message, id) := {"code": code, "message": message, "rule_ids": [id]}
