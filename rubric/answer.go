package rubric

import (
	"strings"

	"github.com/go-json-experiment/json"
)

// Bounds of what a model may answer.
const (
	maxExtracted = 200 // a definition of 16 KiB has room for no more steps worth the name
	maxGenerated = 5
	maxStepBytes = 4 << 10 // of a generated step
)

// mistake says what is wrong with an answer, in words of ours alone: it goes
// back to the model with the second try.
type mistake string

func (m mistake) Error() string { return string(m) }

// semanticAnswer is the answer of the resolve stage.
type semanticAnswer struct {
	Steps       []answeredStep `json:"steps"`
	Missing     []string       `json:"missing_fields"`
	Suggestions []string       `json:"suggestions"`
	Explanation string         `json:"explanation"`
	IsRubric    bool           `json:"is_rubric"`
	Coherent    bool           `json:"coherent"`
	Applicable  bool           `json:"applicable"`
}

// answeredStep is a step as the model gave it. Reason is "" when included.
type answeredStep struct {
	Text     string `json:"step"`
	Included bool   `json:"included"`
	Reason   string `json:"reason"`
}

// generatedSteps is the answer of the generate stage, with the confidence of
// each step where the model gave token probabilities.
type generatedSteps struct {
	Steps      []string   `json:"steps"`
	Confidence []*float64 `json:"confidence,omitempty"`
}

// parseSemantic reads an answer of the resolve stage strictly: every member
// must be there once, under its exact name, of its exact type, and none beside
// them; reasons come from the closed list and fit included.
func parseSemantic(object []byte) (semanticAnswer, error) {
	var raw struct {
		Steps *[]*struct {
			Text     *string `json:"step"`
			Included *bool   `json:"included"`
			Reason   *string `json:"reason"`
		} `json:"steps"`
		Missing     *[]*string `json:"missing_fields"`
		Suggestions *[]*string `json:"suggestions"`
		Explanation *string    `json:"explanation"`
		IsRubric    *bool      `json:"is_rubric"`
		Coherent    *bool      `json:"coherent"`
		Applicable  *bool      `json:"applicable"`
	}
	if err := json.Unmarshal(object, &raw, json.RejectUnknownMembers(true)); err != nil {
		return semanticAnswer{}, mistake("It was not one JSON object with exactly the members asked for, each once and of the type asked for.")
	}
	if raw.Steps == nil || raw.Missing == nil || raw.Suggestions == nil || raw.Explanation == nil ||
		raw.IsRubric == nil || raw.Coherent == nil || raw.Applicable == nil {
		return semanticAnswer{}, mistake("It lacked a member, or had null where a value is needed.")
	}
	a := semanticAnswer{Explanation: *raw.Explanation, IsRubric: *raw.IsRubric, Coherent: *raw.Coherent, Applicable: *raw.Applicable}
	var err error
	if a.Missing, err = texts(*raw.Missing); err != nil {
		return semanticAnswer{}, err
	}
	if a.Suggestions, err = texts(*raw.Suggestions); err != nil {
		return semanticAnswer{}, err
	}
	if len(*raw.Steps) > maxExtracted {
		return semanticAnswer{}, mistake("It had more steps than a definition can hold.")
	}
	for _, s := range *raw.Steps {
		if s == nil || s.Text == nil || s.Included == nil {
			return semanticAnswer{}, mistake("One of its steps lacked a member, or had null where a value is needed.")
		}
		step := answeredStep{Text: *s.Text, Included: *s.Included}
		if s.Reason != nil {
			step.Reason = *s.Reason
		}
		if err := step.check(); err != nil {
			return semanticAnswer{}, err
		}
		a.Steps = append(a.Steps, step)
	}
	return a, nil
}

func texts(in []*string) ([]string, error) {
	out := make([]string, 0, len(in))
	for _, s := range in {
		if s == nil {
			return nil, mistake("One of its lists held null where a text is needed.")
		}
		out = append(out, *s)
	}
	return out, nil
}

func (s answeredStep) check() error {
	switch s.Reason {
	case "":
		if !s.Included {
			return mistake("One of its steps was left out without a reason from the list.")
		}
	case NotEvaluable, RefersToUnselectedField, Duplicate, InstructionToJudge, NotInDefinition:
		if s.Included {
			return mistake("One of its steps was included and had a reason for leaving it out.")
		}
	default:
		return mistake("One of its steps had a reason that is not in the list.")
	}
	return nil
}

// parseGenerated reads an answer of the generate stage: one to five steps, no
// empty one, none twice.
func parseGenerated(object []byte) ([]string, error) {
	var raw struct {
		Steps *[]*string `json:"steps"`
	}
	if err := json.Unmarshal(object, &raw, json.RejectUnknownMembers(true)); err != nil || raw.Steps == nil {
		return nil, mistake("It was not one JSON object with the one member steps, a list of texts.")
	}
	steps, err := texts(*raw.Steps)
	if err != nil {
		return nil, err
	}
	return steps, checkGenerated(steps)
}

func checkGenerated(steps []string) error {
	if len(steps) == 0 {
		return mistake("It held no step.")
	}
	if len(steps) > maxGenerated {
		return mistake("It held more than five steps.")
	}
	seen := map[string]bool{}
	for i, s := range steps {
		steps[i] = strings.TrimSpace(s)
		folded := foldStep(s)
		switch {
		case folded == "":
			return mistake("One of its steps was empty.")
		case len(s) > maxStepBytes:
			return mistake("One of its steps was far too long.")
		case seen[folded]:
			return mistake("One of its steps stood there twice.")
		}
		seen[folded] = true
	}
	return nil
}
