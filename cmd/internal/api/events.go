package api

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/cmd/internal/run"
)

// Rhythm of an event stream.
const (
	lookAgain = time.Second      // when another gateway works the run
	keepAlive = 15 * time.Second // a comment, so that proxies keep the connection
	writeTime = 30 * time.Second // for a reader to take what is written
)

// streamRun tells of a run as server-sent events: evaluation for each result
// (its id counts them, so that Last-Event-ID resumes), progress after them,
// and done at the end.
func (a *API) streamRun(c *call) error {
	id, err := c.pathID("id")
	if err != nil {
		return err
	}
	last, err := lastEventID(c.Request.Header)
	if err != nil {
		return err
	}
	if _, err := a.cfg.RunStore.Run(c.Request.Context(), c.tenantID(), id); err != nil {
		return err
	}
	c.served = true
	h := c.Writer.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	c.Status(http.StatusOK)
	s := &stream{api: a, c: c, id: id, last: last}
	return s.run()
}

func lastEventID(h http.Header) (int64, error) {
	text := h.Get("Last-Event-ID")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, &refusal{status: http.StatusBadRequest, code: "last_event_id_invalid", title: "The Last-Event-ID is not one of this stream", detail: "Send the id of the last event that was received, or none."}
	}
	return n, nil
}

// stream is one reader of a run's events.
type stream struct {
	api  *API
	c    *call
	id   string
	last int64
}

func (s *stream) run() error {
	ctx := s.c.Request.Context()
	quietSince := time.Now()
	for {
		changed := s.api.cfg.Runs.Changed(s.id)
		r, sent, err := s.news()
		if err != nil {
			return fmt.Errorf("%w: %w", errBroken, err)
		}
		if sent {
			quietSince = time.Now()
		}
		if r.Status.Done() {
			return s.finish(r)
		}
		if time.Since(quietSince) >= keepAlive {
			quietSince = time.Now()
			if err := s.write(": alive\n\n"); err != nil {
				return err
			}
		}
		timer := time.NewTimer(lookAgain)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil
		}
		timer.Stop()
		if s.api.draining.Load() {
			return nil // the reader comes back with Last-Event-ID
		}
	}
}

// news sends the results that have come, and how far the run is. The run is
// read first: when it is over, all of its results are there.
func (s *stream) news() (r run.Run, sent bool, err error) {
	ctx, tenantID := s.c.Request.Context(), s.c.tenantID()
	if r, err = s.api.cfg.RunStore.Run(ctx, tenantID, s.id); err != nil {
		return r, false, err
	}
	for {
		results, err := s.api.cfg.RunStore.Results(ctx, tenantID, s.id, run.ResultFilter{ByOrder: true, Ordered: s.last, Limit: largestPage})
		if err != nil {
			return r, sent, err
		}
		for _, res := range results {
			if err := s.event("evaluation", res.Order, res.Body); err != nil {
				return r, sent, err
			}
			s.last, sent = res.Order, true
		}
		if len(results) < largestPage {
			break
		}
	}
	if !sent {
		return r, false, nil
	}
	o, err := s.api.withTotals(s.c, r)
	if err != nil {
		return r, sent, err
	}
	body, err := json.Marshal(map[string]any{"run_id": s.id, "status": o.Status, "summary": o.Summary}, json.Deterministic(true))
	if err != nil {
		return r, sent, err
	}
	return r, sent, s.event("progress", 0, body)
}

func (s *stream) finish(r run.Run) error {
	o, err := s.api.withTotals(s.c, r)
	if err != nil {
		return err
	}
	body, err := json.Marshal(o, json.Deterministic(true))
	if err != nil {
		return err
	}
	return s.event("done", 0, body)
}

// event writes one event. A JSON document of ours has no line breaks.
func (s *stream) event(name string, id int64, data jsontext.Value) error {
	head := "event: " + name + "\n"
	if id > 0 {
		head = "id: " + strconv.FormatInt(id, 10) + "\n" + head
	}
	return s.write(head + "data: " + string(data) + "\n\n")
}

func (s *stream) write(text string) error {
	s.c.extend()
	if _, err := s.c.Writer.WriteString(text); err != nil {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	s.c.Writer.Flush()
	return nil
}

// extend gives the reader time to take what is written next. Where there is no
// deadline to move, none was set.
func (c *call) extend() {
	_ = http.NewResponseController(c.Writer).SetWriteDeadline(time.Now().Add(writeTime))
}
