# What the findings add up to. The strongest finding counts, and others only
# confirm it: weak signals never add up to a verdict, and a long harmless text
# around an attack never dilutes one.
package bailiff.evidence

import data.bailiff.config
import data.bailiff.messages

# METADATA
# description: The findings are strong enough to deny the text without asking a model.
# custom:
#   id: evidence.denied
denied if score >= config.deny_from

# METADATA
# description: The findings leave a doubt that two safety checks have to clear.
# custom:
#   id: evidence.doubtful
doubtful if score >= config.review_from

default score := 0

score := max(strengths) + config.corroboration.by_categories[min([count(strong), 3])] if count(input.hits) > 0

strengths := [strength(hit) | some hit in input.hits]

# What is said in earnest counts more in a text that holds no criteria at all.
strength(hit) := (config.points.asserted[hit.severity] + config.layer[hit.layer]) + off_topic if hit.stance == "asserted"

strength(hit) := config.points[hit.stance][hit.severity] + config.layer[hit.layer] if hit.stance != "asserted"

default off_topic := 0

off_topic := config.off_topic.points if {
	input.kind != "record"
	input.text.rubric_marks <= config.off_topic.most_rubric_marks
}

# Categories that stand on their own: several of them confirm each other.
strong := {hit.category |
	some hit in input.hits
	hit.stance == "asserted"
	config.points.asserted[hit.severity] >= config.corroboration.from
}

reasons contains {"code": hit.category, "message": messages.of(hit.category), "rule_ids": hit.rules} if {
	some hit in input.hits
	strength(hit) >= config.review_from
}
