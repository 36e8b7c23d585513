package model

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
)

// Defaults of a ClientConfig.
const (
	DefaultTimeout     = 60 * time.Second
	DefaultConcurrency = 64
	DefaultAttempts    = 4
)

// ClientConfig sets up a Client. Slug is required, and BaseURL unless the
// provider has one.
type ClientConfig struct {
	Slug     string // the name that callers use
	Model    string // the name that is sent, by default Slug
	Provider string // a row of the provider table, by default "compatible"
	BaseURL  string // up to and without /chat/completions; a query is kept
	Key      string // sent to the origin of BaseURL only
	Price    *Price // by default the list price of the model, nil when unknown
	Scale    int    // 10 (default) or 100

	Timeout     time.Duration // of a call with all its attempts, default 60 s
	Concurrency int           // calls at once, default 64; others wait within their context
	Attempts    int           // requests for one call that fails, default 4; what a call learns of parameters is not counted
	MaxResponse int64         // bytes of a response, default 4 MiB
	LearnedFor  time.Duration // how long a refused parameter is remembered, default 1 h

	Transport http.RoundTripper // default: a pool of its own
	Now       func() time.Time
}

// Client is a model behind an OpenAI-compatible Chat Completions endpoint.
//
// A call is tried again after a lost connection, 408, 409, 429 and 5xx, as the
// endpoint's Retry-After says or with growing jittered pauses, within Timeout
// and the context. A 4xx that names a parameter of the request is learned: the
// parameter is left out, now and for LearnedFor. While an endpoint fails most
// calls, further ones wait for a trial instead of adding to its load.
type Client struct {
	cfg     ClientConfig
	api     *openai.Client
	lane    *lane
	price   *Price
	pool    *http.Transport // nil when the transport is the caller's
	buffers sync.Pool       // of *bytes.Buffer, for the bodies of answers
}

var _ Model = (*Client)(nil)

// NewClient makes a client, or says everything that is wrong with its settings.
func NewClient(cfg ClientConfig) (*Client, error) {
	p, err := cfg.complete()
	if err != nil {
		return nil, fmt.Errorf("model %q: %w", cfg.Slug, err)
	}
	c := &Client{cfg: cfg, price: cfg.Price}
	if c.price == nil {
		c.price = ListPrice(cfg.Model)
	}
	rt := cfg.Transport
	if rt == nil {
		c.pool = newTransport(cfg.Concurrency)
		rt = c.pool
	}
	c.api = newAPI(cfg, p, newHTTPClient(rt, cfg.MaxResponse))
	c.lane = newLane(cfg, p)
	return c, nil
}

// complete fills in defaults and checks the rest.
func (cfg *ClientConfig) complete() (provider, error) {
	p, known := providerNamed(cfg.Provider)
	var problems []error
	if !known {
		problems = append(problems, fmt.Errorf("provider %q is not known; it is one of %v", cfg.Provider, Providers()))
	}
	if !validSlug(cfg.Slug) {
		problems = append(problems, errors.New("slug has to be 1 to 128 letters, digits and . _ : / @ + -"))
	}
	cfg.BaseURL = or(cfg.BaseURL, p.baseURL)
	cfg.Model = or(cfg.Model, cfg.Slug)
	cfg.Scale = or(cfg.Scale, 10)
	cfg.Timeout = or(cfg.Timeout, DefaultTimeout)
	cfg.Concurrency = or(cfg.Concurrency, DefaultConcurrency)
	cfg.Attempts = or(cfg.Attempts, DefaultAttempts)
	cfg.MaxResponse = or(cfg.MaxResponse, int64(defaultResponseBytes))
	cfg.LearnedFor = or(cfg.LearnedFor, learnedFor)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if known {
		problems = append(problems, checkBaseURL(cfg.BaseURL, cfg.Key != ""))
	}
	if cfg.Key == "" && known && !p.keyless {
		problems = append(problems, fmt.Errorf("provider %s needs a key; set key_env or key_file", p.name))
	}
	if cfg.Key != "" && !printable(cfg.Key) {
		problems = append(problems, errors.New("the key holds white space or characters that cannot be sent in a header"))
	}
	return p, errors.Join(append(problems, cfg.checkNumbers())...)
}

func (cfg *ClientConfig) checkNumbers() error {
	var problems []error
	if cfg.Scale != 10 && cfg.Scale != 100 {
		problems = append(problems, fmt.Errorf("scale is %d; it is 10 or 100", cfg.Scale))
	}
	if cfg.Timeout < 0 || cfg.Concurrency < 0 || cfg.Attempts < 0 || cfg.MaxResponse < 0 || cfg.LearnedFor < 0 {
		problems = append(problems, errors.New("a limit is negative"))
	}
	if p := cfg.Price; p != nil && !(p.Input >= 0 && p.Output >= 0 && p.Cached >= 0 && p.Input+p.Output+p.Cached < 1e6) {
		problems = append(problems, errors.New("a price is negative or no price in USD per million tokens"))
	}
	return errors.Join(problems...)
}

func or[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}

// Name is the slug.
func (c *Client) Name() string { return c.cfg.Slug }

// Info describes the model.
func (c *Client) Info() Info {
	return Info{Slug: c.cfg.Slug, Scale: c.cfg.Scale, Price: c.price, Endpoint: originOf(c.cfg.BaseURL)}
}

// Capabilities are the parameters that are sent to the model now.
func (c *Client) Capabilities() Capabilities { return c.lane.caps.report() }

// answerBound is what a request may be answered with, for a Meter's estimate.
func (c *Client) answerBound(req Request) int { return boundTokens(req, c.lane.caps.features()) }

// Close gives up idle connections.
func (c *Client) Close() {
	if c.pool != nil {
		c.pool.CloseIdleConnections()
	}
}

// Ask is Chat for callers that need the object alone.
func (c *Client) Ask(ctx context.Context, stage, system, user string, schema []byte) ([]byte, error) {
	reply, err := c.Chat(ctx, Request{Stage: stage, System: system, User: user, Schema: schema})
	return reply.Object, err
}

// Chat makes one call. Its errors are *Error.
func (c *Client) Chat(ctx context.Context, req Request) (Reply, error) {
	started := c.cfg.Now()
	call := &call{client: c, req: req, id: RequestID(ctx)}
	reply, failed := call.run(ctx)
	if failed != nil {
		return Reply{}, failed
	}
	reply.Took = c.cfg.Now().Sub(started)
	return reply, nil
}
