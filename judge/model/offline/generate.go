package offline

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what generate writes.
const (
	maxGenerated    = 5
	minGenerated    = 2
	maxClauseRunes  = 400
	maxClauseSource = 32 << 10
)

// frames put a clause of a definition into a step in its language. The clause
// stays as it was written, so its polarity cannot change.
var frames = map[string]string{
	"en": "Check whether this holds: %", "de": "Prüfe, ob Folgendes zutrifft: %", "es": "Comprueba si se cumple lo siguiente: %", "fr": "Vérifie si ceci est respecté : %",
	"it": "Verifica se vale quanto segue: %", "pt": "Verifique se o seguinte é cumprido: %", "nl": "Controleer of het volgende klopt: %", "pl": "Sprawdź, czy spełniony jest warunek: %",
	"ru": "Проверь, выполнено ли следующее: %", "uk": "Перевір, чи виконано таке: %", "tr": "Şunun sağlanıp sağlanmadığını kontrol et: %", "ar": "تحقق مما إذا كان ما يلي متحققًا: %",
	"fa": "بررسی کن که این برقرار باشد: %", "hi": "जाँचें कि यह पूरा होता है या नहीं: %", "bn": "এটি পূরণ হয়েছে কিনা যাচাই করুন: %", "zh": "检查是否满足：%", "ja": "次の点を満たしているか確認する：%",
	"ko": "다음이 충족되는지 확인하세요: %", "vi": "Kiểm tra xem điều sau có được đáp ứng không: %", "id": "Periksa apakah hal berikut terpenuhi: %", "th": "ตรวจสอบว่าเป็นไปตามนี้หรือไม่: %",
	"tl": "Suriin kung natutugunan ito: %", "sv": "Kontrollera om följande stämmer: %", "el": "Έλεγξε αν ισχύει το εξής: %", "he": "בדוק אם מתקיים: %",
}

// counterFrames ask the same from the other side; they make the second step
// where a definition holds one single clause.
//
//nolint:misspell // words of many languages
var counterFrames = map[string]string{
	"en": "Check that nothing in the response contradicts this: %", "de": "Prüfe, dass nichts in der Antwort dem widerspricht: %", "es": "Comprueba que nada en la respuesta contradice esto: %", "fr": "Vérifie que rien dans la réponse ne contredit ceci : %",
	"it": "Verifica che nulla nella risposta contraddica questo: %", "pt": "Verifique se nada na resposta contradiz isto: %", "nl": "Controleer dat niets in het antwoord dit tegenspreekt: %", "pl": "Sprawdź, że nic w odpowiedzi temu nie przeczy: %",
	"ru": "Проверь, что ничто в ответе этому не противоречит: %", "uk": "Перевір, що ніщо у відповіді цьому не суперечить: %", "tr": "Yanıttaki hiçbir şeyin bununla çelişmediğini kontrol et: %", "ar": "تحقق من أن لا شيء في الإجابة يناقض هذا: %",
	"fa": "بررسی کن که هیچ چیز در پاسخ با این تناقض نداشته باشد: %", "hi": "जाँचें कि उत्तर में कुछ भी इसके विपरीत नहीं है: %", "bn": "উত্তরের কিছুই এর বিরোধী নয় তা যাচাই করুন: %", "zh": "检查回答中没有与此矛盾的内容：%", "ja": "回答にこれと矛盾する内容がないか確認する：%",
	"ko": "답변에 이와 모순되는 내용이 없는지 확인하세요: %", "vi": "Kiểm tra rằng không có gì trong câu trả lời mâu thuẫn với điều này: %", "id": "Periksa bahwa tidak ada yang bertentangan dengan ini dalam jawaban: %", "th": "ตรวจสอบว่าไม่มีสิ่งใดในคำตอบขัดแย้งกับสิ่งนี้: %",
	"tl": "Suriin na walang sumasalungat dito sa tugon: %", "sv": "Kontrollera att inget i svaret motsäger detta: %", "el": "Έλεγξε ότι τίποτα στην απάντηση δεν αντιφάσκει με αυτό: %", "he": "בדוק ששום דבר בתשובה אינו סותר זאת: %",
}

