package offline

import "unicode"

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

// languageOfScript tells languages by their letters; "latin" for those that
// need words to be told.
func languageOfScript(text string) string {
	var n struct{ han, kana, hangul, arabic, farsi, deva, beng, thai, cyrillic, ukrainian, greek, hebrew, latin, viet int }
	for _, r := range text {
		switch {
		case r < 0x80:
			if unicode.IsLetter(r) {
				n.latin++
			}
		case unicode.Is(unicode.Han, r):
			n.han++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			n.kana++
		case unicode.Is(unicode.Hangul, r):
			n.hangul++
		case r == 'پ' || r == 'چ' || r == 'ژ' || r == 'گ' || r == 'ی' || r == 'ک':
			n.farsi++
		case unicode.Is(unicode.Arabic, r):
			n.arabic++
		case unicode.Is(unicode.Devanagari, r):
			n.deva++
		case unicode.Is(unicode.Bengali, r):
			n.beng++
		case unicode.Is(unicode.Thai, r):
			n.thai++
		case r == 'і' || r == 'ї' || r == 'є' || r == 'ґ' || r == 'І' || r == 'Ї' || r == 'Є':
			n.ukrainian++
		case unicode.Is(unicode.Cyrillic, r):
			n.cyrillic++
		case unicode.Is(unicode.Greek, r):
			n.greek++
		case unicode.Is(unicode.Hebrew, r):
			n.hebrew++
		case r >= 0x1EA0 && r <= 0x1EF9 || r == 'ơ' || r == 'ư' || r == 'đ' || r == 'Đ':
			n.viet++
		case unicode.Is(unicode.Latin, r):
			n.latin++
		}
	}
	type scored struct {
		code string
		n    int
	}
	best := scored{"latin", n.latin + n.viet}
	for _, s := range []scored{
		{"zh", 2 * n.han}, {"ko", 2 * n.hangul}, {"ar", n.arabic + n.farsi}, {"hi", n.deva}, {"bn", n.beng}, {"th", n.thai},
		{"ru", n.cyrillic + n.ukrainian}, {"el", n.greek}, {"he", n.hebrew},
	} {
		if s.n > best.n {
			best = s
		}
	}
	switch {
	case best.n == 0:
		return ""
	case n.kana > 0 && n.kana*4 >= n.han && 2*(n.kana+n.han) > best.n/2:
		return "ja"
	case best.code == "ar" && n.farsi*20 >= n.arabic+n.farsi && n.farsi > 1:
		return "fa"
	case best.code == "ru" && n.ukrainian > 0:
		return "uk"
	case best.code == "latin" && n.viet*25 >= n.latin && n.viet > 0:
		return "vi"
	}
	return best.code
}
