package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"bailiff/guard"
	"bailiff/rubric"
)

// gEval judges the selected fields of a record by a definition and its steps
// (G-Eval, arXiv:2303.16634): findings for each step, then a reason, then the
// score.
type gEval struct{}

func (gEval) info() MetricInfo {
	names := make([]string, 0, len(rubric.Fields()))
	for _, f := range rubric.Fields() {
		names = append(names, string(f))
	}
	return MetricInfo{
		Name:             GEval,
		Title:            "G-Eval",
		Description:      "Scores how far the selected fields of a record meet a definition in plain language, step by step.",
		DefaultThreshold: DefaultThreshold,
		Needs:            names,
		Args: append([]ArgInfo{
			{Name: "eval_definition", Type: "string", Required: "unless evaluation_steps", Description: "What a good submission should satisfy; may hold explicit steps."},
			{Name: "evaluation_fields", Type: "array of string", Default: names, Enum: names, Description: "Record fields the judge sees."},
			{Name: "evaluation_steps", Type: "array of string", Description: "Steps to judge by, used as given."},
		}, argsOfAll()...),
	}
}

func (gEval) stages() []step {
	return []step{checkFields, resolveDefinition, scanRecord, askScore}
}

// resolveDefinition turns the definition into a rubric: once per definition,
// from then on out of the resolver's cache.
func resolveDefinition(ctx context.Context, e *evaluation) bool {
	e.stage = stagePolicy
	if f := stopped(ctx, stageScan); f != nil {
		e.fail(f)
		return false
	}
	if e.req.Policy == nil {
		e.fail(&guard.Fault{Stage: stagePolicy, Code: codePolicyUnavailable, Retryable: true, Message: sentenceFault(stagePolicy, codePolicyUnavailable)})
		return false
	}
	res := e.judge.resolver.Resolve(ctx, e.rubricRequest())
	e.out.Stages = append(e.out.Stages, res.Stages...)
	e.out.Meta.Cached = res.Cached
	describe(&e.out.Meta, e.req.Args.Definition, res.Rubric)
	switch {
	case res.Rejection != nil:
		e.reject(res.Rejection)
	case res.Fault != nil:
		e.fail(cancelledFault(ctx, res.Fault))
	case !res.Rubric.OK():
		e.fail(&guard.Fault{Stage: "steps", Code: codeStepsUnavailable, Message: sentenceBroken("steps")})
	default:
		e.rubric = res.Rubric
		return true
	}
	return false
}

// cancelledFault tells a stage that failed by itself from one that was
// cancelled with the whole evaluation.
func cancelledFault(ctx context.Context, f *guard.Fault) *guard.Fault {
	if ctx.Err() == nil || codeOf(ctx, ctx.Err()) != codeCancelled {
		return f
	}
	return faultOf(ctx, f.Stage, ctx.Err(), f.Attempts)
}

// describe notes which steps count and where they came from.
func describe(m *Meta, definition string, r rubric.Rubric) {
	if definition != "" {
		m.DefinitionHash = hashText(definition)
	}
	m.Extracted, m.Generated, m.Suggestions = r.Extracted(), r.Generated(), r.Suggestions()
	m.StepsSource, m.Steps = r.Source(), r.Steps()
	if len(m.Steps) > 0 {
		m.StepsHash = hashList(m.Steps)
	}
}

func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// hashList writes the length before each text, so that no two lists share a
// hash by where they are cut.
func hashList(texts []string) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = h.Write([]byte(strconv.Itoa(len(t)) + ":" + t))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// gEvalData is the material of one g_eval prompt, in the order it is read.
type gEvalData struct {
	Definition string     `json:"eval_definition"`
	Steps      []string   `json:"evaluation_steps"`
	Record     recordData `json:"record"`
}

// recordData holds the fields that are shown. A nil one is left out; an empty
// one is shown as "" or [].
type recordData struct {
	Input            *string   `json:"input,omitempty"`
	Output           *string   `json:"output,omitempty"`
	Prompt           *string   `json:"prompt,omitempty"`
	Context          *[]string `json:"context,omitempty"`
	GoldenAnswer     *string   `json:"golden_answer,omitempty"`
	RetrievalContext *[]string `json:"retrieval_context,omitempty"`
}

func (gEval) question(e *evaluation) (question, error) {
	shown := e.shownFields()
	var empty []string
	for _, f := range shown {
		if e.req.Record.empty(f) {
			empty = append(empty, string(f))
			e.out.Meta.Notes = append(e.out.Meta.Notes, string(f)+" is empty")
		}
	}
	prompt := promptScore
	if e.req.Args.Strict {
		prompt = promptStrict
	}
	return question{
		prompt: prompt,
		data: gEvalData{
			Definition: e.rubric.Cleared().Definition(),
			Steps:      e.rubric.Steps(),
			Record:     dataOf(e.req.Record, shown),
		},
		empty:     empty,
		zeroToOne: slices.ContainsFunc(e.rubric.Scales(), func(s rubric.Scale) bool { return s.Min == 0 && s.Max == 1 }),
	}, nil
}

// shownFields are the selected fields the judge sees. A selection that was
// made is shown whole. Where all fields are selected because none was named,
// an empty one is left out unless it is the output or the definition speaks of
// it: then that it is empty matters.
func (e *evaluation) shownFields() []rubric.Field {
	if len(e.fields) < len(rubric.Fields()) {
		return e.fields
	}
	var shown []rubric.Field
	for _, f := range e.fields {
		if f == rubric.Output || !e.req.Record.empty(f) || e.speaksOf(f) {
			shown = append(shown, f)
		}
	}
	return shown
}

// speaksOf reports whether the definition or a step refers to a field.
func (e *evaluation) speaksOf(f rubric.Field) bool {
	for _, text := range append(e.rubric.Steps(), e.rubric.Cleared().Definition()) {
		if slices.ContainsFunc(rubric.DetectFields(text), func(ref rubric.FieldRef) bool { return ref.Sure && ref.Field == f }) {
			return true
		}
	}
	return false
}

func dataOf(r Record, shown []rubric.Field) recordData {
	var d recordData
	for _, f := range shown {
		switch f {
		case rubric.Input:
			d.Input = &r.Input
		case rubric.Output:
			d.Output = &r.Output
		case rubric.Prompt:
			d.Prompt = &r.Prompt
		case rubric.GoldenAnswer:
			d.GoldenAnswer = &r.GoldenAnswer
		case rubric.Context:
			items := slices.Concat([]string{}, r.Context)
			d.Context = &items
			if len(r.RetrievalContext) > 0 {
				d.RetrievalContext = &r.RetrievalContext
			}
		}
	}
	return d
}

// parts are the texts of the shown fields, for the record scan.
func (e *evaluation) parts() []guard.Part {
	if e.req.Metric == StepEfficiency {
		return e.trace.parts()
	}
	var parts []guard.Part
	for _, f := range e.fields {
		if f != rubric.Context {
			parts = addPart(parts, string(f), e.req.Record.values(f)[0])
			continue
		}
		for i, s := range e.req.Record.Context {
			parts = addPart(parts, "context/"+strconv.Itoa(i), s)
		}
		for i, s := range e.req.Record.RetrievalContext {
			parts = addPart(parts, "retrieval_context/"+strconv.Itoa(i), s)
		}
	}
	return parts
}

func addPart(parts []guard.Part, name, text string) []guard.Part {
	if text == "" {
		return parts
	}
	return append(parts, guard.Part{Name: name, Text: text})
}
