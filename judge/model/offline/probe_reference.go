package offline

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// probeReference measures demands for agreement with the reference answer, and
// for correctness where there is one.
func probeReference(x *examiner, s stepText) (measure, bool) {
	named := slices.Contains(referredFields(s.full), fieldGolden)
	if !named && !holdsCue(s.lower, askMatch) && !holdsCue(s.lower, askAccuracy) {
		return measure{}, false
	}
	switch {
	case x.golden != nil:
		return agreement(x.golden, x.subject, x.asked), true
	case named && x.noGolden:
		return measure{evidence: "the reference answer of the record is empty"}, true
	case x.sources == nil && holdsCue(s.lower, askAccuracy) && len(ownKeys(s)) < 2:
		return measure{strength: 0.5, evidence: "the record holds nothing to check facts against"}, true
	}
	return measure{}, false
}

// Bounds of an agreement that one contradiction leaves.
const (
	afterContradiction = 0.3
	afterMissingNumber = 0.6
)

// agreement compares a text with the reference: JSON by its values; else by the
// words of the reference it holds, by its numbers, and by whether matching
// sentences are both stated or both denied.
func agreement(golden, subject, asked *doc) measure {
	if m, ok := agreementOfJSON(golden.text, subject.text); ok {
		return m
	}
	want := beyond(contentKeys(golden.text), asked)
	have := contentKeys(subject.text)
	recall := subject.cover(want)
	similarity := recall
	if p := golden.cover(have); p+recall > 0 {
		similarity = 0.7*recall + 0.3*2*p*recall/(p+recall)
	}
	best, share := subject.best(want)
	if share == 0 {
		best = subject.first()
	}
	m := measure{strength: scaled(similarity, 0.15, 0.75), evidence: quote(best.text)}
	if n := len(golden.numbers); n > 0 {
		shared := 0
		for number := range golden.numbers {
			if subject.numbers[number] {
				shared++
			}
		}
		m.strength = (m.strength + float64(shared)/float64(n)) / 2
		if other := numbersBeyond(subject, golden, asked); shared < n && other > 0 {
			bound := afterMissingNumber
			if shared == 0 {
				bound = afterContradiction
			}
			if m.strength > bound {
				m.strength = bound
			}
			m.evidence = "numbers differ from the reference: " + quote(best.text)
		}
	}
	if denied := contradiction(golden, subject); denied != "" {
		m.strength = min(m.strength, afterContradiction)
		m.evidence = quote(denied)
	}
	if share == 0 && len(golden.numbers) == 0 {
		m.evidence = "shares no words with the reference answer"
	}
	return m
}

// beyond leaves out the keys that stand in what was asked, unless all do: an
// answer need not repeat the question.
func beyond(keys []string, asked *doc) []string {
	if asked == nil {
		return keys
	}
	var out []string
	for _, k := range keys {
		if !asked.keys[k] {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return keys
	}
	return out
}

// scaled maps low..high to 0..1.
func scaled(v, low, high float64) float64 {
	return min(1, max(0, (v-low)/(high-low)))
}

// numbersBeyond counts numbers of a text that stand neither in the reference
// nor in what was asked.
func numbersBeyond(subject *doc, others ...*doc) int {
	n := 0
	for number := range subject.numbers {
		known := false
		for _, o := range others {
			known = known || o != nil && o.numbers[number]
		}
		if !known {
			n++
		}
	}
	return n
}

// contradiction is a sentence of the text that denies what a sentence of the
// reference states, or states what it denies: most words shared, one of them
// negated. Answers that begin with yes and with no contradict too.
func contradiction(golden, subject *doc) string {
	if g, s := yesNo(golden.lower), yesNo(subject.lower); g != "" && s != "" && g != s {
		return subject.first().text
	}
	for _, g := range golden.sentences[:min(len(golden.sentences), 50)] {
		keys := contentKeys(g.text)
		if len(keys) < 2 {
			continue
		}
		best, share := subject.best(keys)
		if share >= 0.6 && best.negated() != g.negated() {
			return best.text
		}
	}
	return ""
}

// yesNo is the word with which a text says yes or no at its start.
func yesNo(lower string) string {
	words := wordsOf(cutRunes(strings.TrimSpace(lower), 24))
	if len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "yes", "ja", "sí", "oui", "sim", "tak", "да", "так", "evet", "true", "نعم", "हाँ", "はい", "네":
		return "yes"
	case "no", "nein", "non", "não", "nee", "nie", "нет", "ні", "hayır", "false", "لا", "नहीं":
		return "no"
	}
	return ""
}

