package api

import (
	_ "embed"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/goccy/go-yaml"
)

//go:embed openapi.yaml
var openAPISource []byte

// openAPI is the description of this API as JSON.
func openAPI() ([]byte, error) {
	var document map[string]any
	if err := yaml.Unmarshal(openAPISource, &document); err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	text, err := json.Marshal(document, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encode openapi.yaml: %w", err)
	}
	return text, nil
}

func (a *API) openAPIDocument(c *call) error {
	c.send(http.StatusOK, "application/json", a.document)
	return nil
}

// healthz says that the process lives.
func (a *API) healthz(c *call) error {
	return c.json(http.StatusOK, map[string]string{"status": "ok"})
}

// readyz says whether requests can be worked, and which part keeps them from it.
func (a *API) readyz(c *call) error {
	problems := map[string]string{}
	if a.cfg.Ready != nil {
		problems = a.cfg.Ready(c.Request.Context())
	}
	if a.draining.Load() {
		problems["gateway"] = "draining"
	}
	status, word := http.StatusOK, "ready"
	if len(problems) > 0 {
		status, word = http.StatusServiceUnavailable, "not ready"
	}
	runs, evaluations := a.cfg.Runs.Load()
	return c.json(status, map[string]any{
		"status": word, "problems": problems, "policy_revision": a.cfg.Guard.Active().Revision(), "queue": map[string]int{"runs": runs, "evaluations": evaluations},
	})
}
