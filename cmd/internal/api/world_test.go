package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"bailiff/cmd/internal/api"
	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/run"
	"bailiff/cmd/internal/store"
	"bailiff/cmd/internal/tenant"
	"bailiff/guard"
	"bailiff/judge"
	"bailiff/judge/model"
	"bailiff/judge/model/modeltest"
	"bailiff/judge/model/offline"
	"bailiff/policies"
	"bailiff/rubric"
)

// adminKey is the operator's key in every world.
const adminKey = "an-admin-key-for-tests-only"

// policy is compiled once: it takes a second.
var policy = sync.OnceValues(func() (*guard.Policy, error) { return guard.Compile(context.Background(), policies.FS) })

// world is a gateway with a scripted model, a store and an audit log of its
// own.
type world struct {
	t      *testing.T
	url    string
	up     *modeltest.Server
	api    *api.API
	runs   *run.Service
	db     *store.DB
	sink   *breakableSink
	audit  string // path
	log    *lockedBuffer
	keys   map[string]string
	tenant map[string]string // id by name
	doc    *description
}

// described is the API's description of itself.
func (w *world) described() *description {
	if w.doc == nil {
		w.doc = describe(w)
	}
	return w.doc
}

// change alters a world before it begins.
type change func(*api.Config, *run.Config)

