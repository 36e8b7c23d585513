package model

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// Bounds of an answer over HTTP.
const (
	defaultResponseBytes = 4 << 20
	responseHeaderBytes  = 64 << 10
)

// Buffers of a connection. An answer with log probabilities has some 50 kB:
// read by the usual 4 kB it takes a dozen turns.
const (
	readBuffer  = 64 << 10
	writeBuffer = 16 << 10
)

// errTooLarge ends the reading of a response that is longer than allowed.
var errTooLarge = errors.New("the response is larger than allowed")

// newTransport is a connection pool for many calls at once to few hosts. It
// verifies certificates, has bounds for everything that a call's own deadline
// does not cover, and asks for no compression: answers are small, and a limit
// on their size then is one on what travels too. A proxy is taken from the
// environment's standard variables.
func newTransport(connections int) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    10 * time.Second,
		MaxIdleConns:           4 * connections,
		MaxIdleConnsPerHost:    connections,
		IdleConnTimeout:        90 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: responseHeaderBytes,
		ReadBufferSize:         readBuffer,
		WriteBufferSize:        writeBuffer,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
		// A dead HTTP/2 connection would hang every call on it.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 10 * time.Second},
	}
}

// newHTTPClient follows no redirect: the key belongs to the configured origin.
func newHTTPClient(rt http.RoundTripper, maxBytes int64) *http.Client {
	return &http.Client{
		Transport:     limited{next: rt, most: maxBytes},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// limited bounds the bodies of responses, those of errors included.
type limited struct {
	next http.RoundTripper
	most int64
}

func (l limited) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := l.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if res.ContentLength > l.most {
		_ = res.Body.Close()
		return nil, errTooLarge
	}
	res.Body = &limitedBody{ReadCloser: res.Body, left: l.most}
	return res, nil
}

type limitedBody struct {
	io.ReadCloser

	left int64
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		// A body that ends exactly at the limit is whole.
		var one [1]byte
		if n, err := b.ReadCloser.Read(one[:]); n == 0 {
			return 0, err
		}
		return 0, errTooLarge
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	return n, err
}
