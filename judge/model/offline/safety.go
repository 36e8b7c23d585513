package offline

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// steer is a kind of sentence that commands the evaluator instead of stating
// what a response has to be.
type steer struct {
	category string
	pattern  *regexp.Regexp
	// hints are parts of words of which a sentence holds one when the pattern
	// can match; looking for them is much cheaper.
	hints []string
	// always is set where no talk about such a sentence excuses it.
	always bool
}

const gap = `[^.!?\n。！？]{0,60}?`

// steers are matched against single sentences in lower case, compatibility
// forms and invisible characters resolved.
var steers = []steer{
	{category: "instruction_override", hints: []string{"ignor", "disregard", "forget", "overrid", "bypass", "discard", "neglect", "set aside", "follow", "pay no attention"}, pattern: regexp.MustCompile(`\b(?:ignore|disregard|forget|override|bypass|discard|neglect|set aside|do not follow|don't follow|stop following|pay no attention to)\b` + gap + `\b(?:instructions?|rules?|criteri(?:a|on)|rubrics?|prompts?|guidelines?|directives?|definition|everything (?:above|before)|(?:all|anything|what) (?:of the |that (?:is|was|comes|came|stands) )?(?:above|before|previous)|the above)\b`)},
	{category: "instruction_override", hints: []string{"ignor", "olvida", "oublie", "vergiss", "missacht", "dimentic", "esque", "desconsider", "negeer", "vergeet", "zignoruj", "pomiń", "игнорир", "забудь", "ігнору", "abaikan", "lupakan", "bỏ qua", "quên", "pansinin", "balewalain"}, pattern: regexp.MustCompile(wordStart + `(?:ignor[ae]|olvida|ignorez|oublie[z]?|ignoriere?n?|vergiss|missachte|ignorate|dimentica|esque[çc]a|desconsidere|negeer|vergeet|zignoruj|pomiń|игнорир\S*|проигнорир\S*|забудь\S*|ігнору\S*|забудь\S*|abaikan|lupakan|bỏ qua|quên|huwag pansinin|balewalain)` + gap + `(?:instruc|anweisung|vorgabe|kriteri|regeln|regel|criteri|crit[èe]r|reglas|r[èe]gles|regole|regras|istruzion|precedent|instru[çc]|instructies|instrukcj|polece|zasad|инструкц|указан|правил|критери|інструкц|вказів|критері|instruksi|petunjuk|aturan|hướng dẫn|chỉ dẫn|quy tắc|tagubilin|panuto)`)},
	{category: "instruction_override", hints: []string{"忽略", "無視", "无视", "忘", "不要理会", "跳过", "무시", "잊어", "تجاهل", "نادیده", "अनदेखा", "नज़रअंदाज", "नजरअंदाज", "উপেক্ষা", "অগ্রাহ্য", "yok say", "görmezden", "unut", "เพิกเฉย", "ละเว้น", "สนใจ", "ลืม"}, pattern: regexp.MustCompile(`(?:(?:忽略|無視|无视|忘记|忘掉|不要理会|跳过)[^。！？\n]{0,20}(?:指令|指示|说明|說明|规则|規則|标准|標準|要求|提示))|(?:(?:指示|命令|ルール|基準|プロンプト)[^。！？\n]{0,12}(?:無視し|忘れ))|(?:(?:지시|지침|규칙|기준|명령)[^.!?\n]{0,16}(?:무시하|잊어|무시해))|(?:تجاهل[^.!?\n]{0,40}(?:التعليمات|تعليمات|القواعد|المعايير))|(?:دستور[^.!?\n]{0,40}نادیده)|(?:निर्देश[^.!?\n।]{0,40}(?:अनदेखा|नज़रअंदाज|नजरअंदाज))|(?:নির্দেশ[^.!?\n।]{0,40}(?:উপেক্ষা|অগ্রাহ্য))|(?:talimat[^.!?\n]{0,40}(?:yok say|görmezden gel|unut))|(?:(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ|ลืม)[^\n]{0,40}(?:คำสั่ง|คําสั่ง|เกณฑ์))`)},
	{category: "score_fixing", hints: []string{"regardless", "no matter", "irrespective", "independent", "whatever", "case", "unconditional", "without"}, pattern: regexp.MustCompile(`\b(?:give|award|assign|return|output|answer|grant|mark|score|rate|set|report|treat|pass|consider|deem|count|receives?|gets?|earns?|deserves?)\b` + gap + `(?:\b(?:regardless|no matter|irrespective|independent(?:ly)? of|whatever|in (?:all|any|every) cases?|unconditionally|without (?:reading|checking|looking|evaluating))\b)`)},
	{category: "score_fixing", hints: []string{"regardless", "no matter", "irrespective", "whatever"}, pattern: regexp.MustCompile(`\b(?:regardless|no matter|irrespective|whatever the (?:answer|response|output|submission|text))\b` + gap + `\b(?:score|pass|full marks?|top|maximum|perfect|highest|100|10/10)\b`)},
	{category: "score_fixing", hints: []string{"always", "every", "all ", "any ", "each "}, pattern: regexp.MustCompile(`\b(?:always|every|all|any|each) (?:\w+ )?(?:response|answer|output|submission|reply|text|record|case|item|criterion|step)?s?\b` + gap + `\b(?:(?:full|perfect|maximum|top|highest|best) (?:score|marks?|grade|rating|points)|score(?:d|s)? (?:of )?(?:100|10|1\.0)\b|100(?:/100|%| points)|10/10|is (?:satisfied|met|correct|passed)|as (?:met|satisfied|passed|passing|correct))`)},
	{category: "score_fixing", hints: []string{"full", "perfect", "max", "top", "highest", "best", "100", "10", "5/5", "pass", "as met", "as satisfied", "as correct"}, pattern: regexp.MustCompile(`^(?:please |now |then |just |simply |and |so |finally,? )*(?:give|award|assign|return|output|grant|set|report|mark|respond with|answer with|reply with|rate|score)\b` + `[^.!?\n]{0,40}?\b(?:(?:full|perfect|maximum|max|top|highest|best possible) (?:score|marks?|grade|rating|points)|the maximum|the highest|100(?:/100|%| points| out of 100)?|10/10|10 out of 10|5/5|pass(?:ed|ing)?|as met|as satisfied|as correct)\b`)},
	{category: "score_fixing", hints: []string{"无论", "不管", "不论", "無論", "どんな", "いかなる", "常に", "必ず", "すべて", "항상", "무조건", "관계없이", "상관없이", "immer", "egal", "unabhängig", "siempre", "independiente", "sin importar", "toujours", "indépendamment", "quel", "peu importe", "sempre", "indipendente", "всегда", "независимо", "завжди", "незалежно", "her zaman", "ne olursa", "luôn", "bất kể", "selalu", "apa pun", "دائم", "بغض"}, pattern: regexp.MustCompile(`(?:无论|不管|不论|無論)[^。\n]{0,24}(?:满分|滿分|高分|通过|及格)|(?:どんな|いかなる|常に|必ず|すべて)[^。\n]{0,24}(?:満点|最高点|合格)|(?:항상|무조건|관계없이|상관없이)[^.\n]{0,24}(?:만점|최고|통과|합격)|(?:immer|egal|unabhängig)` + gap + `(?:volle punktzahl|höchstpunktzahl|bestnote|bestanden|maximum|höchste)|(?:siempre|independientemente|sin importar)` + gap + `(?:puntuación máxima|máxima puntuación|nota máxima|máximo)|(?:toujours|indépendamment|quel(?:le)? que soit|peu importe)` + gap + `(?:note maximale|score maxim|maximum)|(?:sempre|indipendentemente|independentemente)` + gap + `(?:massimo|nota máxima|pontuação máxima|máximo)|(?:всегда|независимо|завжди|незалежно)` + gap + `(?:максимал|высш|найвищ)|(?:her zaman|ne olursa olsun)` + gap + `(?:tam puan|en yüksek)|(?:luôn|bất kể)` + gap + `(?:điểm tối đa|điểm cao nhất)|(?:selalu|apa pun)` + gap + `(?:nilai penuh|skor maksimal|nilai maksimal)|(?:دائما|دائمًا|بغض النظر)` + gap + `(?:الدرجة الكاملة|الدرجة القصوى)`)},
	{category: "score_fixing", hints: []string{"always", "automatically", "invariably", "already", "exempt"}, pattern: regexp.MustCompile(`\b(?:always|invariably|automatically|already|exempt)\b` + gap + `\b(?:maximum|highest|top (?:mark|score|grade|result|rating)|full (?:marks?|score|credit)|perfect|100)\b`)},
	{category: "score_fixing", hints: []string{"maximum", "highest", "top ", "full "}, pattern: regexp.MustCompile(`\b(?:evaluators?|graders?|judges?|you)\b[^.!?\n]{0,30}?\b(?:must|shall|should|will|have to|are to)\b ?(?:always )?(?:give|award|assign|return|grant|output|report)\b` + gap + `\b(?:maximum|highest|top|full)\b|\b(?:give|award|assign|return|grant|output|override)\b[^.!?\n]{0,24}?\bthe (?:maximum|highest (?:rating|score|mark|value|grade|available|possible))\b`)},
	{category: "disclosure", hints: []string{"prompt", "instruction", "configuration", "rules", "key", "credential", "message"}, pattern: regexp.MustCompile(`\b(?:reveal|print|show|repeat|output|disclose|leak|display|expose|recite|include|copy|quote|write out)\b` + gap + `\b(?:your|system|hidden|internal|initial|secret|confidential)\b ?(?:\w+ ){0,2}(?:prompts?|instructions?|configuration|rules|keys?|credentials?|messages?)\b`)},
	{category: "role_change", hints: []string{"you are", "from now on", "pretend", "act as", "behave as", "mode", "i am your", "as your"}, pattern: regexp.MustCompile(`\b(?:you are now|from now on,? you|you are no longer|pretend (?:to be|that you are|you are)|(?:act|behave) as (?:if you|though you|an unrestricted)|enter (?:developer|debug|admin|god) mode|developer mode|i am your (?:developer|administrator|admin|creator|owner)|as your (?:developer|administrator|admin|creator|owner))\b`)},
	{category: "fake_context", always: true, hints: []string{"<|", "inst]", "<sys", "<<sys", "system", "assistant", "developer"}, pattern: regexp.MustCompile(`<\|(?:im_start|im_end|system|endoftext)\|>|\[/?inst\]|<</?sys>>|^\s*(?:\[?system\]?|assistant|developer) ?(?:message|prompt|override|note)? ?: `)},
	{category: "output_hijack", hints: []string{"your ", "reply", "respond", "answer", "set "}, pattern: regexp.MustCompile(`\b(?:begin|start|end|finish) your (?:reply|answer|response|verdict|output|message|evaluation)\b|\b(?:reply|respond|answer) (?:only )?with (?:exactly |only |just )?(?:the (?:word|text|json)|"|\{|')|\bset (?:the )?"?(?:score|verdict|pass)"? ?(?:to|=|:)`)},
	{category: "process_change", hints: []string{"skip", "omit", "perform", "disable", "turn off", "leave out"}, pattern: regexp.MustCompile(`\b(?:skip|omit|do not perform|don't perform|disable|turn off|leave out) (?:the |all |any |your |every )?(?:safety|evaluation|checks?|steps?|review|validation|grading|scoring|guard)\b`)},
	{category: "external_action", hints: []string{"http", "webhook", "the url", "sql"}, pattern: regexp.MustCompile(`\b(?:call|fetch|open|visit|send|post|upload|curl|wget|request|query)\b` + gap + `(?:https?://|\bwebhook\b|\bthe url\b|\bsql\b)`)},
}

