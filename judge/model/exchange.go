package model

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// exchange is one HTTP request and what came back.
type exchange struct {
	status int // 0 when no response came
	header http.Header
	body   []byte // valid until done
	err    error  // of the connection or of reading the body
	done   func()
}

// mostBuffer is the largest buffer that is kept for further answers.
const mostBuffer = 512 << 10

// newAPI is the SDK set up so that nothing happens behind the door's back: no
// retries, no settings from the environment, no redirects. The SDK's NewClient
// reads OPENAI_* variables, which would change where requests go, so the client
// is made of its options alone.
func newAPI(cfg ClientConfig, p provider, hc *http.Client) *openai.Client {
	base, query, _ := strings.Cut(cfg.BaseURL, "?")
	opts := []option.RequestOption{
		option.WithBaseURL(base),
		option.WithHTTPClient(hc),
		option.WithMaxRetries(0),
		option.WithHeader("User-Agent", "bailiff"),
	}
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			opts = append(opts, option.WithQuery(name, value))
		}
	}
	switch {
	case cfg.Key == "":
	case p.keyHeader != "":
		opts = append(opts, option.WithHeader(p.keyHeader, cfg.Key))
	default:
		opts = append(opts, option.WithAPIKey(cfg.Key))
	}
	return &openai.Client{Options: opts}
}

// exchange sends one request. It does not retry.
func (c *Client) exchange(ctx context.Context, stage, id string, body []byte) exchange {
	var res *http.Response
	err := c.api.Post(
		ctx, "chat/completions", body, nil,
		option.WithResponseInto(&res),
		option.WithHeader("X-Bailiff-Stage", stage),
		option.WithHeader("X-Request-Id", id),
	)
	if res == nil {
		return exchange{err: orUnknown(err), done: func() {}}
	}
	ex := exchange{status: res.StatusCode, header: res.Header}
	buf, ok := c.buffers.Get().(*bytes.Buffer)
	if !ok {
		buf = new(bytes.Buffer)
	}
	buf.Reset()
	ex.err = readBody(buf, res)
	ex.body = buf.Bytes()
	if status := statusIn(ex.body); status != 0 && ex.status < 300 && ex.err == nil {
		ex.status = status
	}
	ex.done = func() {
		if buf.Cap() <= mostBuffer {
			c.buffers.Put(buf)
		}
	}
	return ex
}

func orUnknown(err error) error {
	if err == nil {
		return errors.New("no response came")
	}
	return err
}

// readBody reads a body, whose size the transport bounds.
func readBody(buf *bytes.Buffer, res *http.Response) error {
	if n := res.ContentLength; n > 0 && n <= mostBuffer {
		buf.Grow(int(n) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(res.Body)
	return errors.Join(err, res.Body.Close())
}
