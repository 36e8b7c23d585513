package modeltest

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// member is a member of a stage's answer with what it usually is.
type member struct {
	name  string
	usual any
}

// finding is one step's finding.
type finding struct {
	Step     int    `json:"step"`
	Evidence string `json:"evidence"`
	Verdict  string `json:"verdict"`
}

// step is a step of a resolve answer.
type step struct {
	Step     string  `json:"step"`
	Included bool    `json:"included"`
	Reason   *string `json:"reason"`
}

// usual is the answer of a stage, in the order of its schema.
func usual(stage string) []member {
	findings := []finding{{1, "As the output says.", "met"}, {2, "As the output says.", "met"}}
	switch stage {
	case "safety":
		return []member{{"rationale", "The text lists criteria."}, {"categories", []string{}}, {"verdict", "safe"}}
	case "resolve":
		return []member{
			{"steps", []step{}},
			{"missing_fields", []string{}},
			{"suggestions", []string{}},
			{"explanation", "The definition states criteria."},
			{"is_rubric", true},
			{"coherent", true},
			{"applicable", true},
		}
	case "generate":
		return []member{{"steps", []string{"Check whether the output answers what was asked.", "Check whether the output contradicts itself."}}}
	case "strict":
		return []member{{"findings", findings}, {"reason", "Every criterion is met."}, {"verdict", "pass"}}
	case "task":
		return []member{{"task", "Find what was asked for and report it."}}
	}
	return []member{{"findings", findings}, {"reason", "The criteria are met."}, {"score", 8}}
}

// answer is the message's content.
func (r Reply) answer(stage string) string {
	text := object(stage, r.members)
	if r.content != nil {
		text = *r.content
	}
	if r.cut {
		return text[:len(text)*2/3]
	}
	return r.wrap[0] + text + r.wrap[1]
}

