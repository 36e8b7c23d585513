// Package api is the gateway's HTTP face.
//
// One table, in routes.go, lists every route with who may use it. Every body
// is read by one strict decoder, everything that is wrong with a request is
// reported at once as RFC 9457 problem details that never repeat what was
// sent, and a key is asked for before a body is read. What a route decides is
// in the audit log before its answer leaves.
package api

import (
	"context"
	"io/fs"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/rs/zerolog"

	"bailiff/cmd/internal/audit"
	"bailiff/cmd/internal/registry"
	"bailiff/cmd/internal/run"
	"bailiff/cmd/internal/tenant"
	"bailiff/guard"
	"bailiff/judge"
	"bailiff/judge/model"
)

// Models opens models by slug and lists those that are configured.
type Models interface {
	Open(slug, tenant string) (model.Model, error)
}

// Limits bound what one request may hold, in bytes and pieces.
type Limits struct {
	RunBody, Body, Definition, Field, Rows, Metrics, Evaluations int
}

// Config holds what an API needs. All members but Reader and the numbers are
// required.
type Config struct {
	Tenants  *tenant.Registry
	Store    tenant.Store // for listing and changing tenants
	Runs     *run.Service
	RunStore run.Store
	Claims   run.Claims
	Registry registry.Store
	Judge    *judge.Judge
	Guard    *guard.Guard
	Models   Models
	Audit    *audit.Log
	Reader   audit.Reader // nil when the audit sink cannot be read back
	Log      zerolog.Logger

	PolicyFiles     fs.FS // the modules of the active revision
	PolicySince     time.Time
	DefaultModel    string
	Limits          Limits
	BlockingTimeout time.Duration
	Requests        int // worked at the same time; 0 takes 1024
	// Ready says what keeps the gateway from working, by part; empty when
	// nothing does.
	Ready func(ctx context.Context) map[string]string
	Now   func() time.Time
}

// API answers requests. It is an http.Handler.
type API struct {
	cfg      Config
	engine   *gin.Engine
	document []byte // OpenAPI
	places   chan struct{}
	draining atomic.Bool
}

// quiet keeps gin from writing its own lines.
var quiet = sync.OnceFunc(func() { gin.SetMode(gin.ReleaseMode) }) //nolint:gochecknoglobals // gin's mode is global, and is set once

// New makes an API.
func New(cfg Config) (*API, error) {
	quiet()
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Requests <= 0 {
		cfg.Requests = 1024
	}
	document, err := openAPI()
	if err != nil {
		return nil, err
	}
	a := &API{cfg: cfg, engine: gin.New(), document: document, places: make(chan struct{}, cfg.Requests)}
	e := a.engine
	e.HandleMethodNotAllowed = true
	e.RedirectTrailingSlash, e.RedirectFixedPath = false, false
	e.ContextWithFallback = true
	if err := e.SetTrustedProxies(nil); err != nil {
		return nil, err
	}
	a.register()
	return a, nil
}

// ServeHTTP answers one request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.engine.ServeHTTP(w, r) }

// Drain makes the gateway say that it is not ready.
func (a *API) Drain() { a.draining.Store(true) }