func newWorld(t *testing.T, changes ...change) *world {
	t.Helper()
	p, err := policy()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	w := &world{t: t, up: modeltest.New(t), audit: filepath.Join(dir, "audit.jsonl"), log: &lockedBuffer{}, keys: map[string]string{"admin": adminKey}, tenant: map[string]string{}}
	logger := zerolog.New(w.log)
	ctx := context.Background()
	w.db, err = store.Open(ctx, "sqlite:"+filepath.Join(dir, "x.db"))
	w.check(err)
	file, err := audit.OpenFile(w.audit)
	w.check(err)
	w.sink = &breakableSink{File: file}
	events, err := audit.Open(audit.Config{Sink: w.sink, Gateway: "gw"})
	w.check(err)
	tenants, err := tenant.NewRegistry(ctx, w.db, nil)
	w.check(err)
	_, _, err = tenants.Bootstrap(ctx, adminKey)
	w.check(err)
	catalog, err := model.NewCatalog(model.CatalogConfig{
		Default: model.Endpoint{BaseURL: w.up.URL(), Key: "upstream-key"}, Open: true, Offline: offline.New(), Attempts: 1,
		Models: []model.ModelConfig{{Slug: "priced", Price: &model.Price{Input: 1, Output: 2}}, {Slug: "theirs", Tenants: []string{"other"}}},
	})
	w.check(err)
	judges := judge.New(judge.Config{Resolver: rubric.NewResolver(rubric.Config{Cache: w.db})})
	active := guard.New(p)
	rc := run.Config{Store: w.db, Judge: judges, Guard: active, Models: catalog, Audit: events, Hasher: audit.NewHasher([]byte("pepper")), Log: logger, Render: api.Render}
	ac := api.Config{
		Tenants: tenants, Store: w.db, RunStore: w.db, Claims: w.db, Registry: w.db, Judge: judges, Guard: active, Models: catalog, Audit: events, Reader: audit.FileReader{Path: w.audit}, Log: logger,
		PolicyFiles: policies.FS, PolicySince: time.Now(), DefaultModel: "gpt-4o-mini", BlockingTimeout: 20 * time.Second,
		Limits: api.Limits{RunBody: 4 << 20, Body: 64 << 10, Definition: 2 << 10, Field: 8 << 10, Rows: 200, Metrics: 4, Evaluations: 300},
	}
	for _, c := range changes {
		c(&ac, &rc)
	}
	w.runs = run.NewService(ctx, rc)
	ac.Runs = w.runs
	w.api, err = api.New(ac)
	w.check(err)
	server := httptest.NewServer(w.api)
	w.url = server.URL
	t.Cleanup(func() {
		server.Close()
		ended, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = w.runs.Drain(ended)
		_ = events.Close()
		_ = w.db.Close()
		catalog.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return w
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// breakableSink is an audit file that can be full.
type breakableSink struct {
	*audit.File
	mu   sync.Mutex
	full bool
}

func (s *breakableSink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full {
		return 0, os.ErrPermission
	}
	return s.File.Write(p)
}

func (s *breakableSink) setFull(full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.full = full
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	text   string
	body   map[string]any // nil when it is no JSON object
}

// at follows a path of members and positions.
func (a answer) at(path ...any) any {
	var v any = a.body
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				return nil
			}
			v = m[p]
		case int:
			l, ok := v.([]any)
			if !ok || p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

func (a answer) text1(path ...any) string {
	s, _ := a.at(path...).(string)
	return s
}

// send sends a request; body is JSON text, "" for none. key names a key.
func (w *world) send(method, path, body, key string, headers ...string) answer {
	w.t.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, in)
	w.check(err)
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+w.key(key))
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header[http.CanonicalHeaderKey(headers[i])] = strings.Split(headers[i+1], "|")
	}
	resp, err := http.DefaultClient.Do(req)
	w.check(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	w.check(err)
	a := answer{status: resp.StatusCode, header: resp.Header, text: string(text)}
	if strings.Contains(resp.Header.Get("Content-Type"), "json") {
		_ = json.Unmarshal(text, &a.body)
	}
	return a
}

func (w *world) post(path, body string, headers ...string) answer {
	w.t.Helper()
	return w.send(http.MethodPost, path, body, "admin", headers...)
}

func (w *world) get(path string, headers ...string) answer {
	w.t.Helper()
	return w.send(http.MethodGet, path, "", "admin", headers...)
}

// key finds a key by its name: admin, bad, or tenant/role, which is made.
func (w *world) key(name string) string {
	w.t.Helper()
	if key, ok := w.keys[name]; ok {
		return key
	}
	owner, role, ok := strings.Cut(name, "/")
	if !ok {
		return name
	}
	if w.tenant[owner] == "" {
		a := w.post("/v1/admin/tenants", `{"name":"`+owner+`"}`)
		w.tenant[owner] = a.text1("id")
	}
	a := w.post("/v1/admin/tenants/"+w.tenant[owner]+"/keys", `{"role":"`+role+`"}`)
	if a.status != 201 {
		w.t.Fatalf("make a key: %d %s", a.status, a.text)
	}
	w.keys[name] = a.text1("key")
	return w.keys[name]
}

// event is what tests look at of an audit event.
type event struct {
	Event, Status, Stage, Code, Decision string
	RequestID                            string `json:"request_id"`
	TenantID                             string `json:"tenant_id"`
	RunID                                string `json:"run_id"`
}

// events are the audit events that are on disk.
func (w *world) events() []event {
	w.t.Helper()
	data, err := os.ReadFile(w.audit)
	w.check(err)
	var list []event
	for line := range strings.Lines(string(data)) {
		var e event
		w.check(json.Unmarshal([]byte(line), &e))
		list = append(list, e)
	}
	return list
}

// eventsOf are the kinds of the events of a request, in order.
func (w *world) eventsOf(requestID string) string {
	w.t.Helper()
	var kinds []string
	for _, e := range w.events() {
		if e.RequestID == requestID {
			kinds = append(kinds, e.Event)
		}
	}
	return strings.Join(kinds, " ")
}

const goodDefinition = "Evaluate whether the reply serves the customer. Check whether the reply names the order. Check whether the reply says when the money arrives."

// runBody is a run of a definition over outputs.
func runBody(definition string, outputs ...string) string {
	rows := make([]map[string]any, len(outputs))
	for i, o := range outputs {
		rows[i] = map[string]any{"output": o}
	}
	body, err := json.Marshal(map[string]any{"is_blocking": true, "evaluations": []any{map[string]any{
		"metrics": []any{map[string]any{"metric": "g_eval", "metric_args": map[string]any{"eval_definition": definition, "evaluation_fields": []string{"output"}}}}, "data": rows,
	}}})
	if err != nil {
		panic(err)
	}
	return string(body)
}
