package model

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// complaint is what an endpoint's error body says, in the dialects of OpenAI
// and Azure ({"error": {...}}), vLLM ({"object": "error", "message": ...}) and
// of servers that validate by schema ({"detail": [{"loc", "msg"}]}). It is read
// to learn from and to classify; none of its text is passed on.
type complaint struct {
	message string
	param   string
	code    string
	kind    string
}

// maxComplaint bounds what is read of a message: a long one quotes the request.
const maxComplaint = 1000

func readComplaint(body []byte) complaint {
	if !gjson.ValidBytes(body) {
		return complaint{}
	}
	root := gjson.ParseBytes(body)
	if root.IsArray() {
		root = root.Get("0") // Gemini wraps its errors in an array
	}
	e := root.Get("error")
	if !e.IsObject() {
		text := e.String()
		if e = root; text != "" {
			return complaint{message: clip(text)}
		}
	}
	c := complaint{
		message: e.Get("message").String(),
		param:   e.Get("param").String(),
		code:    e.Get("code").String(),
		kind:    e.Get("type").String(),
	}
	for _, d := range e.Get("detail").Array() {
		loc := d.Get("loc").Array()
		if len(loc) > 0 {
			c.message += " '" + loc[len(loc)-1].String() + "': " + d.Get("msg").String()
		}
	}
	if d := e.Get("detail"); c.message == "" && d.Type == gjson.String {
		c.message = d.String()
	}
	c.message = clip(c.message)
	return c
}

func clip(s string) string { return strings.ToLower(s[:min(len(s), maxComplaint)]) }

// refusing are words of a complaint about a parameter rather than its mention.
var refusing = regexp.MustCompile(`unsupported|not support|n't support|un(?:recogni[sz]ed|known|expected)|not (?:allowed|permitted|available|enabled|valid|accepted|implemented|recogni[sz]ed)|invalid|forbidden|extra (?:inputs|fields)|must be|(?:less|fewer) than|at most|exceeds?|(?:greater|larger|more|higher) than|too (?:large|many|high)|deprecated|cannot|can't|only the default`)

// beyondWindow is a complaint about the length of the prompt, which names the
// token parameter without refusing it.
var beyondWindow = regexp.MustCompile(`context.?(?:length|window|size)|prompt is too long|input is too long`)

// upTo is a limit that a complaint states.
var upTo = regexp.MustCompile(`(?:at most|up to|less than or equal to|no (?:more|greater|larger) than|<=|max(?:imum)?(?: value| allowed)?(?: is| of|:)?|between \d+ and|\[0, ?)\s*(\d{1,7})`)

// word is a name as it may stand in a message, and quoted one that is set off.
var (
	word   = regexp.MustCompile(`[a-z][a-z0-9_]*`)
	quoted = regexp.MustCompile("['\"`]([a-z][a-z0-9_.\\[\\]]*)['\"`]")
	role   = regexp.MustCompile(`\brole\b|(?:system|developer) (?:message|prompt|instruction)s?`)
)

// refusal is a set of parameters that an endpoint does not take.
type refusal struct {
	params []string
	limit  int  // of the one parameter, 0 when none is stated
	schema bool // it is json_schema that is refused, not response_format
}

// refused reads a complaint about a request. It is empty when the complaint
// names no parameter that was sent: then nothing is to be learned.
func refused(status int, c complaint, s sent) refusal {
	switch status {
	case 400, 403, 404, 422, 501:
	default:
		return refusal{}
	}
	if c.code == "context_length_exceeded" || beyondWindow.MatchString(c.message) || c.filtered() {
		return refusal{}
	}
	named := s.named(c)
	r := refusal{
		params: named,
		schema: strings.Contains(c.message, "schema") || strings.Contains(c.message, "structured output"),
	}
	m := upTo.FindStringSubmatch(c.message)
	if m == nil {
		return r
	}
	if !slices.ContainsFunc(named, func(p string) bool { return p != paramLogprobs && p != paramTop }) && len(named) > 0 {
		// A limit on log probabilities is one on their alternatives.
		r.params = []string{paramTop}
	}
	if len(r.params) == 1 {
		r.limit, _ = strconv.Atoi(m[1])
	}
	return r
}

