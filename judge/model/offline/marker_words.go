package offline

import (
	"strings"
	"unicode/utf8"
)

// stepWords are the words that stand before the number of a step, lower case.
var stepWords = []string{
	"step", "criterion", "check", "item", "question", "point", "requirement", "rule", "test", "condition", "task", // en
	"schritt", "kriterium", "punkt", "frage", // de
	"étape", "critère", "critere", "étape n°", "question n°", // fr
	"paso", "criterio", "pregunta", "punto", "regla", // es, it
	"passo", "passaggio", "critério", "pergunta", "ponto", "etapa", // pt, it
	"stap", "vraag", "steg", "trin", "fråga", // nl, sv, da
	"krok", "kryterium", "pytanie", "krok č.", // pl, cs
	"шаг", "критерий", "вопрос", "пункт", // ru
	"крок", "критерій", "питання", // uk
	"adım", "adim", "kriter", "soru", "madde", // tr
	"الخطوة", "خطوة", "المعيار", "معيار", "السؤال", // ar
	"گام", "مرحله", "معیار", "پرسش", // fa
	"चरण", "कदम", "मानदंड", "प्रश्न", // hi
	"ধাপ", "মানদণ্ড", "প্রশ্ন", // bn
	"ステップ", "手順", "基準", "項目", // ja
	"步骤", "步驟", "标准", "標準", "要点", "问题", "检查项", // zh
	"단계", "기준", "항목", "질문", // ko
	"bước", "tiêu chí", "câu hỏi", // vi
	"langkah", "kriteria", "pertanyaan", "poin", // id
	"hakbang", "pamantayan", "tanong", // tl
	"ขั้นตอนที่", "ขั้นตอน", "ขั้นที่", "เกณฑ์ที่", "เกณฑ์", "ข้อที่", "ข้อ", // th
	"βήμα", "κριτήριο", "vaihe", "askel", "kriteeri", "lépés", "pasul", "hatua", "שלב", // el, fi, hu, ro, sw, he
}

// longestStepWord bounds what is folded to look for a step word.
const longestStepWord = 48

// wordMarkAt reads "Step 1:", "Шаг 2.", "第3步：", "1단계:", "1. adım:", "Q4:".
func wordMarkAt(s string) mark {
	head := strings.ToLower(s[:min(len(s), longestStepWord)])
	for _, w := range stepWords {
		if !strings.HasPrefix(head, w) || len(s) < len(w) {
			continue
		}
		rest := s[len(w):] // words above fold without changing length
		if m := numberBehind(s, rest); m.kind != markNone {
			return m
		}
	}
	if len(s) > 1 && strings.IndexByte("QqCcRrSs#", s[0]) >= 0 {
		if m := numberBehind(s, s[1:]); m.kind != markNone && (s[0] == '#' || s[1] != ' ') {
			return m
		}
	}
	return numberBefore(s)
}

// numberBehind reads the number and the delimiter behind a step word.
func numberBehind(s, rest string) mark {
	rest = strings.TrimLeft(rest, " \u00a0")
	rest, _ = cutAny(rest, "#", "№", "nº", "n°", "no.")
	rest = strings.TrimLeft(rest, " ")
	token, value := decimalToken(rest)
	if token == "" || value > maxListNumber {
		return mark{}
	}
	return wordMark(s, rest[len(token):], value)
}

// wordMark ends a mark with a step word at its delimiter.
func wordMark(s, after string, value int) mark {
	after, ok := cutAny(strings.TrimLeft(after, " "), ":", "：", ".", "．", ")", "）", "、", "-", "–", "—", "။", "।", "，", ",")
	if !ok {
		return mark{}
	}
	size := len(s) - len(after)
	size += spaceLen(after)
	if size >= len(s) {
		return mark{}
	}
	return mark{kind: markWord, value: value, size: size}
}

// numberBefore reads marks whose number stands first: 第3步：, 1단계:, 1. adım:.
func numberBefore(s string) mark {
	rest, ordinal := strings.CutPrefix(s, "第")
	token, value := decimalToken(rest)
	if token == "" {
		if !ordinal {
			return mark{}
		}
		if token, value = hanToken(rest); token == "" {
			return mark{}
		}
	}
	after := strings.TrimLeft(rest[len(token):], " .")
	head := strings.ToLower(after[:min(len(after), longestStepWord)])
	units := []string{"단계", "adım", "adim", "madde", "kriter", "ステップ", "つ目", "lépés", "krok", "vaihe", "个步骤"}
	if ordinal { // 第3点 is a mark, 3点 is a grade
		units = append(units, "步", "項", "项", "条", "點", "点")
	}
	for _, w := range units {
		if strings.HasPrefix(head, w) && utf8.RuneCountInString(after) > utf8.RuneCountInString(w) {
			return wordMark(s, after[len(w):], value)
		}
	}
	return mark{}
}
