package tenant

import "maps"

// Members of a tenant's policy data about registered rubrics. The tenant's
// operator sets the first; the second is what the gateway tells the policy of a
// definition, and no tenant can.
const (
	RegisteredOnly = "registered_only"
	registered     = "registered"
)

// PolicyFacts is a tenant's policy data for a definition that is registered or
// is not. The policy is told so only where the data demand it: whether a text is
// registered makes no difference to what is kept of it otherwise.
func PolicyFacts(data map[string]any, isRegistered bool) map[string]any {
	_, demanded := data[RegisteredOnly]
	_, claimed := data[registered]
	if !demanded && !claimed {
		return data
	}
	facts := maps.Clone(data)
	delete(facts, registered)
	if demanded && isRegistered {
		facts[registered] = true
	}
	return facts
}
