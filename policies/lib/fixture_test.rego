# Inputs that the tests of all modules start from.
package bailiff.fixture

text := {
	"length": 60, "words": 10, "sentences": 1, "clauses": 2, "imperatives": 0, "addressed_evaluator": 0, "about_response": 1,
	"rubric_marks": 2, "questions": 0, "quotes": 0, "code_spans": 0, "lists": 0, "numbers": 0, "urls": 0, "longest_token": 8,
	"entropy_blobs": 0, "decoded_layers": 0, "hidden_layers": 0, "repaired_words": 0, "mixed_script_words": 0, "invisible": 0,
	"bidi": 0, "tags": 0, "variation_selectors": 0, "control": 0, "private_use": 0, "stacked_marks": 0,
	"unknown_language": false, "truncated": false, "scripts": ["Latin"],
}

rubric := {"kind": "definition", "hits": [], "text": text, "fields": ["output"], "tenant": {}}

chat := object.union(rubric, {"text": object.union(text, {"rubric_marks": 0})})

hit(category, severity, stance, layer) := {
	"category": category, "severity": severity, "stance": stance, "layer": layer,
	"n": 1, "rules": [concat(".", [category, "sample"])],
}

said(category, severity) := hit(category, severity, "asserted", "plain")

found(hits) := object.union(rubric, {"hits": hits})

found_in_chat(hits) := object.union(chat, {"hits": hits})

for_tenant(subject, data_of_tenant) := object.union(subject, {"tenant": data_of_tenant})
