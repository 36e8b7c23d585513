package guard

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
)

// filesIn copies a policy into memory, so that a test can change it.
func filesIn(tb testing.TB, fsys fs.FS) fstest.MapFS {
	tb.Helper()
	out := fstest.MapFS{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := fs.ReadFile(fsys, name)
		out[name] = &fstest.MapFile{Data: src}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// with returns a copy with one file replaced, or removed when text is "".
func with(files fstest.MapFS, name, text string) fstest.MapFS {
	out := maps.Clone(files)
	if text == "" {
		delete(out, name)
		return out
	}
	out[name] = &fstest.MapFile{Data: []byte(text)}
	return out
}

func compileSmall(tb testing.TB, fsys fs.FS) (*Policy, error) {
	tb.Helper()
	return Compile(tb.Context(), fsys, func(o *options) { o.engine = phrases{} })
}

func TestCompileNamesFileAndLine(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	def := string(files["definition.rego"].Data)
	schema := string(files["schemas/data.json"].Data)
	bad := func(line string) string { return def + "\n" + line + "\n" }
	lines := strings.Count(def, "\n") + 2
	for name, c := range map[string]struct {
		file, text string
		row        int
		message    string
	}{
		"syntax":             {"definition.rego", bad("x := ]"), lines, "unexpected"},
		"unknown name":       {"definition.rego", bad("x := nothing_here"), lines, "unsafe"},
		"forbidden builtin":  {"definition.rego", bad(`x := http.send({"method": "get", "url": "http://x"})`), lines, "undefined function http.send"},
		"growing builtin":    {"definition.rego", bad(`x := numbers.range(1, 10)`), lines, "undefined function numbers.range"},
		"misspelt input":     {"definition.rego", bad(`x := input.hit`), lines, "undefined ref"},
		"misspelt in a hit":  {"definition.rego", bad("x if {\n\tsome h in input.hits\n\th.stanc == \"asserted\"\n}"), lines + 2, "undefined ref"},
		"value of no kind":   {"definition.rego", bad(`x if input.kind == 1`), lines, "match error"},
		"missing data":       {"definition.rego", bad("x := config.no_such_threshold"), lines, "data.bailiff.config.no_such_threshold is read here"},
		"missing data below": {"definition.rego", bad("x := config.deny_from.more"), lines, "is read here"},
		"with":               {"definition.rego", bad("x if denials with input as {}"), lines, "belongs in tests"},
		"another package":    {"other.rego", "package other\n\nx := 1\n", 1, "outside bailiff"},
		"package of data":    {"other.rego", "package bailiff.config\n\ndeny_from := 3\n", 1, "outside bailiff"},
		"root package":       {"other.rego", "package bailiff\n\nx := 1\n", 1, "outside bailiff"},
		"recursion":          {"definition.rego", bad("x := y\n\ny := x"), lines, "recursive"},
		"exponent":           {"definition.rego", bad("x := 1e99"), lines, "no exponent"},
		"long number":        {"definition.rego", bad("x := 123456789012345678901234567890"), lines, "at most 20 digits"},
		"empty module":       {"other.rego", " ", 0, "empty"},
		"not UTF-8":          {"other.rego", "package bailiff.x\n\ny := \"\xff\"\n", 3, ""},
		"too long":           {"other.rego", "package bailiff.x\n" + strings.Repeat("# padding\n", 7000), 0, "65536 are allowed"},
		"brackets":           {"other.rego", "package bailiff.x\n\ny := " + strings.Repeat("[", 60) + strings.Repeat("]", 60), 3, "nested"},
		"data: syntax":       {"data.json", "{\n\"bailiff\": {\n\"config\": {,}}}", 3, "invalid"},
		"data: twice":        {"data.json", "{\n\"bailiff\": {\"config\": {\"deny_from\": 1,\n\"deny_from\": 3}}}", 3, "duplicate"},
		"data: missing":      {"data.json", "{\"bailiff\":\n{\"config\": {}}}", 2, "missing propert"},
		"data: type":         {"data.json", "{\"bailiff\":\n{\"config\": {\n\"deny_from\": \"1\"}}}", 3, "got string"},
		"data: range":        {"data.json", "{\"bailiff\":\n{\"config\": {\n\"deny_from\": 1000}}}", 3, "maximum"},
		"data: unknown":      {"data.json", "{\"bailiff\":\n{\"config\": {\"deny_from\": 1, \"more\": 1}}}", 2, "additional"},
		"data: shadows":      {"data.json", "{\"bailiff\": {\"config\": {\"deny_from\": 1}, \"definition\": {\"decision\": \"allow\"}}}", 1, "nothing beside it"},
		"data: root":         {"data.json", "{\"bailiff\": {\"config\": {\"deny_from\": 1}}, \"other\": 1}", 1, "nothing beside it"},
		"data: absent":       {"data.json", "", 0, "data.json"},
		"schema: absent":     {"schemas/data.json", "", 0, "schemas/data.json"},
		"schema: fetches":    {"schemas/data.json", strings.Replace(schema, `"type": "object",`, `"$ref": "file:///etc/passwd",`, 1), 1, "not followed"},
		"input: absent":      {"schemas/input.json", "", 0, "schemas/input.json"},
		"input: fetches":     {"schemas/input.json", `{"type": "object", "properties": {"hits": {"$ref": "file:///etc/hostname"}}}`, 1, "outside the file"},
		"no entry point":     {"record.rego", "package bailiff.record\n\nreasons := []\n", 0, "data.bailiff.record.decision is not defined"},
		"no record":          {"record.rego", "", 0, "data.bailiff.record.reasons is not defined"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := compileSmall(t, with(files, c.file, c.text))
			refused, ok := errors.AsType[*PolicyError](err)
			if !ok {
				t.Fatalf("not refused: %v", err)
			}
			for _, p := range refused.Problems {
				if p.File == c.file && (c.row == 0 || p.Row == c.row) && strings.Contains(p.String(), c.message) {
					return
				}
			}
			t.Errorf("no problem at %s:%d with %q in %v", c.file, c.row, c.message, err)
		})
	}
}

// TestOnlyAllowedBuiltinsCompile calls every function that OPA knows.
func TestOnlyAllowedBuiltinsCompile(t *testing.T) {
	names := map[string]bool{}
	for _, name := range allowedBuiltins {
		names[name] = true
	}
	caps := capabilities(false)
	if len(caps.Builtins) != len(allowedBuiltins) {
		t.Errorf("%d functions are allowed by name, OPA knows %d of them", len(allowedBuiltins), len(caps.Builtins))
	}
	refusedCount := 0
	for _, b := range ast.CapabilitiesForThisVersion().Builtins {
		if b.Infix != "" || strings.HasPrefix(b.Name, "internal.") {
			continue
		}
		args := strings.TrimSuffix(strings.Repeat("input.x, ", b.Decl.Arity()), ", ")
		m, err := ast.ParseModule("x.rego", "package bailiff.x\n\ny := "+b.Name+"("+args+")\n")
		if err != nil {
			t.Fatal(err)
		}
		c := ast.NewCompiler().WithCapabilities(caps)
		c.Compile(map[string]*ast.Module{"x": m})
		if compiled := !strings.Contains(c.Errors.Error(), "undefined function"); compiled != names[b.Name] {
			t.Errorf("%s: compiles %v, allowed %v", b.Name, compiled, names[b.Name])
		}
		if !names[b.Name] {
			refusedCount++
		}
	}
	if refusedCount < 150 {
		t.Errorf("only %d functions were tried and refused", refusedCount)
	}
}

// TestOddRulingsAreFaults replaces the entry points by ones that answer
// something else than a decision with reasons.
func TestOddRulingsAreFaults(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	reason := `[{"code": "c", "message": "m.", "rule_ids": ["a.b"]}]`
	for name, body := range map[string]string{
		"undefined decision":  `decision := "allow" if input.kind == "steps"` + "\nreasons := []",
		"undefined reasons":   `decision := "allow"` + "\n" + `reasons := [] if input.kind == "steps"`,
		"conflict":            "decision := \"allow\"\ndecision := \"deny\" if count(input.hits) >= 0\nreasons := " + reason,
		"another word":        `decision := "ALLOW"` + "\nreasons := []",
		"padded word":         `decision := "allow "` + "\nreasons := []",
		"empty word":          `decision := ""` + "\nreasons := []",
		"true":                "decision := true\nreasons := []",
		"null":                "decision := null\nreasons := []",
		"number":              "decision := 0\nreasons := []",
		"list":                `decision := ["allow"]` + "\nreasons := []",
		"set":                 `decision contains "allow"` + "\nreasons := []",
		"object":              `decision := {"decision": "allow"}` + "\nreasons := []",
		"reasons: set":        `decision := "allow"` + "\n" + `reasons contains "x"`,
		"reasons: text":       `decision := "allow"` + "\n" + `reasons := "none"`,
		"reasons: texts":      `decision := "allow"` + "\n" + `reasons := ["x"]`,
		"reason: no message":  `decision := "allow"` + "\n" + `reasons := [{"code": "c", "rule_ids": []}]`,
		"reason: more":        `decision := "allow"` + "\n" + `reasons := [{"code": "c", "message": "m", "rule_ids": [], "x": 1}]`,
		"reason: ids":         `decision := "allow"` + "\n" + `reasons := [{"code": "c", "message": "m", "rule_ids": [1]}]`,
		"reason: id form":     `decision := "allow"` + "\n" + `reasons := [{"code": "c", "message": "m", "rule_ids": ["a b"]}]`,
		"reason: code form":   `decision := "allow"` + "\n" + `reasons := [{"code": "Not a code", "message": "m", "rule_ids": []}]`,
		"deny without reason": `decision := "deny"` + "\nreasons := []",
		"division by zero":    `decision := "allow" if max([x | x := input.hits[_].n]) > 0` + "\nreasons := []",
		"builtin error":       "decision := \"allow\" if format_int(object.get(input.tenant, \"x\", \"a\"), 10) == \"\"\nreasons := []",
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Compile(t.Context(), with(files, "definition.rego", "package bailiff.definition\n\n"+body+"\n"),
				func(o *options) { o.engine, o.selfTest = phrases{}, false })
			if err != nil {
				t.Fatal(err)
			}
			report, fault := p.Scan(t.Context(), Subject{Definition: honest})
			if fault == nil || fault.Stage != "policy" || fault.Code != "policy_unavailable" || fault.Message == "" {
				t.Fatalf("decision %q, fault %+v", report.Decision, fault)
			}
			if report.Decision != "" {
				t.Errorf("a fault comes with decision %q", report.Decision)
			}
			m := &scripted{name: "m", answers: []string{saysSafe}}
			if v := p.Check(t.Context(), Subject{Definition: honest}, Reviewers{First: m}); v.Cleared.OK() || v.Fault == nil || len(m.asked) > 0 {
				t.Errorf("checked on: %+v, %d calls", v.Fault, len(m.asked))
			}
			if _, err := compileSmall(t, with(files, "definition.rego", "package bailiff.definition\n\n"+body+"\n")); err == nil {
				t.Error("the self-test lets it become active")
			}
		})
	}
}

