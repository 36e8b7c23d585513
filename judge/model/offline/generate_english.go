package offline

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// goalClause matches "Evaluate whether the response is polite and brief.";
// normClause matches "The response should name the date.".
var (
	goalClause = regexp.MustCompile(`(?i)^(?:please )?(?:evaluate|assess|judge|determine|decide|rate|score|check|verify|evaluates|assesses)(?: carefully)? (?:whether|if|that) (.+?)[.!]*$`)
	normClause = regexp.MustCompile(`^((?:[Tt]he|[Aa]n?|[Ii]ts?|[Ee]ach|[Ee]very|[Aa]ll|[Tt]hey|[Aa]nswers?|[Rr]esponses?)(?: [\p{L}'’-]+){0,5}?) (should|must|shall|has to|have to|needs to|need to|ought to|may|can|cannot|can't|will)( not| never)? (.+?)[.!]*$`)
	mustNot    = map[string]bool{"may": true, "can": true, "cannot": true, "can't": true}
)

// englishSteps puts an English clause as checks of single statements. nil
// where the clause has no form that can be taken apart safely.
func englishSteps(clause string) []string {
	if m := normClause.FindStringSubmatch(clause); m != nil {
		return normSteps(m[1], m[2], strings.TrimSpace(m[3]), m[4])
	}
	if m := goalClause.FindStringSubmatch(clause); m != nil {
		return goalSteps(m[1])
	}
	return nil
}

// normSteps turns "S should V and W" into "Check whether S Vs.", "… S Ws.".
func normSteps(subject, modal, no, rest string) []string {
	negative := no != "" || modal == "cannot" || modal == "can't"
	if mustNot[modal] && !negative {
		return nil // a permission asks for nothing
	}
	subject = lowerFirst(subject)
	plural := subject == "they" || strings.HasSuffix(subject, "answers") || strings.HasSuffix(subject, "responses") || strings.HasPrefix(subject, "all ")
	var out []string
	for _, predicate := range predicates(rest, baseVerb) {
		switch {
		case negative && no == "never":
			out = append(out, "Check that "+subject+" never "+conjugate(predicate, plural)+".")
		case negative:
			aux := "does not "
			if plural {
				aux = "do not "
			}
			if after, ok := strings.CutPrefix(predicate, "be "); ok {
				aux, predicate = "is not ", after
				if plural {
					aux = "are not "
				}
			}
			out = append(out, "Check that "+subject+" "+aux+predicate+".")
		default:
			out = append(out, "Check whether "+subject+" "+conjugate(predicate, plural)+".")
		}
	}
	return out
}

// goalSteps takes "the response is polite and names the date" apart.
func goalSteps(statement string) []string {
	words := strings.Fields(statement)
	at := -1
	for i, w := range words {
		if i > 0 && i < 7 && finiteVerb(strings.ToLower(w)) {
			at = i
			break
		}
	}
	if at < 0 {
		return []string{"Check whether " + lowerFirst(statement) + "."}
	}
	subject := lowerFirst(strings.Join(words[:at], " "))
	var out []string
	for _, p := range predicates(strings.Join(words[at:], " "), finiteVerb) {
		out = append(out, "Check whether "+subject+" "+p+".")
	}
	return out
}

// joint is where a list of predicates may be cut.
var joint = regexp.MustCompile(`,? and (?:also )?|, (?:and )?`)

// predicates cuts a predicate where a new verb begins behind a comma or an
// "and", and "is a, b and c" into one predicate for each word.
func predicates(s string, isVerb func(string) bool) []string {
	var out []string
	start := 0
	for _, at := range joint.FindAllStringIndex(s, -1) {
		word, _, _ := strings.Cut(s[at[1]:], " ")
		if at[0] > start && isVerb(strings.ToLower(strings.Trim(word, ".,;:"))) {
			out = append(out, strings.TrimSpace(s[start:at[0]]))
			start = at[1]
		}
	}
	out = append(out, strings.TrimSpace(s[start:]))
	var split []string
	for _, p := range out {
		split = append(split, adjectives(p)...)
	}
	return split
}

