package run

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/registry"
	"bailiff/guard"
	"bailiff/judge"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// base is an event with where it comes from.
func (o Origin) base(kind audit.Kind) audit.Event {
	return audit.Event{Kind: kind, RequestID: o.RequestID, TenantID: o.TenantID, Actor: o.Actor}
}

func createdEvent(o Origin, r Run) audit.Event {
	e := o.base(audit.RunCreated)
	e.RunID, e.Status, e.PolicyRevision = r.ID, string(r.Status), r.Revision
	e.After = note(map[string]any{"total": r.Total, "metrics": r.Metrics, "model": r.Model, "threshold": r.Threshold})
	return e
}

func deletedEvent(o Origin, r Run) audit.Event {
	e := o.base(audit.RunDeleted)
	e.RunID, e.Status = r.ID, string(r.Status)
	return e
}

func finishedEvent(o Origin, r Run, status Status, t Totals) audit.Event {
	kind := audit.RunFinished
	if status == Cancelled {
		kind = audit.RunCancelled
	}
	e := o.base(kind)
	sum := t.All()
	e.RunID, e.Status, e.PolicyRevision = r.ID, string(status), r.Revision
	e.After = note(map[string]any{"scored": sum.Scored, "rejected": sum.Rejected, "skipped": sum.Skipped, "errors": sum.Errors, "passed": sum.Passed, "failed": sum.Failed})
	return e
}

// note encodes a few numbers and names of our own.
func note(v map[string]any) jsontext.Value {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil { // numbers and names always encode
		return nil
	}
	return text
}

// decidedEvent is the one event of an evaluation. It names texts by their sums
// and holds none of them.
func (s *Service) decidedEvent(o Origin, d Done) audit.Event {
	e, out := o.base(audit.EvaluationDecided), d.Outcome
	args := d.Metric.Args
	e.RunID, e.EvaluationID, e.RecordIndex, e.Metric = d.RunID, d.ID, &d.Index, out.Metric
	if text := definitionText(args); text != "" {
		e.Definition = audit.Definition{SHA256: s.cfg.Hasher.Text(o.TenantID, text), Length: len(text)}
	}
	for _, f := range args.Fields {
		e.Definition.Fields = append(e.Definition.Fields, string(f))
	}
	if name, number, ok := registry.ParseRef(d.Metric.Rubric); ok {
		e.Definition.Rubric, e.Definition.Version = name, number
	}
	e.RecordSHA256 = s.cfg.Hasher.Text(o.TenantID, string(d.Record.Shown))
	e.Status = string(out.Status)
	e.Stage, e.Code, e.RuleIDs = stageAndCode(out)
	e.PolicyRevision = out.Meta.PolicyRevision
	e.Fingerprint, e.StepsHash, e.ScoreMethod = out.Meta.Fingerprint, out.Meta.StepsHash, out.Meta.Method
	e.Score, e.Threshold, e.Passed = out.Score, &out.Threshold, out.Passed
	if out.Score != nil {
		e.Borderline = &out.Meta.Borderline
	}
	addStages(&e, out.Stages, out.Meta.PromptVersion)
	e.Usage = usageNote(out.Usage)
	e.Masked = []string{"/definition/text", "/record"}
	return e
}

// DefinitionEvent is the event of a definition that was checked without a
// record.
func (s *Service) DefinitionEvent(o Origin, text string, fields []rubric.Field, stages []guard.Stage, u model.Usage) audit.Event {
	e := o.base(audit.DefinitionDecided)
	e.Definition = audit.Definition{SHA256: s.cfg.Hasher.Text(o.TenantID, text), Length: len(text)}
	for _, f := range fields {
		e.Definition.Fields = append(e.Definition.Fields, string(f))
	}
	addStages(&e, stages, "")
	e.Usage = usageNote(u)
	e.Masked = []string{"/definition/text"}
	return e
}

// definitionText is what was judged by: the definition, and the steps given
// with it.
func definitionText(a judge.Args) string {
	return strings.TrimPrefix(strings.Join(append([]string{a.Definition}, a.Steps...), "\n"), "\n")
}

// addStages notes what the stages decided, whom they asked and how long they
// took.
func addStages(e *audit.Event, stages []guard.Stage, scorePrompt string) {
	e.DurationsMS, e.Models, e.PromptVersions = map[string]float64{}, map[string]string{}, map[string]string{}
	versions := promptVersions()
	for _, st := range stages {
		e.DurationsMS[st.Name] += float64(st.Took.Microseconds()) / 1000
		if st.Name == "policy" {
			e.Decision = st.Outcome
		}
		if st.Model == "" {
			continue
		}
		asked := modelStage(st.Name)
		e.Models[asked] = st.Model
		if v := versions[asked]; v != "" {
			e.PromptVersions[asked] = v
		}
	}
	if scorePrompt != "" {
		e.PromptVersions["score"] = scorePrompt
	}
}

// modelStage is the name that the model's request has for a stage.
func modelStage(stage string) string {
	switch stage {
	case "semantic":
		return "resolve"
	case "steps":
		return "generate"
	}
	return stage
}

func promptVersions() map[string]string {
	all := map[string]string{}
	for _, versions := range []map[string]string{guard.PromptVersions(), rubric.PromptVersions()} {
		for name, v := range versions {
			all[name] = v
		}
	}
	return all
}

func stageAndCode(o judge.Outcome) (stage, code string, rules []string) {
	switch {
	case o.Rejection != nil:
		return o.Rejection.Stage, o.Rejection.Code, o.Rejection.RuleIDs
	case o.Fault != nil:
		return o.Fault.Stage, o.Fault.Code, nil
	case o.Skip != nil:
		return o.Skip.Stage, o.Skip.Code, nil
	}
	return "score", "", nil
}

func usageNote(u model.Usage) *audit.Usage {
	n := &audit.Usage{InputTokens: u.InputTokens, OutputTokens: u.OutputTokens}
	if u.Cost.Complete() {
		cost := u.Cost.Known()
		n.Cost = &cost
	}
	return n
}
