// Package offline is the embedded model: no key, no network, no randomness.
//
// It answers every stage in the shape of a language model's answer, by rules
// that can be read here: lists and criteria sentences are found by their marks,
// evidence is looked for by words, numbers, names, lengths and formats. The
// same request always gets the same answer, and nothing inside the data of a
// request can change how that data is read. It is a baseline, and says so in
// every rationale and reason; it understands no meaning beyond its word lists.
package offline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"bailiff/judge/model"
)

// Slug is the name by which the offline model is asked for.
const Slug = "offline"

// EngineVersion names the rule set. A change of an answer changes it.
const EngineVersion = "bailiff-offline/1"

// Stages that the model answers, as the header X-Bailiff-Stage names them.
const (
	stageSafety   = "safety"
	stageResolve  = "resolve"
	stageGenerate = "generate"
	stageScore    = "score"
	stageStrict   = "strict"
	stageTask     = "task"
)

// Model is the offline model. It holds no state; its methods are safe for
// concurrent use.
type Model struct{ fingerprint string }

// New returns the offline model.
func New() *Model {
	sum := sha256.Sum256([]byte(EngineVersion))
	return &Model{fingerprint: "fp_" + hex.EncodeToString(sum[:6])}
}

// Name is Slug.
func (*Model) Name() string { return Slug }

// Info says that the model is the offline one, judges on 0 to 10 and is free.
func (*Model) Info() model.Info {
	return model.Info{Slug: Slug, Offline: true, Scale: 10, Price: &model.Price{}}
}

// Ask answers one stage. Errors are *model.Error: cancelled when ctx is done,
// malformed when the user text carries no readable data fence or the stage is
// unknown.
func (m *Model) Ask(ctx context.Context, stage, system, user string, schema []byte) ([]byte, error) {
	reply, err := m.Chat(ctx, model.Request{Stage: stage, System: system, User: user, Schema: schema})
	return reply.Object, err
}

// Chat answers one stage. There are never token log probabilities: a rule has
// no probability, and inventing one would be a lie.
func (m *Model) Chat(ctx context.Context, req model.Request) (model.Reply, error) {
	if err := ctx.Err(); err != nil {
		return model.Reply{}, &model.Error{Code: model.CodeCancelled, Detail: "cancelled before the offline model was asked", Err: err}
	}
	data, err := fenced(req.User)
	if err != nil {
		return model.Reply{}, malformed(req.Stage, err)
	}
	answer, err := respond(req.Stage, data)
	if err != nil {
		return model.Reply{}, malformed(req.Stage, err)
	}
	object, err := encode(answer)
	if err != nil {
		return model.Reply{}, malformed(req.Stage, err)
	}
	return model.Reply{
		Content:     string(object),
		Object:      object,
		Usage:       usage(req, object),
		Model:       EngineVersion,
		Fingerprint: m.fingerprint,
		Attempts:    1,
	}, nil
}

func malformed(stage string, err error) error {
	return &model.Error{Code: model.CodeMalformed, Attempts: 1, Detail: "offline model, stage " + stage + ": " + err.Error(), Err: err}
}

// usage estimates tokens cheaply, at four bytes to a token, the usual rule of
// thumb for English; it is free either way. Exact counts are model.CountTokens'
// business.
func usage(req model.Request, object []byte) model.Usage {
	in := (len(req.System) + len(req.User) + 3) / 4
	out := (len(object) + 3) / 4
	return model.Usage{InputTokens: in, OutputTokens: out, Calls: 1}
}

// respond runs the rules of one stage over the data in the fence.
func respond(stage string, data []byte) (any, error) {
	var in request
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, errData(err)
	}
	switch stage {
	case stageSafety:
		return reviewSafety(in), nil
	case stageResolve:
		return resolve(in), nil
	case stageGenerate:
		return generate(in), nil
	case stageScore:
		return score(in), nil
	case stageStrict:
		return strict(in), nil
	case stageTask:
		return taskAnswer{Task: taskOf(in.Trace)}, nil
	default:
		return nil, errStage(stage)
	}
}