// adjectives cuts "be clear, short and polite" into "be clear", "be short",
// "be polite" where every item is one word.
func adjectives(p string) []string {
	verb, rest, ok := strings.Cut(p, " ")
	if !ok || verb != "is" && verb != "be" && verb != "are" {
		return []string{p}
	}
	items := joint.Split(rest, -1)
	if len(items) < 2 {
		return []string{p}
	}
	out := make([]string, 0, len(items))
	for _, item := range items {
		if item == "" || strings.Contains(item, " ") || finiteVerb(item) {
			return []string{p}
		}
		out = append(out, verb+" "+item)
	}
	return out
}

// baseVerbs are verbs in the form that follows "should".
var baseVerbs = setOf("acknowledge", "address", "adhere", "admit", "align", "answer", "apologize", "apologise", "ask", "avoid", "be", "begin", "blame", "close", "compare", "confirm", "contain", "correct", "cite", "cover", "decline", "define", "describe", "disclose", "discuss", "do", "end", "explain", "express", "fit", "follow", "give", "greet", "have", "help", "identify", "ignore", "include", "invent", "keep", "lead", "leave", "link", "list", "maintain", "make", "match", "mention", "name", "not", "note", "offer", "omit", "open", "point", "present", "preserve", "prevent", "promise", "provide", "quote", "read", "recommend", "refer", "refuse", "remain", "repeat", "respect", "respond", "return", "reveal", "say", "show", "sound", "specify", "start", "state", "stay", "suggest", "summarize", "summarise", "support", "tell", "thank", "use", "warn", "write")

func baseVerb(w string) bool { return baseVerbs[w] }

// finiteVerb reports a verb in the third person: an auxiliary, or a base verb
// with its ending.
func finiteVerb(w string) bool {
	switch w {
	case "is", "are", "was", "has", "have", "does", "do", "can", "cannot", "should", "must", "will", "makes", "avoids":
		return true
	}
	for _, end := range []string{"s", "es"} {
		if base, ok := strings.CutSuffix(w, end); ok && baseVerbs[base] {
			return true
		}
	}
	base, ok := strings.CutSuffix(w, "ies")
	return ok && baseVerbs[base+"y"]
}

// conjugate puts the first verb of a predicate into the third person.
func conjugate(predicate string, plural bool) string {
	verb, rest, _ := strings.Cut(predicate, " ")
	if rest != "" {
		rest = " " + rest
	}
	adverb := ""
	if strings.HasSuffix(verb, "ly") || verb == "always" || verb == "also" || verb == "only" {
		adverb = verb + " "
		verb, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
		if rest != "" {
			rest = " " + rest
		}
	}
	switch {
	case verb == "be" && plural:
		return adverb + "are" + rest
	case plural:
		return adverb + verb + rest
	case verb == "be":
		return adverb + "is" + rest
	case verb == "have":
		return adverb + "has" + rest
	case verb == "not":
		return "does not" + rest
	}
	return adverb + thirdPerson(verb) + rest
}

func thirdPerson(verb string) string {
	switch {
	case strings.HasSuffix(verb, "s") || strings.HasSuffix(verb, "x") || strings.HasSuffix(verb, "ch") || strings.HasSuffix(verb, "sh") || strings.HasSuffix(verb, "o") || strings.HasSuffix(verb, "z"):
		return verb + "es"
	case strings.HasSuffix(verb, "y") && len(verb) > 1 && !strings.ContainsRune("aeiou", rune(verb[len(verb)-2])):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// lowerFirst lowers the first letter of a sentence's first word, unless the
// word is written in capitals.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[n:])
	if !unicode.IsUpper(r) || unicode.IsUpper(next) {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}
