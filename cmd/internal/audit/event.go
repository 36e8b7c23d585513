// Package audit writes the evidence: one JSON object a line for every decision
// and every change of what decides.
//
// An event is written, and on disk, before the answer that it is about leaves
// the gateway; when it cannot be written, there is no answer. Lines are linked
// by a chain of SHA-256 sums, so that a line that is changed, removed, moved or
// put in is found; cutting off the end shows only against a checkpoint. Texts
// of tenants are not in it: they are named by sums keyed per tenant.
package audit

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Schema names the form of an event.
const Schema = "bailiff.audit/1"

// Kind is what happened.
type Kind string

// The kinds of events.
const (
	EvaluationDecided Kind = "evaluation.decided"
	DefinitionDecided Kind = "definition.decided"
	RequestRefused    Kind = "request.refused"
	AuthFailed        Kind = "auth.failed"
	AuthzDenied       Kind = "authz.denied"
	RunCreated        Kind = "run.created"
	RunFinished       Kind = "run.finished"
	RunCancelled      Kind = "run.cancelled"
	RunDeleted        Kind = "run.deleted"
	PolicyActivated   Kind = "policy.activated"
	KeyCreated        Kind = "key.created"
	KeyRevoked        Kind = "key.revoked"
	TenantChanged     Kind = "tenant.changed"
	ConfigLoaded      Kind = "config.loaded"
	ServiceStarted    Kind = "service.started"
	ServiceStopped    Kind = "service.stopped"
)

// Kinds lists every kind there is.
func Kinds() []Kind {
	return []Kind{
		EvaluationDecided, DefinitionDecided, RequestRefused, AuthFailed, AuthzDenied, RunCreated, RunFinished, RunCancelled, RunDeleted,
		PolicyActivated, KeyCreated, KeyRevoked, TenantChanged, ConfigLoaded, ServiceStarted, ServiceStopped,
	}
}

// Event is one line. Its members stand in the order they are written; what
// does not apply is left out. The log fills seq, schema, time, gateway, prev
// and hash.
type Event struct {
	Seq     uint64    `json:"seq"`
	Schema  string    `json:"schema"`
	Time    time.Time `json:"time"`
	Kind    Kind      `json:"event"`
	Gateway string    `json:"gateway"`

	RequestID string `json:"request_id,omitzero"`
	TraceID   string `json:"trace_id,omitzero"`
	TenantID  string `json:"tenant_id,omitzero"`
	Actor     Actor  `json:"actor,omitzero"`

	RunID        string     `json:"run_id,omitzero"`
	EvaluationID string     `json:"evaluation_id,omitzero"`
	RecordIndex  *int       `json:"record_index,omitzero"`
	Metric       string     `json:"metric,omitzero"`
	Definition   Definition `json:"definition,omitzero"`
	RecordSHA256 string     `json:"record_sha256,omitzero"` // keyed per tenant

	Status         string   `json:"status,omitzero"`
	Stage          string   `json:"stage,omitzero"`
	Code           string   `json:"code,omitzero"`
	Decision       string   `json:"decision,omitzero"` // allow | review | deny
	RuleIDs        []string `json:"rule_ids,omitzero"`
	PolicyRevision string   `json:"policy_revision,omitzero"`

	Models         map[string]string `json:"models,omitzero"` // stage → slug
	PromptVersions map[string]string `json:"prompt_versions,omitzero"`
	Fingerprint    string            `json:"fingerprint,omitzero"`
	StepsHash      string            `json:"steps_hash,omitzero"`
	ScoreMethod    string            `json:"score_method,omitzero"`

	Score       *float64           `json:"score,omitzero"`
	Threshold   *float64           `json:"threshold,omitzero"`
	Passed      *bool              `json:"passed,omitzero"`
	Borderline  *bool              `json:"borderline,omitzero"`
	Usage       *Usage             `json:"usage,omitzero"`
	DurationsMS map[string]float64 `json:"durations_ms,omitzero"`

	Before jsontext.Value `json:"before,omitzero"` // of changes: our own JSON, never a caller's
	After  jsontext.Value `json:"after,omitzero"`
	Masked []string       `json:"masked,omitzero"` // pointers of what was left out
	Prev   string         `json:"prev"`
}

// Actor is who did it.
type Actor struct {
	KeyID string `json:"key_id,omitzero"`
	Role  string `json:"role,omitzero"`
	Addr  string `json:"addr,omitzero"`
}

// Definition names the text that was decided about.
type Definition struct {
	SHA256  string   `json:"sha256,omitzero"` // keyed per tenant
	Length  int      `json:"length,omitzero"` // bytes
	Rubric  string   `json:"rubric,omitzero"`
	Version int      `json:"version,omitzero"`
	Fields  []string `json:"fields,omitzero"`
}

// Usage is what the models took.
type Usage struct {
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
	Cost         *string `json:"cost"` // US dollars, null when a price is unknown
}
