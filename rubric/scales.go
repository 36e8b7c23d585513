package rubric

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// number is an amount in digits, with a decimal part or a percent sign, or an
// English number word.
const number = `(\d{1,4}(?:[.,]\d+)?|zero|one|two|three|four|five|six|seven|eight|nine|ten|hundred)`

var numberWords = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5,
	"six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "hundred": 100,
	"cinq": 5, "dix": 10, "cinco": 5, "diez": 10, "dez": 10, "fünf": 5, "zehn": 10, "cinque": 5, "dieci": 10, "vijf": 5, "tien": 10,
	"五": 5, "十": 10, "百": 100, "一": 1, "三": 3, "七": 7,
}

// scaleForm is one way of stating a scale. read makes the bounds of it from
// the groups of the match. rated forms count only near a word for grading: "2
// to 4 sentences" is no scale.
type scaleForm struct {
	re    *regexp.Regexp
	rated bool
	read  func(groups []string) (lo, hi float64, ok bool)
}

var scaleForms = sync.OnceValue(func() []scaleForm {
	form := func(pattern string, rated bool, read func([]string) (float64, float64, bool)) scaleForm {
		return scaleForm{regexp.MustCompile(`(?i)` + pattern), rated, read}
	}
	const aside = `(?:\s?[(（][^()（）\n]{0,40}[)）])?` // "from 1 (worst) to 5 (best)"
	return []scaleForm{
		form(number+`%?`+aside+`\s?(?:to|through|and|up to|-|–|—|~|～|a|à|até|bis|und|y|e|et|tot|en|do|до|по|и|та|i|ila|ile|إلى|الى|و|تا|से|থেকে|到|至|から|부터|에서|đến|tới|sampai|hingga|ถึง)\s?`+number+`%?`+aside, true, bounds),
		form(`(?:out of|von|sur|sobre|su|van de|z|из|з|üzerinden|من|از|में से|dari|trên|จาก)\s`+number+`\b(?: (?:points?|stars?|marks?))?`, true, upTo),
		form(`(?:^|[\s(:=xn_?…\d])/\s?(5|10|20|100)(?:$|[^\d/.]|\.\D|\.$)`, true, upTo),
		form(number+`(?:[- ](?:point|star|grade|level) (?:likert )?(?:scale|rating|system)|-(?:point|star|grade|level)(?: likert)?| stars)\b`, true, fromOneUpTo),
		form(`(\d{1,3})[-\s]?бал[л]?ьн\p{L}*|(\d{1,3})[- ](?:punkte|sterne|stufen)[- ]?skala|(\d{1,3}) (?:étoiles|estrellas|estrelas|stelle|sterne|sterren|gwiazdek|звёзд|звезд|зірок|yıldız)`, true, fromOneUpTo),
		form(`满分\s?(?:为|是)?\s?(\d{1,4})\s?分?|(\d{1,4})\s?点満点|(\d{1,4})\s?점\s?만점|百分制()|([五十七三])分制|(\d{1,3})\s?分制|(\d{1,2})\s?段階(?:評価|で|尺度|の|[()（）])|(\d{1,2})\s?점\s?척도|(\d{1,2})\s?단계\s?(?:평가|척도|로)|(\d{1,2})\s?星(?:级|評価)`, false, eastAsian),
		form(`(?:as|in|a|als|en|em|in|w|в|у) (?:percentages?|percent|per cent|prozent|porcentaje|porcentagem|pourcentage|percentuale|procentach|процентах|відсотках)\b|percentage (?:score|grade|rating)|百分比(?:评分|打分)|パーセントで`, true, percent),
		form(`likert`, false, likert),
		form(`(?:how many |in |with |by )stars\b|star rating|★{2,}`, true, likert),
	}
})

func bounds(g []string) (lo, hi float64, ok bool) {
	lo, okLo := amount(g[1])
	hi, okHi := amount(g[2])
	return lo, hi, okLo && okHi && lo < hi && (lo == 0 || lo == 1) && hi <= 1000
}

// upTo is a scale named by its end, which begins at 0.
func upTo(g []string) (lo, hi float64, ok bool) {
	hi, ok = firstAmount(g)
	return 0, hi, ok && hi >= 2
}

