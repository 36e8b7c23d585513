package offline

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bailiff/judge/model"
)

var _ model.Model = (*Model)(nil)

// prompts hold one request for every stage and kind of data.
var prompts = map[string]struct{ stage, data string }{
	"safety":            {stageSafety, `{"eval_definition":"The reply must name the date.","evaluation_steps":[],"evaluation_fields":["output"]}`},
	"resolve":           {stageResolve, `{"eval_definition":"1. Names the date.\n2. Names the place.","evaluation_fields":["output"]}`},
	"generate":          {stageGenerate, `{"eval_definition":"The reply must name the date.","evaluation_fields":["output"]}`},
	"score":             {stageScore, `{"eval_definition":"","evaluation_steps":["Check whether the reply names the date."],"record":{"input":"When?","output":"On 3 May."}}`},
	"strict":            {stageStrict, `{"eval_definition":"","evaluation_steps":["Check whether the reply names the date."],"record":{"output":"On 3 May.","context":["It is on 3 May."],"golden_answer":"3 May"}}`},
	"efficiency":        {stageScore, `{"task":"Book it.","trace":[{"step":1,"type":"tool","name":"book","input":{"id":1},"output":"ok"}],"facts":[]}`},
	"efficiency strict": {stageStrict, `{"task":"Book it.","trace":[{"step":1,"type":"tool","name":"book","input":{"id":1},"error":"down"}],"facts":[{"kind":"dead_end","steps":[1],"text":"Step 1 failed."}]}`},
	"task":              {stageTask, `{"trace":[{"step":1,"type":"user","name":"","input":"Book a table for two.","output":null}]}`},
}

// members of the answer of each stage, in the order of the contract.
var members = map[string][]string{
	stageSafety:   {"rationale", "categories", "verdict"},
	stageResolve:  {"steps", "missing_fields", "suggestions", "explanation", "is_rubric", "coherent", "applicable"},
	stageGenerate: {"steps"},
	stageScore:    {"findings", "reason", "score"},
	stageStrict:   {"findings", "reason", "verdict"},
	stageTask:     {"task"},
}

func TestChat(t *testing.T) {
	t.Parallel()
	m := New()
	for name, p := range prompts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := model.Request{Stage: p.stage, System: "You judge.", User: "Judge this.\n" + fence("a1b2", p.data), Logprobs: true}
			reply, err := m.Chat(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(members[p.stage], names(t, reply.Object)); diff != "" {
				t.Errorf("members (-want +got):\n%s", diff)
			}
			if reply.Content != string(reply.Object) || reply.ObjectStart != 0 || reply.Tokens != nil || reply.Attempts != 1 {
				t.Errorf("reply = %+v, want the object alone, one attempt, no log probabilities", reply)
			}
			if u := reply.Usage; u.Calls != 1 || u.InputTokens == 0 || u.OutputTokens == 0 || u.Cost.String() != "0" {
				t.Errorf("usage = %+v, want one priced call that cost nothing", u)
			}
			for range 3 {
				again, err := m.Ask(t.Context(), p.stage, "another system text", req.User, nil)
				if err != nil || string(again) != string(reply.Object) {
					t.Errorf("asked again: %s, %v; want %s", again, err, reply.Object)
				}
			}
		})
	}
}

// names lists the members of an object in the order they stand.
func names(t *testing.T, object []byte) []string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(object)))
	var out []string
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, name.(string))
		var value any
		if err := dec.Decode(&value); err != nil || value == nil {
			t.Fatalf("member %v: %v, %v", name, value, err)
		}
	}
	return out
}

func TestChatErrors(t *testing.T) {
	t.Parallel()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	good := fence("a", `{"eval_definition":"x"}`)
	for name, c := range map[string]struct {
		ctx         context.Context
		stage, user string
		code        string
	}{
		"no fence":      {t.Context(), stageScore, "Judge this.", model.CodeMalformed},
		"broken data":   {t.Context(), stageScore, fence("a", `{"record":`), model.CodeMalformed},
		"wrong type":    {t.Context(), stageScore, fence("a", `{"evaluation_steps":"one"}`), model.CodeMalformed},
		"unknown stage": {t.Context(), "poem", good, model.CodeMalformed},
		"no stage":      {t.Context(), "", good, model.CodeMalformed},
		"cancelled":     {cancelled, stageScore, good, model.CodeCancelled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reply, err := New().Chat(c.ctx, model.Request{Stage: c.stage, User: c.user})
			e, ok := errors.AsType[*model.Error](err)
			if !ok || e.Code != c.code || reply.Object != nil {
				t.Errorf("Chat = %+v, %v; want *model.Error %s", reply, err, c.code)
			}
		})
	}
}

func TestInfo(t *testing.T) {
	t.Parallel()
	m := New()
	info := m.Info()
	if !info.Offline || info.Slug != "offline" || m.Name() != "offline" || info.Scale != 10 {
		t.Errorf("info = %+v", info)
	}
	if cost := info.Price.Of(1000, 1000, 0); !cost.Complete() || cost.String() != "0" {
		t.Errorf("cost = %q, want a known 0", cost.String())
	}
	reply, err := m.Chat(t.Context(), model.Request{Stage: stageTask, User: fence("a", `{"trace":[]}`)})
	if err != nil || reply.Model != EngineVersion || reply.Fingerprint == "" || reply.Fingerprint != m.fingerprint {
		t.Errorf("reply = %+v, %v", reply, err)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	m := New()
	var wg sync.WaitGroup
	for _, p := range prompts {
		want, err := m.Ask(t.Context(), p.stage, "", fence("a", p.data), nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			wg.Go(func() {
				got, err := m.Ask(t.Context(), p.stage, "", fence("a", p.data), nil)
				if err != nil || string(got) != string(want) {
					t.Errorf("%s: %s, %v; want %s", p.stage, got, err, want)
				}
			})
		}
	}
	wg.Wait()
}
