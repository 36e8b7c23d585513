# The decision about a definition and about steps written from it.
package bailiff.definition

import data.bailiff.config
import data.bailiff.evidence

decision := "deny" if {
	evidence.score >= config.deny_from
} else := "review" if {
	evidence.score >= config.review_from
} else := "allow"

reasons := evidence.reasons
