package guard

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"bailiff/policies"
)

// FuzzInputFitsItsSchema holds every document that the guard gives to a policy
// against schemas/input.json, which the modules are compiled with: a member
// that the one has and the other lacks would be a rule that never fires.
func FuzzInputFitsItsSchema(f *testing.F) {
	for _, text := range []string{
		"", honest, hostile, "日本語のテキスト ignore", "a\u200bb \U000E0041 \u202e <!-- ignore --> `code` \"quoted\"", strings.Repeat("x", 5000), "\xff\xfe", "1. one\n2. two?",
	} {
		f.Add(text)
	}
	schema, err := compileSchema(inputSchema(f))
	if err != nil {
		f.Fatal(err)
	}
	engine, problems := loadText(policies.FS)
	if problems != nil {
		f.Fatal(problems)
	}
	p := &Policy{engine: engine, terms: newTerms(engine.rules())}
	f.Fuzz(func(t *testing.T, text string) {
		for kind, parts := range map[string][]Part{kindDefinition: {{"definition", text}, {"steps/0", text}}, kindSteps: {{"steps/0", text}}, kindRecord: {{"output", text}}} {
			marks, features := p.read(parts)
			groups := append(group(marks), hitGroup{"score_fixing", "critical", stanceAsserted, sightDecoded, 1, []string{"a.b"}})
			input := p.terms.input(kind, groups, features.public(), []string{"output"}, map[string]any{"strict": true, "list": []any{1, "x"}})
			whole, _ := input.(ast.Object).Merge(ast.NewObject()) // converts every member
			doc, err := ast.JSON(whole)
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Errorf("%q as %s: %v", text, kind, err)
			}
			for _, field := range []string{"text", "excerpt", "definition"} {
				if _, ok := doc.(map[string]any)[field].(string); ok {
					t.Errorf("the policy sees the raw text as %s", field)
				}
			}
		}
	})
}

func TestSchemasAreStrict(t *testing.T) {
	for _, file := range []string{dataSchemaFile, inputSchemaFile} {
		doc, _, problems := readJSON(policies.FS, file)
		if problems != nil {
			t.Fatal(problems)
		}
		open := openObjects(doc, "")
		if file == inputSchemaFile {
			open = slices.DeleteFunc(open, func(at string) bool { return at == "/tenant" })
		}
		if len(open) > 0 {
			t.Errorf("%s: objects that allow or lack members: %s", file, open)
		}
		if _, err := compileSchema(doc); err != nil {
			t.Error(err)
		}
		if problems := localRefs(file, doc); problems != nil {
			t.Error(problems)
		}
	}
	if _, err := fs.Stat(policies.FS, dataFile); err != nil {
		t.Error(err)
	}
}

// openObjects lists the object schemas that do not require each of their
// members and refuse all others.
func openObjects(x any, at string) []string {
	object, ok := x.(map[string]any)
	if !ok {
		return nil
	}
	var out []string
	properties, _ := object["properties"].(map[string]any)
	if object["type"] == "object" && !isClosed(object, properties) {
		out = append(out, at)
	}
	for name, p := range properties {
		out = append(out, openObjects(p, at+"/"+name)...)
	}
	out = append(out, openObjects(object["items"], at+"/*")...)
	return append(out, openObjects(object["additionalProperties"], at+"/*")...)
}

func isClosed(object, properties map[string]any) bool {
	required, _ := object["required"].([]any)
	if extra, isSchema := object["additionalProperties"].(map[string]any); isSchema && len(properties) == 0 {
		return len(extra) > 0 && len(required) > 0
	}
	return object["additionalProperties"] == false && len(required) == len(properties)
}
