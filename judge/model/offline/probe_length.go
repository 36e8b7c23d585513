package offline

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// amount matches a number with a unit of length: "120 words", "three
// sentences", "between 2 and 4 paragraphs", "200字".
//
//nolint:misspell // words of many languages
var amount = regexp.MustCompile(`(?:(\d{1,6}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|single|ein(?:en|em)?|zwei|drei|vier|fünf|dos|tres|cuatro|cinco|deux|trois|quatre|cinq|due|tre|quattro|cinque|dois|três|twee|drie|vier|vijf|dwóch|trzech|pięciu|двух|трёх|трех|пяти|двох|трьох|п'яти|iki|üç|beş|hai|ba|năm|dua|tiga|lima)\b)\s*(?:-|–|to|and|or|und|bis|y|a|et|à|e|en|tot|do|до|и|~|〜|から|到|至)?\s*(\d{1,6})?\s*-?\s*(?:short |complete |full |separate )?)` +
	`(words?|wörtern?|palabras?|mots?|parole|palavras?|woorden|słów|słowa|слов[а]?|слів|слова|kelime\w*|từ|kata|salita|characters?|chars?|letters|zeichen|caracteres|caractères|caratteri|tekens|znaków|символ\w*|karakter\w*|ký tự|sentences?|sätzen?|frases?|oraciones|phrases?|frasi|zinnen|zdań|zdania|предложени\w*|речен\w*|cümle\w*|câu|kalimat|pangungusap|paragraphs?|absätzen?|absatz|párrafos?|paragraphes?|paragrafi|parágrafos?|alinea'?s?|akapit\w*|абзац\w*|paragraf\w*|đoạn|lines?|zeilen?|líneas?|lignes?|righe|linhas?|regels?|wierszy|строк\w*|рядк\w*|satır\w*|dòng|baris|bullet points?|bullets?|list items?|items?|points?|stichpunkte?n?|aufzählungspunkte?|viñetas|puces|punti elenco|marcadores|字|个字|個字|词|句话|句|段|文字|語|文|글자|자|단어|문장|문단|คำ|ประโยค|كلمات|كلمة|جمل|جملة|शब्द\w*|वाक्य\w*|শব্দ\w*|বাক্য\w*)`)

// unitHints are parts of the units above; a step that demands a length holds
// one. Looking for them spares most steps the pattern.
var unitHints = []string{"word", "wört", "palabra", "mot", "parole", "palavra", "woord", "sło", "слов", "слів", "kelime", "từ", "kata", "salita", "char", "letters", "zeichen", "caract", "caratt", "teken", "znak", "символ", "karakter", "ký tự", "sentence", "sätz", "frase", "oracion", "phrase", "frasi", "zinnen", "zda", "предложени", "речен", "cümle", "câu", "kalimat", "pangungusap", "paragra", "absatz", "absätz", "párraf", "parágraf", "alinea", "akapit", "абзац", "đoạn", "line", "zeile", "línea", "ligne", "righe", "linha", "regel", "wierszy", "строк", "рядк", "satır", "dòng", "baris", "bullet", "item", "point", "stichpunkt", "punkte", "viñeta", "puces", "punti", "marcador", "字", "词", "句", "段", "語", "文", "글자", "자", "단어", "문장", "문단", "คำ", "ประโยค", "كلم", "جم", "शब्द", "वाक्य", "শব্দ", "বাক্য"}

var numberWords = map[string]int{
	"one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
	"ein": 1, "einen": 1, "einem": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "dois": 2, "três": 3, "twee": 2, "drie": 3, "vijf": 5, "dwóch": 2, "trzech": 3, "pięciu": 5,
	"двух": 2, "трёх": 3, "трех": 3, "пяти": 5, "двох": 2, "трьох": 3, "п'яти": 5, "iki": 2, "üç": 3, "beş": 5, "hai": 2, "ba": 3, "năm": 5, "dua": 2, "tiga": 3, "lima": 5,
}

