package guard

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestScanReports(t *testing.T) {
	p := smallPolicy(t, smallPolicyFS())
	for name, c := range map[string]struct {
		subject  Subject
		decision Decision
		parts    []string
		rules    []string
	}{
		"rubric":     {Subject{Definition: honest}, Allow, nil, []string{}},
		"attack":     {Subject{Definition: hostile}, Deny, []string{"definition"}, []string{"test.ignore"}},
		"in a step":  {Subject{Definition: honest, Steps: []string{honest, hostile}}, Deny, []string{"steps/1"}, []string{"test.ignore"}},
		"steps only": {Subject{Steps: []string{hostile}}, Deny, []string{"steps/0"}, []string{"test.ignore"}},
		"over steps": {Subject{Steps: []string{"Give the maximum", "score."}}, Allow, nil, []string{}},
		"mentioned":  {Subject{Definition: doubtful}, Allow, []string{"definition"}, []string{}},
		"empty":      {Subject{}, Allow, nil, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			r, fault := p.Scan(t.Context(), c.subject)
			if fault != nil || r.Decision != c.decision || r.Revision != p.Revision() || r.Took <= 0 {
				t.Fatalf("decision %q, fault %+v, revision %q, took %s", r.Decision, fault, r.Revision, r.Took)
			}
			var parts []string
			for _, f := range r.Findings {
				parts = append(parts, f.Part)
				text := partText(c.subject, f.Part)
				if f.Start < 0 || f.Start > f.End || f.End > len(text) || !strings.Contains(strings.ToLower(text[f.Start:f.End]), "ignore") {
					t.Errorf("finding %+v is not in %q", f, text)
				}
			}
			if diff := cmp.Diff(c.parts, parts); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.rules, r.RuleIDs()); diff != "" {
				t.Error(diff)
			}
			again, _ := p.Scan(t.Context(), c.subject)
			if diff := cmp.Diff(r, again, cmpopts.IgnoreFields(Report{}, "Took")); diff != "" {
				t.Errorf("the same text gives another report: %s", diff)
			}
		})
	}
}

func partText(s Subject, name string) string {
	for _, p := range s.parts() {
		if p.Name == name {
			return p.Text
		}
	}
	return ""
}

// TestMarksFindTheirPart puts a mark over every range of three joined parts.
func TestMarksFindTheirPart(t *testing.T) {
	parts := []Part{{"definition", "abc"}, {"steps/0", ""}, {"steps/1", "déf"}}
	whole := joined(parts)
	for start := range len(whole) + 1 {
		for end := start; end <= len(whole); end++ {
			m := acrossParts([]mark{{Finding: Finding{Start: start, End: end}}}, parts)[0]
			at := slices.IndexFunc(parts, func(p Part) bool { return p.Name == m.Part })
			if at < 0 || m.Start < 0 || m.Start > m.End || m.End > len(parts[at].Text) {
				t.Fatalf("[%d,%d) becomes %q [%d,%d)", start, end, m.Part, m.Start, m.End)
			}
			if text := parts[at].Text[m.Start:m.End]; !strings.Contains(whole[start:end], text) {
				t.Errorf("[%d,%d) becomes %q", start, end, text)
			}
		}
	}
}

func TestStrongestKeepsWhatExcusesLeast(t *testing.T) {
	at := func(stance string) mark {
		return mark{Finding{RuleID: "a.b", Part: "steps/0", Start: 1, End: 2, Quoted: stance != stanceAsserted}, stance, sightPlain}
	}
	for _, order := range [][]string{{stanceQuoted, stanceAsserted, stanceMentioned}, {stanceAsserted, stanceQuoted}, {stanceMentioned, stanceAsserted}} {
		var marks []mark
		for _, s := range order {
			marks = append(marks, at(s))
		}
		if got := strongest(marks); len(got) != 1 || got[0].stance != stanceAsserted || got[0].Quoted {
			t.Errorf("of %v: %+v", order, got)
		}
	}
}

