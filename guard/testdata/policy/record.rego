package bailiff.record

decision := "deny" if {
	object.get(input.tenant, "deny_records", false) == true
	count(input.hits) > 0
} else := "allow"

reasons := [{"code": "found", "message": "The record holds an order to the evaluator.", "rule_ids": hit.rules} | some hit in input.hits]
