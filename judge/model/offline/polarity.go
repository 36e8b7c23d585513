package offline

import (
	"regexp"
	"strings"
	"unicode"
)

// noWords turn a statement into its opposite, as whole words.
var noWords = setOf(
	"not", "no", "never", "none", "nothing", "nobody", "neither", "nor", "without", "cannot", "can't", "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "won't", "wouldn't", "shouldn't", "couldn't", "hasn't", "haven't", "can’t", "don’t", "doesn’t", "didn’t", "isn’t", "aren’t", "won’t",
	"nicht", "kein", "keine", "keinen", "keiner", "nie", "niemals", "ohne", "nunca", "jamás", "ningún", "ninguna", "sin", "pas", "jamais", "aucun", "aucune", "sans", "non", "mai", "nessun", "nessuno", "senza", "não", "nenhum", "nenhuma", "sem", "niet", "geen", "nooit", "zonder", "nie", "nigdy", "bez", "не", "нет", "никогда", "без", "немає", "ніколи", "değil", "yok", "لا", "لم", "ليس", "بدون", "نه", "نیست", "बिना", "नहीं", "না", "নেই", "không", "chẳng", "tidak", "bukan", "tanpa", "inte", "ingen", "ei", "δεν", "hindi", "walang",
)

// avoidWords say, in a step, that something has to be absent; matched at the
// start of words.
var avoidWords = []string{"avoid", "refrain", "free of", "free from", "lacks", "absence of", "omits", "excludes", "vermeid", "verzichtet", "frei von", "evita", "evite", "libre de", "évite", "exempt", "evit", "vermijd", "unika", "избега", "уника", "kaçın", "يتجنب", "خال", "پرهیز", "बच", "এড়", "避免", "避け", "피하", "tránh", "menghindari", "หลีกเลี่ยง", "undvik"}

// wideNo are negations in scripts without spaces or joined to the word.
var wideNo = regexp.MustCompile(`没有|不得|不应|不會|不会|不要|不能|不可|不含|不包含|不提|未|無い|ない|ません|なく|않|없|못|ไม่`)

// questionTail is where a yes/no question ends in words that only look like a
// negation: หรือไม่, có … không, या नहीं, কিনা.
var questionTail = strings.NewReplacer("หรือไม่", "", "या नहीं", "", "কিনা", "", "كان أم لا", "", "是不是", "", "有没有", "", "or not", "")

// saysNo reports whether a sentence, in lower case, is negated.
func saysNo(lower string) bool {
	lower = trimVietnamese(questionTail.Replace(lower))
	for _, w := range wordsOf(lower) {
		if noWords[w] {
			return true
		}
	}
	return wideNo.MatchString(lower)
}

// trimVietnamese takes the closing "không" off a question.
func trimVietnamese(s string) string {
	t := strings.TrimRight(s, " ?.")
	if cut, ok := strings.CutSuffix(t, "không"); ok {
		return cut
	}
	return s
}

// negationReach is within how many words of a step its negation has to stand
// to govern the whole: "does not blame …" does, "explains why it does not
// work" does not.
const negationReach = 6

// forbids reports whether a step, in lower case and without its opening, asks
// for something to be absent.
func forbids(body string) bool {
	body = trimVietnamese(questionTail.Replace(body))
	words := wordsOf(body)
	for i, w := range words[:min(len(words), negationReach)] {
		if subclause[w] {
			return false
		}
		if noWords[w] && (i+1 >= len(words) || !bounds[w+" "+words[i+1]]) {
			return true
		}
	}
	head := cutRunes(body, maxHeadBytes)
	return containsWord(head, avoidWords) || wideNo.MatchString(cutRunes(body, 2*maxHeadBytes))
}

// behindNo is what a step forbids: the text behind its first negation.
func behindNo(body string) string {
	head := cutRunes(body, maxHeadBytes)
	for _, w := range wordsOf(head) {
		if !noWords[w] {
			continue
		}
		if at := strings.Index(head, w); at >= 0 {
			return body[at+len(w):]
		}
	}
	for _, w := range avoidWords {
		if at := strings.Index(head, w); at >= 0 {
			rest := body[at+len(w):]
			if spaced(w) { // the ending of the word: avoid-s, avoid-ing
				rest = strings.TrimLeftFunc(rest, unicode.IsLetter)
			}
			return rest
		}
	}
	return body
}

// subclause words open a clause whose negation is what the step wants to read:
// "explains why it does not work".
var subclause = setOf("why", "how", "what", "because", "explains", "states", "says", "warum", "wie", "erklärt", "por", "explica", "pourquoi", "explique", "perché", "spiega", "почему", "объясняет")

// bounds are negations that set a limit and forbid nothing.
var bounds = setOf("no more", "no longer", "no fewer", "no less", "not only", "not exceed", "not more", "not longer", "nicht mehr", "nicht länger", "nicht nur", "no más", "pas plus", "non più", "não mais", "niet meer", "не более", "не больше", "не менее", "не більше", "not less", "not fewer")
