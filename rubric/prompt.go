package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"bailiff/guard"
)

// prompt is one way of asking. The system text is ours alone; what a tenant
// wrote stands only inside the data fence of the user text.
type prompt struct {
	name    string // of its files, and key in PromptVersions
	stage   string // X-Bailiff-Stage
	outcome string // the stage of the outcome it belongs to
	tokens  bool   // token probabilities are of use
}

// The prompts of this package.
var (
	promptResolve  = prompt{name: "resolve", stage: "resolve", outcome: stageSemantic}
	promptGenerate = prompt{name: "generate", stage: "generate", outcome: stageSteps, tokens: true}
)

func prompts() []prompt { return []prompt{promptResolve, promptGenerate} }

// dataMark is where a user text takes the fenced material. Only the embedded
// text is searched for it, never what a tenant wrote.
const dataMark = "{{data}}"

// definitionData is the material of both prompts.
type definitionData struct {
	Definition string  `json:"eval_definition"`
	Fields     []Field `json:"evaluation_fields"`
}

func dataOf(req Request) definitionData {
	return definitionData{Definition: req.Definition, Fields: append([]Field{}, req.Fields...)}
}

// PromptVersions gives the version of each prompt: sha256: and the first 12
// hex digits of the hash of every byte that a model sees for any definition.
func PromptVersions() map[string]string {
	versions := map[string]string{}
	for _, p := range prompts() {
		h := sha256.New()
		for _, part := range []string{p.file("system.txt"), p.file("user.txt"), p.file("schema.json")} {
			writePart(h, part)
		}
		versions[p.name] = "sha256:" + hex.EncodeToString(h.Sum(nil)[:6])
	}
	return versions
}

// file is an embedded text. A missing one fails every test of the package.
func (p prompt) file(suffix string) string {
	b, err := promptFiles.ReadFile("prompts/" + p.name + "." + suffix)
	if err != nil {
		panic(fmt.Sprintf("embedded prompt %s: %v", p.name, err))
	}
	return string(b)
}

func (p prompt) system() string { return strings.TrimSpace(p.file("system.txt")) }

func (p prompt) schema() []byte { return []byte(strings.TrimSpace(p.file("schema.json"))) }

// user is the user text: ours, with the material between boundary lines, and,
// when the answer before was not usable, what was wrong with it.
func (p prompt) user(data any, wrong string) (string, error) {
	fenced, _, err := guard.Fence(data)
	if err != nil {
		return "", err
	}
	before, after, _ := strings.Cut(strings.TrimSpace(p.file("user.txt")), dataMark)
	text := before + fenced + after
	if wrong != "" {
		text += "\n\nYour answer before this one could not be used. " + wrong + " Read the same material again and answer in the form asked for."
	}
	return text, nil
}
