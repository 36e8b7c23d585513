package rubric

import (
	"regexp"
	"sync"
)

// Span is a place in a text, in bytes.
type Span struct{ Start, End int }

// negations are the words that turn a statement round, in the languages of the
// guard. Scripts without word spaces are matched as they stand.
//
//nolint:misspell // words of other languages
var negations = sync.OnceValue(func() *phrases {
	return newPhrases([]string{
		`not|never|no|cannot|\p{L}+n['’]t|without|avoids?|avoiding|refrains? from|free of|lacks?|nor|neither`,
		`no|nunca|jamás|sin|evit[ae]r?|tampoco|ni`,
		`ne|n['’]\p{L}*|pas|jamais|sans|évite[rz]?|aucune?`,
		`nicht|nie|niemals|kein[a-zß]{0,2}|ohne|vermeide[nt]?|weder`,
		`não|nunca|jamais|sem|evit[ae]r?|nenhuma?`,
		`non|mai|senza|evit[ai](?:re)?|nessun[ao]?`,
		`niet|nooit|geen|zonder|vermijd(?:t|en)?`,
		`nie|nigdy|bez|unika\p{L}*|żadn\p{L}*`,
		`не|ни|никогда|без|избега\p{L}*|нельзя`,
		`не|ні|ніколи|без|уника\p{L}*`,
		`değil|asla|olmadan|kaçın\p{L}*|\p{L}+m[ae]mal[ıi]\p{L}*`,
		`لا|ليس|ليست|لم|لن|دون|بدون|ألا|يتجنب|تجنب`,
		`نه|بدون|هرگز|نباید|نمی[\x{200c}\p{L}]*`,
		`नहीं|न|मत|बिना|कभी नहीं`,
		`না|নয়|ছাড়া|কখনো না|নেই`,
		`不(?:得|能|应|應|可|要|会|會|许|許)?|没有?|沒有?|无|無|未|勿|避免|禁止`,
		`ない|なく|せず|ません|禁止|避け`,
		`않[\p{L}]*|없[\p{L}]*|말[고아]|금지|안`,
		`không|chưa|đừng|tránh|chẳng`,
		`tidak|bukan|jangan|tanpa|hindari|menghindari`,
		`ไม่|ห้าม|ไม่มี|หลีกเลี่ยง|โดยไม่`,
	})
})

// DetectNegations finds the words that turn a statement round: what fixes its
// polarity and must never be lost from a step.
func DetectNegations(text string) []Span {
	c := compose(text)
	var spans []Span
	negations().find(c.text, func(_, start, end int) {
		s, e := c.span(start, end)
		spans = append(spans, Span{s, e})
	})
	return spans
}

// negates tells a part of a clause that turns round what follows it.
func negates(clause string) bool {
	return negations().has(clause)
}

// inverted are statements that a higher grade is the worse one.
var inverted = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:\b(?:higher|larger|bigger) (?:scores?|grades?|numbers?|values?|ratings?)?\s*(?:is|are|means?|indicates?|=) (?:the )?(?:worse|worst|bad)|\b(?:lower|smaller) (?:scores?|grades?|numbers?|values?|ratings?)?\s*(?:is|are|means?|indicates?|=) (?:the )?(?:better|best|good)|\b1 (?:is|being|=|means) (?:the )?best\b.{0,40}\b(?:5|10) (?:is|being|=|means) (?:the )?worst|\b0 (?:is|being|=|means) (?:the )?(?:best|perfect)\b|\bje (?:höher|niedriger),? desto (?:schlechter|besser)|分数越低越好|分数越高越差|数値が低いほど良|чем (?:выше|больше) (?:оценка|балл),? тем хуже|cuanto más (?:alt[ao]|alta la puntuación),? peor|plus (?:la note|le score) est (?:élevée?|haut),? (?:pire|moins))`)
})
