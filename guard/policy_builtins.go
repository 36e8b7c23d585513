package guard

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// allowedBuiltins are the functions a policy may call. Each one takes time and
// space linear in its arguments, has no effect outside the evaluation, and
// gives the same answer for the same arguments; so a policy can neither read
// the machine it runs on nor be turned into a bomb by a tenant's data. Left
// out on purpose are those that grow their input (sprintf, replace,
// numbers.range, array.concat, object.union, bits.*, strings.repeat), search it
// (regex.*, glob.*: patterns belong in the packs), or look outside it (http.*,
// net.*, opa.runtime, time.*, rand.*, json.match_schema).
var allowedBuiltins = []string{
	// operators, as the compiler spells them
	"eq", "equal", "neq", "lt", "lte", "gt", "gte", "assign",
	"plus", "minus", "and", "or",
	"internal.member_2", "internal.member_3",
	// numbers and collections
	"abs", "round", "count", "max", "min", "sum", "sort", "all", "any",
	"object.get", "object.keys", "intersection", "union",
	// texts
	"concat", "contains", "startswith", "endswith", "lower", "trim_space",
	"format_int",
	// kinds
	"is_array", "is_boolean", "is_null", "is_number", "is_object", "is_set",
	"is_string", "type_name",
}

// testBuiltins are the further functions that a policy's own tests may call.
var testBuiltins = []string{"internal.test_case", "object.union", "array.concat"}

// capabilities are what the compiler accepts: the allow-list and nothing that
// the running OPA version adds to it.
func capabilities(forTests bool) *ast.Capabilities {
	names := allowedBuiltins
	if forTests {
		names = slices.Concat(names, testBuiltins)
	}
	all := ast.CapabilitiesForThisVersion()
	caps := &ast.Capabilities{
		FutureKeywords: all.FutureKeywords,
		Features:       all.Features,
		AllowNet:       []string{},
	}
	for _, b := range all.Builtins {
		if slices.Contains(names, b.Name) {
			caps.Builtins = append(caps.Builtins, b)
		}
	}
	return caps
}
