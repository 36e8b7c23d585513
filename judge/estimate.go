package judge

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"bailiff/guard"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// What an estimate takes for answers that nobody has seen yet, in tokens. They
// were counted on answers of the schemas of this package.
const (
	estimatedFindingTokens = 45  // of one finding
	estimatedReasonTokens  = 60  // of reason and score
	estimatedSafetyTokens  = 70  // of a safety answer
	estimatedResolveTokens = 120 // of a resolve answer, without its steps
	estimatedStepTokens    = 22  // of one step that is written or copied
	estimatedTaskTokens    = 50
	estimatedPromptTokens  = 750 // of a system text and schema of the guard or the rubric
	estimatedSteps         = 4   // of a definition whose steps nobody has read yet
	estimatedFrameTokens   = 70  // of the lines around the material, with their random words
)

// Estimate is what evaluations would take. By is keyed by model stage.
type Estimate struct {
	Total             model.Usage
	By                map[string]model.Usage
	Definitions       int // distinct ones
	CachedDefinitions int // of those, resolved before: they cost nothing
	DeniedDefinitions int // of those, denied by the policy: their records cost nothing
	SkippedRecords    int // with nothing to judge
	ScoredRecords     int
}

// Estimator adds up what evaluations would take, without asking a model. The
// figures are estimates: how long an answer gets is known only afterwards.
// It is not safe for concurrent use.
type Estimator struct {
	// Known gives the kept resolution of a request's definition, if there is
	// one; Judge.Kept does. nil means that none is kept.
	Known func(ctx context.Context, req Request) (rubric.Resolution, bool)

	sum     Estimate
	seen    map[string]worked
	prompts map[string]int // tokens of our own texts
}

// worked is what is known of a definition: whether its records come to a judge, and
// its steps where somebody has read them.
type worked struct {
	open  bool
	steps []string
}

// Add counts one evaluation. Policy decides without a model whether the
// definition would be denied; Model is only asked what it costs.
func (s *Estimator) Add(ctx context.Context, req Request) {
	if s.seen == nil {
		s.seen, s.prompts, s.sum.By = map[string]worked{}, map[string]int{}, map[string]model.Usage{}
	}
	if req.Metric == StepEfficiency {
		s.addEfficiency(req)
		return
	}
	if Blank(req.Args.Definition) && len(req.Args.Steps) == 0 {
		return // there is nothing to judge by, and nothing is asked
	}
	fields := selectedFields(req.Args.Fields)
	empty := true
	for _, f := range fields {
		empty = empty && req.Record.empty(f)
	}
	if empty {
		s.sum.SkippedRecords++
		return
	}
	if d := s.definition(ctx, req, fields); d.open {
		s.score(req, s.scoreTokens(req, fields, d.steps), len(d.steps))
	}
}

// Sum is what was added so far.
func (s *Estimator) Sum() Estimate { return s.sum }

// definition counts what is done once per definition.
func (s *Estimator) definition(ctx context.Context, req Request, fields []rubric.Field) worked {
	key := strings.Join(append([]string{req.Model.Name(), req.Args.Definition, joinFields(fields)}, req.Args.Steps...), "\x00")
	d, ok := s.seen[key]
	if !ok {
		s.sum.Definitions++
		d = s.resolve(ctx, req, fields)
		s.seen[key] = d
	}
	return d
}

// resolve counts the calls that working a definition takes.
func (s *Estimator) resolve(ctx context.Context, req Request, fields []rubric.Field) worked {
	d := worked{open: true, steps: req.Args.Steps}
	calls := 1
	if req.Policy != nil {
		report, fault := req.Policy.Scan(ctx, guard.Subject{Definition: req.Args.Definition, Steps: req.Args.Steps, Fields: names(fields), Tenant: req.TenantData})
		switch {
		case fault != nil || report.Decision == guard.Deny:
			s.sum.DeniedDefinitions++
			return worked{}
		case report.Decision == guard.Review:
			calls = 2
		}
	}
	if s.Known != nil {
		if kept, ok := s.Known(ctx, req); ok {
			s.sum.CachedDefinitions++
			return worked{open: kept.Rubric.OK(), steps: kept.Rubric.Steps()}
		}
	}
	in := estimatedPromptTokens + model.CountTokens(req.Args.Definition) + model.CountTokens(strings.Join(req.Args.Steps, "\n"))
	for range calls {
		s.call(req, "safety", in, estimatedSafetyTokens)
	}
	if !Blank(req.Args.Definition) {
		s.call(req, "resolve", in, estimatedResolveTokens+estimatedSteps*estimatedStepTokens)
		if len(req.Args.Steps) == 0 && !statesSteps(req.Args.Definition) {
			s.call(req, "generate", in, estimatedSteps*estimatedStepTokens)
		}
	}
	return d
}