// object is a stage's usual answer with some members replaced or added.
func object(stage string, members map[string]any) string {
	var parts []string
	add := func(name string, value any) {
		if texts, ok := value.([]string); ok && stage == "resolve" && name == "steps" {
			steps := []step{}
			for _, s := range texts {
				steps = append(steps, step{Step: s, Included: true})
			}
			value = steps
		}
		parts = append(parts, strconv.Quote(name)+": "+encode(value))
	}
	var known []string
	for _, m := range usual(stage) {
		known = append(known, m.name)
		value := m.usual
		if v, ok := members[m.name]; ok {
			value = v
		}
		add(m.name, value)
	}
	var more []string
	for name := range members {
		if !slices.Contains(known, name) {
			more = append(more, name)
		}
	}
	slices.Sort(more)
	for _, name := range more {
		add(name, members[name])
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// encode is JSON without HTML's escapes. What a test gives can be encoded.
func encode(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("modeltest: a reply that is no JSON: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// completion is the response of an endpoint that answers.
func (r Reply) completion(req Request) string {
	content := r.answer(req.Stage)
	message := map[string]any{"role": "assistant", "content": content, "refusal": nil}
	if r.nullContent {
		message["content"] = nil
	}
	if r.refusal != "" {
		message["refusal"] = r.refusal
	}
	finish := r.finish
	if finish == "" {
		finish = "stop"
	}
	choices := []any{map[string]any{"index": 0, "message": message, "finish_reason": finish, "logprobs": r.choiceLogprobs(req, content)}}
	if r.choices < 0 {
		choices = []any{}
	}
	model := r.model
	if model == "" {
		model, _ = req.Body["model"].(string)
	}
	fingerprint := r.fingerprint
	if fingerprint == "" {
		fingerprint = "fp_test"
	}
	out := map[string]any{
		"id": "chatcmpl-test", "object": "chat.completion", "created": 1767225600,
		"model": model, "system_fingerprint": fingerprint, "choices": choices,
	}
	if !r.noUsage {
		out["usage"] = r.usageOf(req, content)
	}
	return encode(out)
}

func (r Reply) usageOf(req Request, content string) map[string]any {
	u := [4]int{len(req.Raw)/4 + 1, len(content)/4 + 1, 0, 0}
	if r.usage != nil {
		u = *r.usage
	}
	return map[string]any{
		"prompt_tokens": u[0], "completion_tokens": u[1], "total_tokens": u[0] + u[1],
		"prompt_tokens_details":     map[string]int{"cached_tokens": u[2]},
		"completion_tokens_details": map[string]int{"reasoning_tokens": u[3]},
	}
}

var (
	pieces   = regexp.MustCompile(`\d+|\p{L}+|\s+|[^\d\p{L}\s]+`)
	scoreIn  = regexp.MustCompile(`"score"\s*:\s*"?(-?\d+)`)
	sureness = 0.9995
)

// choiceLogprobs is the choice's logprobs, nil when none are given or asked for.
func (r Reply) choiceLogprobs(req Request, content string) any {
	if wanted, _ := req.Body["logprobs"].(bool); !wanted || r.logprobs == nil && r.tokens == nil {
		return nil
	}
	top, _ := req.Body["top_logprobs"].(float64)
	var list []any
	for _, t := range r.spell(content) {
		list = append(list, r.token(t, int(top)))
	}
	return map[string]any{"content": list, "refusal": nil}
}

// spell cuts the content into tokens.
func (r Reply) spell(content string) []Token {
	if r.tokens != nil {
		return r.tokens
	}
	at := -1
	if all := scoreIn.FindAllStringSubmatchIndex(content, -1); all != nil {
		at = all[len(all)-1][2]
	}
	var tokens []Token
	for _, span := range pieces.FindAllStringIndex(content, -1) {
		text := content[span[0]:span[1]]
		switch {
		case span[0] == at:
			tokens = append(tokens, Token{Text: text, Top: r.logprobs})
		case r.splitUTF8 && !ascii(text):
			for i := range len(text) {
				tokens = append(tokens, Token{Text: text[i : i+1]})
			}
		default:
			tokens = append(tokens, Token{Text: text})
		}
	}
	return tokens
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 127 })
}

// token is one entry of logprobs.content.
func (r Reply) token(t Token, most int) any {
	entry := r.entry(t.Text, share(t, t.Text))
	alternatives := []any{}
	for _, text := range likeliest(t, most) {
		alternatives = append(alternatives, r.entry(text, share(t, text)))
	}
	entry["top_logprobs"] = alternatives
	return entry
}

// share is the probability of a text in a token's place.
func share(t Token, text string) float64 {
	if p, ok := t.Top[text]; ok {
		return p
	}
	return sureness
}

// likeliest are the alternatives of a token, the likeliest first.
func likeliest(t Token, most int) []string {
	var texts []string
	for text := range t.Top {
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		texts = append(texts, t.Text)
	}
	slices.SortFunc(texts, func(a, b string) int {
		if pa, pb := share(t, a), share(t, b); pa != pb {
			return map[bool]int{true: -1, false: 1}[pa > pb]
		}
		return strings.Compare(a, b)
	})
	return texts[:min(len(texts), most)]
}

// entry writes a token as the API does.
func (r Reply) entry(text string, p float64) map[string]any {
	logprob := -9999.0
	if p > 0 {
		logprob = math.Log(p)
	}
	e := map[string]any{"token": shown(text), "logprob": logprob}
	switch r.tokenBytes {
	case "absent":
	case "null":
		e["bytes"] = nil
	default:
		bytes := make([]int, len(text))
		for i := range len(text) {
			bytes[i] = int(text[i])
		}
		e["bytes"] = bytes
	}
	return e
}

// shown is a token's text; a piece of a character is shown as its bytes.
func shown(text string) string {
	if strings.ToValidUTF8(text, "") == text {
		return text
	}
	var b strings.Builder
	b.WriteString("bytes:")
	for i := range len(text) {
		b.WriteString(`\x` + strconv.FormatUint(uint64(text[i]), 16))
	}
	return b.String()
}
