// Package policies holds the policy that ships with Bailiff: the Rego modules
// that decide, the pattern packs that find, the thresholds in data.json and
// the schemas that both are held against. Every file in here is read as data;
// changing a decision never needs a change of Go code. README.md is the guide
// for those who write policies.
package policies

import "embed"

// FS is the shipped policy, laid out as guard.Compile reads it.
//
//go:embed *.rego lib/*.rego patterns/*.yaml schemas/*.json data.json
var FS embed.FS
