package guard

import (
	"io/fs"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// compile compiles the modules that decide, with the schema of their input, so
// that a misspelt member of the input is an error and not a rule that never
// fires.
func (ms modules) compile(fsys fs.FS) (*ast.Compiler, []Problem) {
	schema, _, problems := readJSON(fsys, inputSchemaFile)
	if problems == nil {
		problems = localRefs(inputSchemaFile, schema)
	}
	if problems != nil {
		return nil, problems
	}
	schemas := ast.NewSchemaSet()
	schemas.Put(ast.SchemaRootRef, schema)
	c := ast.NewCompiler().
		WithCapabilities(capabilities(false)).
		WithEnablePrintStatements(false).
		WithStrict(true).
		WithSchemas(schemas).
		WithUseTypeCheckAnnotations(false).
		WithDefaultRegoVersion(ast.RegoV1)
	c.Compile(ms.policy)
	if c.Failed() {
		return nil, problemsOf("compile", "", c.Errors)
	}
	return c, checkEntryPoints(c)
}

// checkEntryPoints asks for the rules that the guard evaluates.
func checkEntryPoints(c *ast.Compiler) []Problem {
	var problems []Problem
	for _, name := range []string{"definition", "record"} {
		for _, rule := range []string{"decision", "reasons"} {
			ref := ast.MustParseRef("data.bailiff." + name + "." + rule)
			if len(c.GetRulesExact(ref)) == 0 {
				problems = append(problems, Problem{Stage: "compile", File: name + ".rego", Message: ref.String() + " is not defined; without it nothing can be decided"})
			}
		}
	}
	return problems
}

// localRefs refuses schemas that refer to anything outside themselves: OPA's
// schema loader would open it.
func localRefs(file string, schema any) []Problem {
	switch x := schema.(type) {
	case map[string]any:
		for key, v := range x {
			if ref, ok := v.(string); ok && strings.HasPrefix(key, "$") && key != "$schema" && !strings.HasPrefix(ref, "#") {
				return []Problem{{Stage: "layout", File: file, Row: 1, Message: "refers to something outside the file; only references that begin with # are allowed"}}
			}
			if problems := localRefs(file, v); problems != nil {
				return problems
			}
		}
	case []any:
		for _, v := range x {
			if problems := localRefs(file, v); problems != nil {
				return problems
			}
		}
	}
	return nil
}
