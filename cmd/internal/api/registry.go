package api

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/registry"
	"bailiff/cmd/internal/run"
	"bailiff/guard"
	"bailiff/judge/model"
	"bailiff/rubric"
)

// RubricVersion is one version of a registered rubric. Version is null when a
// definition was not registered: then verdict says why.
type RubricVersion struct {
	Name           string         `json:"name"`
	Version        *int           `json:"version"`
	Rubric         *string        `json:"rubric"` // name@version, as a run names it
	Status         *string        `json:"status"` // active | refused: what the active policy makes of it
	Definition     string         `json:"eval_definition"`
	Steps          []string       `json:"evaluation_steps"` // the caller's own
	Fields         []string       `json:"evaluation_fields"`
	DefinitionHash string         `json:"definition_hash"`
	Verdict        jsontext.Value `json:"verdict"` // what was found out when it was registered
	Check          *RubricCheck   `json:"check"`
	CreatedAt      *time.Time     `json:"created_at"`
	CreatedBy      *string        `json:"created_by"` // id of a key
}

// RubricVerdict is what registering found out.
type RubricVerdict struct {
	Valid       bool             `json:"valid"`
	Explanation string           `json:"explanation"`
	Rejection   *guard.Rejection `json:"rejection"`
	Error       *guard.Fault     `json:"error"`
	Guard       guardObject      `json:"guard"`
	Steps       []ResolvedStep   `json:"steps"`
	AllSteps    AllSteps         `json:"all_steps"`
	StepsSource *string          `json:"steps_source"`
	Suggestions []string         `json:"suggestions"`
	Signature   *string          `json:"signature"`
	Model       string           `json:"model_slug"`
	Revision    string           `json:"policy_revision"`
	Usage       Usage            `json:"usage"`
}

// RubricCheck is what a policy made of a version last, without a model.
type RubricCheck struct {
	Revision    string    `json:"policy_revision"`
	Decision    string    `json:"decision"`
	RuleIDs     []string  `json:"rule_ids"`
	Explanation *string   `json:"explanation"`
	CheckedAt   time.Time `json:"checked_at"`
}

