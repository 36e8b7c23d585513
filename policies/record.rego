# The decision about the fields of a record. A record is data: what is found in
# it is flagged and handed to the judge as data. Only a tenant that asks for it
# has records denied.
package bailiff.record

import data.bailiff.evidence

decision := "deny" if {
	input.tenant.deny_records == true
	evidence.denied
} else := "allow"

reasons := [reason | some reason in evidence.reasons]
