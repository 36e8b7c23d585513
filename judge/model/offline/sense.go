package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// sense is whether a text is coherent, whether it is criteria, and if not, why
// and what to write instead.
type sense struct {
	coherent bool
	rubric   bool
	why      string
}

// maxSenseBytes bounds how much of a definition is read to tell its kind.
const maxSenseBytes = 8 << 10

// senseOf tells criteria from requests, chatter and noise. Steps that were
// found settle it; then words of norms and of what is judged; then openings
// that ask for something else to be done.
func senseOf(text string, steps int) sense {
	read := cutRunes(text, maxSenseBytes)
	words := wordsOf(read)
	switch {
	case len(words) == 0:
		return sense{why: "finds no words in the definition. Write what a good response has to do, for example: Check whether the response names the order number."}
	case noise(words):
		return sense{why: "cannot make sense of the definition: it holds no sentence. Write what a good response has to do, in plain sentences."}
	case onlyChatter(read, words):
		return sense{coherent: true, why: "finds nothing in the definition that could be looked for in a response. Say what makes a response good: what it has to contain, avoid or do."}
	case steps > 0 || isNorm(read):
		return sense{coherent: true, rubric: true}
	case isTask(read):
		return sense{coherent: true, why: "reads the definition as a request and not as criteria. Say what a response has to satisfy, for example: Check whether the response answers the question in two sentences."}
	}
	return sense{coherent: true, rubric: true}
}

func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// noise reports a text without sentences: one word over and over, or words
// that hold no vowel.
func noise(words []string) bool {
	unique, odd := map[string]bool{}, 0
	for _, w := range words {
		unique[w] = true
		if unpronounceable(w) {
			odd++
		}
	}
	return len(words) >= 6 && len(unique) <= 2 || odd > 0 && odd*2 >= len(words)
}

// unpronounceable reports a word in Latin letters that no language writes: six
// or more consonants in a row, or no vowel in six letters and more.
func unpronounceable(w string) bool {
	run, longest, vowels, letters := 0, 0, 0, 0
	for _, r := range w {
		if r > unicode.MaxLatin1 || unicode.IsDigit(r) || r == '_' {
			return false
		}
		letters++
		if strings.ContainsRune("aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüýÿ", r) {
			vowels++
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest >= 6 || letters > 5 && vowels == 0
}

// onlyChatter reports a short text of greetings, fillers and empty praise.
func onlyChatter(text string, words []string) bool {
	if len(words) > 24 {
		return false
	}
	bare := strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	if chatterWide[bare] {
		return true
	}
	for _, w := range words {
		if !chatter[w] {
			return false
		}
	}
	return true
}

// isNorm reports a text that states a norm of what is judged, or asks whether
// something holds of it.
func isNorm(text string) bool {
	lower := strings.ToLower(text)
	about := containsWord(lower, subjects)
	for _, s := range sentencesOf(text, span{0, len(text)}) {
		if r := readSentence(text, s); r.opener != "" {
			return true
		}
		if about && isQuestion(s.of(text)) && !isRequest(s.of(text)) {
			return true
		}
	}
	if isRequest(text) && !strings.Contains(lower, "whether") {
		return false
	}
	return containsWord(lower, demands)
}

// isTask reports a text that asks for something to be done or told, speaks in
// the first person, or is nothing but questions for facts about something
// other than what is judged.
func isTask(text string) bool {
	about := containsWord(strings.ToLower(text), subjects)
	asked, sentences := 0, sentencesOf(text, span{0, len(text)})
	for _, s := range sentences {
		t := s.of(text)
		if isRequest(t) || !about && firstPerson.match(headOf(t), true) != "" {
			return true
		}
		if isQuestion(t) && questionWords.match(headOf(strings.TrimLeft(t, "¿")), true) != "" {
			asked++
		}
	}
	return asked > 0 && asked == len(sentences) && !about
}

// isRequest reports a sentence that opens, or in languages whose verb stands
// last closes, as a request.
func isRequest(s string) bool {
	at := readSentence(s, span{0, len(s)}.trim(s))
	head := headOf(strings.TrimLeft(at.of(s), "¿¡\"'“«「 "))
	if n, _ := connectiveOf(head); n > 0 && n < len(head) {
		head = head[n:]
	}
	if taskOpeners.match(head, true) != "" || taskOpenersWide.match(head, false) != "" {
		return true
	}
	tail := strings.ToLower(strings.TrimRightFunc(s[max(0, len(s)-maxHeadBytes):], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }))
	for _, c := range taskClosers {
		if before, ok := strings.CutSuffix(tail, c); ok && (before == "" || !spaced(c) || strings.HasSuffix(before, " ")) {
			return true
		}
	}
	return false
}
