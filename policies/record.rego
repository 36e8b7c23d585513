# The decision about a record: what is found is flagged, nothing is denied.
package bailiff.record

import data.bailiff.evidence

decision := "allow"

reasons := evidence.reasons
