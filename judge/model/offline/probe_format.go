package offline

import (
	"encoding/json"
	"regexp"
	"strings"
)

// form is a format that a step may ask for and a text plainly has or has not.
type form struct {
	name  string
	hints []string       // parts of words of which a step that asks holds one
	ask   *regexp.Regexp // on the body of a step, lower case
	has   func(text string) (evidence string, ok bool)
}

// RE2 knows word boundaries of ASCII letters only; these know all.
const (
	wordStart = `(?:^|[^\p{L}\p{N}])`
	wordStop  = `(?:[^\p{L}\p{N}]|$)`
)

const asks = wordStart + `(?:contains?|includes?|has|have|gives?|provides?|states?|mentions?|names?|with|shows?|cites?|offers?|uses?|adds?|asks?|ends? with|starts? with|enthält|nennt|gibt|incluye|contiene|menciona|da|contient|mentionne|donne|contiene|menciona|contém|inclui|bevat|noemt|zawiera|podaje|содержит|указывает|приводит|містить|наводить) (?:at least |mindestens |al menos |au moins |almeno |pelo menos )?(?:a|an|the|one|any|some|two|three|ein|eine|einen|un|una|une|um|uma|een|jedną|одну|одно|хотя бы одну)? ?(?:(?:specific|concrete|exact|valid|clear|working|single|relevant|konkrete[sn]?|genaue[sn]?|konkretn[ąye]) )?`

var forms = []form{
	{name: "json", hints: []string{"json"}, ask: regexp.MustCompile(`\bjson\b`), has: hasJSON},
	{name: "link", hints: []string{"link", "url", "web address", "enlace", "lien", "collegament", "ссылк", "посиланн", "bağlantı", "链接", "リンク", "링크"}, ask: regexp.MustCompile(asks + `(?:links?|urls?|hyperlinks?|web address(?:es)?|enlaces?|liens?|collegament\S*|ссылк\S*|посиланн\S*|bağlantı\S*)|包含链接|リンクが|링크가`), has: hasPattern(`https?://[^\s)>\]]+|www\.[^\s)>\]]+`)},
	{name: "email", hints: []string{"mail", "correo"}, ask: regexp.MustCompile(asks + `(?:e-?mail address(?:es)?|e-?mail-adresse|dirección de correo|adresse e-?mail|indirizzo e-?mail|endereço de e-?mail)`), has: hasPattern(`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}`)},
	{name: "phone", hints: []string{"phone", "telef", "téléf", "telefo", "телефон"}, ask: regexp.MustCompile(asks + `(?:tele)?(?:phone numbers?|telefonnummer|número de teléfono|numéro de téléphone|numero di telefono|número de telefone|telefoonnummer|numer telefonu|номер телефона|номер телефону)|telefonnummer (?:nennt|angibt|enthält|steht|genannt)`), has: hasPattern(`\+?\d[\d\s().\-/]{5,}\d`)},
	{name: "date", hints: []string{"date", "day", "deadline", "datum", "fecha", "data", "дат", "日期", "日付", "날짜", "ngày", "tanggal", "तारीख", "তারিখ", "วันที่", "التاريخ", "تاریخ"}, ask: regexp.MustCompile(asks + `(?:date|deadline|day|datum|fecha|data|дату|дата)s?(?:[ .?!,]|$)|datum (?:nennt|angibt|enthält|steht|genannt)|日期|日付|날짜|ngày tháng|tanggal|तारीख|তারিখ|วันที่|التاريخ|تاریخ`), has: hasDate},
	{name: "number", hints: []string{"number", "figure", "digit", "amount", "price", "value", "percent", "zahl", "betrag", "preis", "número", "cifra", "precio", "importe", "nombre", "chiffre", "prix", "numero", "importo", "prezzo", "valor", "preço", "getal", "bedrag", "prijs", "liczb", "kwot", "число", "сумм", "цен"}, ask: regexp.MustCompile(asks + `(?:numbers?|figures?|digits?|amounts?|price|numeric(?:al)? value|percentage|zahl(?:en)?|betrag|preis|número|cifra|precio|importe|nombre|chiffre|prix|numero|importo|prezzo|valor|preço|getal|bedrag|prijs|liczbę|kwotę|число|сумму|цену)(?:[ .?!,]|$)`), has: hasPattern(`\p{Nd}+(?:[.,]\p{Nd}+)*\s*%?`)},
	{name: "question", hints: []string{"question", "frage", "pregunta", "domanda", "pergunta"}, ask: regexp.MustCompile(`\b(?:asks?|poses?|ends? with) (?:a|an|at least one|one|the user a|some)? ?(?:\w+ )?questions?\b|stellt eine (?:rück)?frage|hace una pregunta|pose une question|fa una domanda|faz uma pergunta`), has: hasPattern(`[^.!?。！？\n]*[?？؟]`)},
	{name: "bullets", hints: []string{"bullet", "aufzähl", "stichpunkt", "viñeta", "puces", "puntato", "marcador", "opsomming", "wypunkt", "маркир", "项目符号", "箇条", "글머리"}, ask: regexp.MustCompile(`\b(?:bullet(?:ed)? (?:points?|list)|as bullets|in bullets|aufzählungs?\S*|stichpunkt\S*|viñetas|liste à puces|elenco puntato|lista com marcadores|opsommingstekens|wypunktowan\S*|маркированн\S*)|项目符号|箇条書き|글머리`), has: hasList(isBulletKind)},
	{name: "numbered", hints: []string{"numbered", "ordered", "nummerier", "numerad", "numérot", "numerat", "нумерован", "编号", "番号"}, ask: regexp.MustCompile(`\bnumbered (?:list|steps|points)|\bordered list|nummerierte liste|lista numerada|liste numérotée|elenco numerato|genummerde lijst|нумерованн\S* спис|编号列表|番号付き`), has: hasList(func(k markKind) bool { return !isBulletKind(k) })},
	{name: "table", hints: []string{"table", "tabelle", "tabla", "tableau", "表格", "表形"}, ask: regexp.MustCompile(`\b(?:markdown table|as a table|in a table|table format|(?:contains?|includes?|uses?|has) a table)\b|als tabelle|en una tabla|sous forme de tableau|表格形式`), has: hasPattern(`(?m)^\s*\|.*\|.*\|`)},
	{name: "code", hints: []string{"code", "código", "codice"}, ask: regexp.MustCompile(`\b(?:code block|fenced code|code snippet|codeblock|bloque de código|bloc de code|blocco di codice)\b`), has: hasPattern("(?s)```.*```|`[^`\n]+`")},
	{name: "heading", hints: []string{"head", "title", "überschrift", "título", "titre", "titolo"}, ask: regexp.MustCompile(asks + `(?:headings?|headers?|title|überschrift\S*|título|titre|titolo)`), has: hasPattern(`(?m)^(?:#{1,6} .+|\*\*[^*\n]+\*\*:?\s*$|[^\n.!?]{3,60}\n[=-]{3,})`)},
	{name: "emoji", hints: []string{"emoji", "表情符号", "絵文字", "이모지"}, ask: regexp.MustCompile(`\bemojis?\b|表情符号|絵文字|이모지`), has: hasPattern(`[\x{1F300}-\x{1FAFF}\x{2600}-\x{27BF}]`)},
}