// agreementOfJSON compares two JSON values leaf by leaf. ok is false unless
// both texts are JSON objects or lists.
func agreementOfJSON(golden, text string) (measure, bool) {
	want, ok := leavesOf(golden)
	if !ok || len(want) == 0 {
		return measure{}, false
	}
	have, ok := leavesOf(text)
	if !ok {
		return measure{}, false
	}
	same, differs := 0.0, ""
	for _, path := range slices.Sorted(maps.Keys(want)) {
		share := want[path].agrees(have[path])
		same += share
		if share == 0 && differs == "" {
			differs = path
		}
	}
	extra := 0
	for path, l := range have {
		if _, known := want[path]; !known && l.kind != leafNull {
			extra++
		}
	}
	m := measure{strength: same / float64(len(want)+extra)}
	switch {
	case differs != "":
		m.strength = min(m.strength, afterMissingNumber)
		m.evidence = fmt.Sprintf("the value at %s differs from the reference", quote(differs))
	case extra > 0:
		m.evidence = fmt.Sprintf("%d values that the reference does not have", extra)
	default:
		m.evidence = quote(text)
	}
	return m, true
}

// leaf is a value in JSON that is no object and no list.
type leaf struct {
	kind  leafKind
	value string
}

type leafKind int

const (
	leafNull leafKind = iota // null, and what is not there
	leafNumber
	leafText
	leafOther
)

// minProseWords is from how many words on a text is prose: two wordings of a
// reason are no contradiction, two codes are.
const minProseWords = 5

// agrees is 1 for the same value, between half and 1 for two pieces of prose,
// 0 for values that differ. A missing value agrees with null.
func (l leaf) agrees(other leaf) float64 {
	switch {
	case l == other:
		return 1
	case l.kind != leafText || other.kind != leafText || min(wordCount(l.value), wordCount(other.value)) < minProseWords:
		return 0
	}
	return 0.5 + 0.5*newDoc(other.value).cover(contentKeys(l.value))
}

// maxLeaves bounds how many values of a JSON text are compared.
const maxLeaves = 2000

// maxLeafDepth bounds how deep they may be nested.
const maxLeafDepth = 64

func leavesOf(text string) (map[string]leaf, bool) {
	t := strings.TrimSpace(text)
	if t == "" || t[0] != '{' && t[0] != '[' {
		return nil, false
	}
	var v any
	dec := json.NewDecoder(strings.NewReader(t))
	dec.UseNumber()
	if dec.Decode(&v) != nil || dec.More() {
		return nil, false
	}
	leaves := map[string]leaf{}
	addLeaves(leaves, "$", v, 0)
	return leaves, true
}

func addLeaves(leaves map[string]leaf, path string, v any, depth int) {
	if len(leaves) >= maxLeaves || depth > maxLeafDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			addLeaves(leaves, path+"."+k, v[k], depth+1)
		}
	case []any:
		for i, item := range v {
			addLeaves(leaves, fmt.Sprintf("%s[%d]", path, i), item, depth+1)
		}
	case json.Number:
		leaves[path] = leaf{leafNumber, canonical(v.String())}
	case string:
		leaves[path] = leaf{leafText, strings.Join(wordsOf(v), " ")}
	case nil:
		leaves[path] = leaf{}
	default:
		leaves[path] = leaf{leafOther, fmt.Sprint(v)}
	}
}

// canonical spells a JSON number without needless zeros; one with an exponent
// stays as it is.
func canonical(number string) string {
	digits, negative := strings.CutPrefix(number, "-")
	if whole, part, ok := strings.Cut(digits, "."); ok && !strings.ContainsAny(part, "eE") {
		digits = strings.TrimSuffix(whole+"."+strings.TrimRight(part, "0"), ".")
	}
	if negative && digits != "0" {
		return "-" + digits
	}
	return digits
}
