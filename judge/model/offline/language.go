package offline

import (
	"strings"
	"unicode"
)

// languageWords are frequent short words that tell languages in Latin script
// apart.
var languageWords = map[string]map[string]bool{
	"en": setOf("the", "and", "is", "of", "to", "in", "that", "it", "for", "with", "are", "be", "should", "must", "whether", "does", "this", "not", "an", "your", "you", "was", "has", "have", "we", "will", "from", "by"),
	"de": setOf("der", "die", "das", "und", "ist", "nicht", "ein", "eine", "mit", "ob", "dass", "auf", "für", "sie", "den", "dem", "werden", "wird", "sind", "wir", "ihr", "ihre", "von", "zu", "soll", "muss", "keine"),
	"es": setOf("el", "la", "los", "las", "que", "y", "en", "es", "una", "un", "del", "se", "por", "con", "para", "su", "al", "debe", "si", "lo", "está", "más", "como", "respuesta"),
	"fr": setOf("le", "la", "les", "des", "est", "et", "une", "un", "dans", "que", "qui", "pour", "pas", "du", "au", "doit", "si", "vous", "nous", "cette", "sur", "avec", "sont", "réponse"),
	"it": setOf("il", "la", "che", "è", "di", "e", "un", "una", "per", "non", "del", "della", "con", "gli", "le", "deve", "se", "sono", "nel", "alla", "risposta", "questa", "lo"),
	"pt": setOf("o", "a", "os", "as", "que", "é", "de", "e", "um", "uma", "para", "não", "do", "da", "com", "deve", "se", "são", "em", "no", "na", "resposta", "ao", "você"),
	"nl": setOf("de", "het", "een", "en", "is", "niet", "van", "dat", "op", "te", "met", "moet", "of", "voor", "wordt", "zijn", "antwoord", "aan", "er", "geen"),
	"pl": setOf("nie", "jest", "się", "i", "w", "na", "z", "do", "że", "czy", "to", "musi", "oraz", "są", "odpowiedź", "jak", "od", "dla"),
	"tr": setOf("ve", "bir", "bu", "için", "mi", "mı", "ile", "olarak", "yanıt", "olmalı", "değil", "çok", "daha", "var", "yok", "kadar"),
	"id": setOf("yang", "dan", "di", "apakah", "ini", "dengan", "untuk", "tidak", "harus", "dari", "jawaban", "adalah", "pada", "ke", "itu", "atau"),
	"tl": setOf("ang", "ng", "mga", "sa", "na", "ay", "ba", "ito", "kung", "hindi", "dapat", "tugon", "sagot", "at", "nito"),
	"sv": setOf("och", "att", "är", "det", "som", "en", "ett", "på", "av", "för", "inte", "med", "ska", "svaret", "om", "den"),
}

// languageOrder fixes how ties are settled.
var languageOrder = []string{"en", "de", "es", "fr", "it", "pt", "nl", "pl", "tr", "id", "tl", "sv"}

// maxLanguageBytes bounds how much of a text is read to tell its language.
const maxLanguageBytes = 4 << 10

// languageOf is the ISO 639-1 code of a text's language, by script and by
// frequent words; "" when it cannot be told.
func languageOf(text string) string {
	text = cutRunes(text, maxLanguageBytes)
	if code := languageOfScript(text); code != "latin" {
		return code
	}
	counts := map[string]int{}
	for _, w := range wordsOf(text) {
		for code, words := range languageWords {
			if words[w] {
				counts[code]++
			}
		}
	}
	best, top := "", 0
	for _, code := range languageOrder {
		if counts[code] > top {
			best, top = code, counts[code]
		}
	}
	return best
}

// scriptWeights tells languages by the tables their letters are in. A sign of
// a script that writes a syllable or a word counts as several letters.
var scriptWeights = []struct {
	code   string
	table  *unicode.RangeTable
	weight int
}{
	{"latin", unicode.Latin, 1},
	{"zh", unicode.Han, 2},
	{"ja", unicode.Hiragana, 1},
	{"ja", unicode.Katakana, 1},
	{"ko", unicode.Hangul, 2},
	{"ar", unicode.Arabic, 1},
	{"hi", unicode.Devanagari, 1},
	{"bn", unicode.Bengali, 1},
	{"th", unicode.Thai, 1},
	{"ru", unicode.Cyrillic, 1},
	{"el", unicode.Greek, 1},
	{"he", unicode.Hebrew, 1},
}

// Letters that one language of a script has and the others lack.
const (
	farsiLetters      = "پچژگیک"
	ukrainianLetters  = "іїєґІЇЄҐ"
	vietnameseLetters = "ơưđĐƠƯ"
)

// languageOfScript tells languages by their letters; "latin" for those that
// need words to be told, "" for a text without letters.
func languageOfScript(text string) string {
	letters, marked := map[string]int{}, map[string]int{}
	for _, r := range text {
		for _, s := range scriptWeights {
			if unicode.Is(s.table, r) {
				letters[s.code] += s.weight
				break
			}
		}
		switch {
		case strings.ContainsRune(farsiLetters, r):
			marked["fa"]++
		case strings.ContainsRune(ukrainianLetters, r):
			marked["uk"]++
		case r >= 0x1EA0 && r <= 0x1EF9 || strings.ContainsRune(vietnameseLetters, r):
			marked["vi"]++
		}
	}
	// Japanese is written in both: a quarter of kana settles it.
	if kana := letters["ja"]; kana > 0 && kana*8 >= letters["zh"] {
		letters["ja"] += letters["zh"]
		letters["zh"] = 0
	}
	best, top := "", 0
	for _, s := range scriptWeights {
		if letters[s.code] > top {
			best, top = s.code, letters[s.code]
		}
	}
	switch {
	case best == "ar" && marked["fa"] > 1 && marked["fa"]*20 >= top:
		return "fa"
	case best == "ru" && marked["uk"] > 0:
		return "uk"
	case best == "latin" && marked["vi"] > 0 && marked["vi"]*25 >= top:
		return "vi"
	}
	return best
}
