package model

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everything is a request with every parameter.
func everything() sent {
	f := full(tokensNew)
	return sent{features: f, withTokens: true}
}

// TestRefusals reads the words in which endpoints refuse a parameter.
func TestRefusals(t *testing.T) {
	old := everything()
	old.tokens = tokensOld
	tests := []struct {
		name   string
		status int
		body   string
		sent   sent
		want   refusal
	}{
		{"openai parameter", 400, `{"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model.","type":"invalid_request_error","param":"temperature","code":"unsupported_parameter"}}`, everything(), refusal{params: []string{"temperature"}}},
		{"openai value", 400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`, everything(), refusal{params: []string{"temperature"}}},
		{"openai old token parameter", 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}`, old, refusal{params: []string{"max_tokens"}}},
		{"openai logprobs 403", 403, `{"error":{"message":"You are not allowed to request logprobs from this model","type":"invalid_request_error","param":null,"code":null}}`, everything(), refusal{params: []string{"logprobs"}}},
		{"openai role", 400, `{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model.","param":"messages[0].role","code":"unsupported_value"}}`, everything(), refusal{params: []string{"role"}}},
		{"openai schema mode", 400, `{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. Learn more about supported models in the docs.","param":null,"code":null}}`, everything(), refusal{params: []string{"response_format"}, schema: true}},
		{"openai bad schema", 400, `{"error":{"message":"Invalid schema for response_format 'bailiff_score': In context=(), 'required' is required to be supplied.","param":"response_format","code":null}}`, everything(), refusal{params: []string{"response_format"}, schema: true}},
		{"openai no format at all", 400, `{"error":{"message":"Unsupported parameter: 'response_format' is not supported with this model.","param":"response_format","code":"unsupported_parameter"}}`, everything(), refusal{params: []string{"response_format"}}},
		{"azure argument", 400, `{"error":{"message":"Unrecognized request argument supplied: seed","type":"invalid_request_error","param":null,"code":null}}`, everything(), refusal{params: []string{"seed"}}},
		{"azure two arguments", 400, `{"error":{"message":"Unrecognized request arguments supplied: logprobs, top_logprobs","type":"invalid_request_error","param":null,"code":null}}`, everything(), refusal{params: []string{"logprobs", "top_logprobs"}}},
		{"azure cap", 400, `{"error":{"code":"BadRequest","message":"Invalid value for 'top_logprobs': must be less than or equal to 5."}}`, everything(), refusal{params: []string{"top_logprobs"}, limit: 5}},
		{"vllm cap", 400, `{"object":"error","message":"Requested sample logprobs of 20, which is greater than max allowed: 5, which is invalid","type":"BadRequestError","param":null,"code":400}`, everything(), refusal{params: []string{"top_logprobs"}, limit: 5}},
		{"vllm cap in other words", 400, `{"object":"error","message":"Requested sample logprobs of 20, which is greater than max allowed: 5","type":"BadRequestError","param":null,"code":400}`, everything(), refusal{params: []string{"top_logprobs"}, limit: 5}},
		{"vllm extra", 400, `{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'max_completion_tokens'), 'msg': 'Extra inputs are not permitted', 'input': 64}]","type":"BadRequestError","param":null,"code":400}`, everything(), refusal{params: []string{"max_completion_tokens"}}},
		{"vllm nested", 400, `{"error":{"message":"json_schema is not supported by the guided decoding backend","type":"BadRequestError","param":null,"code":400}}`, everything(), refusal{params: []string{"response_format"}, schema: true}},
		{"pydantic 422", 422, `{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":7}]}`, everything(), refusal{params: []string{"seed"}}},
		{"plain text", 400, `{"error":"registry.example/m does not support temperature"}`, everything(), refusal{params: []string{"temperature"}}},
		{"backquotes", 400, "{\"error\":{\"message\":\"`logprobs` is not supported with this model\",\"type\":\"invalid_request_error\"}}", everything(), refusal{params: []string{"logprobs"}}},
		{"wrapped in a list", 400, `[{"error":{"code":400,"message":"Developer instruction is not enabled for this model; system messages are not supported","status":"INVALID_ARGUMENT"}}]`, everything(), refusal{params: []string{"role"}}},
		{"most tokens", 400, `{"error":{"message":"max_tokens is too large: 8192. This model supports at most 4096 completion tokens.","param":"max_tokens","code":null}}`, old, refusal{params: []string{"max_tokens"}, limit: 4096}},
		{"quoted name beside a list of what works", 400, `{"error":{"message":"'seed' is not supported. Supported: model, messages, temperature, logprobs"}}`, everything(), refusal{params: []string{"seed"}}},

		{"names nothing", 400, `{"error":{"message":"The request could not be processed.","param":null,"code":"invalid_prompt"}}`, everything(), refusal{}},
		{"names what was not sent", 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported.","param":"max_tokens","code":"unsupported_parameter"}}`, everything(), refusal{}},
		{"mentions without refusing", 400, `{"error":{"message":"The prompt about temperature was blocked by moderation."}}`, everything(), refusal{}},
		{"prompt too long", 400, `{"error":{"message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (904 in the messages, 4096 in max_completion_tokens). Invalid.","param":"max_completion_tokens","code":"context_length_exceeded"}}`, everything(), refusal{}},
		{"content filter", 400, `{"error":{"message":"The response was filtered; temperature is not supported","code":"content_filter"}}`, everything(), refusal{}},
		{"no access", 403, `{"error":{"message":"Project does not have access to this resource.","code":"forbidden"}}`, everything(), refusal{}},
		{"unauthorised", 401, `{"error":{"message":"Unsupported parameter: 'temperature'","param":"temperature"}}`, everything(), refusal{}},
		{"server error", 500, `{"error":{"message":"Unsupported parameter: 'temperature'","param":"temperature"}}`, everything(), refusal{}},
		{"a quoted request", 400, `{"error":{"message":"` + strings.Repeat("x", maxComplaint) + ` 'temperature' is not supported"}}`, everything(), refusal{}},
		{"no JSON", 400, `<html>temperature is not supported</html>`, everything(), refusal{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := refused(tt.status, readComplaint([]byte(tt.body)), tt.sent)
			if len(got.params) == 0 {
				got = refusal{}
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(refusal{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestWithout follows what remains of features as more and more is refused.
func TestWithout(t *testing.T) {
	tests := []struct {
		name    string
		refusal refusal
		seen    func(features) any
		want    []any
	}{
		{"alternatives", refusal{params: []string{paramTop}}, func(f features) any { return [2]any{f.logprobs, f.top} }, []any{[2]any{true, 5}, [2]any{false, 5}}},
		{"stated cap", refusal{params: []string{paramTop}, limit: 8}, func(f features) any { return [2]any{f.logprobs, f.top} }, []any{[2]any{true, 8}, [2]any{true, 5}, [2]any{false, 5}}},
		{"tokens", refusal{params: []string{tokensNew, tokensOld}}, func(f features) any { return f.tokens }, []any{tokensOld, ""}},
		{"schema", refusal{params: []string{paramFormat}, schema: true}, func(f features) any { return f.format }, []any{formatObject, formatNone}},
		{"format", refusal{params: []string{paramFormat}}, func(f features) any { return f.format }, []any{formatNone}},
		{"role", refusal{params: []string{paramRole}}, func(f features) any { return f.role }, []any{roleDeveloper, roleUser, roleUser}},
		{"temperature", refusal{params: []string{paramTemperature}}, func(f features) any { return f.temperature }, []any{false}},
		{"seed", refusal{params: []string{paramSeed}}, func(f features) any { return f.seed }, []any{false}},
		{"logprobs", refusal{params: []string{paramLogprobs}}, func(f features) any { return f.logprobs }, []any{false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, dead := full(tokensNew), retired{}
			for i, want := range tt.want {
				f = f.without(tt.refusal, sent{features: f, withTokens: f.tokens != ""}, &dead)
				if diff := cmp.Diff(want, tt.seen(f)); diff != "" {
					t.Fatalf("after refusal %d (-want +got):\n%s", i+1, diff)
				}
			}
		})
	}
}

// TestStaleRefusal checks that a refusal of what is no longer sent, from a call
// that was under way, takes nothing more away.
func TestStaleRefusal(t *testing.T) {
	var dead retired
	first := everything()
	r := refusal{params: []string{paramTop, paramRole, paramFormat, tokensNew}, schema: true}
	once := first.without(r, first, &dead)
	if diff := cmp.Diff(once, once.without(r, first, &dead), cmp.AllowUnexported(features{})); diff != "" {
		t.Errorf("the second of two equal refusals changed (-once +twice):\n%s", diff)
	}
}

func TestKnownFeatures(t *testing.T) {
	tests := []struct {
		provider, model                  string
		temperature, logprobs, reasoning bool
		tokens, role                     string
		format                           format
	}{
		{"openai", "gpt-4o-mini", true, true, false, tokensNew, roleSystem, formatSchema},
		{"openai", "gpt-4.1-2025-04-14", true, true, false, tokensNew, roleSystem, formatSchema},
		{"openai", "gpt-4-turbo", true, true, false, tokensNew, roleSystem, formatObject},
		{"openai", "o4-mini", false, false, true, tokensNew, roleDeveloper, formatSchema},
		{"openai", "o3-2025-04-16", false, false, true, tokensNew, roleDeveloper, formatSchema},
		{"openai", "o1-mini", false, false, true, tokensNew, roleUser, formatNone},
		{"openai", "gpt-5-nano", false, false, true, tokensNew, roleDeveloper, formatSchema},
		{"openai", "gpt-5-chat-latest", true, true, false, tokensNew, roleSystem, formatSchema},
		{"", "o4-mini", false, false, true, tokensNew, roleDeveloper, formatSchema},
		{"", "anything", true, true, false, tokensNew, roleSystem, formatSchema},
		{"azure", "my-deployment", true, true, false, tokensNew, roleSystem, formatSchema},
		{"anthropic", "claude-sonnet-4-5", true, false, false, tokensOld, roleSystem, formatNone},
		{"gemini", "gemini-2.5-flash", true, false, true, tokensOld, roleSystem, formatSchema},
		{"ollama", "llama3.2:3b", true, false, false, tokensOld, roleSystem, formatSchema},
		{"vllm", "meta-llama/Llama-3.1-8B-Instruct", true, true, false, tokensOld, roleSystem, formatSchema},
		{"openrouter", "openai/o4-mini", false, false, true, tokensOld, roleDeveloper, formatSchema},
		{"deepseek", "deepseek-reasoner", true, false, true, tokensOld, roleSystem, formatObject},
	}
	for _, tt := range tests {
		t.Run(tt.provider+" "+tt.model, func(t *testing.T) {
			p, ok := providerNamed(tt.provider)
			if !ok {
				t.Fatal("no such provider")
			}
			f, _ := knownFeatures(p, tt.model)
			got := []any{f.temperature, f.logprobs, f.reasoning, f.tokens, f.role, f.format}
			want := []any{tt.temperature, tt.logprobs, tt.reasoning, tt.tokens, tt.role, tt.format}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestProviderTable checks each row for what a client cannot do without.
func TestProviderTable(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range providers() {
		if seen[p.name] {
			t.Errorf("%s is listed twice", p.name)
		}
		seen[p.name] = true
		if p.baseURL != "" {
			if err := checkBaseURL(p.baseURL, true); err != nil {
				t.Errorf("%s: %v", p.name, err)
			}
		}
		if p.keyEnv == "" && !p.keyless {
			t.Errorf("%s needs a key but nothing says where it is", p.name)
		}
		if p.has.tokens == "" || p.has.role == "" || p.has.logprobs && p.has.top == 0 {
			t.Errorf("%s has no token parameter, role or count of alternatives", p.name)
		}
	}
}
