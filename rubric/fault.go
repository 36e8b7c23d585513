package rubric

import (
	"context"
	"errors"

	"bailiff/guard"
)

// Names of stages and codes, as the HTTP contract has them.
const (
	stageScan     = "scan"
	stagePolicy   = "policy"
	stageSafety   = "safety"
	stageSemantic = "semantic"
	stageSteps    = "steps"
	stageMeter    = "meter"
	stageRun      = "run"

	codePolicyUnavailable   = "policy_unavailable"
	codeSafetyUnavailable   = "safety_unavailable"
	codeSemanticUnavailable = "semantic_unavailable"
	codeStepsUnavailable    = "steps_unavailable"

	codeAuth      = "model_auth"
	codeLimited   = "model_rate_limited"
	codeBudget    = "budget_exhausted"
	codeCancelled = "cancelled"

	// Kinds of a model's failure that have no code of their own here.
	kindRefused   = "refused"
	kindMalformed = "malformed"
)

// newFault makes a fault with the sentence of its code.
func newFault(stage, code string, retryable bool, attempts int) *guard.Fault {
	return &guard.Fault{Stage: stage, Code: code, Message: faultSentence(code), Retryable: retryable, Attempts: attempts}
}

// unavailable is the code of a stage that gave no usable answer.
func unavailable(stage string) string {
	switch stage {
	case stageSafety:
		return codeSafetyUnavailable
	case stageSemantic:
		return codeSemanticUnavailable
	case stageSteps:
		return codeStepsUnavailable
	}
	return codePolicyUnavailable
}

// faultOfModel says what a failed call means for the definition: as at the
// safety check, an outage is the stage's own code, and only what a person must
// act on differently keeps the model's. The work's context ends by its
// deadline, or because nobody waits for it any more.
func faultOfModel(ctx context.Context, stage string, err error, attempts int) *guard.Fault {
	kind, _ := kindOf(err)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		kind = codeCancelled
	case ctx.Err() != nil && kind == codeCancelled:
		kind = "" // the deadline cut the call off: the stage failed, nobody gave up
	}
	switch kind {
	case codeAuth:
		return newFault(stage, codeAuth, false, attempts)
	case codeLimited:
		return newFault(stage, codeLimited, true, attempts)
	case codeBudget:
		return newFault(stageMeter, codeBudget, false, attempts)
	case codeCancelled:
		return newFault(stageRun, codeCancelled, false, attempts)
	case kindRefused:
		return newFault(stage, unavailable(stage), false, attempts)
	}
	return newFault(stage, unavailable(stage), true, attempts)
}

// kindOf reads the kind of a model's error and how many calls it stands for.
func kindOf(err error) (kind string, attempts int) {
	attempts = 1
	if e, ok := errors.AsType[interface {
		error
		ModelCode() string
	}](err); ok {
		kind = e.ModelCode()
	}
	if e, ok := errors.AsType[interface {
		error
		ModelAttempts() int
	}](err); ok {
		attempts = e.ModelAttempts()
	}
	return kind, attempts
}

// gaveUp is the fault of a caller whose context ended while the work was at
// stage: cancelled, or out of time.
func gaveUp(ctx context.Context, stage string) *guard.Fault {
	if errors.Is(ctx.Err(), context.Canceled) {
		return newFault(stageRun, codeCancelled, false, 0)
	}
	if stage == stageScan {
		stage = stagePolicy
	}
	return newFault(stage, unavailable(stage), true, 0)
}

// broken is the fault of a stage that panicked.
func broken(stage string) *guard.Fault {
	if stage == stageScan {
		stage = stagePolicy
	}
	return newFault(stage, unavailable(stage), true, 0)
}

func faultSentence(code string) string {
	switch code {
	case codePolicyUnavailable:
		return "The policy could not decide about this definition, so it was not let through. Try again; if it stays so, tell the operator the request id."
	case codeSafetyUnavailable:
		return "The safety check gave no usable answer, so the definition was not cleared. This says nothing about the definition; try again."
	case codeSemanticUnavailable:
		return "The check of whether this definition can be judged gave no usable answer, so nothing was scored. This says nothing about the definition; try again."
	case codeStepsUnavailable:
		return "No usable evaluation steps could be written for this definition, so nothing was scored. Try again, or state the steps in the definition, for example \"Check whether the answer names the order number\"."
	case codeAuth:
		return "The definition could not be worked because the model's provider refused the service's credentials. Nothing was scored; tell the operator."
	case codeLimited:
		return "The definition could not be worked because the model's provider is limiting requests. Nothing was scored; try again later."
	case codeBudget:
		return "The budget ran out while the definition was worked, so nothing was scored. Raise the budget or wait for the next period."
	default:
		return "The run was cancelled while the definition was worked, so nothing was scored."
	}
}
