package judge

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"

	"bailiff/guard"
)

//go:embed prompts/*.txt
var promptFiles embed.FS

// prompt is one system text of ours with the schema of its answer. The system
// text holds no foreign word; only the judge's scale is put into it.
type prompt struct {
	name  string // file name without extension, and key in PromptVersions
	stage string // X-Bailiff-Stage of the call
}

// The prompts of this package.
var (
	promptScore            = prompt{name: "score", stage: "score"}
	promptStrict           = prompt{name: "strict", stage: "strict"}
	promptEfficiency       = prompt{name: "efficiency_score", stage: "score"}
	promptEfficiencyStrict = prompt{name: "efficiency_strict", stage: "strict"}
	promptTask             = prompt{name: "task", stage: "task"}
)

func prompts() []prompt {
	return []prompt{promptScore, promptStrict, promptEfficiency, promptEfficiencyStrict, promptTask}
}

// PromptVersions gives the version of each prompt: the first 12 hex digits of
// the SHA-256 of its text and schema.
func PromptVersions() map[string]string {
	return maps.Clone(versions())
}

// text is the template as it is stored. The files are embedded, so a missing
// one fails every test of the package.
func (p prompt) text() string {
	b, err := promptFiles.ReadFile("prompts/" + p.name + ".txt")
	if err != nil {
		panic(fmt.Sprintf("embedded prompt %s: %v", p.name, err))
	}
	return string(b)
}

func (p prompt) version() string { return versions()[p.name] }

// versions are computed once: the files are part of the program.
var versions = sync.OnceValue(func() map[string]string {
	of := map[string]string{}
	for _, p := range prompts() {
		sum := sha256.Sum256([]byte(p.text() + "\x00" + string(p.schema())))
		of[p.name] = "sha256:" + hex.EncodeToString(sum[:6])
	}
	return of
})

// system is the system message for a judge's scale of 0..scale.
func (p prompt) system(scale int) string {
	return strings.TrimSpace(strings.ReplaceAll(p.text(), "{{.Scale}}", strconv.Itoa(scale)))
}

// schema is the JSON schema of the answer, its members in the order in which
// the judge is to think: findings, reason, then the number.
func (p prompt) schema() []byte {
	switch p.stage {
	case "strict":
		return []byte(`{"type":"object","properties":{` + findingsSchema + `,"reason":{"type":"string"},"verdict":{"type":"string","enum":["pass","fail"]}},"required":["findings","reason","verdict"],"additionalProperties":false}`)
	case "task":
		return []byte(`{"type":"object","properties":{"task":{"type":"string"}},"required":["task"],"additionalProperties":false}`)
	}
	return []byte(`{"type":"object","properties":{` + findingsSchema + `,"reason":{"type":"string"},"score":{"type":"integer"}},"required":["findings","reason","score"],"additionalProperties":false}`)
}

const findingsSchema = `"findings":{"type":"array","items":{"type":"object","properties":{"step":{"type":"integer"},"evidence":{"type":"string"},"verdict":{"type":"string","enum":["met","partly","not_met","not_applicable"]}},"required":["step","evidence","verdict"],"additionalProperties":false}}`

// user is the user message: what to do in one line of ours, which fields are
// empty, the material between boundary lines, and, when the answer before was
// not usable, what was wrong with it. Only the block holds foreign text.
func user(task string, empty []string, data any, mistake string) (string, error) {
	block, _, err := guard.Fence(data)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(task)
	if len(empty) > 0 {
		fmt.Fprintf(&b, "\nEmpty fields of this record, to be judged as empty: %s.", strings.Join(empty, " (empty), ")+" (empty)")
	}
	b.WriteString("\n\n" + block)
	if mistake != "" {
		b.WriteString("\n\nYour answer before this one could not be used: " + mistake + " Judge the same material again and answer in the form asked for.")
	}
	return b.String(), nil
}
