package guard

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Names of stages and codes, as the HTTP contract has them.
const (
	stageScan   = "scan"
	stagePolicy = "policy"
	stageSafety = "safety"
	stageMeter  = "meter"
	stageRun    = "run"

	codePolicyUnavailable = "policy_unavailable"
	codeSafetyUnavailable = "safety_unavailable"
	codeDenied            = "definition_denied"
	codeNotCleared        = "definition_not_cleared"

	modelAuth      = "model_auth"
	modelLimited   = "model_rate_limited"
	modelRefused   = "refused"
	modelBudget    = "budget_exhausted"
	modelCancelled = "cancelled"
)

// asking is one safety check: who is asked, and how.
type asking struct {
	prompt safetyPrompt
	model  Model
}

// askings are the checks that a decision calls for, in order.
func askings(d Decision, rv Reviewers) []asking {
	first := asking{firstPrompt(), rv.First}
	if d != Review {
		return []asking{first}
	}
	second := rv.Second
	if second == nil {
		second = rv.First
	}
	return []asking{first, {secondPrompt(), second}}
}

// prior finds the kept answer of the same model to the same question.
func (a asking) prior(kept []Safety) (Safety, bool) {
	if a.model == nil {
		return Safety{}, false
	}
	version, name := a.prompt.version(), a.model.Name()
	for _, s := range kept {
		if s.PromptVersion == version && s.Model == name && (s.Verdict == verdictSafe || s.Verdict == verdictUnsafe) {
			return s, true
		}
	}
	return Safety{}, false
}

// ask puts the question to the model. Exactly one of the answer and the fault
// holds. There is no second try for an answer that cannot be used: a hostile
// text would get a second throw of the dice.
func (a asking) ask(ctx context.Context, s Subject, findings []Finding) (answer Safety, fault *Fault) {
	if a.model == nil {
		return Safety{}, &Fault{Stage: stageSafety, Code: codeSafetyUnavailable, Message: "No model is set for the safety check, so the definition was not cleared. Ask the operator to configure one."}
	}
	defer func() {
		if r := recover(); r != nil {
			answer, fault = Safety{}, safetyFault(ctx, codeSafetyUnavailable, 1, fmt.Errorf("model panicked: %v", r))
		}
	}()
	user, err := a.prompt.render(s, findings)
	if err != nil {
		return Safety{}, safetyFault(ctx, codeSafetyUnavailable, 0, err)
	}
	object, err := a.model.Ask(ctx, stageSafety, a.prompt.system, user, safetySchema)
	if err != nil {
		return Safety{}, faultOfModel(ctx, err)
	}
	verdict, categories, rationale, err := parseSafety(object)
	if err != nil {
		return Safety{}, safetyFault(ctx, codeSafetyUnavailable, 1, err)
	}
	return Safety{
		Verdict: verdict, Categories: categories, Rationale: rationale,
		Model: a.model.Name(), PromptVersion: a.prompt.version(),
	}, nil
}

// review asks what the decision calls for and stops at the first answer that
// does not clear. The stage tells how it went.
func review(ctx context.Context, s Subject, report Report, rv Reviewers) (answers []Safety, stage Stage, fault *Fault) {
	started := time.Now()
	stage = Stage{Name: stageSafety, Cached: true, Outcome: "error"}
	defer func() { stage.Took = time.Since(started) }()
	for _, a := range askings(report.Decision, rv) {
		answer, kept := a.prior(rv.Prior)
		if !kept {
			stage.Cached = false
			if a.model != nil {
				stage.Model = a.model.Name()
			}
			if answer, fault = a.ask(ctx, s, report.Findings); fault != nil {
				return answers, stage, fault
			}
		}
		stage.Model = answer.Model
		answers = append(answers, answer)
		stage.Outcome = answer.Verdict
		if answer.Verdict != verdictSafe {
			return answers, stage, nil
		}
	}
	return answers, stage, nil
}

// faultOfModel says what a failed call means for the definition. Whatever the
// reason, it was not cleared.
func faultOfModel(ctx context.Context, err error) *Fault {
	code, attempts := "", 1
	if e, ok := errors.AsType[interface {
		error
		ModelCode() string
	}](err); ok {
		code = e.ModelCode()
	}
	if e, ok := errors.AsType[interface {
		error
		ModelAttempts() int
	}](err); ok {
		attempts = e.ModelAttempts()
	}
	return safetyFault(ctx, code, attempts, err)
}

// safetyFault makes the fault for a model's error code. How the context ended
// counts first: a call that was cut off may report it in its own words.
func safetyFault(ctx context.Context, code string, attempts int, cause error) *Fault {
	switch {
	case cancelled(ctx):
		code = modelCancelled
	case ctx.Err() != nil && code == modelCancelled:
		code = "" // the deadline passed: the check failed, nobody gave up
	}
	f := &Fault{Stage: stageSafety, Code: codeSafetyUnavailable, Retryable: true, Attempts: attempts, Cause: cause}
	switch code {
	case modelAuth:
		f.Code, f.Retryable = code, false
	case modelLimited:
		f.Code = code
	case modelRefused:
		f.Retryable = false
	case modelBudget:
		f.Stage, f.Code, f.Retryable = stageMeter, code, false
	case modelCancelled:
		f.Stage, f.Code, f.Retryable = stageRun, code, false
	}
	f.Message = faultSentence(f.Code)
	return f
}

// cancelled tells a run that was given up from one that ran out of time.
func cancelled(ctx context.Context) bool {
	return errors.Is(ctx.Err(), context.Canceled)
}
