package offline

import (
	"strings"
	"unicode/utf8"
)

// maxStemRunes is where stems are cut. Six letters keep most words of European
// languages apart and bring their inflected forms together.
const maxStemRunes = 6

// stemOf cuts a lower-case word to a stem: English endings first, then length.
func stemOf(w string) string {
	if w == "" || w[0] >= '0' && w[0] <= '9' || utf8.RuneCountInString(w) <= 3 {
		return w
	}
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	for _, end := range []string{"ings", "ing", "edly", "ied", "ies", "ed", "es", "ly", "s"} {
		if cut, ok := strings.CutSuffix(w, end); ok && len(cut) >= 3 {
			w = strings.TrimSuffix(cut, "e")
			break
		}
	}
	w = strings.TrimSuffix(w, "e")
	n := 0
	for i := range w {
		if n == maxStemRunes {
			return w[:i]
		}
		n++
	}
	return w
}

// synonyms lead words to one stem where steps and texts tend to use different
// ones for the same thing.
var synonyms = map[string]string{
	"buy": "purcha", "bought": "purcha", "start": "begin", "began": "begin", "begun": "begin",
	"pric": "cost", "fee": "cost", "charg": "cost", "repay": "refund", "reimbu": "refund",
	"delive": "ship", "shippi": "ship", "shipme": "ship", "arriva": "arriv",
	"issu": "proble", "troubl": "proble", "error": "proble", "fault": "proble", "mistak": "proble",
	"assist": "help", "suppor": "help", "client": "custom", "clinic": "doctor", "physic": "doctor", "clinician": "doctor",
	"medici": "drug", "medica": "drug", "deadli": "date", "phon": "contac", "email": "contac", "teleph": "contac",
	"quick": "fast", "rapid": "fast", "huge": "larg", "big": "larg", "tiny": "small",
	"halluc": "fabric", "invent": "fabric", "made-u": "fabric", "retrie": "fetch", "passag": "docume",
	"embedd": "vector", "embed": "vector", "query": "questi", "queri": "questi", "inject": "insert", "put": "insert",
	"explan": "explai", "descri": "explai", "clarif": "explai", "apolog": "sorry", "regret": "sorry",
}

// keyOf is the stem under which a word is compared.
func keyOf(w string) string {
	s := stemOf(w)
	if t, ok := synonyms[s]; ok {
		return t
	}
	return s
}

// contentKeys are the distinct stems of a text's content words, in order.
func contentKeys(text string) []string {
	keys, _ := contentOf(text)
	return keys
}

// contentOf gives the distinct stems of a text's content words, in order, and
// the word behind each.
func contentOf(text string) (keys, words []string) {
	seen := map[string]bool{}
	for _, w := range wordsOf(wideFunction.Replace(text)) {
		if stopWords[w] || len(w) < 2 && w[0] < utf8.RuneSelf && (w[0] < '0' || w[0] > '9') {
			continue
		}
		if k := keyOf(w); !seen[k] {
			seen[k] = true
			keys, words = append(keys, k), append(words, w)
		}
	}
	return keys, words
}