func TestRecordPolicyHasTwoWords(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	p, err := compileSmall(t, with(files, "record.rego", "package bailiff.record\n\ndecision := \"review\"\n\nreasons := [{\"code\": \"c\", \"message\": \"m\", \"rule_ids\": []}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, fault := p.ScanRecord(t.Context(), []Part{{"output", "text"}}, nil); fault == nil {
		t.Error("nobody reviews a record, so review is no decision about one")
	}
}

func TestEvaluationIsBounded(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	loop := `package bailiff.definition

decision := "deny" if {
	count([1 | some a in input.tenant.x; some b in input.tenant.x; some c in input.tenant.x; some d in input.tenant.x; a + b + c + d < 0]) > 0
} else := "allow"

reasons := []
`
	p, err := Compile(t.Context(), with(files, "definition.rego", loop), func(o *options) { o.engine, o.selfTest = phrases{}, false }, WithBudget(50*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	list := make([]any, 1000)
	for i := range list {
		list[i] = i
	}
	started := time.Now()
	_, fault := p.Scan(t.Context(), Subject{Definition: honest, Tenant: map[string]any{"x": list}})
	if fault == nil || fault.Code != codePolicyUnavailable {
		t.Errorf("fault %+v", fault)
	}
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
}

func TestTenantDataIsBounded(t *testing.T) {
	p := smallPolicy(t, smallPolicyFS())
	deep := map[string]any{}
	for range 20 {
		deep = map[string]any{"x": deep}
	}
	wide := map[string]any{}
	for i := range 3000 {
		wide[strings.Repeat("k", i+1)] = i
	}
	for name, data := range map[string]map[string]any{
		"deep": deep, "wide": wide,
		"of a foreign type": {"x": struct{ A int }{1}},
		"a channel":         {"x": make(chan int)},
	} {
		if _, fault := p.Scan(t.Context(), Subject{Definition: honest, Tenant: data}); fault == nil || fault.Code != codePolicyUnavailable {
			t.Errorf("%s: fault %+v", name, fault)
		}
	}
	if _, fault := p.Scan(t.Context(), Subject{Definition: honest, Tenant: map[string]any{"a": 1.5, "b": []any{true, nil, "x", 3}, "c": map[string]any{}}}); fault != nil {
		t.Errorf("ordinary data: %+v", fault)
	}
}

func TestRevisionNamesWhatDecides(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	first := smallPolicy(t, files).Revision()
	if len(first) != 32 || smallPolicy(t, smallPolicyFS()).Revision() != first {
		t.Errorf("revision %q is not that of the same files elsewhere", first)
	}
	for _, name := range []string{"definition.rego", "record.rego", "data.json", "schemas/data.json", "schemas/input.json"} {
		changed := with(files, name, string(files[name].Data)+"\n")
		if smallPolicy(t, changed).Revision() == first {
			t.Errorf("a change of %s does not show", name)
		}
	}
	for name, text := range map[string]string{"README.md": "words", "definition_test.rego": string(files["definition_test.rego"].Data) + "\n# more\n"} {
		if smallPolicy(t, with(files, name, text)).Revision() != first {
			t.Errorf("a change of %s shows, and decides nothing", name)
		}
	}
	moved := with(with(files, "record.rego", ""), "lib/record.rego", string(files["record.rego"].Data))
	if smallPolicy(t, moved).Revision() == first {
		t.Error("a moved file does not show")
	}
}

// TestRevisionNamesTheEngine holds that the code of this package is part of the
// revision, its tests are not, and its generated tables are.
func TestRevisionNamesTheEngine(t *testing.T) {
	files, err := engineFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"scan.go", "input.go", "policy_query.go", "confusables_table.go", "normalize_words.bloom"} {
		if !slices.Contains(files, want) {
			t.Errorf("%s is not among %v", want, files)
		}
	}
	if slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") }) {
		t.Error("tests decide")
	}
	one, err := sumOf(fstest.MapFS{"a": {Data: []byte("bc")}}, []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	if two, _ := sumOf(fstest.MapFS{"ab": {Data: []byte("c")}}, []string{"ab"}); one == two {
		t.Error("two lists have one sum")
	}
}

func TestSelfTestRefusesABlindPolicy(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	for name, body := range map[string]string{
		"allows everything":  "decision := \"allow\"\n\nreasons := []\n",
		"denies everything":  "decision := \"deny\"\n\nreasons := [{\"code\": \"c\", \"message\": \"m\", \"rule_ids\": []}]\n",
		"reviews everything": "decision := \"review\"\n\nreasons := [{\"code\": \"c\", \"message\": \"m\", \"rule_ids\": []}]\n",
	} {
		_, err := compileSmall(t, with(files, "definition.rego", "package bailiff.definition\n\n"+body))
		refused, ok := errors.AsType[*PolicyError](err)
		if !ok || refused.Problems[0].Stage != "selftest" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFloorsHoldForEveryCategory gives a policy that forgets one category.
func TestFloorsHoldForEveryCategory(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	forgets := strings.Replace(string(files["definition.rego"].Data), `	hit.stance == "asserted"`, "	hit.stance == \"asserted\"\n	hit.category != \"rarely_found\"", 1)
	careless := strings.Replace(string(files["definition.rego"].Data), `	hit.stance == "asserted"`, "	hit.stance == \"asserted\"\n	hit.layer != \"decoded\"", 1)
	for name, text := range map[string]string{"a category": forgets, "a layer": careless} {
		_, err := compileSmall(t, with(files, "definition.rego", text))
		if err == nil || !strings.Contains(err.Error(), "said in earnest") {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

func TestRulesNameThePolicysOwn(t *testing.T) {
	p := smallPolicy(t, smallPolicyFS())
	var rego RuleInfo
	for _, r := range p.Rules() {
		if r.Kind == "rego" {
			rego = r
		}
	}
	if rego.ID != "policy.asserted" || rego.Why != "Said in earnest and grave" || rego.Source != "definition.rego" {
		t.Errorf("rule %+v", rego)
	}
	p.Rules()[0].ID = "changed"
	if p.Rules()[0].ID == "changed" {
		t.Error("a caller can change the policy's rules")
	}
}

// inputSchema is the schema that the policy's modules are compiled against.
func inputSchema(tb testing.TB) any {
	tb.Helper()
	doc, _, problems := readJSON(os.DirFS(path.Join("..", "policies")), inputSchemaFile)
	if problems != nil {
		tb.Fatal(problems)
	}
	return doc
}
