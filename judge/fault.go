package judge

import (
	"context"
	"errors"
	"fmt"

	"bailiff/guard"
	"bailiff/judge/model"
)

// Codes of a Fault that this package makes. Those of the other stages come
// from the guard and the rubric.
const (
	codePolicyUnavailable   = "policy_unavailable"
	codeSafetyUnavailable   = "safety_unavailable"
	codeSemanticUnavailable = "semantic_unavailable"
	codeStepsUnavailable    = "steps_unavailable"
	codeTaskUnavailable     = "task_unavailable"
	codeRefused             = "judge_refused"
	codeTruncated           = "judge_truncated"
	codeInvalid             = "judge_output_invalid"
	codeBudget              = model.CodeBudget
	codeCancelled           = model.CodeCancelled

	// CodeInvalidRequest says that a Request cannot be worked: an unknown
	// metric or an argument out of range. It is a mistake of the program that
	// calls Evaluate, so a service checks requests before it comes to this.
	CodeInvalidRequest = "invalid_request"
)

// Stages of faults that belong to no stage of the evaluation.
const (
	stageMeter = "meter"
	stageRun   = "run"
)

// faultOf says what a failed model call of the score or task stage means for
// the caller. attempts are all calls made for the stage.
func faultOf(ctx context.Context, stage string, err error, attempts int) *guard.Fault {
	f := &guard.Fault{Stage: stage, Attempts: attempts}
	switch code := codeOf(ctx, err); code {
	case model.CodeUnavailable, model.CodeTimeout, model.CodeRateLimited:
		f.Code, f.Retryable = code, true
	case model.CodeAuth:
		f.Code = code
	case model.CodeBudget:
		f.Stage, f.Code = stageMeter, codeBudget
	case model.CodeCancelled:
		f.Stage, f.Code = stageRun, codeCancelled
	default:
		f.Code, f.Retryable = unusable(stage, code)
	}
	f.Message = sentenceFault(stage, f.Code)
	return f
}

// unusable is the code of an answer that came but cannot be used.
func unusable(stage, code string) (string, bool) {
	if stage == stageTask {
		return codeTaskUnavailable, true
	}
	switch code {
	case model.CodeRefused:
		return codeRefused, false
	case model.CodeTruncated:
		return codeTruncated, false
	case model.CodeMalformed:
		return codeInvalid, true
	}
	return model.CodeUnavailable, true
}

// codeOf is the code of a model's error; how the context ended counts first,
// since a call that was cut off may report it in its own words.
func codeOf(ctx context.Context, err error) string {
	switch cause := context.Cause(ctx); {
	case cause == nil:
	case errors.Is(cause, errDeadline), errors.Is(cause, context.DeadlineExceeded):
		return model.CodeTimeout
	default:
		return model.CodeCancelled
	}
	if m, ok := errors.AsType[*model.Error](err); ok {
		return m.Code
	}
	return model.CodeUnavailable
}

// attemptsOf is the number of calls behind an error, at least the one that failed.
func attemptsOf(err error) int {
	if m, ok := errors.AsType[*model.Error](err); ok {
		return m.Attempts
	}
	return 1
}

// stopped is the fault of an evaluation whose context ended before a stage was
// begun, nil while it is alive.
func stopped(ctx context.Context, stage string) *guard.Fault {
	if ctx.Err() == nil {
		return nil
	}
	return faultOf(ctx, stage, ctx.Err(), 0)
}

// brokenCode is the code of a stage that panicked or decided nothing.
func brokenCode(stage string) string {
	switch stage {
	case "safety":
		return codeSafetyUnavailable
	case "semantic":
		return codeSemanticUnavailable
	case "steps":
		return codeStepsUnavailable
	case stageTask:
		return codeTaskUnavailable
	case stageScore:
		return codeInvalid
	}
	return codePolicyUnavailable
}

func sentenceBroken(stage string) string {
	return fmt.Sprintf("The gateway failed while it worked the stage %q, so nothing was scored. The operator's log has the details.", stage)
}
