package judge

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
	"bailiff/judge/model"
	"bailiff/policies"
	"bailiff/rubric"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// reply is one scripted answer of a model.
type reply func(ctx context.Context, req model.Request) (model.Reply, error)

// scripted is a model that answers each stage from a queue; the last reply of
// a queue stays. It notes every request.
type scripted struct {
	info model.Info

	mu     sync.Mutex
	script map[string][]reply
	asked  []model.Request
}

var _ model.Model = (*scripted)(nil)

// script makes a model that clears every definition, finds the steps that
// stepsOf finds in it, and answers the stages given.
func script(stages map[string][]reply) *scripted {
	s := &scripted{info: model.Info{Slug: "scripted"}, script: map[string][]reply{
		"safety":   {says(`{"rationale":"r","categories":[],"verdict":"safe"}`)},
		"resolve":  {resolveOwnSteps},
		"generate": {says(`{"steps":["Check whether it is right.","Check whether it is whole."]}`)},
		"task":     {says(`{"task":"Find the lamp and order it."}`)},
		"score":    {scores(8)},
		"strict":   {verdicts("pass")},
	}}
	maps.Copy(s.script, stages)
	return s
}

func (s *scripted) Name() string     { return s.info.Slug }
func (s *scripted) Info() model.Info { return s.info }

func (s *scripted) Ask(ctx context.Context, stage, system, user string, schema []byte) ([]byte, error) {
	r, err := s.Chat(ctx, model.Request{Stage: stage, System: system, User: user, Schema: schema})
	return r.Object, err
}

func (s *scripted) Chat(ctx context.Context, req model.Request) (model.Reply, error) {
	s.mu.Lock()
	s.asked = append(s.asked, req)
	queue := s.script[req.Stage]
	if len(queue) > 1 {
		s.script[req.Stage] = queue[1:]
	}
	s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return model.Reply{}, &model.Error{Code: model.CodeCancelled, Attempts: 1, Err: err}
	}
	r, err := queue[0](ctx, req)
	r.Attempts = max(1, r.Attempts)
	if err == nil {
		r.Usage = model.Usage{InputTokens: 100, OutputTokens: 10, Calls: 1, Cost: s.info.Price.Of(100, 10, 0)}
	}
	return r, err
}

// requests are those of a stage, in order.
func (s *scripted) requests(stage string) []model.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var of []model.Request
	for _, r := range s.asked {
		if r.Stage == stage {
			of = append(of, r)
		}
	}
	return of
}

func (s *scripted) count(stage string) int { return len(s.requests(stage)) }

// says answers with a content that is one object.
func says(object string) reply {
	return func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{Content: object, Object: []byte(object), Model: "scripted-1", Fingerprint: "fp_1"}, nil
	}
}

// scores answers the score stage with a number, as the JSON literal it is.
func scores(number any) reply {
	return says(fmt.Sprintf(`{"findings":[{"step":1,"evidence":"seen","verdict":"met"}],"reason":"Because of it.","score":%v}`, number))
}

// verdicts answers the strict stage.
func verdicts(word string) reply {
	return says(fmt.Sprintf(`{"findings":[],"reason":"It is a %s.","verdict":%q}`, word, word))
}

// weighs answers the score stage with a number and the linear probabilities of
// what could stand in its place.
func weighs(number string, top map[string]float64) reply {
	return func(context.Context, model.Request) (model.Reply, error) {
		content, tokens := spell(top, `{"findings":[],"reason":"`, number, ` of them","score":`, "§"+number, "}")
		return model.Reply{Content: content, Object: []byte(content), Tokens: tokens}, nil
	}
}

// fails answers with an error of a class.
func fails(code string) reply {
	return func(context.Context, model.Request) (model.Reply, error) {
		return model.Reply{}, &model.Error{Code: code, Attempts: 1, Detail: "upstream says sk-secret"}
	}
}

// hangs answers when the context ends.
func hangs(ctx context.Context, _ model.Request) (model.Reply, error) {
	<-ctx.Done()
	return model.Reply{}, &model.Error{Code: model.CodeTimeout, Attempts: 1, Err: ctx.Err()}
}

func panics(context.Context, model.Request) (model.Reply, error) { panic("a bug") }

// fenced is the JSON between the boundary lines of a prompt.
func fenced(user string) []byte {
	lines := strings.Split(user, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "<<<DATA ") && i+1 < len(lines) {
			return []byte(lines[i+1])
		}
	}
	return nil
}

// resolveOwnSteps finds the sentences that begin with "Check" in a definition.
func resolveOwnSteps(_ context.Context, req model.Request) (model.Reply, error) {
	var data struct {
		Definition string `json:"eval_definition"`
	}
	if err := json.Unmarshal(fenced(req.User), &data); err != nil {
		return model.Reply{}, err
	}
	type step struct {
		Step     string  `json:"step"`
		Included bool    `json:"included"`
		Reason   *string `json:"reason"`
	}
	steps := []step{}
	for s := range strings.SplitAfterSeq(data.Definition, ".") {
		if s = strings.TrimSpace(s); strings.HasPrefix(s, "Check") {
			steps = append(steps, step{Step: s, Included: true})
		}
	}
	object, err := json.Marshal(struct {
		Steps       []step   `json:"steps"`
		Missing     []string `json:"missing_fields"`
		Suggestions []string `json:"suggestions"`
		Explanation string   `json:"explanation"`
		IsRubric    bool     `json:"is_rubric"`
		Coherent    bool     `json:"coherent"`
		Applicable  bool     `json:"applicable"`
	}{steps, []string{}, []string{}, "Criteria.", true, true, true})
	return model.Reply{Content: string(object), Object: object}, err
}

// definition is criteria that no rule objects to; n makes it another one.
func definition(n int) string {
	return fmt.Sprintf("Evaluate whether the response is a good answer number %d. Check whether the response names the date. Check whether the response is polite.", n)
}

// shipped is the policy that ships, compiled once for all tests.
var shipped = sync.OnceValues(func() (*guard.Policy, error) {
	return guard.Compile(context.Background(), policies.FS)
})

func policy(tb testing.TB) *guard.Policy {
	tb.Helper()
	p, err := shipped()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// bench is a judge with all it needs; its cache is empty.
type bench struct {
	judge  *Judge
	policy *guard.Policy
}

func newBench(tb testing.TB) *bench {
	tb.Helper()
	return &bench{judge: New(Config{Resolver: rubric.NewResolver(rubric.Config{})}), policy: policy(tb)}
}

// request is a g_eval of a record with an input and an output.
func (b *bench) request(m model.Model) Request {
	return Request{
		Tenant:    "t",
		Policy:    b.policy,
		Metric:    GEval,
		Args:      Args{Definition: definition(1), Fields: []rubric.Field{rubric.Input, rubric.Output}, IncludeReason: true},
		Record:    Record{Input: "When is the hearing?", Output: "On 3 May. Kind regards."},
		Threshold: DefaultThreshold,
		Model:     m,
	}
}