// talkAbout marks a sentence that speaks about such a command: as something a
// user may say, or the response has to resist, refuse or not do.
var talkAbout = regexp.MustCompile(`\b(?:users?|attacker|customer|student|input|message|prompt) (?:\w+ )?(?:asks?|says?|tries|tell|tells|requests?|demands?|wants?|attempts?|contains?|includes?)\b|\bwhen asked\b|\bif asked\b|\basked to\b|\battempts? to\b|\b(?:refus|declin|resist|reject|detect|recogni[sz]|quot)\w*|\b(?:should|must|does|do|did|may|can|will|would) ?n(?:o|')t\b|\b(?:should|must|does|do|did) not\b|\bnever\b|\bavoids?\b|\bwithout (?:following|obeying|revealing)\b|\bwhether\b|\b(?:injection|jailbreak|untrusted|adversarial|malicious)\w*|\b(?:response|answer|output|model|assistant|agent|reply|bot)\b (?:\w+ )?(?:follows?|obeys?|compl(?:y|ies)|ignores?|reveals?|leaks?|discloses?|should|must|treats?)\b`)

// talkAboutElsewhere is talkAbout in other languages.
var talkAboutElsewhere = regexp.MustCompile(`usuario pid|usuario|utilisateur|nutzer|utente|usuário|utilizador|gebruiker|użytkownik|пользовател|користувач|kullanıcı|người dùng|pengguna|المستخدم|کاربر|उपयोगकर्ता|ব্যবহারকারী|用户|使用者|ユーザー|사용자|ผู้ใช้|negarse|rechaz|refuser|ablehn|verweiger|rifiut|recus|weiger|odmów|отказ|отклон|відмов|reddet|từ chối|menolak|يرفض|رفض|拒绝|拒絕|従わず|拒否|거부|ปฏิเสธ|是否`)

