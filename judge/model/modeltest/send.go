package modeltest

import (
	"context"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// send gives the reply. It returns early when the client or the server goes.
func (r Reply) send(ctx context.Context, closing <-chan struct{}, w http.ResponseWriter, req Request) {
	if r.hang {
		r.delay = time.Duration(1 << 62)
	}
	if !pause(ctx, closing, r.delay) || r.reset {
		// To return would be to answer 200 with nothing.
		abort(w, nil)
		return
	}
	body := r.body(req)
	maps.Copy(w.Header(), r.header)
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if r.truncate > 0 && r.truncate < len(body) {
		abort(w, []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body[:r.truncate]))
		return
	}
	w.WriteHeader(max(r.status, http.StatusOK))
	if r.drip == 0 {
		_, _ = w.Write([]byte(body)) // the client may have gone
		return
	}
	flush := http.NewResponseController(w)
	for i := range len(body) {
		if _, err := w.Write([]byte(body[i : i+1])); err != nil || flush.Flush() != nil || !pause(ctx, closing, r.drip) {
			return // short of the body's length: the server closes the connection
		}
	}
}

// pause waits and reports whether the answer is still wanted.
func pause(ctx context.Context, closing <-chan struct{}, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
	case <-closing:
	}
	return false
}

// abort writes bytes and resets the connection.
func abort(w http.ResponseWriter, bytes []byte) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if len(bytes) > 0 {
		_, _ = buffered.Write(bytes)
		_ = buffered.Flush()
	} else if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// body is the body of the response.
func (r Reply) body(req Request) string {
	padding := strings.Repeat(" ", r.huge)
	if r.raw != nil {
		return *r.raw + padding
	}
	return r.completion(req) + padding
}