// fromOneUpTo is a scale named by its number of grades: 1 to 5 for five, but 0
// to 100 for a hundred.
func fromOneUpTo(g []string) (lo, hi float64, ok bool) {
	hi, ok = firstAmount(g)
	if hi > 10 {
		return 0, hi, ok
	}
	return 1, hi, ok && hi >= 2
}

func eastAsian(g []string) (lo, hi float64, ok bool) {
	if strings.Contains(g[0], "百分制") {
		return 0, 100, true
	}
	if strings.Contains(g[0], "満点") || strings.Contains(g[0], "만점") || strings.Contains(g[0], "满分") {
		return upTo(g)
	}
	return fromOneUpTo(g)
}

func percent([]string) (lo, hi float64, ok bool) { return 0, 100, true }

func likert([]string) (lo, hi float64, ok bool) { return 1, 5, true }

func firstAmount(g []string) (float64, bool) {
	for _, s := range g[1:] {
		if n, ok := amount(s); ok {
			return n, true
		}
	}
	return 0, false
}

func amount(s string) (float64, bool) {
	s = strings.ToLower(strings.Trim(s, "% "))
	if n, ok := numberWords[s]; ok {
		return n, true
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", "."), 64)
	return n, err == nil
}

// rating is a word for grading, by its stem.
var rating = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)` + strings.Join([]string{
		`\b(?:rat(?:e|es|ed|ing|ings)|scor(?:e|es|ed|ing)|scales?|grad(?:e|es|ed|ing)|marks?|rank(?:s|ed|ing)?|points?|stars?)\b`,
		`punt[úu]a\p{L}*|calific\p{L}*|escala|valor[ae]\p{L}*|puntos|nota\b|puntaje`,
		`\bnot(?:e|ez|er|és|ation)\b|échelle|évalu\p{L}* de|barème`,
		`bewert\p{L}*|\bnoten?\b|punkt\p{L}*|skala|benot\p{L}*|sterne`,
		`pontu\p{L}*|classifi\p{L}*|avali\p{L}* de|punteggi\p{L}*|valut\p{L}* da|voto\b|scala\b`,
		`beoordeel\p{L}*|cijfer\p{L}*|schaal|ocen\p{L}*|skal[iaęą]`,
		`оцен\p{L}*|оцін\p{L}*|шкал\p{L}*|балл?\p{L}*`,
		`puan\p{L}*|ölçe\p{L}*|değerlendir\p{L}*|قيّم|قيم|درجة|مقياس|تقييم|نمره|امتیاز|مقیاس`,
		`अंक|रेटिंग|पैमाने|स्कोर|স্কোর|নম্বর|স্কেল|রেটিং`,
		`评分|打分|得分|分数|評分|採点|評価|点数|スコア|점수|평가|척도`,
		`\b(?:chấm|điểm|thang)\b|\b(?:nilai|skor|skala)\b|คะแนน|ให้คะแนน`,
	}, "|"))
})

// anchors are lines that say what a grade means: "Score 3: ...", "1 = poor".
var anchors = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)(?:^|[\n;,:(]|\.\s)\s*(?:[-*•]\s*)?(?:(?:score|rating|grade|level|points?|nota|note|punkt|оценка|балл|得分|分数|スコア|점수)\s*(?:of\s*)?(\d{1,3})\s*(?:[:：=–—]|-\s|means|is\b)|(\d{1,3})\s*(?:points?\s*)?(?:=|means\b|is (?:the )?(?:best|worst|lowest|highest)\b))`)
})