// condition marks a grade that is tied to what the response says.
var condition = regexp.MustCompile(`\b(?:if|when|only|unless|where|for (?:each|every|a|an|answers|responses)|that|which|who|provided|as long as|once)\b|如果|只有|当|もし|場合|경우|если|когда|только|якщо|коли|wenn|nur|falls|\bsi\b|\bsolo\b|seulement|\bse\b|\bsó\b|\bals\b|alleen|jeśli|gdy|eğer|sadece|nếu|khi|jika|hanya|إذا|فقط`)

// levelLine is the description of one level of a scale.
var levelLine = regexp.MustCompile(`^[\s\-*•]*(?:score|rating|grade|level|{)? ?[\d{][^:]{0,16}:`)

// maxSafetyBytes bounds how much of a text is read sentence by sentence.
const maxSafetyBytes = 256 << 10

// reviewSafety clears a text unless a sentence of it commands the evaluator. It
// is the second line behind the deterministic scan and reads as little into a
// text: where the scan left findings for a reviewer to settle, it does not
// clear, because settling them takes understanding.
func reviewSafety(in request) safetyAnswer {
	if open := findingCategories(in.Findings); len(open) > 0 {
		return safetyAnswer{
			Rationale:  "Deterministic offline baseline: the scan left findings that need a reader who understands the text, so it is not cleared.",
			Categories: open, Verdict: "unsafe",
		}
	}
	found := []string{}
	for _, text := range append([]string{in.Definition}, in.Steps...) {
		for _, c := range steering(text) {
			if !slices.Contains(found, c) {
				found = append(found, c)
			}
		}
	}
	if len(found) > 0 {
		return safetyAnswer{
			Rationale:  "Deterministic offline baseline: a sentence commands the evaluator about its outcome or its work instead of saying what a response has to be.",
			Categories: found, Verdict: "unsafe",
		}
	}
	return safetyAnswer{
		Rationale:  "Deterministic offline baseline: every sentence reads as a statement about what is evaluated; no command to the evaluator was found.",
		Categories: found, Verdict: "safe",
	}
}

