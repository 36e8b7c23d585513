//go:build unix

package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/tidwall/gjson"

	"bailiff/judge/model"
)

// The benchmarks compare a call with named floors in the same run:
//
//	handwritten   net/http with a request encoded by encoding/json, and gjson
//	              picking the score's alternatives and the usage of the answer
//	openai-go     the SDK as it comes, with its typed decoding
//	pipe          net/http that sends a ready request and reads the answer
//
// go test ./judge/model/ -run '^$' -bench 'Call|Latency|Throughput' -benchmem

const benchUser = "<<<DATA 0123456789abcdef\n{\"record\":{\"output\":\"On 3 May at ten, in room 4.\"}}\nDATA>>>"

// benchAnswer is a completion of 30 tokens with 20 alternatives each.
var benchAnswer = sync.OnceValue(func() []byte {
	content := `{"findings":[{"step":1,"evidence":"On 3 May","verdict":"met"}],"reason":"It names the date and the room.","score":8}`
	var tokens []any
	entry := func(text string, lp float64) map[string]any {
		b := make([]int, len(text))
		for i := range len(text) {
			b[i] = int(text[i])
		}
		return map[string]any{"token": text, "logprob": lp, "bytes": b}
	}
	cut := len(content) / 28
	for i := range 28 {
		end := min((i+1)*cut, len(content)-2)
		if i == 27 {
			end = len(content) - 2
		}
		tokens = append(tokens, entry(content[i*cut:end], -0.01))
	}
	tokens = append(tokens, entry("8", -0.7), entry("}", -0.01))
	for i, tok := range tokens {
		var top []any
		for j := range 20 {
			text := fmt.Sprintf(" word%d", j)
			if i == 28 {
				text = strconv.Itoa(j)
			}
			top = append(top, entry(text, -1.5-float64(j)*0.37219))
		}
		tok.(map[string]any)["top_logprobs"] = top
	}
	body, err := json.Marshal(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1767225600, "model": "gpt-4o-mini-2024-07-18", "system_fingerprint": "fp_1",
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": content, "refusal": nil},
			"logprobs": map[string]any{"content": tokens, "refusal": nil},
		}},
		"usage": map[string]any{"prompt_tokens": 900, "completion_tokens": 30, "total_tokens": 930, "prompt_tokens_details": map[string]any{"cached_tokens": 0}},
	})
	if err != nil {
		panic(err)
	}
	return body
})

// canned is a transport without a network: what remains is the work of a client.
type canned struct{}

func (canned) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return nil, err
		}
		_ = req.Body.Close()
	}
	body := benchAnswer()
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}},
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: req,
	}, nil
}

// benchServer answers after a pause.
func benchServer(b *testing.B, pause time.Duration) string {
	b.Helper()
	body := benchAnswer()
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if pause > 0 {
			time.Sleep(pause)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	}))
	b.Cleanup(up.Close)
	return up.URL + "/v1"
}

func benchClient(b *testing.B, base string, rt http.RoundTripper) *model.Client {
	b.Helper()
	c, err := model.NewClient(model.ClientConfig{Slug: "gpt-4o-mini", Provider: "openai", BaseURL: base, Key: "sk", Transport: rt, Concurrency: 128})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	return c
}

func benchRequest() model.Request {
	return model.Request{Stage: "score", System: strings.Repeat("Judge by the steps. ", 40), User: benchUser, Schema: []byte(schema), Logprobs: true, MaxTokens: 800}
}

// handwritten is the call as one would write it for one endpoint.
func handwritten(ctx context.Context, hc *http.Client, base string, req model.Request) (float64, error) {
	body, err := json.Marshal(map[string]any{
		"model":       "gpt-4o-mini",
		"messages":    []map[string]string{{"role": "system", "content": req.System}, {"role": "user", "content": req.User}},
		"temperature": 0, "seed": 7, "logprobs": true, "top_logprobs": 20, "max_completion_tokens": req.MaxTokens,
		"response_format": map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "bailiff_score", "strict": true, "schema": json.RawMessage(req.Schema)}},
	})
	if err != nil {
		return 0, err
	}
	res, err := post(ctx, hc, base, body)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 {
		return 0, fmt.Errorf("status %d: %w", res.StatusCode, err)
	}
	got := gjson.GetManyBytes(raw, "choices.0.message.content", "choices.0.finish_reason", "usage.prompt_tokens", "usage.completion_tokens", "choices.0.logprobs.content")
	var answer struct{ Score float64 }
	if err := json.Unmarshal([]byte(got[0].Str), &answer); err != nil {
		return 0, err
	}
	// The token that covers the score, found as the judge finds it: by the
	// bytes of those before it.
	at, from := strings.LastIndex(got[0].Str, fmt.Sprint(answer.Score)), 0
	var tok gjson.Result
	got[4].ForEach(func(_, t gjson.Result) bool {
		tok = t
		from += len(t.Get("token").Str)
		return from <= at
	})
	n := 0
	tok.Get("top_logprobs").ForEach(func(_, alt gjson.Result) bool {
		if alt.Get("token").Str != "" && alt.Get("logprob").Num < 0 {
			n++
		}
		return true
	})
	if n != 20 {
		return 0, fmt.Errorf("%d alternatives", n)
	}
	return answer.Score, nil
}

