package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// dataMark is where a user prompt takes the fenced material.
const dataMark = "{{data}}"

// safetyPrompt is one way of asking. The system text is ours alone; what a
// tenant wrote stands only inside the fence of the user text.
type safetyPrompt struct {
	name     string
	system   string
	user     string // holds dataMark once
	findings bool   // show what the scan found
}

func firstPrompt() safetyPrompt {
	return safetyPrompt{name: "safety", system: safetySystem, user: safetyUser}
}

func secondPrompt() safetyPrompt {
	return safetyPrompt{name: "safety2", system: safety2System, user: safety2User, findings: true}
}

// version names every byte of the prompt that a model sees for any definition.
func (p safetyPrompt) version() string {
	h := sha256.New()
	for _, part := range []string{p.system, p.user, string(safetySchema)} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))[:12]
}

// PromptVersions names the safety prompts by a hash of their text, so that an
// answer can be kept for exactly as long as the question stays the same.
func PromptVersions() map[string]string {
	first, second := firstPrompt(), secondPrompt()
	return map[string]string{first.name: first.version(), second.name: second.version()}
}

// safetyData is what stands inside the fence.
type safetyData struct {
	Definition string          `json:"eval_definition"`
	Steps      []string        `json:"evaluation_steps"`
	Fields     []string        `json:"evaluation_fields"`
	Findings   []safetyFinding `json:"findings,omitempty"`
}

type safetyFinding struct {
	Rule     string `json:"rule"`
	Category string `json:"category"`
	Severity string `json:"severity"`
	Layer    string `json:"layer"`
	Part     string `json:"part"`
	Excerpt  string `json:"excerpt"`
	Quoted   bool   `json:"quoted"`
}

// maxShownFindings bounds the second prompt; the scan orders findings by weight
// of place, and a text with more marks than this is settled by the first ones.
const maxShownFindings = 30

// render is the user text for a subject.
func (p safetyPrompt) render(s Subject, findings []Finding) (string, error) {
	data := safetyData{Definition: s.Definition, Steps: s.Steps, Fields: s.Fields}
	if data.Steps == nil {
		data.Steps = []string{}
	}
	if data.Fields == nil {
		data.Fields = []string{}
	}
	if p.findings {
		for _, f := range findings[:min(len(findings), maxShownFindings)] {
			data.Findings = append(data.Findings, safetyFinding{f.RuleID, f.Category, f.Severity, f.Layer, f.Part, f.Excerpt, f.Quoted})
		}
	}
	fenced, _, err := Fence(data)
	if err != nil {
		return "", err
	}
	before, after, _ := strings.Cut(p.user, dataMark)
	return before + fenced + after, nil
}