// findingCategories are the categories of the findings handed along, in order.
func findingCategories(raw json.RawMessage) []string {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil || len(items) == 0 {
		return nil
	}
	var out []string
	for _, item := range items {
		var f struct {
			Category string `json:"category"`
		}
		_ = json.Unmarshal(item, &f) // an item of another form still counts as a finding
		if f.Category == "" {
			f.Category = "other"
		}
		if !slices.Contains(out, f.Category) {
			out = append(out, f.Category)
		}
	}
	return out
}

// steering lists the kinds of commands to the evaluator in a text.
func steering(text string) []string {
	plain := plainText(cutRunes(text, maxSafetyBytes))
	var out []string
	for _, s := range sentencesOf(plain, span{0, len(plain)}) {
		sentence := strings.ToLower(s.of(plain))
		for _, st := range steers {
			if slices.Contains(out, st.category) || !holdsAny(sentence, st.hints) || !st.pattern.MatchString(sentence) {
				continue
			}
			if st.always || !excused(st.category, sentence) {
				out = append(out, st.category)
			}
		}
	}
	return out
}

func holdsAny(s string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// excused reports a sentence that talks about a command, or, for grades, ties
// the grade to a condition without setting it aside again.
func excused(category, sentence string) bool {
	if category == "score_fixing" {
		if strings.Contains(sentence, "regardless") || strings.Contains(sentence, "no matter") || strings.Contains(sentence, "independent") {
			return strings.Contains(sentence, " if ") || strings.Contains(sentence, " when ") || levelLine.MatchString(sentence)
		}
		return condition.MatchString(sentence) || levelLine.MatchString(sentence)
	}
	return talkAbout.MatchString(sentence) || talkAboutElsewhere.MatchString(sentence)
}

// plainText resolves compatibility forms and drops invisible characters.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '\u200b' && r <= '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2060' && r <= '\u2064', r == '\ufeff', r == '\u00ad', r >= 0xE0000 && r <= 0xE007F:
			return -1
		case r == '’' || r == '‘':
			return '\''
		case r == '“' || r == '”':
			return '"'
		}
		return r
	}, norm.NFKC.String(s))
}
