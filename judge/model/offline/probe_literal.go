package offline

import (
	"strings"
	"unicode/utf8"
)

// quotePairs are the marks that literals stand in.
var quotePairs = [][2]string{{"\"", "\""}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"『", "』"}, {"`", "`"}, {"‘", "’"}, {"'", "'"}}

// literalsIn lists what stands in quotation marks in a step, one mark kind: the
// first that yields something.
func literalsIn(s string) []string {
	for _, p := range quotePairs {
		var out []string
		for at := 0; at < len(s); {
			i := strings.Index(s[at:], p[0])
			if i < 0 {
				break
			}
			start := at + i + len(p[0])
			end := strings.Index(s[start:], p[1])
			if end < 0 {
				break
			}
			// An apostrophe inside a word opens no quotation.
			if p[0] == "'" && at+i > 0 && wordLetter(s[:at+i]) {
				at = start
				continue
			}
			if lit := strings.TrimSpace(s[start : start+end]); lit != "" && utf8.RuneCountInString(lit) <= 200 {
				out = append(out, lit)
			}
			at = start + end + len(p[1])
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

func wordLetter(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return !strings.ContainsRune(" (:,;.\n\t[{", r)
}

var (
	startsWords = []string{"starts with", "start with", "begins with", "begin with", "opens with", "beginnt mit", "empieza con", "comienza con", "commence par", "inizia con", "começa com", "begint met", "zaczyna się od", "начинается с", "починається з", "开头", "で始ま", "시작"}
	endsWords   = []string{"ends with", "end with", "closes with", "endet mit", "termina con", "se termine par", "finit par", "finisce con", "termina com", "eindigt met", "kończy się", "заканчивается", "закінчується", "结尾", "で終わ", "끝나"}
	eitherWords = []string{" or ", " oder ", " o ", " ou ", " of ", " lub ", " или ", " або ", " veya ", "或", "または", "또는", " hoặc ", " atau ", "any of", "one of", "either"}
)

// probeLiteral measures demands for words given in quotation marks.
func probeLiteral(x *examiner, s stepText) (measure, bool) {
	literals := literalsIn(s.full)
	if len(literals) == 0 {
		return measure{}, false
	}
	found, evidence, absent := 0.0, "", ""
	for _, lit := range literals {
		share, seen := x.holds(s, strings.ToLower(lit))
		found += share
		if seen != "" && evidence == "" {
			evidence = seen
		}
		if share < 1 && absent == "" {
			absent = lit
		}
	}
	strength := found / float64(len(literals))
	if found >= 1 && holdsAny(s.lower, eitherWords) {
		strength = 1
	}
	if s.no {
		strength = 1 - min(1, found)
	}
	if evidence == "" || strength < metFrom && !s.no {
		evidence = "not found in the output: " + quote(absent)
	}
	return measure{strength: strength, evidence: evidence}, true
}

// minLooseWords is from how many words on a literal counts in part when its
// words are there in another order.
const minLooseWords = 4

// holds is how far the text holds a literal, lower case, at the place that the
// step asks for, with the sentence it stands in.
func (x *examiner) holds(s stepText, lit string) (share float64, seen string) {
	text := strings.TrimSpace(x.whole.lower)
	switch {
	case holdsAny(s.lower, startsWords):
		if strings.HasPrefix(strings.TrimLeft(text, "\"'*#“« "), lit) {
			return 1, quote(x.whole.first().text)
		}
		return 0, ""
	case holdsAny(s.lower, endsWords):
		if strings.HasSuffix(strings.TrimRight(text, "\"'*”» .!?。"), strings.TrimRight(lit, ".!?。")) {
			last := x.whole.sentences[len(x.whole.sentences)-1]
			return 1, quote(last.text)
		}
		return 0, ""
	}
	for _, p := range x.subject.sentences {
		if strings.Contains(p.lower, lit) {
			return 1, quote(p.text)
		}
	}
	if strings.Contains(x.subject.lower, lit) {
		return 1, quote(lit)
	}
	if keys := contentKeys(lit); wordCount(lit) >= minLooseWords && !s.no {
		return 0.8 * x.subject.cover(keys), ""
	}
	return 0, ""
}
