package rubric

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
)

// Kept gives what was worked before, from memory and from the store, and never
// asks a model.
func TestKept(t *testing.T) {
	for name, tt := range map[string]struct {
		stages map[string][]reply
		kept   bool // what is to be kept at all
	}{
		"extracted":    {map[string][]reply{"resolve": {finds("Check whether it names the ship.")}}, true},
		"generated":    {nil, true},
		"not a rubric": {map[string][]reply{"resolve": {answers(nil, `{"is_rubric":false}`)}}, true},
		"a fault":      {map[string][]reply{"resolve": {fails("model_unavailable")}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			shared := newStore()
			m := script(tt.stages)
			req := request(t, m, letter)
			r := NewResolver(Config{Cache: shared})
			if _, ok := r.Kept(t.Context(), req); ok || m.count("*") != 0 {
				t.Fatalf("kept before it was worked, or %d calls", m.count("*"))
			}
			first := r.Resolve(t.Context(), req)
			asked := m.count("*")
			for where, again := range map[string]*Resolver{"memory": r, "another process": NewResolver(Config{Cache: shared})} {
				res, ok := again.Kept(t.Context(), req)
				if ok != tt.kept || m.count("*") != asked {
					t.Fatalf("%s: kept %v, %d more calls", where, ok, m.count("*")-asked)
				}
				if ok && (end(res) != end(first) || !res.Cached || res.Signature != first.Signature || !slices.Equal(res.Rubric.Steps(), first.Rubric.Steps())) {
					t.Errorf("%s: %s, first %s", where, end(res), end(first))
				}
			}
			for what, change := range map[string]func(*Request){
				"another tenant": func(r *Request) { r.Tenant = "another" },
				"another text":   func(r *Request) { r.Definition += " " },
				"another model":  func(r *Request) { r.Model = &scripted{name: "another"} },
			} {
				other := req
				change(&other)
				if _, ok := r.Kept(t.Context(), other); ok {
					t.Errorf("%s is kept", what)
				}
			}
		})
	}
}

// An entry that lacks an answer cannot be used without asking.
func TestKeptDoesNotAskForWhatIsMissing(t *testing.T) {
	shared := newStore()
	m := script(nil)
	req := request(t, m, prose)
	NewResolver(Config{Cache: shared}).Resolve(t.Context(), req)
	asked := m.count("*")
	shared.rewrite(func(text string) string {
		var e entry
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		e.Steps = nil
		without, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return string(without)
	})
	if _, ok := NewResolver(Config{Cache: shared}).Kept(t.Context(), req); ok || m.count("*") != asked {
		t.Errorf("kept without its steps, or %d more calls", m.count("*")-asked)
	}
}
