package rubric

import (
	"regexp"
	"strings"
	"sync"
)

// vague are words without a measure: two people who grade by them disagree.
var vague = sync.OnceValue(func() *phrases {
	return newPhrases([]string{
		`good|nice|great|decent|appropriate(?:ly)?|proper(?:ly)?|reasonabl[ey]|adequate(?:ly)?|acceptabl[ey]|suitabl[ey]|high[- ]quality|as (?:needed|necessary)|and so on|etc`,
		`buen[ao]s?|adecuad[ao]s?|apropiad[ao]s?|razonables?`,
		`bonn?e?s?|appropriée?s?|adéquate?s?|convenables?|raisonnables?`,
		`gut(?:e[nrsm]?)?|angemessen(?:e[nrsm]?)?|ordentlich(?:e[nrsm]?)?|geeignet(?:e[nrsm]?)?|vernünftig(?:e[nrsm]?)?`,
		`bo[ma]s?|adequad[ao]s?|apropriad[ao]s?|razoáve(?:l|is)`,
		`buon[aoie]?|adeguat[aoie]|appropriat[aoie]|ragionevol[ei]`,
		`goede?|passende?|geschikte?|redelijke?`,
		`dobr[aeyi]\p{L}*|odpowiedni(?:a|e|o|ego|ej)?|właściw\p{L}*|stosown\p{L}*`,
		`хорош\p{L}*|подходящ\p{L}*|надлежащ\p{L}*|приемлем\p{L}*|адекватн\p{L}*`,
		`хорош\p{L}*|добр(?:а|е|ий)|належн\p{L}*|прийнятн\p{L}*|доречн\p{L}*`,
		`iyi|uygun|makul|düzgün`,
		`جيد[ةه]?|مناسب[ةه]?|لائق[ةه]?|معقول[ةه]?`,
		`خوب|مناسب|معقول`,
		`अच्छ[\p{L}\p{M}]*|उचित|उपयुक्त`,
		`ভাল[\p{L}\p{M}]*|উপযুক্ত|যথাযথ`,
		`良好|恰当|適當|适当|合理|得体|合适`,
		`適切|良い|妥当`,
		`적절[\p{L}]*|좋은|합리적[\p{L}]*`,
		`phù hợp|hợp lý|tốt`,
		`baik|sesuai|layak|wajar|memadai`,
		`เหมาะสม|ดี|สมเหตุสมผล`,
	})
})

// conjunctions join criteria within one sentence.
var conjunctions = sync.OnceValue(func() *phrases {
	return newPhrases([]string{`and|as well as|y|et|und|sowie|e|en|oraz|i|и|а также|та|ve|و|और|এবং|以及|并且|和|および|かつ|그리고|및|và|dan|และ`})
})

// grading are orders to the one who grades: how to score, and in which form to
// answer. A step that begins with one says nothing about what is graded.
//
//nolint:misspell // words of other languages
var grading = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:(?:please|then|finally|always|now|you (?:should|must|will)|bitte|por favor|veuillez|пожалуйста|请|請)[,:]?\s+)*(?:` + strings.Join([]string{
		`(?:give|assign|award|return|output|provide|respond with|answer with|use|choose|pick|select|report|produce) (?:it |them |the \p{L}+ |me )?(?:a |an |the |your |only |just |one |full |maximum |exactly )*(?:final |overall |total |single |numeric(?:al)? |integer )*(?:score|rating|grade|mark|number|verdict|percentage|points?|stars?|scale|json|label)`,
		`(?:rate|score|grade|rank)\b(?:(?: it| this| them| the \p{L}+)?(?: from| between| on| out| as| in| with|,)?\s*(?:a |the )?(?:scale|\d|zero|one|percent))`,
		`(?:respond|reply|answer|output|return)(?: only)? (?:in|with|as) (?:json|xml|markdown|yaml|a number|one number|yes or no)`,
		`(?:think|reason) step[- ]by[- ]step|(?:explain|justify) your (?:score|rating|reasoning|decision|verdict)`,
		`(?:da|dé|asigna|otorga|puntúa|califica) (?:una? )?(?:puntuación|nota|calificación|puntos|del? \d)`,
		`(?:donne[zr]?|attribue[zr]?|note[zr]?) (?:une? )?(?:note|score|de \d|sur \d)`,
		`(?:gib|geben sie|vergib|vergeben sie|bewerte|bewerten sie) (?:eine? )?(?:note|punkt|bewertung|score|von \d|mit \d|auf einer skala)`,
		`(?:dê|atribua|pontue) (?:uma? )?(?:nota|pontuação|de \d)|(?:dai|assegna|attribuisci) (?:un )?(?:voto|punteggio)`,
		`(?:geef|ken) (?:een )?(?:cijfer|score)|(?:oceń|przyznaj) (?:w skali|ocenę|od \d|\d)`,
		`(?:поставь(?:те)?|оцени(?:те)?|дайте) (?:оценку|балл|по шкале|от \d)|(?:постав(?:те)?|оцін(?:и|іть)) (?:оцінку|за шкалою|від \d)`,
		`(?:给出|请给出|打出)(?:一个)?(?:分数|评分|\d)|(?:按|以)\s?\d.{0,8}打分|\d.{0,6}で採点|\d.{0,6}で評価`,
	}, "|") + `)`)
})

// instructsJudge tells a step that is about the grader's work.
func instructsJudge(step string) bool {
	return grading().MatchString(strings.TrimSpace(listMark().ReplaceAllString(strings.ToLower(compose(step).text), "")))
}
