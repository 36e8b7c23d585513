package model

import "strings"

// Names of the parameters that endpoints differ in.
const (
	paramTemperature = "temperature"
	paramSeed        = "seed"
	paramLogprobs    = "logprobs"
	paramTop         = "top_logprobs"
	paramFormat      = "response_format"
	paramRole        = "role"
	tokensNew        = "max_completion_tokens"
	tokensOld        = "max_tokens"
	roleSystem       = "system"
	roleDeveloper    = "developer"
	roleUser         = "user"
)

// maxTop is the most alternatives of a token that the API knows.
const maxTop = 20

// fewTop is the lower cap of endpoints that refuse maxTop.
const fewTop = 5

// format is how an answer's shape is asked for.
type format string

const (
	formatSchema format = "json_schema"
	formatObject format = "json_object"
	formatNone   format = ""
)

// features are what a model behind an endpoint takes. It is comparable.
type features struct {
	temperature bool
	seed        bool
	logprobs    bool
	top         int    // alternatives of a token, at most
	tokens      string // the parameter that bounds the answer, "" for none
	most        int    // the most tokens it may ask for, 0 when unknown
	format      format
	role        string // of the message that is ours: system, developer, user
	reasoning   bool   // thinks in tokens that count towards the bound
}

// family is a kind of models that share features whoever serves them.
type family struct {
	prefixes []string
	not      []string // prefixes of its members that are no members
	change   func(*features)
}

func thinks(f *features) {
	f.temperature, f.logprobs, f.reasoning = false, false, true
	f.role = roleDeveloper
	f.tokens = tokensNew
}

// families lists models by the beginning of their names. Reasoning models of
// OpenAI refuse temperature and logprobs and spend hidden tokens.
func families() []family {
	return []family{
		{prefixes: []string{"o1-mini", "o1-preview"}, change: func(f *features) {
			thinks(f)
			f.role, f.format, f.seed = roleUser, formatNone, false
		}},
		{prefixes: []string{"o1", "o3", "o4"}, change: thinks},
		{prefixes: []string{"gpt-5"}, not: []string{"gpt-5-chat", "gpt-5.1-chat", "gpt-5.2-chat"}, change: thinks},
		{prefixes: []string{"gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5-chat", "gpt-5.1-chat", "gpt-5.2-chat", "chatgpt-4o"}, change: func(*features) {}},
		{prefixes: []string{"gpt-4", "gpt-3.5"}, change: objectsOnly},
		{prefixes: []string{"gpt-oss", "deepseek-reasoner", "deepseek-r1", "qwq", "magistral"}, change: func(f *features) { f.reasoning, f.logprobs = true, false }},
		{prefixes: []string{"gemini-2.5", "gemini-3"}, change: func(f *features) { f.reasoning, f.logprobs = true, false }},
		{prefixes: []string{"claude"}, change: noLogprobs},
	}
}

// knownFeatures are those of a model behind a provider, before anything was
// learned. sure says that both are in the tables.
func knownFeatures(p provider, name string) (f features, sure bool) {
	f = p.has
	name = baseName(name)
	for _, fam := range families() {
		if hasPrefix(name, fam.prefixes) && !hasPrefix(name, fam.not) {
			fam.change(&f)
			if f.reasoning && p.has.tokens == tokensOld && p.name != compatible {
				f.tokens = tokensOld
			}
			return f, p.name != compatible
		}
	}
	return f, false
}

func hasPrefix(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