// generate writes two to five steps from the clauses of a definition.
func generate(in request) generateAnswer {
	text := cutRunes(in.Definition, maxClauseSource)
	lang := languageOf(text)
	if frames[lang] == "" {
		lang = "en"
	}
	clauses := clausesOf(text)
	steps := make([]string, 0, maxGenerated)
	for _, c := range clauses {
		for _, s := range stepsOfClause(c, lang) {
			if len(steps) < maxGenerated && !slices.Contains(steps, s) {
				steps = append(steps, s)
			}
		}
	}
	if len(steps) == 1 && len(clauses) > 0 {
		steps = append(steps, framed(counterFrames[lang], strings.TrimPrefix(clipped(firstOf(clauses, steps, lang)), "Check whether ")))
	}
	if len(steps) == 0 {
		steps = append(steps, framed(frames[lang], text), framed(counterFrames[lang], text))
	}
	return generateAnswer{Steps: steps[:min(len(steps), maxGenerated)]}
}

// clausesOf are the clauses of a definition that say what is wanted: those of
// norms and checks where there are any, else all. Of a scale, the heading and
// its best level count.
func clausesOf(text string) []string {
	l := layoutOf(text)
	var wanted, others []string
	for _, p := range paragraphsOf(text, l) {
		for _, s := range sentencesOf(text, p) {
			for _, c := range partsOf(text, s) {
				clause := strings.Trim(c.of(text), " \t\n[]*#")
				if strings.IndexFunc(clause, unicode.IsLetter) < 0 || ordersJudge(clause) {
					continue
				}
				if isDemand(clause) {
					wanted = append(wanted, clause)
				} else if _, heading := headingOf(clause); !heading {
					others = append(others, clause)
				}
			}
		}
	}
	if best := bestLevel(text, l); best != "" && len(wanted) < maxGenerated {
		wanted = append(wanted, best)
	}
	if len(wanted) == 0 {
		return others
	}
	return wanted
}

// partsOf cuts a sentence at semicolons.
func partsOf(text string, s span) []span {
	if parts := splitList(text, s); len(parts) > 0 {
		return parts
	}
	return []span{s}
}

// isDemand reports a clause that asks for a check or states a norm.
func isDemand(clause string) bool {
	lower := strings.ToLower(clause)
	if r := readSentence(clause, span{0, len(clause)}); r.opener != "" {
		return true
	}
	return containsWord(lower, demands) || isQuestion(clause)
}

// bestLevel is the text of the best level of a scale: the one with the highest
// number, else the first of named grades.
func bestLevel(text string, l layout) string {
	best, top := "", -1.0
	consider := func(s string) {
		label := labelOf(s)
		if !isGrade(label) {
			return
		}
		value := highest(label)
		if value > top {
			top, best = value, afterLabel(s)
		}
	}
	for _, p := range l.prose {
		consider(p.of(text))
	}
	for _, li := range l.lists {
		for _, e := range li.entries {
			if e.mark.kind == markColon {
				consider(strconv.Itoa(e.mark.value) + ": " + e.body.of(text))
				continue
			}
			consider(e.body.of(text))
		}
	}
	return strings.TrimSpace(best)
}

// highest is the largest number in a label, 0 when there is none.
func highest(label string) float64 {
	top := 0.0
	for n := range numbersOf(label) {
		v := 0.0
		for _, r := range n {
			if r < '0' || r > '9' {
				break
			}
			v = v*10 + float64(r-'0')
		}
		top = max(top, v)
	}
	return top
}

func afterLabel(s string) string {
	at := strings.IndexAny(s, ":：")
	if at < 0 {
		return s
	}
	_, n := utf8.DecodeRuneInString(s[at:])
	return strings.TrimSpace(s[at+n:])
}

// stepsOfClause writes the steps of one clause. English clauses are put as
// checks of single statements; others are framed as they are.
func stepsOfClause(clause, lang string) []string {
	clause = clipped(strings.TrimSpace(clause))
	if lang == "en" {
		if steps := englishSteps(clause); len(steps) > 0 {
			return steps
		}
	}
	if r := readSentence(clause, span{0, len(clause)}); r.opener != "" && !r.goal {
		return []string{clipped(clause)}
	}
	if isQuestion(clause) {
		return []string{clipped(clause)}
	}
	return []string{framed(frames[lang], clause)}
}

// firstOf is what the counter step is about: the English step, whose clause is
// a plain statement, or else the clause as it was written.
func firstOf(clauses, steps []string, lang string) string {
	if lang == "en" && strings.HasPrefix(steps[0], "Check whether the ") {
		return steps[0]
	}
	return clauses[0]
}

func clipped(s string) string {
	n := 0
	for i := range s {
		if n == maxClauseRunes {
			return strings.TrimSpace(s[:i]) + "…"
		}
		n++
	}
	return s
}

func framed(frame, clause string) string {
	return strings.Replace(frame, "%", clipped(strings.TrimSpace(clause)), 1)
}