// filtered reports whether a content filter spoke.
func (c complaint) filtered() bool {
	return strings.Contains(c.code, "content_filter") || strings.Contains(c.code, "content_policy") || strings.Contains(c.kind, "content_filter")
}

// named are the parameters of a request that a complaint is about: the one that
// it gives as such, else those it sets off by quotes, else those it mentions.
func (s sent) named(c complaint) []string {
	if p := s.held(c.param); p != "" {
		return []string{p}
	}
	if !refusing.MatchString(c.message) && c.code != "unsupported_parameter" && c.code != "unsupported_value" {
		return nil
	}
	var off []string
	for _, m := range quoted.FindAllStringSubmatch(c.message, -1) {
		off = append(off, s.held(m[1]))
	}
	if off = distinct(off); len(off) > 0 {
		return off
	}
	var mentioned []string
	for _, w := range word.FindAllString(c.message, -1) {
		mentioned = append(mentioned, s.held(w))
	}
	if role.MatchString(c.message) && strings.Contains(c.message, s.role) {
		mentioned = append(mentioned, paramRole)
	}
	return distinct(mentioned)
}

func distinct(names []string) []string {
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(n string) bool { return n == "" })
}

// held is the parameter of the request that a name in a complaint stands for,
// "" when the request did not hold it.
func (s sent) held(name string) string {
	name = strings.ToLower(name)
	switch {
	case name == paramTemperature && s.temperature,
		name == paramSeed && s.seed,
		name == paramLogprobs && s.logprobs,
		name == paramTop && s.logprobs,
		name == s.tokens && s.withTokens:
		return name
	case s.format != formatNone && (strings.HasPrefix(name, paramFormat) || name == "json_schema" || name == "json_object" || name == "json_mode"):
		return paramFormat
	case strings.HasPrefix(name, "messages") && strings.HasSuffix(name, paramRole):
		return paramRole
	}
	return ""
}

// without is what is left of features after a refusal of what was sent. What
// changed since the request was sent stays changed.
func (f features) without(r refusal, s sent, dead *retired) features {
	for _, p := range r.params {
		switch p {
		case paramTemperature:
			f.temperature = false
		case paramSeed:
			f.seed = false
		case paramLogprobs:
			f.logprobs = false
		case paramTop:
			f = f.fewerTop(r, s)
		case paramFormat:
			f = f.plainerFormat(r, s)
		case paramRole:
			if f.role == s.role {
				f.role = dead.nextRole(s.role)
			}
		case tokensNew, tokensOld:
			f = f.otherTokens(r, s, dead)
		}
	}
	return f
}

func (f features) fewerTop(r refusal, s sent) features {
	switch {
	case f.top < s.top:
	case r.limit > 0 && r.limit < s.top:
		f.top = r.limit
	case s.top > fewTop:
		f.top = fewTop
	default:
		f.logprobs = false
	}
	return f
}

func (f features) plainerFormat(r refusal, s sent) features {
	switch {
	case f.format != s.format:
	case s.format == formatSchema && r.schema:
		f.format = formatObject
	default:
		f.format = formatNone
	}
	return f
}

func (f features) otherTokens(r refusal, s sent, dead *retired) features {
	switch {
	case f.tokens != s.tokens:
	case r.limit >= fewestTokens && f.most == 0:
		f.most = r.limit
	default:
		f.tokens = dead.nextTokens(s.tokens)
	}
	return f
}

// retired are alternatives that were refused before, so that two refusals do
// not chase each other.
type retired struct {
	system, developer bool
	tokens            map[string]bool
}

// nextRole is the role to try when one was refused.
func (d *retired) nextRole(refused string) string {
	d.system = d.system || refused == roleSystem
	d.developer = d.developer || refused == roleDeveloper
	switch {
	case !d.system:
		return roleSystem
	case !d.developer:
		return roleDeveloper
	}
	return roleUser
}

// nextTokens is the parameter to bound tokens by when one was refused.
func (d *retired) nextTokens(refused string) string {
	if d.tokens == nil {
		d.tokens = map[string]bool{}
	}
	d.tokens[refused] = true
	for _, p := range []string{tokensNew, tokensOld} {
		if !d.tokens[p] {
			return p
		}
	}
	return ""
}
