package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Dialect is whose words a refusal is in.
type Dialect string

// Dialects of refusals.
const (
	OpenAI Dialect = "openai"
	Azure  Dialect = "azure" // "Unrecognized request argument supplied"
	VLLM   Dialect = "vllm"  // no error member, no parameter's name but in the text
)

// Rule is something that the endpoint does not take.
type Rule struct {
	param   string
	most    int
	allow   any
	model   string
	status  int
	dialect Dialect
}

// Param refuses a parameter: temperature, seed, logprobs, top_logprobs,
// max_tokens, max_completion_tokens, response_format, response_format.json_schema,
// role:system or role:developer.
func Param(name string) Rule {
	return Rule{param: name, status: http.StatusBadRequest, dialect: OpenAI}
}

// AtMost refuses values above n.
func (r Rule) AtMost(n int) Rule { r.most = n; return r }

// Only refuses every other value.
func (r Rule) Only(value any) Rule { r.allow = value; return r }

// For refuses it for one model.
func (r Rule) For(model string) Rule { r.model = model; return r }

// Status is that of the refusal, 400 by default.
func (r Rule) Status(code int) Rule { r.status = code; return r }

// In puts the refusal in a dialect's words.
func (r Rule) In(d Dialect) Rule { r.dialect = d; return r }

// refusal is an answer that refuses a parameter.
type refusal struct {
	status int
	body   any
}

func (r *refusal) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	_ = json.NewEncoder(w).Encode(r.body) // the client may have gone
}

// refuse is the refusal of a request, nil when the rule does not object.
func (r Rule) refuse(req Request) *refusal {
	if m, _ := req.Body["model"].(string); r.model != "" && m != r.model {
		return nil
	}
	param, message := r.objection(req)
	if message == "" {
		return nil
	}
	switch {
	case r.dialect == VLLM:
		return &refusal{r.status, map[string]any{"object": "error", "message": message, "type": "BadRequestError", "param": nil, "code": r.status}}
	case r.dialect == Azure:
		return &refusal{r.status, apiError("Unrecognized request argument supplied: "+param, nil, nil)}
	case r.status == http.StatusForbidden:
		return &refusal{r.status, apiError("You are not allowed to request "+param+" from this model", nil, nil)}
	}
	return &refusal{r.status, apiError(message, param, "unsupported_parameter")}
}

func apiError(message string, param, code any) any {
	return map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error", "param": param, "code": code}}
}

// objection says what is refused and why, "" when nothing is.
func (r Rule) objection(req Request) (param, message string) {
	if role, ok := strings.CutPrefix(r.param, "role:"); ok {
		return roleObjection(req, role)
	}
	format, _ := req.Body["response_format"].(map[string]any)
	if r.param == "response_format.json_schema" {
		if format["type"] != "json_schema" {
			return "", ""
		}
		return "response_format", "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
	}
	value, given := req.Body[r.param]
	if !given || value == nil || value == false {
		return "", ""
	}
	if r.most > 0 {
		if n, ok := value.(float64); ok && n > float64(r.most) {
			return r.param, fmt.Sprintf("Invalid value for '%s': must be less than or equal to %d.", r.param, r.most)
		}
		return "", ""
	}
	if r.allow != nil {
		if encode(value) == encode(r.allow) {
			return "", ""
		}
		return r.param, fmt.Sprintf("Unsupported value: '%s' does not support %s with this model. Only the default (%s) value is supported.", r.param, encode(value), encode(r.allow))
	}
	return r.param, "Unsupported parameter: '" + r.param + "' is not supported with this model."
}

func roleObjection(req Request, role string) (param, message string) {
	messages, _ := req.Body["messages"].([]any)
	for i, m := range messages {
		if m, ok := m.(map[string]any); ok && m["role"] == role {
			param = "messages[" + strconv.Itoa(i) + "].role"
			return param, "Unsupported value: '" + param + "' does not support '" + role + "' with this model."
		}
	}
	return "", ""
}
