package modeltest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"bailiff/judge/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// post sends a request of a stage and returns status, body and error.
func post(tb testing.TB, up *modeltest.Server, stage string, body map[string]any) (int, string, error) {
	tb.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		tb.Fatal(err)
	}
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, up.URL()+"/chat/completions", bytes.NewReader(raw))
	if err != nil {
		tb.Fatal(err)
	}
	req.Header.Set("X-Bailiff-Stage", stage)
	client := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, string(text), err
}

// content is the message of a response.
func content(tb testing.TB, body string) string {
	tb.Helper()
	var out struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.Unmarshal([]byte(body), &out); err != nil || len(out.Choices) != 1 {
		tb.Fatalf("body is %s", body)
	}
	return out.Choices[0].Message.Content
}

// TestAnswersEveryStage asks a server without a script.
func TestAnswersEveryStage(t *testing.T) {
	up := modeltest.New(t)
	for stage, want := range map[string]string{
		"safety":   `"verdict": "safe"}`,
		"resolve":  `{"steps": [], "missing_fields": [], "suggestions": [], "explanation": "The definition states criteria.", "is_rubric": true, "coherent": true, "applicable": true}`,
		"generate": `{"steps": ["Check whether`,
		"score":    `"score": 8}`,
		"strict":   `"verdict": "pass"}`,
		"task":     `{"task": "`,
	} {
		status, body, err := post(t, up, stage, map[string]any{"model": "m"})
		if got := content(t, body); status != 200 || err != nil || !strings.Contains(got, want) || !json.Valid([]byte(got)) {
			t.Errorf("%s is answered %d %s, %v", stage, status, got, err)
		}
	}
}

// TestScript gives replies in turn and keeps the last.
func TestScript(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Score(1), modeltest.Score(5).When("marked"), modeltest.Score(2), modeltest.Score(3))
	var got []string
	for _, text := range []string{"a", "marked", "b", "c", "marked", "d"} {
		_, body, _ := post(t, up, "score", map[string]any{"messages": []any{map[string]any{"role": "user", "content": text}}})
		c := content(t, body)
		got = append(got, c[len(c)-2:len(c)-1])
	}
	if s := strings.Join(got, " "); s != "1 5 2 3 5 3" {
		t.Errorf("the scores are %s", s)
	}
	if up.Count("score") != 6 || up.Count("") != 6 || len(up.Requests("score")) != 6 || up.Requests("")[1].Text() != "marked" {
		t.Errorf("counts are %v", up.Counts())
	}
	up.Reset()
	up.Forget()
	_, _, _ = post(t, up, "score", nil)
	if up.Count("") != 1 || len(up.Requests("")) != 0 {
		t.Errorf("after Reset and Forget %d are counted, %d recorded", up.Count(""), len(up.Requests("")))
	}
}

// TestFailures gives what is no answer.
func TestFailures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		reply  modeltest.Reply
		status int
		holds  string
		broken bool
	}{
		{"429", modeltest.Status(429), 429, `"rate_limit_exceeded"`, false},
		{"401", modeltest.Status(401), 401, `"invalid_api_key"`, false},
		{"quota", modeltest.Quota(), 429, "insufficient_quota", false},
		{"html", modeltest.HTML(), 200, "<html>", false},
		{"garbage", modeltest.Garbage(), 200, "not json", false},
		{"refusal", modeltest.Refusal("No."), 200, `"refusal":"No."`, false},
		{"filter", modeltest.ContentFilter(), 200, `"finish_reason":"content_filter"`, false},
		{"length", modeltest.Length(), 200, `"finish_reason":"length"`, false},
		{"empty", modeltest.Empty(), 200, `"content":""`, false},
		{"null", modeltest.NullContent(), 200, `"content":null`, false},
		{"no choices", modeltest.NoChoices(), 200, `"choices":[]`, false},
		{"no usage", modeltest.Score(8).NoUsage(), 200, `"model"`, false},
		{"drip", modeltest.Body("{}").Drip(time.Millisecond), 200, "{}", false},
		{"huge", modeltest.Body("{}").Huge(1000), 200, strings.Repeat(" ", 1000), false},
		{"delay", modeltest.Body("{}").Delay(10 * time.Millisecond), 200, "{}", false},
		{"reset", modeltest.Reset(), 0, "", true},
		{"truncate", modeltest.Score(8).Truncate(20), 200, "", true},
		{"hang", modeltest.Hang(), 0, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			up := modeltest.New(t)
			up.Script("score", tt.reply)
			status, body, err := post(t, up, "score", map[string]any{"model": "m"})
			if status != tt.status || !strings.Contains(body, tt.holds) || (err != nil) != tt.broken {
				t.Errorf("answered %d %s, %v", status, body, err)
			}
		})
	}
}