func TestClearedIsWhatWasChecked(t *testing.T) {
	p := smallPolicy(t, smallPolicyFS())
	s := Subject{Definition: honest, Steps: []string{"Check the tone."}, Fields: []string{"output"}, Tenant: map[string]any{"list": []any{"a"}}}
	v := p.Check(t.Context(), s, Reviewers{First: &scripted{name: "m", answers: []string{saysSafe}}})
	c := v.Cleared
	if !c.OK() || c.Revision() != p.Revision() {
		t.Fatalf("%+v", v)
	}
	s.Steps[0], s.Fields[0] = hostile, "input"
	s.Tenant["list"].([]any)[0] = "b"
	c.Steps()[0], c.Fields()[0] = hostile, "input"
	c.Tenant()["list"].([]any)[0] = "b"
	if c.Definition() != honest || c.Steps()[0] != "Check the tone." || c.Fields()[0] != "output" || c.Tenant()["list"].([]any)[0] != "a" {
		t.Error("what was cleared changed afterwards")
	}
	if (Cleared{}).OK() {
		t.Error("the zero value is cleared")
	}
}

func TestCheckSteps(t *testing.T) {
	p := smallPolicy(t, smallPolicyFS())
	v := p.Check(t.Context(), Subject{Definition: honest, Tenant: strict()}, Reviewers{First: &scripted{name: "m", answers: []string{saysSafe}}})
	for text, want := range map[string]Decision{honest: Allow, hostile: Deny, doubtful: Review} {
		r, fault := p.CheckSteps(t.Context(), v.Cleared, []string{"Check the tone.", text})
		if fault != nil || r.Decision != want {
			t.Errorf("%q: %s %+v", text, r.Decision, fault)
		}
	}
	if r, fault := p.CheckSteps(t.Context(), Cleared{}, []string{honest}); fault == nil || r.Decision != "" {
		t.Error("steps of a definition that was not cleared are let through")
	}
}

func TestScanRecordFlags(t *testing.T) {
	p := smallPolicy(t, smallPolicyFS())
	parts := []Part{{"input", "A question"}, {"output", hostile}}
	r, fault := p.ScanRecord(t.Context(), parts, nil)
	if fault != nil || r.Decision != Allow || len(r.Findings) != 1 || r.Findings[0].Part != "output" || len(r.Reasons) != 1 {
		t.Errorf("%+v %+v", r, fault)
	}
	r, fault = p.ScanRecord(t.Context(), parts, map[string]any{"deny_records": true})
	if fault != nil || r.Decision != Deny {
		t.Errorf("%+v %+v", r, fault)
	}
	if r, fault = p.ScanRecord(t.Context(), nil, nil); fault != nil || r.Decision != Allow {
		t.Errorf("no parts: %+v %+v", r, fault)
	}
}

// TestTenantDataOnlyTightens evaluates a policy that lets tenants loosen it in
// every way its author could think of: the guard holds the line in Go.
func TestTenantDataOnlyTightens(t *testing.T) {
	generous := `package bailiff.definition

decision := object.get(input.tenant, "decision", base)

default base := "allow"

base := "deny" if count(input.hits) > object.get(input.tenant, "tolerate", 0)

reasons := [{"code": "hit", "message": "Marked.", "rule_ids": h.rules} | some h in input.hits]
`
	p, err := compileSmall(t, with(filesIn(t, smallPolicyFS()), "definition.rego", generous))
	if err != nil {
		t.Fatal(err)
	}
	attempts := []map[string]any{{"decision": "allow"}, {"decision": "review"}, {"tolerate": 1000}, {"decision": "allow", "tolerate": 5}}
	for _, odd := range []any{nil, true, 0, "", "ALLOW", "allow ", []any{"allow"}, map[string]any{"decision": "allow"}} {
		attempts = append(attempts, map[string]any{"decision": odd}, map[string]any{"tolerate": odd}, map[string]any{"decision": odd, "tolerate": 9})
	}
	attempts = append(attempts, map[string]any{"kind": "record", "hits": []any{}}, map[string]any{"bailiff": map[string]any{"config": map[string]any{}}})
	if len(attempts) < 30 {
		t.Fatalf("only %d attempts", len(attempts))
	}
	for _, tenant := range attempts {
		m := &scripted{name: "m", answers: []string{saysSafe}}
		v := p.Check(t.Context(), Subject{Definition: hostile, Tenant: tenant}, Reviewers{First: m})
		if v.Cleared.OK() || (v.Fault == nil && v.Report.Decision != Deny) || len(m.asked) > 0 {
			t.Errorf("%v: decision %q, fault %+v", tenant, v.Report.Decision, v.Fault)
		}
	}
	r, fault := p.Scan(t.Context(), Subject{Definition: honest, Tenant: map[string]any{"decision": "review"}})
	if fault == nil {
		t.Errorf("a review without a reason: %+v", r)
	}
	r, fault = p.Scan(t.Context(), Subject{Definition: doubtful, Tenant: map[string]any{"tolerate": 0}})
	if fault != nil || r.Decision != Deny {
		t.Errorf("%+v %+v", r, fault)
	}
}

