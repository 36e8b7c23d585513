package rubric

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"bailiff/guard"
	"bailiff/policies"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// call is one request that a scripted model got.
type call struct{ stage, system, user string }

// scripted is a model that answers each stage from a queue; the last answer of
// a queue stays.
type scripted struct {
	name string

	mu     sync.Mutex
	script map[string][]reply
	calls  []call
}

type reply func(ctx context.Context, c call) (string, error)

const (
	safe      = `{"rationale":"Criteria.","categories":[],"verdict":"safe"}`
	unsafe    = `{"rationale":"It steers.","categories":["score_fixing"],"verdict":"unsafe"}`
	noSteps   = `{"steps":[],"missing_fields":[],"suggestions":[],"explanation":"Criteria.","is_rubric":true,"coherent":true,"applicable":true}`
	twoSteps  = `{"steps":["Check whether the date is right.","Check whether the sender is named."]}`
	fenceLine = "<<<DATA "
)

// script is a model that clears everything, finds no steps and writes two,
// except where stages say otherwise.
func script(stages map[string][]reply) *scripted {
	m := &scripted{name: "scripted", script: map[string][]reply{
		"safety": {says(safe)}, "resolve": {says(noSteps)}, "generate": {says(twoSteps)},
	}}
	maps.Copy(m.script, stages)
	return m
}

func (m *scripted) Name() string { return m.name }

func (m *scripted) Ask(ctx context.Context, stage, system, user string, _ []byte) ([]byte, error) {
	c := call{stage, system, user}
	m.mu.Lock()
	m.calls = append(m.calls, c)
	queue := m.script[stage]
	if len(queue) > 1 {
		m.script[stage] = queue[1:]
	}
	m.mu.Unlock()
	object, err := queue[0](ctx, c)
	return []byte(object), err
}

func (m *scripted) asked(stage string) []call {
	m.mu.Lock()
	defer m.mu.Unlock()
	var of []call
	for _, c := range m.calls {
		if stage == "*" || c.stage == stage {
			of = append(of, c)
		}
	}
	return of
}

func (m *scripted) count(stage string) int { return len(m.asked(stage)) }

func says(object string) reply {
	return func(context.Context, call) (string, error) { return object, nil }
}

// modelError is a failed call as clients of models report it.
type modelError struct {
	code     string
	attempts int
}

func (e *modelError) Error() string      { return e.code + ": upstream said sk-secret" }
func (e *modelError) ModelCode() string  { return e.code }
func (e *modelError) ModelAttempts() int { return e.attempts }

func fails(code string) reply {
	return func(context.Context, call) (string, error) { return "", &modelError{code, 1} }
}

// hangs answers when its context ends.
func hangs(ctx context.Context, _ call) (string, error) {
	<-ctx.Done()
	return "", &modelError{"cancelled", 1}
}

func panics(context.Context, call) (string, error) { panic("a bug in a client") }

// finds is an answer of the resolve stage with these steps, all included.
func finds(steps ...string) reply {
	answered := []answeredStep{}
	for _, s := range steps {
		answered = append(answered, answeredStep{Text: s, Included: true})
	}
	return answers(answered, "")
}

// answers is an answer of the resolve stage with these steps; with replaces
// members of it, as a JSON object.
func answers(steps []answeredStep, with string) reply {
	type step struct {
		Text     string  `json:"step"`
		Included bool    `json:"included"`
		Reason   *string `json:"reason"`
	}
	members := map[string]any{}
	if err := json.Unmarshal([]byte(noSteps), &members); err != nil {
		panic(err)
	}
	list := []step{}
	for _, s := range steps {
		one := step{Text: s.Text, Included: s.Included}
		if s.Reason != "" {
			one.Reason = &s.Reason
		}
		list = append(list, one)
	}
	members["steps"] = list
	if with != "" {
		if err := json.Unmarshal([]byte(with), &members); err != nil {
			panic(err)
		}
	}
	b, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return says(string(b))
}

// writes is an answer of the generate stage.
func writes(steps ...string) reply {
	b, err := json.Marshal(map[string]any{"steps": steps})
	if err != nil {
		panic(err)
	}
	return says(string(b))
}

var shipped struct {
	once   sync.Once
	policy *guard.Policy
	err    error
}

// policy is the policy that ships, compiled once for all tests.
func policy(tb testing.TB) *guard.Policy {
	tb.Helper()
	shipped.once.Do(func() {
		shipped.policy, shipped.err = guard.Compile(tb.Context(), policies.FS)
	})
	if shipped.err != nil {
		tb.Fatal(shipped.err)
	}
	return shipped.policy
}

// letter is a definition with two steps, both spans of it.
const letter = "Evaluate whether the response is a letter fit for a harbour master. Check whether it names the ship. Check whether it gives the hour of arrival."

// prose is a definition that states no separate steps.
const prose = "The response should be a letter fit for a harbour master: it names the ship and gives the hour of arrival."

func request(tb testing.TB, m guard.Model, definition string) Request {
	tb.Helper()
	return Request{Tenant: "acme", Policy: policy(tb), Definition: definition, Fields: []Field{Input, Output}, Model: m}
}

// resolve works one definition with an empty cache.
func resolve(tb testing.TB, m *scripted, definition string, change ...func(*Request)) Resolution {
	tb.Helper()
	req := request(tb, m, definition)
	for _, f := range change {
		f(&req)
	}
	return NewResolver(Config{}).Resolve(tb.Context(), req)
}

// end says in a word how a resolution ended.
func end(r Resolution) string {
	switch {
	case r.Rejection != nil && r.Fault == nil && !r.Rubric.OK():
		return "rejected " + r.Rejection.Stage + " " + r.Rejection.Code
	case r.Fault != nil && r.Rejection == nil && !r.Rubric.OK():
		return fmt.Sprintf("fault %s %s", r.Fault.Stage, r.Fault.Code)
	case r.Rubric.OK() && r.Rejection == nil && r.Fault == nil:
		return "usable " + string(r.Rubric.Source())
	}
	return "more than one end, or none"
}

func stageNames(r Resolution) string {
	var list []string
	for _, s := range r.Stages {
		list = append(list, s.Name+"="+s.Outcome)
	}
	return strings.Join(list, " ")
}

// inFence is the JSON between the boundary lines of a user text, and the text
// without it.
func inFence(tb testing.TB, user string) (data, rest string) {
	tb.Helper()
	from := strings.Index(user, fenceLine)
	if from < 0 {
		tb.Fatalf("no data fence in %q", user)
	}
	open := from + strings.Index(user[from:], "\n") + 1
	shut := open + strings.Index(user[open:], "\n")
	last := shut + 1 + len("<<<END ") + 32 + len(">>>")
	return user[open:shut], user[:from] + user[last:]
}
