package guard

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// ruling is what one entry point of the policy says.
type ruling struct {
	decision Decision
	reasons  []Reason
}

// entry is one prepared entry point: data.bailiff.<name>.
type entry struct {
	name  string
	query rego.PreparedEvalQuery
	words map[Decision]bool // the decisions it may take
}

// Bounds of what a policy may answer. Its text reaches persons, so it is held
// to a form and a length.
const (
	maxReasons       = 64
	maxReasonMessage = 500
	maxReasonRules   = 128
)

// ruleWord is the form of reason codes and rule ids.
var ruleWord = regexp.MustCompile(`^[a-z0-9][a-z0-9_.\-]{0,127}$`)

func prepare(ctx context.Context, c *ast.Compiler, data policyData, name string, words ...Decision) (entry, error) {
	e := entry{name: name, words: map[Decision]bool{}}
	for _, w := range words {
		e.words[w] = true
	}
	query, err := rego.New(
		rego.Query(fmt.Sprintf("decision = data.bailiff.%[1]s.decision; reasons = data.bailiff.%[1]s.reasons", name)),
		rego.Compiler(c),
		rego.Capabilities(capabilities(false)),
		rego.Store(inmem.NewFromObjectWithOpts(data.value, inmem.OptRoundTripOnWrite(false), inmem.OptReturnASTValuesOnRead(true))),
		rego.StrictBuiltinErrors(true),
		rego.GenerateJSON(func(t *ast.Term, _ *rego.EvalContext) (any, error) { return t, nil }),
	).PrepareForEval(ctx)
	if err != nil {
		return e, fmt.Errorf("prepare data.bailiff.%s: %w", name, err)
	}
	e.query = query
	return e, nil
}

// eval asks the entry point about input. Anything but one of its words with
// well-formed reasons is an error: undefined, conflicting, another type, a
// panic, or no answer within the budget.
func (e entry) eval(ctx context.Context, input ast.Value, budget time.Duration) (r ruling, err error) {
	defer func() {
		if p := recover(); p != nil {
			r, err = ruling{}, fmt.Errorf("data.bailiff.%s panicked: %v", e.name, p)
		}
	}()
	if err := ctx.Err(); err != nil {
		return ruling{}, err
	}
	cancel := topdown.NewCancel()
	timer := time.AfterFunc(budget, cancel.Cancel)
	defer timer.Stop()
	if ctx.Done() != nil {
		defer context.AfterFunc(ctx, cancel.Cancel)()
	}
	results, err := e.query.Eval(ctx, rego.EvalParsedInput(input), rego.EvalExternalCancel(cancel))
	if err != nil {
		return ruling{}, fmt.Errorf("evaluate data.bailiff.%s: %w", e.name, err)
	}
	if len(results) != 1 {
		return ruling{}, fmt.Errorf("data.bailiff.%s decides nothing: decision or reasons is undefined", e.name)
	}
	return e.read(results[0].Bindings)
}

func (e entry) read(bindings rego.Vars) (ruling, error) {
	decision, ok := bindings["decision"].(*ast.Term)
	word, isText := ast.String(""), false
	if ok {
		word, isText = decision.Value.(ast.String)
	}
	r := ruling{decision: Decision(word)}
	if !isText || !e.words[r.decision] {
		return ruling{}, fmt.Errorf("data.bailiff.%s.decision is not one of its words", e.name)
	}
	reasons, ok := bindings["reasons"].(*ast.Term)
	if !ok {
		return ruling{}, fmt.Errorf("data.bailiff.%s.reasons is undefined", e.name)
	}
	var err error
	if r.reasons, err = readReasons(reasons.Value); err != nil {
		return ruling{}, fmt.Errorf("data.bailiff.%s.reasons: %w", e.name, err)
	}
	if r.decision != Allow && len(r.reasons) == 0 {
		return ruling{}, fmt.Errorf("data.bailiff.%s decides %s without a reason", e.name, r.decision)
	}
	return r, nil
}

func readReasons(v ast.Value) ([]Reason, error) {
	list, ok := v.(*ast.Array)
	if !ok {
		return nil, errors.New("is not an array")
	}
	if list.Len() > maxReasons {
		return nil, fmt.Errorf("has %d members; %d are allowed", list.Len(), maxReasons)
	}
	reasons := make([]Reason, 0, list.Len())
	for i := range list.Len() {
		r, err := readReason(list.Elem(i).Value)
		if err != nil {
			return nil, err
		}
		reasons = append(reasons, r)
	}
	return reasons, nil
}

func readReason(v ast.Value) (Reason, error) {
	object, ok := v.(ast.Object)
	if !ok || object.Len() != 3 {
		return Reason{}, errors.New("a reason must be {code, message, rule_ids}")
	}
	code, okCode := member[ast.String](object, "code")
	message, okMessage := member[ast.String](object, "message")
	ids, okIDs := member[*ast.Array](object, "rule_ids")
	if !okCode || !okMessage || !okIDs {
		return Reason{}, errors.New("a reason must be {code: text, message: text, rule_ids: array}")
	}
	if !ruleWord.MatchString(string(code)) || message == "" || len(message) > maxReasonMessage || ids.Len() > maxReasonRules {
		return Reason{}, errors.New("a reason's code, message or rule_ids are out of form")
	}
	r := Reason{Code: string(code), Message: string(message), RuleIDs: make([]string, 0, ids.Len())}
	for i := range ids.Len() {
		id, ok := ids.Elem(i).Value.(ast.String)
		if !ok || !ruleWord.MatchString(string(id)) {
			return Reason{}, errors.New("a rule id is out of form")
		}
		r.RuleIDs = append(r.RuleIDs, string(id))
	}
	return r, nil
}

func member[T ast.Value](o ast.Object, name string) (T, bool) {
	var none T
	t := o.Get(ast.InternedTerm(name))
	if t == nil {
		return none, false
	}
	v, ok := t.Value.(T)
	return v, ok
}
