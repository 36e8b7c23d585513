// Package config reads what the operator decides: bailiff.yaml, BAILIFF_*
// variables over it, flags over those, and defaults in code under all.
//
// Everything has a default that works. A setting that is unknown or out of
// range is an error that says where it stands and what would be right; all of
// them are reported together. Secrets stand in variables or in files, never in
// the configuration file.
package config

import (
	"time"
)

// Config is the effective configuration. Load makes a valid one.
type Config struct {
	Addr     string // listen address, host:port; port 0 takes a free one
	Store    string // sqlite:PATH
	Policies string // directory; "" takes the embedded ones
	Audit    string // stdout, store or file:PATH

	BootstrapKey Secret // admin key to create on an empty store; "" makes one

	Model      string // default slug
	ModelsOpen bool   // slugs that are not configured go to the default provider
	Models     []Model
	Provider   Provider // the default one

	BlockingTimeout   time.Duration // of a call that waits for its run
	ModelTimeout      time.Duration // of one model call
	EvaluationTimeout time.Duration // of one evaluation
	DrainTimeout      time.Duration // from the signal to the end
	ReadTimeout       time.Duration // of one request's headers and body

	Concurrency    int // evaluations at the same time, all tenants together
	RunConcurrency int // of those, at most so many of one run
	Runs           int // runs that are worked in the background at the same time
	Requests       int // requests that are worked at the same time; more are answered 503

	Limits Limits

	LogLevel  string // debug, info, warn or error
	LogFormat string // json or console; "" takes console on a terminal

	// Warnings are things that look like mistakes and change nothing.
	Warnings []string
	// File is the configuration file that was read, "" when none was.
	File string
}

// Limits bound what one request may hold.
type Limits struct {
	RunBody     int // bytes of the body of a run
	Body        int // bytes of any other body
	Definition  int // bytes of a definition
	Field       int // bytes of one field of a record
	Rows        int // rows of a run
	Metrics     int // metrics of one group
	Evaluations int // rows × metrics of a run
}

// Model is one entry of models:.
type Model struct {
	Slug     string
	Model    string // name sent to the provider, default Slug
	Provider string
	BaseURL  string
	KeyEnv   string // variable that holds the key
	KeyFile  string // file that holds the key
	Price    *Price
	Scale    int      // judge's scale 0..Scale: 10 or 100
	Tenants  []string // names of the tenants that may use it; empty for all
}

// Price is in US dollars per million tokens.
type Price struct{ Input, Output, Cached float64 }

// Provider is the endpoint of slugs without one of their own.
type Provider struct {
	BaseURL string
	Key     Secret
}

// Given reports whether there is a default provider.
func (p Provider) Given() bool { return p.Key != "" || p.BaseURL != "" }

// Secret is a text that prints as stars.
type Secret string

// masked is what a secret looks like in every output.
const masked = "***"

// String hides the secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return masked
}

// GoString hides it from %#v too.
func (s Secret) GoString() string { return s.String() }

// MarshalText hides it from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// OfflineModel is the slug of the embedded model.
const OfflineModel = "offline"

// defaultOnlineModel is the default slug when there is a default provider.
const defaultOnlineModel = "gpt-4o-mini"