// statesSteps guesses whether a definition holds steps of its own: a list, or
// several sentences that tell what to check.
func statesSteps(definition string) bool {
	checks := 0
	for _, s := range strings.FieldsFunc(definition, func(r rune) bool { return r == '\n' || r == '.' || r == ';' || r == '。' }) {
		s = strings.ToLower(strings.TrimLeft(s, " \t-*•0123456789)("))
		for _, word := range []string{"check", "verify", "ensure", "confirm", "make sure", "assess", "penal"} {
			if strings.HasPrefix(s, word) {
				checks++
				break
			}
		}
	}
	return checks >= 2
}

func (s *Estimator) addEfficiency(req Request) {
	t, err := ParseTrace(req.Record.Trace)
	acts := 0
	for _, step := range t.Steps {
		if !step.given() {
			acts++
		}
	}
	if err != nil || acts == 0 {
		s.sum.SkippedRecords++
		return
	}
	trace := countJSON(t.Steps)
	if Blank(req.Args.Task) {
		s.call(req, promptTask.stage, s.promptTokens(promptTask)+trace, estimatedTaskTokens)
	}
	p := promptEfficiency
	if req.Args.Strict {
		p = promptEfficiencyStrict
	}
	s.score(req, s.promptTokens(p)+trace+countJSON(Facts(t))+model.CountTokens(req.Args.Task), min(acts, 12))
}

// scoreTokens are the tokens of a g_eval judge's prompt.
func (s *Estimator) scoreTokens(req Request, fields []rubric.Field, known []string) int {
	p := promptScore
	if req.Args.Strict {
		p = promptStrict
	}
	steps := countJSON(known)
	if len(known) == 0 {
		steps = max(estimatedSteps*estimatedStepTokens, model.CountTokens(req.Args.Definition))
	}
	return s.promptTokens(p) + model.CountTokens(req.Args.Definition) + steps + countJSON(dataOf(req.Record, fields))
}

// promptTokens are those of a prompt without its material, counted once.
func (s *Estimator) promptTokens(p prompt) int {
	n, ok := s.prompts[p.name]
	if !ok {
		n = model.CountTokens(p.text()) + model.CountTokens(string(p.schema())) + estimatedFrameTokens
		s.prompts[p.name] = n
	}
	return n
}

// score counts the judge's calls for one record.
func (s *Estimator) score(req Request, in, steps int) {
	stage := promptScore.stage
	if req.Args.Strict {
		stage = promptStrict.stage
	}
	if steps == 0 {
		steps = estimatedSteps
	}
	s.sum.ScoredRecords++
	for range max(1, req.Args.Samples) {
		s.call(req, stage, in, steps*estimatedFindingTokens+estimatedReasonTokens)
	}
}

func (s *Estimator) call(req Request, stage string, in, out int) {
	u := model.Usage{InputTokens: in, OutputTokens: out, Calls: 1, Cost: req.Model.Info().Price.Of(in, out, 0)}
	s.sum.By[stage] = s.sum.By[stage].Add(u)
	s.sum.Total = s.sum.Total.Add(u)
}

func countJSON(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return model.CountTokens(string(b))
}

func names(fields []rubric.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = string(f)
	}
	return out
}

func joinFields(fields []rubric.Field) string {
	return strconv.Itoa(len(fields)) + ":" + strings.Join(names(fields), ",")
}
