package judge

import (
	"fmt"
	"strings"

	"bailiff/judge/model"
	"bailiff/rubric"
)

// sentenceFault tells a person what failed and what can be done. It holds
// nothing an upstream said.
func sentenceFault(stage, code string) string {
	asked := "the judge"
	if stage == stageTask {
		asked = "the model that reads the task from the trace"
	}
	switch code {
	case model.CodeUnavailable:
		return capital(asked) + " could not be reached or gave no answer, so there is no score. Try again later."
	case model.CodeTimeout:
		return capital(asked) + " did not answer within the time allowed for one evaluation, so there is no score. Try again, or raise the evaluation's time limit."
	case model.CodeRateLimited:
		return "The model's endpoint kept refusing calls because of its rate limit, so there is no score. Try again later or with fewer records at once."
	case model.CodeAuth:
		return "The model's endpoint refused the gateway's credentials, so there is no score. The operator has to check the key of this model."
	case codeBudget:
		return "The budget was used up before this record could be scored. Raise the budget or wait for the next period."
	case codeCancelled:
		return "The run was cancelled before this record was scored."
	case codeRefused:
		return "The judge refused to answer about this record, which says nothing about its quality, so there is no score."
	case codeTruncated:
		return "The judge's answer was cut off at the token limit, also with a larger limit, so there is no score. Use fewer or shorter steps, or another model."
	case codeInvalid:
		return "The judge's answer held no usable score, also after it was told what was wrong, so there is no score. Nothing was guessed from it."
	case codeTaskUnavailable:
		return "The task could not be read from the trace, so its steps could not be judged. Give the task in metric_args.task or try again."
	case codePolicyUnavailable:
		return "The policy could not be evaluated, so nothing was sent to a judge. Try again; the operator's log has the details."
	}
	return "The evaluation failed at the stage " + stage + " and nothing was scored."
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// sentenceEmpty names the selected fields, all of which were empty.
func sentenceEmpty(fields []rubric.Field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = string(f)
	}
	if len(names) == 1 {
		return fmt.Sprintf("Nothing was judged: the selected field %s is empty. Give it a value or select a field that has one.", names[0])
	}
	return fmt.Sprintf("Nothing was judged: every selected field is empty (%s). Give at least one of them a value.", strings.Join(names, ", "))
}

const (
	sentenceNoSteps  = "Nothing was judged: the trace holds no step of an agent. Send the steps, messages or spans of the run in trace."
	sentenceBadTrace = "Nothing was judged: trace is not one of the shapes that can be read (a list of steps, chat messages with tool calls, or OTLP/JSON resourceSpans)."
	sentenceNoReason = "The judge gave no reason."
)

// sentenceRecordDenied tells which rules a record fell to.
func sentenceRecordDenied(rules []string) string {
	by := ""
	if len(rules) > 0 {
		by = " (" + strings.Join(rules, ", ") + ")"
	}
	return "The record was not judged: the record policy denies texts that try to steer the judge" + by + ". Take the passages shown in the findings out of the record."
}
