package api

import (
	"io/fs"
	"net/http"
	"time"

	"bailiff/guard"
)

// policiesAnswer is the active revision.
type policiesAnswer struct {
	Revision    string           `json:"revision"`
	ActiveSince time.Time        `json:"active_since"`
	Modules     []string         `json:"modules"`
	Rules       []guard.RuleInfo `json:"rules"`
}

// policies shows which revision decides, and by what rules.
func (a *API) policies(c *call) error {
	policy := a.cfg.Guard.Active()
	modules := []string{}
	for _, pattern := range []string{"*.rego", "lib/*.rego", "patterns/*.yaml"} {
		files, err := fs.Glob(a.cfg.PolicyFiles, pattern)
		if err != nil {
			return err
		}
		modules = append(modules, files...)
	}
	return c.json(http.StatusOK, policiesAnswer{Revision: policy.Revision(), ActiveSince: a.cfg.PolicySince.UTC(), Modules: modules, Rules: policy.Rules()})
}
