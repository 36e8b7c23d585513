package api_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"bailiff/cmd/internal/api"
)

// description is the OpenAPI document with what is needed to check answers.
type description struct {
	paths    map[string]map[string]json.RawMessage
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema
}

const documentURL = "https://gateway.test/openapi.json"

// describe reads the document that the gateway serves.
func describe(w *world) *description {
	w.t.Helper()
	text := w.get("/openapi.json").text
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	w.check(json.Unmarshal([]byte(text), &doc))
	tree, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	w.check(err)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	w.check(c.AddResource(documentURL, tree))
	return &description{paths: doc.Paths, compiler: c, schemas: map[string]*jsonschema.Schema{}}
}

// check says how an answer differs from what is described.
func (d *description) check(method, path string, a answer) error {
	if a.body == nil {
		return nil
	}
	pointer := "/components/schemas/Problem"
	if a.status < 400 {
		described, ok := d.find(path)
		if !ok {
			return fmt.Errorf("%s is not described", path)
		}
		pointer = "/paths/" + strings.ReplaceAll(described, "/", "~1") + "/" + strings.ToLower(method) + fmt.Sprintf("/responses/%d/content/application~1json/schema", a.status)
	}
	schema, err := d.schema(pointer)
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(a.text))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

func (d *description) schema(pointer string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(documentURL + "#" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(pointer))
	d.schemas[pointer] = s
	return s, err
}

// find is the described path of an address.
func (d *description) find(path string) (string, bool) {
	path, _, _ = strings.Cut(path, "?")
	if d.paths[path] != nil {
		return path, true
	}
	for described := range d.paths {
		pattern := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(described, `[^/]+`)
		if regexp.MustCompile("^" + pattern + "$").MatchString(path) {
			return described, true
		}
	}
	return "", false
}

// The description and the router list the same routes.
func TestOpenAPIListsTheRoutes(t *testing.T) {
	t.Parallel()
	d := describe(newWorld(t))
	var described []string
	ids := map[string]bool{}
	for path, item := range d.paths {
		for method, raw := range item {
			if method == "parameters" {
				continue
			}
			described = append(described, strings.ToUpper(method)+" "+path)
			var op struct{ OperationID, Summary string }
			if err := json.Unmarshal(raw, &op); err != nil || op.OperationID == "" || op.Summary == "" || ids[op.OperationID] {
				t.Errorf("%s %s: operation %q, summary %q, %v", method, path, op.OperationID, op.Summary, err)
			}
			ids[op.OperationID] = true
		}
	}
	var routed []string
	param := regexp.MustCompile(`:(\w+)`)
	for _, r := range api.Routes() {
		routed = append(routed, r.Method+" "+param.ReplaceAllString(r.Path, "{$1}"))
	}
	slices.Sort(described)
	slices.Sort(routed)
	if !slices.Equal(described, routed) {
		t.Errorf("described %q\nrouted    %q", described, routed)
	}
}

// The members that are described are those that are read: a body with a member
// that is not known is refused with the list of those that are.
func TestOpenAPIDescribesTheBodies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := w.get("/openapi.json").text
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	w.check(json.Unmarshal([]byte(text), &doc))
	metric := `{"evaluations":[{"metrics":[{"metric":"g_eval","metric_args":{"eval_definition":"x","nobody":1}}],"data":[{"output":"x"}]}]}`
	task := strings.Replace(metric, `"g_eval","metric_args":{"eval_definition":"x",`, `"step_efficiency","metric_args":{`, 1)
	for _, s := range []struct {
		schema  string
		path    string
		bodies  []string
		pointer string
	}{
		{"RunRequest", "/v1/runs/custom", []string{`{"nobody":1}`}, "/nobody"},
		{"EvaluateRequest", "/v1/evaluate", []string{`{"nobody":1}`}, "/nobody"},
		{"GEvalRequest", "/api/geval", []string{`{"nobody":1}`}, "/nobody"},
		{"ScanRequest", "/v1/guard/scan", []string{`{"nobody":1}`}, "/nobody"},
		{"ValidateRequest", "/v1/rubrics/validate", []string{`{"nobody":1}`}, "/nobody"},
		{"StepsRequest", "/v1/rubrics/steps", []string{`{"nobody":1}`}, "/nobody"},
		{"Row", "/v1/runs/custom", []string{`{"evaluations":[{"metrics":["step_efficiency"],"data":[{"nobody":1}]}]}`}, "/evaluations/0/data/0/nobody"},
		{"MetricArgs", "/v1/runs/custom", []string{metric, task}, "/evaluations/0/metrics/0/metric_args/nobody"},
		{"KeyRequest", "/v1/admin/tenants/ID/keys", []string{`{"nobody":1}`}, "/nobody"},
	} {
		w.key("acme/evaluate")
		read := map[string]bool{}
		for _, body := range s.bodies {
			a := w.post(strings.Replace(s.path, "ID", w.tenant["acme"], 1), body)
			problems, _ := a.at("errors").([]any)
			for i := range problems {
				if _, list, ok := strings.Cut(a.text1("errors", i, "detail"), "known are "); ok && a.text1("errors", i, "pointer") == s.pointer {
					for name := range strings.SplitSeq(list, ", ") {
						read[name] = true
					}
				}
			}
		}
		for name := range doc.Components.Schemas[s.schema].Properties {
			if !read[name] {
				t.Errorf("%s describes %s, which is not read", s.schema, name)
			}
			delete(read, name)
		}
		for name := range read {
			t.Errorf("%s does not describe %s", s.schema, name)
		}
	}
}
