package guard

import (
	"fmt"
	"strings"
)

// maxWordDepth bounds how deep lexicon entries may refer to each other.
const maxWordDepth = 8

// expandWords replaces every {name} in a pattern by the lexicon's entry of that
// name, as a group. Names begin with a letter, so counted repetitions such as
// {2,4} are left alone, and so are the classes \p{Greek} and \x{1F600}. An
// unknown name, or entries that refer to each other in a circle, are errors.
func expandWords(pattern string, words map[string]string) (string, error) {
	var b strings.Builder
	if err := writeExpanded(&b, pattern, words, 0); err != nil {
		return "", err
	}
	return b.String(), nil
}

func writeExpanded(b *strings.Builder, pattern string, words map[string]string, depth int) error {
	if depth > maxWordDepth {
		return fmt.Errorf("lexicon entries refer to each other more than %d deep", maxWordDepth)
	}
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if c == '\\' && i+1 < len(pattern) {
			n := escapeLen(pattern[i:])
			b.WriteString(pattern[i : i+n])
			i += n - 1
			continue
		}
		name := ""
		if c == '{' {
			name = wordName(pattern[i+1:])
		}
		if name == "" {
			b.WriteByte(c)
			continue
		}
		body, known := words[name]
		if !known {
			return fmt.Errorf("{%s} is not in the lexicon", name)
		}
		b.WriteString("(?:")
		if err := writeExpanded(b, body, words, depth+1); err != nil {
			return fmt.Errorf("in {%s}: %w", name, err)
		}
		b.WriteByte(')')
		i += len(name) + 1
	}
	return nil
}

// escapeLen is the length of the escape at the start of s, with its braces.
func escapeLen(s string) int {
	if len(s) > 2 && strings.IndexByte("pPx", s[1]) >= 0 && s[2] == '{' {
		if end := strings.IndexByte(s, '}'); end > 0 {
			return end + 1
		}
	}
	return 2
}

// wordName is the name at the start of s when a closing brace follows it.
func wordName(s string) string {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z':
		case i > 0 && (c == '_' || c >= '0' && c <= '9'):
		case i > 0 && c == '}':
			return s[:i]
		default:
			return ""
		}
	}
	return ""
}