// DetectScales finds the scales that a text states for its grades, in order of
// place: "rate 1 to 5", "out of 10", "0-1", "as a percentage", "five stars",
// "Score 1: ... Score 5: ...". Amounts that are no grades ("2 to 4 sentences",
// "at least 80 %") are none.
func DetectScales(text string) []Scale {
	c := compose(text)
	found := anchored(c.text)
	for sentence := range sentenceSpans(c.text) {
		if part := c.text[sentence.Start:sentence.End]; strings.ContainsFunc(part, unicode.IsDigit) || amounts().has(part) {
			found = append(found, scalesIn(c.text, sentence)...)
		}
	}
	slices.SortStableFunc(found, func(a, b Scale) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	var kept []Scale
	for _, s := range found {
		if len(kept) > 0 && s.Start < kept[len(kept)-1].End {
			continue
		}
		kept = append(kept, s)
	}
	for i := range kept {
		kept[i].Start, kept[i].End = c.span(kept[i].Start, kept[i].End)
	}
	return kept
}

// amounts are what a sentence with a scale has at least one of, when it has no
// digit.
var amounts = sync.OnceValue(func() *phrases {
	return newPhrases([]string{
		`(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|hundred)`, `likert|stars?|★`, `per ?cent\p{L}*|p(?:o|ou)rcent\p{L}*|prozent|percentuale|procentach|процентах|відсотках`,
		`百分[制比]|[五十七三]分制|満分|满分|パーセント`,
	})
})

// scalesIn finds the scales of one sentence.
func scalesIn(text string, sentence Span) []Scale {
	var found []Scale
	for _, form := range scaleForms() {
		for _, m := range form.re.FindAllStringSubmatchIndex(text[sentence.Start:sentence.End], -1) {
			lo, hi, ok := form.read(groups(text[sentence.Start:sentence.End], m))
			start, end := sentence.Start+m[0], sentence.Start+m[1]
			if !ok || form.rated && (!edge(text, start) || !edge(text, end) || !rated(text, start, end)) {
				continue
			}
			found = append(found, Scale{Min: lo, Max: hi, Start: start, End: end})
		}
	}
	return found
}

func groups(text string, m []int) []string {
	g := make([]string, len(m)/2)
	for i := range g {
		if m[2*i] >= 0 {
			g[i] = text[m[2*i]:m[2*i+1]]
		}
	}
	return g
}

// measured are things that are counted, not graded, when they follow an amount.
var measured = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\s?(?:[-–]\s?)?(?:sentences?|words?|paragraphs?|lines?|bullets?|items?|examples?|steps?|characters?|pages?|days?|weeks?|months?|years?|hours?|minutes?|seconds?|people|users?|sources?|dentists?|cases?|times?|of the|reasons?|options?|kg|g|km|m|cm|mm|°|euros?|dollars?|sätze|wörter|frases|palabras|phrases|mots|parole|frasi|предложени|слов|语句|句|字|文字|문장|câu|kata|kalimat)`)
})

// scaleWord makes an amount a scale by itself.
var scaleWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)scale|rating|likert|skala|балльн|бальн`)
})

const ratedReach = 80 // bytes around an amount in which its sentence must speak of grading

// rated tells an amount that its sentence takes for a grade.
func rated(text string, start, end int) bool {
	if measured().MatchString(text[end:]) {
		return false
	}
	from, to := start, end
	for from > 0 && start-from < ratedReach && !strings.ContainsRune(".!?\n。！？।", lastOf(text[:from])) {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	for to < len(text) && to-end < ratedReach {
		r, size := utf8.DecodeRuneInString(text[to:])
		if strings.ContainsRune("!?\n。！？।", r) {
			break
		}
		to += size
	}
	return scaleWord().MatchString(text[start:end]) || rating().MatchString(text[from:start]) || rating().MatchString(text[end:to])
}

func lastOf(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// anchored is the scale of two or more grades that a text explains.
func anchored(text string) []Scale {
	var s Scale
	seen := map[float64]bool{}
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	for _, m := range anchors().FindAllStringSubmatchIndex(text, -1) {
		n, ok := firstAmount(groups(text, m))
		if !ok {
			continue
		}
		if len(seen) == 0 {
			first := strings.IndexFunc(text[m[0]:m[1]], wordRune) // behind the mark that ends what stands before
			s = Scale{Min: n, Max: n, Start: m[0] + first, End: m[1]}
		}
		seen[n] = true
		s.Min, s.Max = min(s.Min, n), max(s.Max, n)
	}
	if len(seen) < 2 {
		return nil
	}
	return []Scale{s}
}
