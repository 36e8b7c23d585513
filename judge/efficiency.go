package judge

import (
	"context"
	"errors"
	"slices"

	"bailiff/judge/model"
)

// stepEfficiency judges how few of an agent's steps its task could have done
// without. The task is read from the trace unless it is given.
type stepEfficiency struct{}

func (stepEfficiency) info() MetricInfo {
	return MetricInfo{
		Name:             StepEfficiency,
		Title:            "Step efficiency",
		Description:      "Scores how efficiently the steps of an agent's trace did its task: repeated calls, unused results and detours cost points.",
		DefaultThreshold: DefaultThreshold,
		Needs:            []string{"trace"},
		Args: append([]ArgInfo{
			{Name: "task", Type: "string", Description: "What the agent was to do; read from the trace when left out."},
		}, argsOfAll()...),
	}
}

func (stepEfficiency) stages() []step {
	return []step{readTrace, scanTrace, findTask, askScore}
}

// readTrace is the first stage: without a step of the agent there is nothing
// to judge, and that is never a pass.
func readTrace(_ context.Context, e *evaluation) bool {
	leave := e.enter(stageFields)
	t, err := ParseTrace(e.req.Record.Trace)
	switch {
	case err != nil:
		e.skip(CodeNothingToEvaluate, sentenceBadTrace)
	case !slices.ContainsFunc(t.Steps, func(s TraceStep) bool { return !s.given() }):
		e.skip(CodeNothingToEvaluate, sentenceNoSteps)
	default:
		leave("ok", "")
		e.trace = t
		e.out.Meta.Facts = Facts(t)
		e.out.Meta.Notes = append(e.out.Meta.Notes, t.Notes...)
		return true
	}
	leave("skipped", "")
	return false
}

// scanTrace is the record scan with its stages shown: this metric has no
// definition whose scan would stand in their place.
func scanTrace(ctx context.Context, e *evaluation) bool {
	leaveScan := e.enter(stageScan)
	leavePolicy := e.enter(stagePolicy)
	ok := scanRecord(ctx, e)
	switch {
	case ok:
		leaveScan("ok", "")
		leavePolicy("allow", "")
	case e.out.Status == Rejected:
		leaveScan("ok", "")
		leavePolicy("deny", "")
	default:
		leavePolicy("error", "")
	}
	return ok
}

// findTask takes the task that was given, else asks a model to read it from
// the trace: once more when the answer cannot be used.
func findTask(ctx context.Context, e *evaluation) bool {
	if e.task = e.req.Args.Task; !Blank(e.task) {
		e.out.Meta.Task = e.task
		return true
	}
	leave := e.enter(stageTask)
	task, attempts, err := e.askTask(ctx)
	if err != nil {
		leave("error", e.req.Model.Name())
		e.fail(faultOf(ctx, stageTask, err, attempts))
		return false
	}
	leave("ok", e.req.Model.Name())
	e.task, e.out.Meta.Task = task, task
	return true
}

func (e *evaluation) askTask(ctx context.Context) (task string, attempts int, err error) {
	told := ""
	for range 2 {
		message, err := user("State the task of the trace in the block.", nil, traceData{Trace: e.trace.Steps}, told)
		if err != nil {
			return "", attempts, err
		}
		reply, err := e.meter.Chat(ctx, model.Request{Stage: promptTask.stage, System: promptTask.system(scaleOf(e.req.Model)), User: message, Schema: promptTask.schema(), MaxTokens: answerTokens})
		if err != nil {
			attempts += attemptsOf(err)
			if m, ok := errors.AsType[*model.Error](err); ok && m.Code == model.CodeMalformed && told == "" {
				told = "it was not one JSON object of the form asked for."
				continue
			}
			return "", attempts, err
		}
		attempts += reply.Attempts
		task, wrong := readTask(reply.Object)
		if wrong == nil {
			return task, attempts, nil
		}
		told = wrong.text
	}
	return "", attempts, &model.Error{Code: model.CodeMalformed, Detail: told}
}

// traceData is the material of the task prompt.
type traceData struct {
	Trace []TraceStep `json:"trace"`
}

// efficiencyData is the material of one step_efficiency prompt.
type efficiencyData struct {
	Task  string      `json:"task"`
	Trace []TraceStep `json:"trace"`
	Facts []Fact      `json:"facts"`
}

func (stepEfficiency) question(e *evaluation) (question, error) {
	p := promptEfficiency
	if e.req.Args.Strict {
		p = promptEfficiencyStrict
	}
	return question{prompt: p, data: efficiencyData{Task: e.task, Trace: e.trace.Steps, Facts: e.out.Meta.Facts}}, nil
}
