package main

import (
	"context"

	"bailiff/cmd/internal/registry"
	"bailiff/cmd/internal/run"
	"bailiff/cmd/internal/tenant"
	"bailiff/judge/model"
)

// rechecker has registered rubrics read by every new policy.
func (g *gateway) rechecker() *registry.Rechecker {
	return registry.NewRechecker(registry.RecheckConfig{
		Store: g.db, Guard: g.guard, Log: g.log,
		PolicyData: func(ctx context.Context, tenantID string) (map[string]any, error) {
			t, err := g.db.Tenant(ctx, tenantID)
			return tenant.PolicyFacts(t.Settings.PolicyData, true), err
		},
		Changed: func(ctx context.Context, v registry.Version, now registry.Check) error {
			e := g.runs.DefinitionEvent(run.Origin{TenantID: v.TenantID}, v.Definition, v.Fields, nil, model.Usage{})
			e.Definition.Rubric, e.Definition.Version = v.Name, v.Number
			e.Status, e.Decision, e.PolicyRevision, e.RuleIDs = "rechecked", string(now.Decision), now.Revision, now.RuleIDs
			if now.Refused() {
				e.Stage, e.Code = "policy", "definition_denied"
			}
			return g.audit.Record(ctx, e)
		},
	})
}