// Comparisons in front of an amount, and behind it in some languages.
var (
	atMostWords  = []string{"under", "below", "less than", "fewer than", "at most", "no more than", "not more than", "no longer than", "not longer than", "max", "up to", "within", "shorter than", "not exceed", "limit of", "limited to", "fewer", "<", "≤", "höchstens", "maximal", "weniger als", "unter", "nicht mehr als", "bis zu", "kürzer als", "menos de", "como máximo", "no más de", "máximo", "hasta", "au plus", "moins de", "maximum", "pas plus de", "jusqu'à", "al massimo", "meno di", "non più di", "massimo", "fino a", "no máximo", "não mais de", "não ultrapass", "até", "maximaal", "minder dan", "hoogstens", "niet meer dan", "najwyżej", "maksymalnie", "mniej niż", "nie więcej niż", "do ", "не более", "не больше", "меньше", "менее", "до ", "максимум", "не більше", "менше", "en fazla", "en çok", "tối đa", "không quá", "ít hơn", "dưới", "maksimal", "kurang dari", "tidak lebih dari", "hindi hihigit", "不超过", "不多于", "少于", "至多", "最多", "不到", "以内", "以下", "未満", "이하", "미만", "이내", "ไม่เกิน", "น้อยกว่า", "لا يزيد", "لا تزيد", "لا يتجاوز", "أقل من", "حداکثر", "کمتر از", "अधिकतम", "से कम", "से अधिक नहीं", "সর্বোচ্চ", "বেশি নয়", "högst", "mindre än"}
	atLeastWords = []string{"at least", "more than", "no fewer than", "no less than", "not less than", "minimum", "over ", "longer than", "exceeds", "≥", ">", "mindestens", "mehr als", "wenigstens", "al menos", "por lo menos", "más de", "mínimo", "au moins", "plus de", "minimum", "almeno", "più di", "minimo", "pelo menos", "mais de", "no mínimo", "minstens", "meer dan", "ten minste", "co najmniej", "więcej niż", "minimum", "не менее", "не меньше", "больше", "более", "минимум", "щонайменше", "не менше", "більше", "en az", "ít nhất", "tối thiểu", "nhiều hơn", "setidaknya", "minimal", "lebih dari", "paling sedikit", "hindi bababa", "至少", "不少于", "超过", "以上", "少なくとも", "이상", "적어도", "최소", "อย่างน้อย", "มากกว่า", "على الأقل", "أكثر من", "حداقل", "कम से कम", "কমপক্ষে", "অন্তত", "minst"}
)

// probeLength measures a demand for a length. A little over or under is partly
// met: within a tenth.
func probeLength(x *examiner, s stepText) (measure, bool) {
	if !holdsAny(s.body, unitHints) {
		return measure{}, false
	}
	at := amount.FindStringSubmatchIndex(s.body)
	if at == nil {
		return measure{}, false
	}
	group := func(i int) string {
		if at[2*i] < 0 {
			return ""
		}
		return s.body[at[2*i]:at[2*i+1]]
	}
	unit := group(3)
	counted, has := countUnit(x.whole.text, unit)
	if !has {
		return measure{}, false
	}
	low, high := bounded(s.body, at[0], at[1], numberOf(group(1)), numberOf(group(2)))
	if low < 0 {
		return measure{}, false
	}
	m := measure{strength: fit(counted, low, high), evidence: fmt.Sprintf("%d %s counted", counted, strings.TrimSpace(unit))}
	if high < 0 {
		m.evidence += fmt.Sprintf(", at least %d asked for", low)
	} else {
		m.evidence += fmt.Sprintf(", %d to %d asked for", low, high)
	}
	return m, true
}