// TestReject refuses parameters in the words of several endpoints.
func TestReject(t *testing.T) {
	body := map[string]any{
		"model": "m", "temperature": 0, "seed": 7, "top_logprobs": 20, "max_tokens": 10,
		"messages":        []any{map[string]any{"role": "system", "content": "x"}},
		"response_format": map[string]any{"type": "json_schema"},
	}
	tests := []struct {
		rule  modeltest.Rule
		holds string
	}{
		{modeltest.Param("temperature"), `"param":"temperature"`},
		{modeltest.Param("temperature").Only(1), "Only the default (1) value"},
		{modeltest.Param("seed").In(modeltest.Azure), "Unrecognized request argument supplied: seed"},
		{modeltest.Param("seed").In(modeltest.VLLM), `"object":"error"`},
		{modeltest.Param("top_logprobs").AtMost(5), "less than or equal to 5"},
		{modeltest.Param("max_tokens").Status(403), "not allowed to request max_tokens"},
		{modeltest.Param("role:system"), "messages[0].role"},
		{modeltest.Param("response_format.json_schema"), "'json_schema'"},
		{modeltest.Param("temperature").For("m"), "temperature"},
		{modeltest.Param("temperature").For("other"), ""},
		{modeltest.Param("temperature").Only(0), ""},
		{modeltest.Param("top_logprobs").AtMost(20), ""},
		{modeltest.Param("logprobs"), ""},
		{modeltest.Param("role:developer"), ""},
	}
	for i, tt := range tests {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			up := modeltest.New(t)
			up.Reject(tt.rule)
			status, got, _ := post(t, up, "score", body)
			if (status == 200) != (tt.holds == "") || !strings.Contains(got, tt.holds) {
				t.Errorf("answered %d %s, want it to hold %q", status, got, tt.holds)
			}
			if up.Count("score") != 1 {
				t.Error("a refused request is not counted")
			}
		})
	}
}

// TestLogprobs gives them only when they are asked for, and no more of them.
func TestLogprobs(t *testing.T) {
	up := modeltest.New(t)
	up.Script("score", modeltest.Score(8).Logprobs(map[string]float64{"8": 0.5, "7": 0.3, "9": 0.2}))
	for body, want := range map[string]int{
		`{}`:                                  0,
		`{"logprobs":true,"top_logprobs":20}`: 3,
		`{"logprobs":true,"top_logprobs":2}`:  2,
	} {
		var request map[string]any
		if err := json.Unmarshal([]byte(body), &request); err != nil {
			t.Fatal(err)
		}
		_, got, _ := post(t, up, "score", request)
		var out struct {
			Choices []struct {
				Logprobs *struct {
					Content []struct {
						Token string
						Top   []struct{} `json:"top_logprobs"`
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(got), &out); err != nil {
			t.Fatal(err)
		}
		n := 0
		if lp := out.Choices[0].Logprobs; lp != nil {
			for _, tok := range lp.Content {
				if tok.Token == "8" {
					n = len(tok.Top)
				}
			}
		}
		if n != want {
			t.Errorf("%s gives %d alternatives, want %d", body, n, want)
		}
	}
}

// TestCloseEndsWhatHangs closes a server that owes an answer.
func TestCloseEndsWhatHangs(t *testing.T) {
	up, err := modeltest.Start()
	if err != nil {
		t.Fatal(err)
	}
	up.Script("score", modeltest.Hang())
	done := make(chan error)
	go func() {
		_, _, err := post(t, up, "score", nil)
		done <- err
	}()
	for up.Count("") == 0 {
		time.Sleep(time.Millisecond)
	}
	up.Close()
	up.Close()
	if err := <-done; err == nil {
		t.Error("a request to a closed server was answered")
	}
}

func Example() {
	up, err := modeltest.Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer up.Close()
	up.Script("score", modeltest.Status(503), modeltest.Score(9))

	for range 3 {
		res, err := http.Post(up.URL()+"/chat/completions", "application/json", strings.NewReader(`{"model":"any"}`))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.StatusCode)
		_ = res.Body.Close()
	}
	fmt.Println(up.Count(""), "requests, none of them of the score stage:", up.Count("score"))
	http.DefaultClient.CloseIdleConnections()
	// Output:
	// 200
	// 200
	// 200
	// 3 requests, none of them of the score stage: 0
}
