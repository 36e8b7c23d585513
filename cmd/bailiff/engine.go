package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/api"
	"bailiff/cmd/internal/casefile"
	"bailiff/cmd/internal/config"
	"bailiff/cmd/internal/store"
	"bailiff/guard"
	"bailiff/judge"
	"bailiff/judge/model"
	"bailiff/judge/model/offline"
	"bailiff/rubric"
)

// localTenant is who the command line judges for.
const localTenant = "local"

// engine is everything that judges, without a gateway around it.
type engine struct {
	cfg     config.Config
	policy  *guard.Policy
	judge   *judge.Judge
	catalog *model.Catalog
	slug    string // model of cases that name none
	forced  bool   // slug was asked for: it is the model of all
	model   model.Model
	store   *store.DB // of worked definitions, nil when none is kept
}

// loadConfig reads the configuration as every verb does.
func loadConfig(file string, flags map[string]string) (config.Config, error) {
	cfg, err := config.Load(config.Source{File: file, Flags: flags})
	if err != nil {
		return cfg, usageError(err)
	}
	return cfg, nil
}

// compilePolicies compiles the policies of a directory, or the embedded ones.
func compilePolicies(ctx context.Context, dir string) (*guard.Policy, error) {
	fsys := policyFS(dir)
	policy, err := guard.Compile(ctx, fsys)
	if err != nil {
		return nil, usageError(err)
	}
	return policy, nil
}

// newCatalog makes the models of a configuration.
func newCatalog(cfg config.Config) (*model.Catalog, error) {
	c := model.CatalogConfig{
		Default: model.Endpoint{BaseURL: cfg.Provider.BaseURL, Key: string(cfg.Provider.Key)},
		Open:    cfg.ModelsOpen, Offline: offline.New(),
		Timeout: cfg.ModelTimeout,
	}
	for _, m := range cfg.Models {
		entry := model.ModelConfig{
			Slug: m.Slug, Model: m.Model, Provider: m.Provider, BaseURL: m.BaseURL,
			KeyEnv: m.KeyEnv, KeyFile: m.KeyFile, Scale: m.Scale, Tenants: m.Tenants,
		}
		if m.Price != nil {
			entry.Price = &model.Price{Input: m.Price.Input, Output: m.Price.Output, Cached: m.Price.Cached}
		}
		c.Models = append(c.Models, entry)
	}
	catalog, err := model.NewCatalog(c)
	if err != nil {
		return nil, usageError(fmt.Errorf("models: %w", err))
	}
	return catalog, nil
}

// openEngine makes an engine from the configuration; slug names the model, the
// configured default without.
func openEngine(ctx context.Context, std *stdio, slug string, keep keeping) (*engine, error) {
	cfg, err := loadConfig("", nil)
	if err != nil {
		return nil, err
	}
	policy, err := compilePolicies(ctx, cfg.Policies)
	if err != nil {
		return nil, err
	}
	catalog, err := newCatalog(cfg)
	if err != nil {
		return nil, err
	}
	e := &engine{cfg: cfg, policy: policy, catalog: catalog, slug: cfg.Model}
	if slug != "" {
		e.slug, e.forced = slug, true
	}
	if e.model, err = e.open(e.slug); err != nil {
		catalog.Close()
		return nil, err
	}
	e.store = openKept(ctx, std, cfg.Store, keep)
	e.judge = judge.New(judge.Config{Resolver: newResolver(std, e.store)})
	if e.offline() {
		fmt.Fprintln(std.err, "bailiff: no model is configured, so the built-in baseline judges: it compares text and is not a language model. Set OPENAI_API_KEY to use one.")
	}
	return e, nil
}

func (e *engine) close() {
	e.catalog.Close()
	if e.store != nil {
		_ = e.store.Close() // every entry is written when Put returns
	}
}

func (e *engine) offline() bool { return e.model.Info().Offline }

func (e *engine) open(slug string) (model.Model, error) {
	m, err := e.catalog.Open(slug, localTenant)
	if errors.Is(err, model.ErrUnknownModel) {
		return nil, usageError(fmt.Errorf("the model %q is not known: name one of models: in bailiff.yaml, or set OPENAI_API_KEY", slug))
	}
	if err != nil {
		return nil, failedError(err)
	}
	return m, nil
}