// probeFormat measures demands for a format.
func probeFormat(x *examiner, s stepText) (measure, bool) {
	var low measure
	found := false
	for _, f := range forms {
		if !holdsAny(s.body, f.hints) || !f.ask.MatchString(s.body) {
			continue
		}
		evidence, has := f.has(x.whole.text)
		m := measure{evidence: quote(evidence)}
		if has != s.no {
			m.strength = 1
		}
		if !has {
			m.evidence = "no " + f.name + " found in the output"
		}
		if !found || m.strength < low.strength {
			low, found = m, true
		}
	}
	return low, found
}

// hasJSON reports a text that is one JSON value that is an object or a list,
// a code fence around it allowed.
func hasJSON(text string) (string, bool) {
	t := strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(t, "```"); ok {
		if at := strings.IndexByte(rest, '\n'); at >= 0 {
			t = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest[at:]), "```"))
		}
	}
	if t == "" || t[0] != '{' && t[0] != '[' || !json.Valid([]byte(t)) {
		return "", false
	}
	first, _, _ := strings.Cut(t, "\n")
	return first, true
}

func hasPattern(expr string) func(string) (string, bool) {
	re := regexp.MustCompile(expr)
	return func(text string) (string, bool) {
		found := re.FindString(text)
		return strings.TrimSpace(found), found != ""
	}
}

const months = `jan(?:uary|uar|vier|eiro)?|feb(?:ruary|ruar)?|mar(?:ch|zo|s)?|märz|apr(?:il)?|may|mai|mayo|june?|juni|juin|junio|july?|juli|juillet|julio|aug(?:ust)?|agosto|août|sep(?:t(?:ember)?)?|septiembre|septembre|oct(?:ober)?|oktober|octubre|octobre|nov(?:ember|iembre|embre)?|dec(?:ember)?|dezember|diciembre|décembre|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık`

// hasDate reports a date: 2026-03-14, 14/03/2026, 14 March, March 14, 3月14日.
var hasDate = hasPattern(`(?i)\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}(?:st|nd|rd|th|\.)? (?:of |de )?(?:` + months + `)` + wordStop + `|` + wordStart + `(?:` + months + `)\.? \d{1,2}(?:st|nd|rd|th)?\b|\d{1,2} ?[月월] ?\d{1,2} ?[日일]|\b(?:today|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|miércoles|jueves|viernes|lundi|mardi|mercredi|jeudi|vendredi)\b|\b(?:19|20)\d{2}\b`)

func isBulletKind(k markKind) bool { return strings.HasPrefix(string(k), string(markBullet)) }

func hasList(kind func(markKind) bool) func(string) (string, bool) {
	return func(text string) (string, bool) {
		for _, l := range layoutOf(text).lists {
			if len(l.entries) > 1 && kind(l.entries[0].mark.kind) {
				return l.entries[0].body.of(text), true
			}
		}
		return "", false
	}
}
