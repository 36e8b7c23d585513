package offline

import "strings"

// stopWords carry no content of their own: function words, names of what is
// judged, verbs by which a step says that something is there, words of degree.
var stopWords = setOf(
	// en
	"a", "an", "the", "and", "or", "but", "nor", "if", "whether", "that", "this", "these", "those", "it", "its", "itself", "they", "them", "their", "he", "she", "his", "her", "i", "we", "you", "your", "our", "my", "me", "us", "is", "are", "was", "were", "be", "been", "being", "am", "has", "have", "had", "having", "does", "do", "did", "doing", "done", "will", "would", "shall", "should", "can", "could", "may", "might", "must", "of", "to", "in", "on", "at", "by", "for", "with", "from", "as", "into", "about", "than", "then", "so", "such", "not", "no", "any", "all", "each", "every", "some", "more", "most", "least", "one", "at", "there", "here", "where", "when", "which", "who", "whom", "what", "how", "why", "also", "only", "just", "very", "too", "well", "both", "either", "other", "own", "same", "out", "up", "off", "over", "under", "through", "per", "via", "without", "within", "between", "during", "don't", "doesn't", "isn't", "it's",
	"response", "responses", "answer", "answers", "output", "outputs", "reply", "replies", "text", "message", "letter", "summary", "article", "report", "model", "assistant", "agent", "content", "question", "prompt", "actual", "given", "gives", "give", "giving", "stated", "states", "state", "stating", "mention", "mentions", "mentioned", "mentioning", "name", "names", "named", "naming", "include", "includes", "included", "including", "contain", "contains", "containing", "explain", "explains", "explained", "explaining", "describe", "describes", "described", "describing", "provide", "provides", "provided", "providing", "say", "says", "said", "list", "lists", "listed", "cite", "cites", "cited", "present", "presents", "presented", "show", "shows", "shown", "use", "uses", "used", "using", "make", "makes", "clear", "clearly", "correct", "correctly", "accurate", "accurately", "explicit", "explicitly", "specific", "specifically", "check", "verify", "ensure", "sure", "criteria", "criterion", "discuss", "discusses", "discussed", "refer", "refers", "identify", "identifies", "claim", "claims", "claimed", "assert", "asserts", "appear", "appears", "required", "least", "offer", "offers", "offered", "tell", "tells", "indicate", "indicates", "indicated",
	// de
	"der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines", "und", "oder", "aber", "ob", "dass", "ist", "sind", "war", "wird", "werden", "wurde", "hat", "haben", "kann", "soll", "muss", "von", "zu", "zum", "zur", "im", "in", "mit", "für", "auf", "an", "bei", "aus", "nach", "als", "wie", "nicht", "kein", "keine", "er", "sie", "es", "ihr", "ihre", "sein", "seine", "antwort", "nennt", "genannt", "enthält", "angibt", "angegeben", "erwähnt", "steht", "brief",
	// es pt it fr
	"el", "la", "los", "las", "un", "una", "unos", "unas", "y", "o", "pero", "si", "que", "es", "son", "era", "ser", "está", "están", "ha", "han", "de", "del", "al", "en", "con", "por", "para", "su", "sus", "se", "lo", "le", "no", "como", "más", "respuesta", "incluye", "menciona", "indica", "contiene", "aparecen", "aparece", "os", "as", "um", "uma", "e", "ou", "mas", "é", "são", "foi", "do", "da", "dos", "das", "no", "na", "nos", "nas", "em", "com", "sua", "seu", "não", "resposta", "indicado", "il", "gli", "i", "uno", "ed", "od", "ma", "che", "sono", "di", "dal", "dalla", "nel", "nella", "con", "per", "su", "non", "risposta", "è", "contiene", "les", "une", "des", "et", "ou", "mais", "est", "sont", "du", "au", "aux", "dans", "avec", "pour", "sur", "sa", "son", "ses", "ne", "pas", "réponse", "contient", "mentionne", "cette", "ce", "cet",
	// nl pl sv
	"het", "een", "en", "of", "dat", "is", "zijn", "van", "te", "met", "voor", "op", "aan", "bij", "niet", "geen", "antwoord", "wordt", "genoemd", "staat", "i", "lub", "czy", "że", "jest", "są", "w", "we", "z", "ze", "na", "do", "nie", "odpowiedź", "podano", "zawiera", "och", "eller", "att", "det", "som", "är", "på", "av", "inte", "svaret",
	// ru uk
	"и", "или", "но", "ли", "что", "это", "в", "во", "на", "с", "со", "по", "к", "от", "до", "из", "у", "о", "об", "не", "нет", "как", "для", "при", "есть", "ответ", "ответе", "указана", "указан", "указано", "содержит", "упоминает", "й", "та", "або", "чи", "що", "це", "з", "із", "до", "від", "є", "не", "немає", "відповідь", "відповіді", "вказано", "містить",
	// tr id vi
	"ve", "veya", "bir", "bu", "şu", "mi", "mı", "mu", "mü", "için", "ile", "de", "da", "yanıt", "yanıtta", "cevap", "içeriyor", "dan", "atau", "yang", "di", "ke", "dari", "untuk", "dengan", "ini", "itu", "apakah", "adalah", "jawaban", "tanggapan", "disebutkan", "và", "hoặc", "có", "không", "là", "của", "trong", "cho", "với", "này", "câu", "trả", "lời", "xem",
	// ar fa hi bn
	"في", "من", "على", "إلى", "عن", "أن", "ما", "هل", "هذا", "هذه", "كان", "إذا", "الرد", "الإجابة", "يذكر", "يحتوي", "در", "از", "به", "که", "را", "است", "این", "آن", "و", "پاسخ", "है", "हैं", "का", "की", "के", "को", "में", "से", "पर", "और", "या", "कि", "क्या", "यह", "इस", "उत्तर", "प्रतिक्रिया", "এই", "কি", "আছে", "এবং", "বা", "যে", "উত্তর", "প্রতিক্রিয়া",
)

// wideFunction takes function words out of scripts without spaces, where they
// would run into the words beside them.
var wideFunction = strings.NewReplacer(spacesFor(
	"是否", "给出", "回答", "答案", "文章", "报告", "回复", "响应", "输出", "包含", "包括", "提到", "提及", "说明", "指出", "列出", "明确", "检查", "评估", "核实", "确认", "判断", "有没有", "以及", "并且", "这个", "这份", "一个", "了", "的", "吗", "是",
	"応答", "出力", "含まれて", "含んで", "記載されて", "書かれて", "示されて", "ています", "いますか", "ますか", "います", "ている", "いるか", "いる", "ですか", "です", "この", "ください", "すること", "する", "して", "こと", "について", "には", "では", "とは", "ある", "あるか", "を", "は", "が", "の", "に", "と", "で", "も",
	"คำตอบ", "คําตอบ", "ตรวจสอบ", "หรือไม่", "ว่า", "นี้", "และ", "มี",
)...)

// spacesFor pairs each word with a space.
func spacesFor(words ...string) []string {
	out := make([]string, 0, 2*len(words))
	for _, w := range words {
		out = append(out, w, " ")
	}
	return out
}
