package modeltest

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Any is the stage of replies to requests whose own stage has no script.
const Any = "*"

// maxRequest bounds the body of a request.
const maxRequest = 64 << 20

// TB is what the server needs of a test; *testing.T and *testing.B have it.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// Request is one request as it came.
type Request struct {
	Stage  string
	Path   string
	Query  string
	Header http.Header
	Raw    []byte         // the body
	Body   map[string]any // the body decoded, nil when it is no JSON object
	At     time.Time
}

// Text is the text of all messages of the request.
func (r Request) Text() string {
	var text []string
	messages, _ := r.Body["messages"].([]any)
	for _, m := range messages {
		if m, ok := m.(map[string]any); ok {
			s, _ := m["content"].(string)
			text = append(text, s)
		}
	}
	return strings.Join(text, "\n")
}

// Server is a model's endpoint. All methods are safe for concurrent use.
type Server struct {
	url     string
	http    *http.Server
	closing chan struct{}

	mu       sync.Mutex
	scripts  map[string][]Reply
	rules    []Rule
	requests []Request
	counts   map[string]int
	forget   bool
}

// New starts a server that ends with the test.
func New(t TB) *Server {
	t.Helper()
	s, err := Start()
	if err != nil {
		t.Fatalf("modeltest: %v", err)
	}
	t.Cleanup(s.Close)
	return s
}

// Start starts a server without a test; the caller closes it.
func Start() (*Server, error) {
	ln, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{
		url:     "http://" + ln.Addr().String() + "/v1",
		closing: make(chan struct{}),
		scripts: map[string][]Reply{}, counts: map[string]int{},
	}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(ln) }() // ends with Close
	return s, nil
}

// Close ends the server and every answer that it still owes.
func (s *Server) Close() {
	s.mu.Lock()
	select {
	case <-s.closing:
	default:
		close(s.closing)
	}
	s.mu.Unlock()
	_ = s.http.Close()
}

// URL is the base URL: http://127.0.0.1:PORT/v1.
func (s *Server) URL() string { return s.url }

// Script sets the replies of a stage (safety, resolve, generate, score, strict,
// task, or Any). They are given in turn; the last one stays. A reply with When
// is given only to requests that hold its text, out of turn.
func (s *Server) Script(stage string, replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts[stage] = slices.Clone(replies)
}

// Reject sets what the endpoint refuses, in this order.
func (s *Server) Reject(rules ...Rule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = slices.Clone(rules)
}

// Forget stops the recording of requests, for long runs: only counts are kept.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget, s.requests = true, nil
}

// Reset empties the record. Scripts and refusals stay.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.counts = nil, map[string]int{}
}

// Requests are those of a stage in the order in which they came, all when stage is "".
func (s *Server) Requests(stage string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var of []Request
	for _, r := range s.requests {
		if stage == "" || r.Stage == stage {
			of = append(of, r)
		}
	}
	return of
}

// Count is the number of requests of a stage, of all when stage is "".
func (s *Server) Count(stage string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stage != "" {
		return s.counts[stage]
	}
	n := 0
	for _, c := range s.counts {
		n += c
	}
	return n
}

// Counts are the numbers of requests by stage.
func (s *Server) Counts() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := map[string]int{}
	maps.Copy(counts, s.counts)
	return counts
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		return
	}
	req := Request{Stage: r.Header.Get("X-Bailiff-Stage"), Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(), Raw: raw, At: time.Now()}
	_ = json.Unmarshal(raw, &req.Body) // a body that is none is recorded as it came
	reply, refusal := s.take(req)
	switch {
	case r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions"):
		http.Error(w, `{"error":{"message":"Not found.","type":"invalid_request_error","param":null,"code":null}}`, http.StatusNotFound)
	case refusal != nil:
		refusal.write(w)
	default:
		reply.send(r.Context(), s.closing, w, req)
	}
}

// take records a request and finds what to answer.
func (s *Server) take(req Request) (Reply, *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[req.Stage]++
	if !s.forget {
		s.requests = append(s.requests, req)
	}
	for _, rule := range s.rules {
		if refused := rule.refuse(req); refused != nil {
			return Reply{}, refused
		}
	}
	for _, stage := range []string{req.Stage, Any} {
		if reply, ok := s.next(stage, req); ok {
			return reply, nil
		}
	}
	return Object(nil), nil
}

// next takes a reply from a stage's script.
func (s *Server) next(stage string, req Request) (Reply, bool) {
	script := s.scripts[stage]
	for i, reply := range script {
		if reply.when != "" {
			if strings.Contains(string(req.Raw), reply.when) {
				return reply, true
			}
			continue
		}
		for _, later := range script[i+1:] {
			if later.when == "" {
				s.scripts[stage] = slices.Delete(slices.Clone(script), i, i+1)
				break
			}
		}
		return reply, true
	}
	return Reply{}, false
}
