package run

import (
	"context"
	"time"
)

// Reply is an answer that is kept to be given again.
type Reply struct {
	Status   int
	Location string
	Body     []byte
}

// ClaimState is what became of a claim.
type ClaimState string

// The states of a claim.
const (
	Claimed    ClaimState = "claimed"     // the caller works the request and then settles or releases it
	InProgress ClaimState = "in_progress" // another request with this key is being worked
	Settled    ClaimState = "settled"     // the reply is there
	Mismatch   ClaimState = "mismatch"    // the key was used for another request
)

// Claim names a request that must be worked once.
type Claim struct {
	TenantID string
	Key      string // the caller's Idempotency-Key
	Sum      string // of route and body
	Now      time.Time
	Lease    time.Duration // after which a claim that was never settled is free
}

// Claims keep which requests were worked.
type Claims interface {
	Claim(ctx context.Context, c Claim) (ClaimState, Reply, error)
	Settle(ctx context.Context, c Claim, r Reply, keep time.Duration) error
	Release(ctx context.Context, c Claim) error
}
