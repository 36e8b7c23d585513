package model

import "slices"

// provider is one row of the table of OpenAI-compatible endpoints. Adding a
// provider is adding a row.
type provider struct {
	name      string
	baseURL   string // "" has to be configured
	keyEnv    string // where the key is looked for unless the configuration says
	keyHeader string // "" sends Authorization: Bearer
	keyless   bool   // works without a key
	has       features
}

// full is an endpoint that takes everything that is asked of it.
func full(tokens string) features {
	return features{
		temperature: true, seed: true, logprobs: true, top: maxTop,
		tokens: tokens, format: formatSchema, role: roleSystem,
	}
}

// but is a set of features with something changed.
func (f features) but(change func(*features)) features {
	change(&f)
	return f
}

func noLogprobs(f *features)      { f.logprobs = false }
func noSeed(f *features)          { f.seed = false }
func objectsOnly(f *features)     { f.format = formatObject }
func textOnly(f *features)        { f.format = formatNone }
func azureTop(f *features)        { f.top = 5 }
func textWithoutMore(f *features) { noLogprobs(f); noSeed(f); textOnly(f) }

// compatible is the provider of a base URL without a provider's name: what it
// lacks is learned.
const compatible = "compatible"

// providers lists what the vendors document for their Chat Completions
// endpoints. A vendor that ignores a parameter silently has it off here, so
// that a setting is never thought to hold when it does not.
func providers() []provider {
	return []provider{
		{name: compatible, keyless: true, has: full(tokensNew)},
		{name: "openai", baseURL: "https://api.openai.com/v1", keyEnv: "OPENAI_API_KEY", has: full(tokensNew)},
		{name: "azure", keyEnv: "AZURE_OPENAI_API_KEY", keyHeader: "api-key", has: full(tokensNew).but(azureTop)},
		{name: "anthropic", baseURL: "https://api.anthropic.com/v1", keyEnv: "ANTHROPIC_API_KEY", has: full(tokensOld).but(textWithoutMore)},
		{name: "gemini", baseURL: "https://generativelanguage.googleapis.com/v1beta/openai", keyEnv: "GEMINI_API_KEY", has: full(tokensOld).but(noLogprobs).but(noSeed)},
		{name: "mistral", baseURL: "https://api.mistral.ai/v1", keyEnv: "MISTRAL_API_KEY", has: full(tokensOld).but(noLogprobs).but(noSeed)},
		{name: "deepseek", baseURL: "https://api.deepseek.com/v1", keyEnv: "DEEPSEEK_API_KEY", has: full(tokensOld).but(objectsOnly).but(noSeed)},
		{name: "groq", baseURL: "https://api.groq.com/openai/v1", keyEnv: "GROQ_API_KEY", has: full(tokensNew).but(noLogprobs)},
		{name: "together", baseURL: "https://api.together.xyz/v1", keyEnv: "TOGETHER_API_KEY", has: full(tokensOld).but(noLogprobs)},
		{name: "fireworks", baseURL: "https://api.fireworks.ai/inference/v1", keyEnv: "FIREWORKS_API_KEY", has: full(tokensOld).but(azureTop)},
		{name: "openrouter", baseURL: "https://openrouter.ai/api/v1", keyEnv: "OPENROUTER_API_KEY", has: full(tokensOld)},
		{name: "xai", baseURL: "https://api.x.ai/v1", keyEnv: "XAI_API_KEY", has: full(tokensNew)},
		{name: "ollama", baseURL: "http://127.0.0.1:11434/v1", keyless: true, has: full(tokensOld).but(noLogprobs)},
		{name: "vllm", baseURL: "http://127.0.0.1:8000/v1", keyless: true, has: full(tokensOld)},
		{name: "llama.cpp", baseURL: "http://127.0.0.1:8080/v1", keyless: true, has: full(tokensOld)},
		{name: "lmstudio", baseURL: "http://127.0.0.1:1234/v1", keyless: true, has: full(tokensOld).but(noLogprobs)},
		{name: "litellm", baseURL: "http://127.0.0.1:4000/v1", keyEnv: "LITELLM_API_KEY", keyless: true, has: full(tokensOld)},
	}
}

// providerNamed finds a row; "" is compatible.
func providerNamed(name string) (provider, bool) {
	if name == "" {
		name = compatible
	}
	rows := providers()
	i := slices.IndexFunc(rows, func(p provider) bool { return p.name == name })
	if i < 0 {
		return provider{}, false
	}
	return rows[i], true
}

// Providers are the names that a configuration may use.
func Providers() []string {
	var names []string
	for _, p := range providers() {
		names = append(names, p.name)
	}
	return names
}
