package rubric

import (
	"context"
	"errors"
)

// Kept returns what Resolve would give without asking a model: the kept
// resolution of an equal request, from memory or the store. It asks none, and
// returns false when something would have to be asked. req.Model and req.Second
// are only named.
func (r *Resolver) Kept(ctx context.Context, req Request) (Resolution, bool) {
	req = req.canonical()
	id := identify(req)
	res, ok := r.memory.get(id.key, r.cfg.Now())
	if !ok {
		prior := r.load(ctx, req.Tenant, id.key)
		if prior.Schema == "" {
			return Resolution{}, false
		}
		req.Model, req.Second = silent(modelName(req.Model)), silent(modelName(req.Second))
		if res = r.work(ctx, req, id, prior, newProgress()); res.Fault != nil {
			return Resolution{}, false
		}
	}
	res.Signature = id.signature
	return res.fromCache(), true
}

// silent is the name of a model that is not to be asked.
type silent string

var errSilent = errors.New("no model is asked for what is kept")

// Name is that of the model.
func (s silent) Name() string { return string(s) }

// Ask gives no answer.
func (silent) Ask(context.Context, string, string, string, []byte) ([]byte, error) {
	return nil, errSilent
}