func numberOf(s string) int {
	if n, ok := numberWords[s]; ok {
		return n
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// bounded reads the comparison around an amount. high is -1 where there is
// none; low is -1 where the amount is no demand on the length of the text.
func bounded(body string, start, end, n, second int) (low, high int) {
	before := body[max(0, start-28):start]
	after := body[end:min(len(body), end+18)]
	switch {
	case n < 0:
		return -1, -1
	case second >= n:
		return n, second
	case holdsCue(before, atMostWords) || holdsCue(after, atMostWords):
		high = n
		if strictly(before) {
			high = n - 1
		}
		return 0, max(high, 0)
	case holdsCue(before, atLeastWords) || holdsCue(after, atLeastWords):
		return n, -1
	case strings.Contains(before, "first ") || strings.Contains(before, "every ") || strings.Contains(before, "each "):
		return -1, -1
	}
	return n, n
}

func strictly(before string) bool {
	return holdsCue(before, []string{"under", "below", "less than", "fewer than", "shorter than", "weniger als", "unter", "menos de", "moins de", "meno di", "minder dan", "mniej niż", "меньше", "менее"})
}

// fit is 1 inside the bounds, partly within a tenth of them, else 0.
func fit(n, low, high int) float64 {
	if n >= low && (high < 0 || n <= high) {
		return 1
	}
	edge, off := low, low-n
	if high >= 0 && n > high {
		edge, off = high, n-high
	}
	if off*10 <= edge {
		return 0.5
	}
	return 0
}

// countUnit counts a text by a unit. ok is false for units that say nothing of
// its length.
func countUnit(text, unit string) (n int, ok bool) {
	switch {
	case hasAnyPrefix(unit, "word", "wört", "palabra", "mot", "parole", "palavra", "woord", "sło", "слов", "слів", "kelime", "từ", "kata", "salita", "词", "단어", "คำ", "كلم", "शब्द", "শব্দ", "語"):
		return wordCount(text), true
	case hasAnyPrefix(unit, "char", "letter", "zeichen", "caract", "caratt", "teken", "znak", "символ", "karakter", "ký tự", "字", "个字", "個字", "文字", "글자", "자"):
		return utf8.RuneCountInString(strings.TrimSpace(text)), true
	case hasAnyPrefix(unit, "sentence", "satz", "sätz", "frase", "oracion", "phrase", "frasi", "zin", "zda", "предложени", "речен", "cümle", "câu", "kalimat", "pangungusap", "句", "文", "문장", "ประโยค", "جم", "वाक्य", "বাক্য"):
		return len(sentencesOf(text, span{0, len(text)})), true
	case hasAnyPrefix(unit, "paragra", "absatz", "absätz", "párraf", "parágraf", "alinea", "akapit", "абзац", "đoạn", "段", "문단"):
		return countParagraphs(text), true
	case hasAnyPrefix(unit, "line", "zeile", "línea", "ligne", "righe", "linha", "regel", "wiersz", "строк", "рядк", "satır", "dòng", "baris"):
		return countLines(text), true
	case hasAnyPrefix(unit, "bullet", "list item", "stichpunkt", "aufzähl", "viñeta", "puce", "punti elenco", "marcador"):
		return countItems(text), true
	case hasAnyPrefix(unit, "item", "point"):
		n := countItems(text)
		return n, n > 0
	}
	return 0, false
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func countParagraphs(text string) int {
	n, open := 0, false
	for _, l := range linesOf(text) {
		if l.blank {
			open = false
		} else if !open {
			n, open = n+1, true
		}
	}
	return n
}

func countLines(text string) int {
	n := 0
	for _, l := range linesOf(text) {
		if !l.blank {
			n++
		}
	}
	return n
}

// countItems counts the marked items of all lists of a text.
func countItems(text string) int {
	n := 0
	for _, l := range layoutOf(text).lists {
		for _, e := range l.entries {
			n += 1 + len(e.children)
		}
	}
	return n
}

// shouted is the share of capital letters among the letters of a text that has
// at least twenty of them.
func shouted(text string) float64 {
	letters, upper := 0, 0
	for _, r := range text {
		if unicode.IsUpper(r) {
			upper++
			letters++
		} else if unicode.IsLower(r) {
			letters++
		}
	}
	if letters < 20 {
		return 0
	}
	return float64(upper) / float64(letters)
}
