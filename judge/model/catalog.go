package model

import (
	"container/list"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// ErrUnknownModel is a slug that is not configured, or not for the tenant:
// which of the two is not told.
var ErrUnknownModel = errors.New("the model is not known")

// maxOpened bounds the clients of slugs that are not configured; the one that
// was not used for longest is given up.
const maxOpened = 256

// CatalogConfig says which models there are. The zero value has none.
type CatalogConfig struct {
	// Default is where slugs without a configuration of their own go, and where
	// configured ones go that name neither a provider nor a base URL. The
	// caller takes it from OPENAI_API_KEY and OPENAI_BASE_URL; nothing here
	// reads those.
	Default Endpoint
	Models  []ModelConfig
	// Open lets slugs that Models does not list through to Default.
	Open bool
	// Offline answers to the slug of its Name. It may be nil.
	Offline Model

	Timeout     time.Duration // of a call, default 60 s
	Concurrency int           // calls at once to one model, default 64
	Attempts    int           // default 4
	MaxResponse int64         // bytes, default 4 MiB
	LearnedFor  time.Duration // default 1 h

	LookupEnv func(string) (string, bool)  // finds the key of a KeyEnv, default os.LookupEnv
	ReadFile  func(string) ([]byte, error) // reads a KeyFile, default os.ReadFile
	Transport http.RoundTripper            // default: one pool for all models
	Now       func() time.Time
}

// Endpoint is a provider with its key.
type Endpoint struct {
	Provider string // default openai, or compatible where BaseURL is not OpenAI's
	BaseURL  string // default that of the provider
	Key      string
}

// ModelConfig is one model of the configuration.
//
//nolint:revive // Config alone would not say of what, beside ClientConfig and CatalogConfig
type ModelConfig struct {
	Slug     string
	Model    string // what is sent as the model's name, default Slug
	Provider string
	BaseURL  string
	KeyEnv   string // name of the variable that holds the key
	KeyFile  string // or path of the file that does
	Price    *Price
	Scale    int
	Tenants  []string // who may use it, everyone when empty

	Timeout     time.Duration
	Concurrency int
	Attempts    int
}

// Catalog opens models by slug. It is safe for concurrent use.
type Catalog struct {
	cfg     CatalogConfig
	pool    *http.Transport
	entries map[string]entry

	mu     sync.Mutex
	lanes  map[string]*lane
	opened map[string]*list.Element // of open slugs
	recent *list.List               // of *Client, the most recent first
}

// entry is a configured model.
type entry struct {
	model   Model
	tenants []string
}

// NewCatalog makes a catalog, or says everything that is wrong with the
// configuration. Close it when it is no longer used.
func NewCatalog(cfg CatalogConfig) (*Catalog, error) {
	if cfg.LookupEnv == nil {
		cfg.LookupEnv = os.LookupEnv
	}
	if cfg.ReadFile == nil {
		cfg.ReadFile = os.ReadFile
	}
	c := &Catalog{
		entries: map[string]entry{}, lanes: map[string]*lane{},
		opened: map[string]*list.Element{}, recent: list.New(),
	}
	if cfg.Transport == nil {
		c.pool = newTransport(or(cfg.Concurrency, DefaultConcurrency))
		cfg.Transport = c.pool
	}
	cfg.Default = cfg.Default.completed()
	c.cfg = cfg
	var problems []error
	if cfg.Open && !cfg.Default.given() {
		// Nothing to open: slugs are looked up among the configured ones only.
		c.cfg.Open = false
	}
	if cfg.Default.given() {
		if _, err := c.client(ModelConfig{Slug: "default"}); err != nil {
			problems = append(problems, fmt.Errorf("the default provider: %w", errors.Unwrap(err)))
		}
	}
	for _, m := range cfg.Models {
		problems = append(problems, c.add(m))
	}
	if err := errors.Join(problems...); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// add configures a model.
func (c *Catalog) add(m ModelConfig) error {
	if _, ok := c.entries[m.Slug]; ok {
		return fmt.Errorf("model %q: is configured twice", m.Slug)
	}
	if o := c.cfg.Offline; o != nil && m.Slug == o.Name() {
		return fmt.Errorf("model %q: is the name of the offline model", m.Slug)
	}
	client, err := c.client(m)
	c.entries[m.Slug] = entry{model: client, tenants: m.Tenants}
	return err
}

// Open gives the model of a slug to a tenant. The error is ErrUnknownModel.
func (c *Catalog) Open(slug, tenant string) (Model, error) {
	if e, ok := c.entries[slug]; ok {
		if len(e.tenants) > 0 && !slices.Contains(e.tenants, tenant) {
			return nil, unknown(slug)
		}
		return e.model, nil
	}
	if o := c.cfg.Offline; o != nil && slug == o.Name() {
		return o, nil
	}
	if !c.cfg.Open || !validSlug(slug) {
		return nil, unknown(slug)
	}
	return c.open(slug)
}

// unknown names the slug when it is one: other text of a request stays out of errors.
func unknown(slug string) error {
	if !validSlug(slug) {
		return ErrUnknownModel
	}
	return fmt.Errorf("%w: %s", ErrUnknownModel, slug)
}

// Slugs are the configured models that a tenant may use, sorted, the offline
// one among them.
func (c *Catalog) Slugs(tenant string) []string {
	var slugs []string
	for slug, e := range c.entries {
		if len(e.tenants) == 0 || slices.Contains(e.tenants, tenant) {
			slugs = append(slugs, slug)
		}
	}
	if c.cfg.Offline != nil {
		slugs = append(slugs, c.cfg.Offline.Name())
	}
	slices.Sort(slugs)
	return slugs
}

// Close gives up idle connections. Models that were opened go on to work.
func (c *Catalog) Close() {
	if c.pool != nil {
		c.pool.CloseIdleConnections()
	}
}

// open finds or makes the client of a slug that is not configured.
func (c *Catalog) open(slug string) (Model, error) {
	c.mu.Lock()
	if at, ok := c.opened[slug]; ok {
		c.recent.MoveToFront(at)
		m, _ := at.Value.(*Client)
		c.mu.Unlock()
		return m, nil
	}
	c.mu.Unlock()
	client, err := c.client(ModelConfig{Slug: slug})
	if err != nil {
		return nil, unknown(slug)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.opened[slug]; ok { // another call was faster
		m, _ := at.Value.(*Client)
		return m, nil
	}
	c.opened[slug] = c.recent.PushFront(client)
	if c.recent.Len() > maxOpened {
		oldest := c.recent.Back()
		gone, _ := c.recent.Remove(oldest).(*Client)
		delete(c.opened, gone.Name())
		delete(c.lanes, gone.laneKey())
	}
	return client, nil
}

// client makes the client of a model. Those of one model behind one endpoint
// share a lane.
func (c *Catalog) client(m ModelConfig) (*Client, error) {
	cfg := ClientConfig{
		Slug: m.Slug, Model: m.Model, Provider: m.Provider, BaseURL: m.BaseURL, Price: m.Price, Scale: m.Scale,
		Timeout: or(m.Timeout, c.cfg.Timeout), Concurrency: or(m.Concurrency, c.cfg.Concurrency), Attempts: or(m.Attempts, c.cfg.Attempts),
		MaxResponse: c.cfg.MaxResponse, LearnedFor: c.cfg.LearnedFor, Transport: c.cfg.Transport, Now: c.cfg.Now,
	}
	key, err := c.key(m)
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", m.Slug, err)
	}
	cfg.Key = key
	if m.Provider == "" && m.BaseURL == "" {
		cfg.Provider, cfg.BaseURL = c.cfg.Default.Provider, c.cfg.Default.BaseURL
	}
	client, err := NewClient(cfg)
	if err != nil {
		return nil, err
	}
	c.share(client)
	return client, nil
}

// share gives a client the lane of others that call the same model.
func (c *Catalog) share(client *Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := client.laneKey()
	if l, ok := c.lanes[key]; ok {
		client.lane = l
		return
	}
	c.lanes[key] = client.lane
}

// laneKey names the model behind its endpoint.
func (c *Client) laneKey() string { return c.cfg.BaseURL + " " + c.cfg.Model }

// key finds the key of a model. The default provider's key goes to the default
// provider alone.
func (c *Catalog) key(m ModelConfig) (string, error) {
	switch {
	case m.KeyEnv != "" && m.KeyFile != "":
		return "", errors.New("key_env and key_file are both given")
	case m.KeyEnv != "":
		key, ok := c.cfg.LookupEnv(m.KeyEnv)
		if !ok || key == "" {
			return "", fmt.Errorf("key_env: the variable %s is not set", m.KeyEnv)
		}
		return key, nil
	case m.KeyFile != "":
		text, err := c.cfg.ReadFile(m.KeyFile)
		if err != nil {
			return "", fmt.Errorf("key_file: %w", err)
		}
		return strings.TrimSpace(string(text)), nil
	case m.Provider == "" && m.BaseURL == "":
		return c.cfg.Default.Key, nil
	}
	// The variable that the provider's own tools read belongs to its own URL.
	if p, ok := providerNamed(m.Provider); ok && p.keyEnv != "" && (m.BaseURL == "" || p.baseURL == "") {
		key, _ := c.cfg.LookupEnv(p.keyEnv)
		return key, nil
	}
	return "", nil
}

// given reports whether there is a default provider at all.
func (e Endpoint) given() bool { return e.Key != "" || e.BaseURL != "" || e.Provider != "" }

// completed fills in which provider it is.
func (e Endpoint) completed() Endpoint {
	if e.given() && e.Provider == "" {
		e.Provider = compatible
		if e.BaseURL == "" || strings.HasPrefix(e.BaseURL, "https://api.openai.com/") {
			e.Provider = "openai"
		}
	}
	return e
}
