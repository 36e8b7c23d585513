# The decision about a definition, and about evaluation steps that a model wrote
# from one. deny: nobody is asked. review: two independent safety checks must
# clear it. allow: one safety check must.
package bailiff.definition

import data.bailiff.evidence
import data.bailiff.shape
import data.bailiff.tenant

decision := "deny" if {
	evidence.denied
} else := "deny" if {
	count(tenant.denials) > 0
} else := "review" if {
	evidence.doubtful
} else := "review" if {
	count(shape.doubts) > 0
} else := "review" if {
	count(tenant.doubts) > 0
} else := "allow"

reasons := [reason |
	some reason in (((evidence.reasons | shape.doubts) | tenant.denials) | tenant.doubts)
]
