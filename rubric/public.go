package rubric

import (
	"strings"
	"unicode"
)

const (
	maxPublicRunes = 300 // of a sentence that a model wrote
	promptShingle  = 9   // consecutive words of a system prompt that make a leak
)

// public makes a model's sentence fit to be shown to the person whose text it
// is about: one printable line, short, and without our own prompts, which a
// hostile text may have asked the model to repeat.
func public(s string) string {
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
	if repeatsPrompt(s) {
		return ""
	}
	if runes := []rune(s); len(runes) > maxPublicRunes {
		s = string(runes[:maxPublicRunes]) + "…"
	}
	return s
}

func repeatsPrompt(s string) bool {
	said := strings.Fields(strings.ToLower(s))
	if len(said) < promptShingle {
		return false
	}
	text := " " + strings.Join(said, " ") + " "
	for _, p := range prompts() {
		words := strings.Fields(strings.ToLower(p.system()))
		for i := 0; i+promptShingle <= len(words); i++ {
			if strings.Contains(text, " "+strings.Join(words[i:i+promptShingle], " ")+" ") {
				return true
			}
		}
	}
	return false
}