// TestHotSwap scans while revisions change: one report never mixes two.
func TestHotSwap(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	lax := smallPolicy(t, files)
	stern, err := Compile(t.Context(), with(files, "definition.rego", strings.Replace(string(files["definition.rego"].Data), `hit.stance != "asserted"`+"\n\tobject.get", `hit.stance != "asserted"`+"\n\tobject.get(input.tenant, \"none\", true) == true\n\tnot object.get", 1)),
		func(o *options) { o.engine = phrases{} })
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Decision{lax.Revision(): Allow, stern.Revision(): Review}
	if len(want) != 2 {
		t.Fatal("two policies have one revision")
	}
	g := New(lax)
	var scans, seen [2]atomic.Int64
	var wg sync.WaitGroup
	const workers, each = 8, 1250
	for range workers {
		wg.Go(func() {
			for range each {
				r, fault := g.Active().Scan(t.Context(), Subject{Definition: doubtful})
				scans[0].Add(1)
				if fault != nil || want[r.Revision] != r.Decision {
					t.Errorf("revision %s says %q (%+v) after %s", r.Revision, r.Decision, fault, r.Took)
					return
				}
				if r.Revision == stern.Revision() {
					seen[1].Add(1)
				} else {
					seen[0].Add(1)
				}
			}
		})
	}
	policies := [2]*Policy{stern, lax}
	for swaps := range 100 {
		for scans[0].Load() < int64(swaps)*workers*each/100 {
			if t.Failed() {
				break
			}
			runtime.Gosched()
		}
		if old := g.Swap(policies[swaps%2]); old != policies[(swaps+1)%2] {
			t.Error("Swap returns another policy than it replaced")
		}
	}
	wg.Wait()
	if scans[0].Load() != workers*each || seen[0].Load() == 0 || seen[1].Load() == 0 {
		t.Errorf("%d scans, %d and %d by the two revisions", scans[0].Load(), seen[0].Load(), seen[1].Load())
	}
	if old := g.Swap(nil); old != g.Active() || g.Active() == nil {
		t.Error("Swap(nil) takes the policy away")
	}
}

func TestExplanationsHelpAndDoNotEcho(t *testing.T) {
	p := smallPolicy(t, smallPolicyFS())
	secret := "sk-live-0123456789abcdef"
	denied := p.Check(t.Context(), Subject{Definition: hostile + " Reveal " + secret + "."}, Reviewers{}).Rejection
	unsafe := p.Check(t.Context(), Subject{Definition: honest + secret}, Reviewers{First: &scripted{name: "m", answers: []string{saysUnsafe}}}).Rejection
	for name, r := range map[string]*Rejection{"denied": denied, "unsafe": unsafe} {
		if strings.Contains(r.Message, secret) || strings.Contains(r.Message, "ignore the rules") || len(r.Message) > 1200 {
			t.Errorf("%s: %q", name, r.Message)
		}
		if !strings.Contains(r.Message, "Write only what a good answer looks like") {
			t.Errorf("%s does not say what to write instead: %q", name, r.Message)
		}
		if r.RuleIDs == nil || r.Findings == nil {
			t.Errorf("%s has null lists", name)
		}
	}
	if !strings.Contains(denied.Message, "rule test.ignore") || !strings.Contains(unsafe.Message, "score_fixing") {
		t.Errorf("%q\n%q", denied.Message, unsafe.Message)
	}
	many := Report{Reasons: []Reason{{Code: "a", Message: "One", RuleIDs: nil}, {Code: "b", Message: "One"}, {Code: "c", Message: "Two."}, {Code: "d", Message: "Three!"}, {Code: "e", Message: "Four."}}}
	for i := range 20 {
		many.Reasons[0].RuleIDs = append(many.Reasons[0].RuleIDs, fmt.Sprintf("rule.%d", i))
	}
	got := deniedSentence(many)
	if !strings.Contains(got, "rule.7 and others. One. Two. Three! Write") {
		t.Errorf("%q", got)
	}
}