func post(ctx context.Context, hc *http.Client, base string, body []byte) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer sk")
	return hc.Do(r)
}

// stock is the SDK as it comes.
func stock(ctx context.Context, c openai.Client, req model.Request) error {
	res, err := c.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{
		Model:       "gpt-4o-mini",
		Messages:    []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(req.System), openai.UserMessage(req.User)},
		Temperature: openai.Float(0), Seed: openai.Int(7), Logprobs: openai.Bool(true), TopLogprobs: openai.Int(20),
		MaxCompletionTokens: openai.Int(int64(req.MaxTokens)),
	})
	if err != nil {
		return err
	}
	if n := len(res.Choices[0].Logprobs.Content[28].TopLogprobs); n != 20 {
		return fmt.Errorf("%d alternatives", n)
	}
	return nil
}

// pipe sends a ready request and reads the answer.
func pipe(ctx context.Context, hc *http.Client, base string, body []byte) error {
	res, err := post(ctx, hc, base, body)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

func readyBody(b *testing.B) []byte {
	b.Helper()
	req := benchRequest()
	body, err := json.Marshal(map[string]any{"model": "gpt-4o-mini", "messages": []any{req.System, req.User}, "schema": json.RawMessage(req.Schema)})
	if err != nil {
		b.Fatal(err)
	}
	return body
}

// cpu reports the process's own time for each operation, which other programs
// on the machine do not change much.
func cpu(b *testing.B) (report func()) {
	b.Helper()
	spent := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			return 0
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := spent()
	return func() { b.ReportMetric(float64(spent()-before)/float64(b.N), "cpu-ns/op") }
}

// BenchmarkCall measures the work of one call without a network.
func BenchmarkCall(b *testing.B) {
	const base = "https://127.0.0.1/v1"
	b.Run("handwritten", func(b *testing.B) {
		hc := &http.Client{Transport: canned{}}
		b.ReportAllocs()
		defer cpu(b)()
		for b.Loop() {
			if _, err := handwritten(b.Context(), hc, base, benchRequest()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("client", func(b *testing.B) {
		c := benchClient(b, base, canned{})
		b.ReportAllocs()
		defer cpu(b)()
		for b.Loop() {
			r, err := c.Chat(b.Context(), benchRequest())
			if err != nil || len(r.Tokens) != 30 || len(r.Tokens[28].Top) != 20 {
				b.Fatal(err, len(r.Tokens))
			}
		}
	})
	b.Run("openai-go", func(b *testing.B) {
		c := openai.NewClient(option.WithBaseURL(base), option.WithAPIKey("sk"), option.WithHTTPClient(&http.Client{Transport: canned{}}))
		b.ReportAllocs()
		defer cpu(b)()
		for b.Loop() {
			if err := stock(b.Context(), c, benchRequest()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkLatency measures one call at a time to an endpoint that answers at once.
func BenchmarkLatency(b *testing.B) {
	base := benchServer(b, 0)
	b.Run("pipe", func(b *testing.B) {
		hc := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
		defer hc.CloseIdleConnections()
		body := readyBody(b)
		defer cpu(b)()
		for b.Loop() {
			if err := pipe(b.Context(), hc, base, body); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("client", func(b *testing.B) {
		c := benchClient(b, base, nil)
		defer cpu(b)()
		for b.Loop() {
			if _, err := c.Chat(b.Context(), benchRequest()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkThroughput keeps 64 calls under way to an endpoint that takes 50 ms:
// of callers that come independently, and of callers in step, whose answers
// all come in the same instant and wait for each other.
func BenchmarkThroughput(b *testing.B) {
	base := benchServer(b, benchPause)
	direct := func(b *testing.B, apart time.Duration) {
		b.Helper()
		hc := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}}
		defer hc.CloseIdleConnections()
		body := readyBody(b)
		inFlight(b, apart, func(ctx context.Context) error { return pipe(ctx, hc, base, body) })
	}
	client := func(b *testing.B, apart time.Duration) {
		b.Helper()
		c := benchClient(b, base, nil)
		inFlight(b, apart, func(ctx context.Context) error {
			_, err := c.Chat(ctx, benchRequest())
			return err
		})
	}
	b.Run("direct", func(b *testing.B) { direct(b, benchPause/benchCallers) })
	b.Run("client", func(b *testing.B) { client(b, benchPause/benchCallers) })
	b.Run("direct, in step", func(b *testing.B) { direct(b, 0) })
	b.Run("client, in step", func(b *testing.B) { client(b, 0) })
}

const (
	benchCallers = 64
	benchPause   = 50 * time.Millisecond
)

// inFlight runs b.N calls by 64 callers, who begin some time apart, and reports
// calls a second.
func inFlight(b *testing.B, apart time.Duration, call func(context.Context) error) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	defer cpu(b)()
	b.ResetTimer()
	for i := range benchCallers {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * apart)
			for left.Add(-1) >= 0 {
				if err := call(b.Context()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}
