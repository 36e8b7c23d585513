package registry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"bailiff/guard"
)

const (
	defaultEvery = 2 * time.Second
	batch        = 100
)

// RecheckConfig holds what a Rechecker needs. All members but Every and Now are
// required.
type RecheckConfig struct {
	Store Store
	Guard *guard.Guard
	// PolicyData is a tenant's own policy data.
	PolicyData func(ctx context.Context, tenantID string) (map[string]any, error)
	// Changed is told of a version that is judged otherwise than before, before
	// that is kept. An error leaves the version to the next turn.
	Changed func(ctx context.Context, v Version, now Check) error
	Log     zerolog.Logger
	Every   time.Duration // between looks at the active revision; 0 takes 2 s
	Now     func() time.Time
}

// Rechecker has every version read again when the policy has changed. Several
// processes on one store may run one each: they find the same.
type Rechecker struct{ cfg RecheckConfig }

// NewRechecker makes a Rechecker.
func NewRechecker(cfg RecheckConfig) *Rechecker {
	if cfg.Every <= 0 {
		cfg.Every = defaultEvery
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Rechecker{cfg: cfg}
}

// Run works until ctx ends: at once, after every change of the revision, and
// again after what failed.
func (r *Rechecker) Run(ctx context.Context) {
	ticker := time.NewTicker(r.cfg.Every)
	defer ticker.Stop()
	done := ""
	for {
		if policy := r.cfg.Guard.Active(); policy.Revision() != done {
			if err := r.Recheck(ctx, policy); err == nil {
				done = policy.Revision()
			} else if ctx.Err() == nil {
				r.cfg.Log.Warn().Err(err).Str("component", "registry").Msg("registered rubrics could not all be checked by the new policy; it is tried again")
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Recheck reads every version that the policy has not read yet. It goes on
// after a version that fails and returns the first error.
func (r *Rechecker) Recheck(ctx context.Context, policy *guard.Policy) error {
	var first error
	for after := ""; ; {
		list, err := r.cfg.Store.Unchecked(ctx, policy.Revision(), after, batch)
		if err != nil {
			return err
		}
		for _, v := range list {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := r.check(ctx, policy, v); err != nil && first == nil {
				first = err
			}
			after = v.ID
		}
		if len(list) < batch {
			return first
		}
	}
}

func (r *Rechecker) check(ctx context.Context, policy *guard.Policy, v Version) error {
	data, err := r.cfg.PolicyData(ctx, v.TenantID)
	if err != nil {
		return err
	}
	fields := make([]string, len(v.Fields))
	for i, f := range v.Fields {
		fields[i] = string(f)
	}
	report, fault := policy.Scan(ctx, guard.Subject{Definition: v.Definition, Steps: v.Steps, Fields: fields, Tenant: data})
	if fault != nil {
		return fmt.Errorf("read version %s by the policy: %w", v.ID, errors.Join(errors.New(fault.Code), fault.Cause))
	}
	now := CheckOf(report, r.cfg.Now())
	if now.Decision != v.Check.Decision {
		if err := r.cfg.Changed(ctx, v, now); err != nil {
			return err
		}
	}
	return r.cfg.Store.SetCheck(ctx, v.ID, now)
}

// CheckOf is what a report says of a version.
func CheckOf(report guard.Report, at time.Time) Check {
	c := Check{Revision: report.Revision, Decision: report.Decision, At: at.UTC()}
	if report.Decision == guard.Allow {
		return c
	}
	c.RuleIDs = report.RuleIDs()
	for _, reason := range report.Reasons {
		if reason.Message != "" {
			c.Explanation = reason.Message
			break
		}
	}
	return c
}