// slugFor is the model for a metric that names one, or "". What the command
// line names goes before what the file does.
func (e *engine) slugFor(named string) string {
	if e.forced || named == "" {
		return e.slug
	}
	return named
}

// request is what a metric asks about a record.
func (e *engine) request(m casefile.Metric, record judge.Record, threshold float64) (judge.Request, error) {
	req := judge.Request{
		Tenant: localTenant, Policy: e.policy, Metric: m.Metric, Args: m.Args, Record: record,
		Threshold: threshold, Model: e.model, Timeout: e.cfg.EvaluationTimeout,
	}
	req.Args.Fields = defaultFields(m)
	if m.Threshold != nil {
		req.Threshold = *m.Threshold
	}
	if slug := e.slugFor(m.Model); slug != e.slug {
		var err error
		if req.Model, err = e.open(slug); err != nil {
			return req, err
		}
	}
	return req, nil
}

// evaluate judges one job. A model that is not known is that job's error, not
// the end of the run.
func (e *engine) evaluate(ctx context.Context, j job, threshold float64) judge.Outcome {
	req, err := e.request(j.metric, j.item.Record, threshold)
	if err != nil {
		now := time.Now()
		return judge.Outcome{
			Metric: j.metric.Metric, Status: judge.Errored, Threshold: req.Threshold, Model: j.metric.Model, Started: now, Finished: now,
			Explanation: err.Error(), Stages: []guard.Stage{},
			Fault: &guard.Fault{Stage: "score", Code: model.CodeUnavailable, Message: err.Error()},
		}
	}
	return e.judge.Evaluate(ctx, req)
}

// resolve resolves the steps of a metric.
func (e *engine) resolve(ctx context.Context, m casefile.Metric) (rubric.Resolution, model.Usage, error) {
	req, err := e.request(m, judge.Record{}, 0)
	if err != nil {
		return rubric.Resolution{}, model.Usage{}, err
	}
	res, used := e.judge.Resolve(ctx, req)
	return res, used, nil
}

// evaluationJSON is an evaluation as the gateway would give it.
func evaluationJSON(j job) (jsontext.Value, error) {
	e := api.NewEvaluation(j.done)
	rec := j.item.Record
	e.ID, e.Key, e.RecordIndex, e.RecordID = j.item.ID+"/"+j.key, j.key, j.index, &j.item.ID
	e.Record = api.Record{
		ID: rec.ID, Prompt: optional(rec.Prompt), Input: optional(rec.Input), Output: optional(rec.Output), GoldenAnswer: optional(rec.GoldenAnswer),
		Trace: rec.Trace,
	}
	if len(rec.Context) > 0 {
		list, err := json.Marshal(rec.Context)
		if err != nil {
			return nil, err
		}
		e.Record.Context = list
	}
	return json.Marshal(e, json.Deterministic(true))
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// outcomeOf reads back of an evaluation what totals and reports need.
func outcomeOf(evaluation jsontext.Value) (judge.Outcome, error) {
	var e api.Evaluation
	if err := json.Unmarshal(evaluation, &e); err != nil {
		return judge.Outcome{}, err
	}
	switch judge.Status(e.Status) {
	case judge.Scored, judge.Rejected, judge.Skipped, judge.Errored:
	default:
		return judge.Outcome{}, fmt.Errorf("unknown status %s", strconv.Quote(e.Status))
	}
	o := judge.Outcome{
		Metric: e.Metric, Status: judge.Status(e.Status), Score: e.Result, Threshold: e.Threshold, Passed: e.IsGteThreshold,
		Rejection: e.Rejection, Fault: e.Error, Model: e.ModelSlug, Stages: []guard.Stage{},
	}
	if e.Explanation != nil {
		o.Explanation = *e.Explanation
	}
	if e.Skip != nil {
		o.Skip = &judge.Skip{Stage: e.Skip.Stage, Code: e.Skip.Code}
	}
	if e.EvalMetadata != nil {
		o.Meta.StepFindings = e.EvalMetadata.StepFindings
	}
	return o, nil
}
