# A tenant's own data. It can only make the decision stricter: every rule here
# adds a denial or a doubt, and none takes one away.
package bailiff.tenant

import data.bailiff.evidence
import data.bailiff.shape

# METADATA
# description: The tenant denies a category that was found, said in earnest.
# custom:
#   id: tenant.denied_category
denials contains ruling("tenant_category", "Your organisation does not accept this kind of text in a definition. Write criteria about the response.", hit.rules) if {
	some hit in input.hits
	hit.stance == "asserted"
	hit.category in input.tenant.deny_categories
}

# METADATA
# description: The tenant denies what would otherwise be reviewed.
# custom:
#   id: tenant.deny_doubtful
denials contains ruling("tenant_strict", "Your organisation does not accept definitions that leave a doubt. Write criteria about the response.", ["tenant.deny_doubtful"]) if {
	input.tenant.deny_doubtful == true
	in_doubt
}

in_doubt if evidence.doubtful

in_doubt if count(shape.doubts) > 0

# METADATA
# description: The text is longer than the tenant allows.
# custom:
#   id: tenant.max_words
denials contains ruling("tenant_length", "The text is longer than your organisation allows. Shorten it.", ["tenant.max_words"]) if {
	input.text.words > input.tenant.max_words
}

# METADATA
# description: The text holds more addresses than the tenant allows.
# custom:
#   id: tenant.max_urls
denials contains ruling("tenant_urls", "The text holds more web addresses than your organisation allows. Remove them.", ["tenant.max_urls"]) if {
	input.text.urls > input.tenant.max_urls
}

# METADATA
# description: The text is written in a script that the tenant does not use.
# custom:
#   id: tenant.scripts
denials contains ruling("tenant_script", "Your organisation does not accept definitions in this script.", ["tenant.scripts"]) if {
	some script in input.text.scripts
	not script in input.tenant.scripts
	is_array(input.tenant.scripts)
}

# METADATA
# description: The definition selects a field that the tenant does not open to judges.
# custom:
#   id: tenant.fields
denials contains ruling("tenant_field", "Your organisation does not let judges read one of the selected fields. Select other fields.", ["tenant.fields"]) if {
	some field in input.fields
	not field in input.tenant.fields
	is_array(input.tenant.fields)
}

# METADATA
# description: The tenant judges by registered rubrics only, and this definition is none. The gateway tells whether it is; a tenant's own data cannot.
# custom:
#   id: tenant.registered_only
denials contains ruling("tenant_registered", "Your organisation judges by registered rubrics only. Register this one and name it with its version.", ["tenant.registered_only"]) if {
	input.tenant.registered_only == true
	not input.tenant.registered == true
}

# METADATA
# description: The tenant has every definition reviewed.
# custom:
#   id: tenant.review_all
doubts contains ruling("tenant_review", "Your organisation has every definition reviewed.", ["tenant.review_all"]) if {
	input.tenant.review_all == true
}

# METADATA
# description: The tenant's data has a member of the wrong type, so it cannot be applied.
# custom:
#   id: tenant.unusable
denials contains ruling("tenant_data", "Your organisation's policy data cannot be applied. Ask its administrator to correct it.", ["tenant.unusable"]) if {
	some name, value in input.tenant
	type_name(value) != types[name]
}

types := {
	"deny_categories": "array", "deny_doubtful": "boolean", "max_words": "number", "max_urls": "number",
	"scripts": "array", "fields": "array", "review_all": "boolean", "deny_records": "boolean",
	"registered_only": "boolean", "registered": "boolean",
}

ruling(code, message, ids) := {"code": code, "message": message, "rule_ids": ids}
