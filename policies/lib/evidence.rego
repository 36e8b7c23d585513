# What the findings of a text add up to.
package bailiff.evidence

import data.bailiff.config

default score := 0

score := max(strengths)

strengths := [s | some hit in input.hits; s := strength(hit)]

strength(hit) := config.points[hit.stance][hit.severity] + config.layer[hit.layer]

reasons := [r | some hit in input.hits; r := {"code": hit.category, "message": "The text gives orders instead of criteria. Write criteria about the response.", "rule_ids": hit.rules}]