// rubricEntry is one name in the list.
type rubricEntry struct {
	Name      string    `json:"name"`
	Version   int       `json:"version"` // the newest
	Rubric    string    `json:"rubric"`
	Versions  int       `json:"versions"` // how many
	Status    string    `json:"status"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// rubricAnswer is a name with a page of its versions, newest first, and how two
// of them differ.
type rubricAnswer struct {
	Name       string          `json:"name"`
	Versions   []RubricVersion `json:"versions"`
	Diff       *rubricDiff     `json:"diff"` // null when there is nothing to compare
	NextCursor *string         `json:"next_cursor"`
	HasMore    bool            `json:"has_more"`
}

type rubricDiff struct {
	From       int              `json:"from"`
	To         int              `json:"to"`
	Definition []registry.Piece `json:"eval_definition"`
	Steps      registry.Changes `json:"evaluation_steps"`
	Fields     registry.Changes `json:"evaluation_fields"`
}

// registration is a body of POST /v1/rubrics.
type registration struct {
	name string
	definitionRequest
}

// registerRubric keeps a definition under a name. The same text, steps and
// fields under the same name are the version that they were, and cost nothing.
func (a *API) registerRubric(c *call) error {
	reg, err := a.readRegistration(c)
	if err != nil {
		return err
	}
	known, err := a.cfg.Registry.VersionBySum(c.Request.Context(), c.tenantID(), reg.name, reg.sum())
	switch {
	case err == nil:
		return a.registered(c, known, false)
	case !errors.Is(err, registry.ErrNotFound):
		return err
	}
	res, usage, err := a.resolve(c, reg.definitionRequest)
	if err != nil {
		return err
	}
	v, err := a.newVersion(c, reg, res, usage)
	if err != nil {
		return err
	}
	if !res.Rubric.OK() {
		if err := a.recordDefinition(c, reg.definitionRequest, res.Stages, res.Rejection, res.Fault, res.Verdict.Report, usage); err != nil {
			return err
		}
		return c.json(http.StatusOK, notRegistered(v))
	}
	kept, added, err := a.cfg.Registry.AddVersion(c.Request.Context(), v)
	if err != nil {
		return err
	}
	d := reg.definitionRequest
	d.rubric, d.version = kept.Name, kept.Number
	if err := a.recordDefinition(c, d, res.Stages, nil, nil, res.Verdict.Report, usage); err != nil {
		return err
	}
	return a.registered(c, kept, added)
}

func (a *API) readRegistration(c *call) (registration, error) {
	n, r, err := c.document()
	if err != nil {
		return registration{}, err
	}
	b := &bodyReader{reader: r, limits: a.cfg.Limits}
	o := b.object(n, "")
	var reg registration
	name, ok := o.text("name", required, registry.MaxName)
	if ok && !registry.ValidName(name) {
		b.fault("/name", "out_of_range", "name must begin with a letter or digit and hold only letters, digits and . _ -")
	}
	reg.name = name
	reg.text, reg.steps, reg.fields = b.definition(o, "eval_definition", optional), b.steps(o, "evaluation_steps"), b.fields(o, "evaluation_fields")
	reg.model = b.modelSlug(o, a.defaults(c).model)
	if o != nil && !o.has("eval_definition") && !o.has("evaluation_steps") {
		b.fault("/eval_definition", "missing", "eval_definition is missing")
	}
	o.done()
	if err := b.err(); err != nil {
		return registration{}, err
	}
	reg.fields = inOrder(selected(reg.fields))
	return reg, a.checkModels(c, append(b.models, modelUse{slug: reg.model}))
}

// inOrder puts fields into the contract's order: a selection is no sequence.
func inOrder(fields []rubric.Field) []rubric.Field {
	return slices.DeleteFunc(rubric.Fields(), func(f rubric.Field) bool { return !slices.Contains(fields, f) })
}

func (r registration) sum() string { return registry.Sum(r.text, r.steps, r.fields) }

// newVersion is what is kept of a registration.
func (a *API) newVersion(c *call, reg registration, res rubric.Resolution, usage model.Usage) (registry.Version, error) {
	now := a.cfg.Now().UTC().Truncate(time.Microsecond) // as exact as it is kept
	rub := res.Rubric
	metric := NewResolvedMetric(reg.name, reg.name, nil, res)
	verdict := RubricVerdict{
		Valid: rub.OK(), Explanation: explain(res), Rejection: res.Rejection, Error: res.Fault, Guard: guardOf(res.Verdict),
		Steps: metric.Steps, AllSteps: AllSteps{Extracted: newExtracted(rub.Extracted()), Generated: orEmpty(rub.Generated())},
		StepsSource: text(string(rub.Source())), Suggestions: suggestionTexts(rub.Suggestions()), Signature: text(res.Signature),
		Model: reg.model, Revision: res.Verdict.Report.Revision, Usage: NewUsage(usage),
	}
	shown, err := json.Marshal(verdict, json.Deterministic(true))
	return registry.Version{
		ID: run.NewID(), TenantID: c.tenantID(), Name: reg.name, Definition: reg.text, Steps: reg.steps, Fields: reg.fields, Sum: reg.sum(),
		Model: reg.model, Revision: res.Verdict.Report.Revision, Verdict: shown, CreatedAt: now, CreatedBy: c.caller.Key.ID,
		Check: registry.CheckOf(res.Verdict.Report, now),
	}, err
}

// registered answers with a version that is kept.
func (a *API) registered(c *call, v registry.Version, added bool) error {
	c.Header("Location", "/v1/rubrics/"+v.Name)
	if added {
		return c.json(http.StatusCreated, versionOf(v))
	}
	return c.json(http.StatusOK, versionOf(v))
}

// listRubrics gives the tenant's names.
func (a *API) listRubrics(c *call) error {
	q := c.query()
	limit := q.limit()
	after := q.cursor()
	if after != "" && !registry.ValidName(after) {
		q.r.fault("/cursor", "out_of_range", "cursor must be a next_cursor as it came")
	}
	if err := q.done(); err != nil {
		return err
	}
	entries, err := a.cfg.Registry.Names(c.Request.Context(), c.tenantID(), after, limit+1)
	if err != nil {
		return err
	}
	entries, more := page(entries, limit)
	list := listObject[rubricEntry]{Data: []rubricEntry{}, HasMore: more}
	for _, e := range entries {
		list.Data = append(list.Data, rubricEntry{
			Name: e.Name, Version: e.Newest.Number, Rubric: e.Newest.Ref(), Versions: e.Versions, Status: statusOf(e.Newest.Check),
			CreatedAt: e.CreatedAt, UpdatedAt: e.Newest.CreatedAt,
		})
	}
	if more {
		list.NextCursor = cursorOf(entries[len(entries)-1].Name)
	}
	return c.json(http.StatusOK, list)
}

// getRubric gives the versions of a name and how two of them differ: those that
// are asked for, else the newest and the one before.
func (a *API) getRubric(c *call) error {
	q := c.query()
	limit := q.limit()
	before := max(0, q.numberCursor(0))
	from, to := q.whole("from"), q.whole("to")
	if (from == 0) != (to == 0) {
		q.r.fault("/from", "out_of_range", "from and to are given together")
	}
	if err := q.done(); err != nil {
		return err
	}
	ctx, name := c.Request.Context(), c.Param("name")
	list, err := a.cfg.Registry.Versions(ctx, c.tenantID(), name, before, limit+1)
	if err != nil {
		return err
	}
	if len(list) == 0 && before == 0 {
		return registry.ErrNotFound
	}
	if from == 0 && before == 0 && len(list) > 1 {
		from, to = list[1].Number, list[0].Number
	}
	answer := rubricAnswer{Name: name, Versions: []RubricVersion{}}
	if answer.Diff, err = a.diff(c, name, from, to); err != nil {
		return err
	}
	list, answer.HasMore = page(list, limit)
	for _, v := range list {
		answer.Versions = append(answer.Versions, versionOf(v))
	}
	if answer.HasMore {
		answer.NextCursor = cursorOf(strconv.Itoa(list[len(list)-1].Number))
	}
	return c.json(http.StatusOK, answer)
}

func (a *API) diff(c *call, name string, from, to int) (*rubricDiff, error) {
	if from == 0 {
		return nil, nil //nolint:nilnil // nothing is compared
	}
	older, err := a.cfg.Registry.Version(c.Request.Context(), c.tenantID(), name, from)
	if err != nil {
		return nil, err
	}
	newer, err := a.cfg.Registry.Version(c.Request.Context(), c.tenantID(), name, to)
	if err != nil {
		return nil, err
	}
	return &rubricDiff{
		From: from, To: to, Definition: registry.Diff(older.Definition, newer.Definition),
		Steps: registry.Changed(older.Steps, newer.Steps), Fields: registry.Changed(texts(older.Fields), texts(newer.Fields)),
	}, nil
}

func versionOf(v registry.Version) RubricVersion {
	o := notRegistered(v)
	o.Version, o.Rubric, o.Status = ref(v.Number), ref(v.Ref()), ref(statusOf(v.Check))
	o.Check = &RubricCheck{
		Revision: v.Check.Revision, Decision: string(v.Check.Decision), RuleIDs: orEmpty(v.Check.RuleIDs), Explanation: text(v.Check.Explanation), CheckedAt: v.Check.At,
	}
	o.CreatedAt, o.CreatedBy = &v.CreatedAt, &v.CreatedBy
	return o
}

// notRegistered is a version that was not kept.
func notRegistered(v registry.Version) RubricVersion {
	return RubricVersion{
		Name: v.Name, Definition: v.Definition, Steps: orEmpty(v.Steps), Fields: texts(v.Fields), DefinitionHash: hashOf(v.Definition), Verdict: v.Verdict,
	}
}

func statusOf(c registry.Check) string {
	if c.Refused() {
		return "refused"
	}
	return "active"
}

// hashOf names a definition as evaluations do.
func hashOf(definition string) string {
	sum := sha256.Sum256([]byte(definition))
	return hex.EncodeToString(sum[:])
}

// rubricUse is where a body names a registered rubric.
type rubricUse struct{ ref, pointer string }

// findRubrics puts the text of every registered rubric that a body names into
// its place. What the tenant has no version of is reported, all at once.
func (a *API) findRubrics(c *call, uses []rubricUse, metrics []*run.Metric) error {
	if len(uses) == 0 {
		return nil
	}
	found := map[string]registry.Version{}
	var missing []Problem
	for _, u := range uses {
		if _, ok := found[u.ref]; ok {
			continue
		}
		name, number, _ := registry.ParseRef(u.ref)
		v, err := a.cfg.Registry.Version(c.Request.Context(), c.tenantID(), name, number)
		switch {
		case errors.Is(err, registry.ErrNotFound):
			missing = append(missing, Problem{Pointer: u.pointer, Code: "rubric_unknown", Detail: "there is no registered rubric of this name and version"})
		case err != nil:
			return err
		default:
			found[u.ref] = v
		}
	}
	if len(missing) > 0 {
		return unknownRubric(missing...)
	}
	for _, m := range metrics {
		if v, ok := found[m.Rubric]; ok {
			m.Args.Definition, m.Args.Steps = v.Definition, v.Steps
			if m.Args.Fields == nil {
				m.Args.Fields = v.Fields
			}
		}
	}
	return nil
}
