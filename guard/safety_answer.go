package guard

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-json-experiment/json"
)

// The two words of a safety check.
const (
	verdictSafe   = "safe"
	verdictUnsafe = "unsafe"
)

// Bounds of what is kept of an answer.
const (
	maxRationaleRunes  = 600
	maxCategories      = 16
	maxCategoryLetters = 48
)

// parseSafety reads the answer of a safety check. It takes exactly the object
// that was asked for: an unknown, missing, repeated or null member, another
// spelling of a name or of a verdict, a wrong type, or text around the object
// is an error, and so is an answer that contradicts itself. Nothing is guessed.
func parseSafety(object []byte) (verdict string, categories []string, rationale string, err error) {
	var a struct {
		Rationale  *string    `json:"rationale"`
		Categories *[]*string `json:"categories"`
		Verdict    *string    `json:"verdict"`
	}
	if err := json.Unmarshal(object, &a, json.RejectUnknownMembers(true)); err != nil {
		return "", nil, "", fmt.Errorf("decode safety answer: %w", err)
	}
	if a.Rationale == nil || a.Categories == nil || a.Verdict == nil {
		return "", nil, "", errors.New("safety answer lacks a member")
	}
	categories = []string{}
	for _, c := range *a.Categories {
		if c == nil {
			return "", nil, "", errors.New("safety answer has a null category")
		}
		if len(categories) < maxCategories {
			categories = append(categories, categoryWord(*c))
		}
	}
	switch {
	case *a.Verdict == verdictUnsafe:
	case *a.Verdict != verdictSafe:
		return "", nil, "", errors.New("safety answer has an unknown verdict")
	case len(categories) > 0:
		return "", nil, "", errors.New("safety answer says safe and names what is not")
	}
	return *a.Verdict, categories, publicRationale(*a.Rationale), nil
}

// categoryWord keeps letters, digits and underscores: a category is a name that
// we show, and a model may have been talked into writing anything there.
func categoryWord(s string) string {
	word := strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || r == ' ':
			return '_'
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			return unicode.ToLower(r)
		}
		return -1
	}, s)
	if word == "" {
		return "other"
	}
	return word[:min(len(word), maxCategoryLetters)]
}

// publicRationale makes a model's sentence fit to be shown: printable, short,
// and without our own prompt, which a hostile text may have asked it to repeat.
func publicRationale(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if repeatsPrompt(s[:min(len(s), 8*maxRationaleRunes)]) {
		return ""
	}
	if runes := []rune(s); len(runes) > maxRationaleRunes {
		s = string(runes[:maxRationaleRunes]) + "…"
	}
	return s
}

// promptShingle is how many consecutive words of a system prompt make a leak.
const promptShingle = 9

// promptShingles are all runs of that many words in our prompts.
var promptShingles = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, p := range []safetyPrompt{firstPrompt(), secondPrompt()} {
		for _, run := range shingles(p.system) {
			out[run] = true
		}
	}
	return out
})

func shingles(s string) []string {
	words := strings.Fields(strings.ToLower(s))
	var out []string
	for i := 0; i+promptShingle <= len(words); i++ {
		out = append(out, strings.Join(words[i:i+promptShingle], " "))
	}
	return out
}

func repeatsPrompt(s string) bool {
	known := promptShingles()
	return slices.ContainsFunc(shingles(s), func(run string) bool { return known[run] })
}
