package offline

// theme is something a step may ask for that texts show by their wording: a
// step that holds a cue is about the theme; a text that holds a sign shows it.
// Cues and signs are lower case and match at the start of words.
type theme struct {
	name  string
	cues  []string
	signs []string
	// against are signs of the opposite: one of them settles that the theme is
	// missed.
	against []string
	// neutral is the strength of a text with neither; 0 unless set.
	neutral float64
	// unwanted is set where a step is met by the absence of the theme, whether
	// or not it says "not": nobody asks for blame.
	unwanted bool
	// helps is set where signs alone are not enough: the step's own words
	// count as much.
	helps bool
}

var rude = []string{
	"stupid", "idiot", "dumb", "moron", "shut up", "not my problem", "not our problem", "your own fault", "stop complaining", "stop whining", "deal with it", "don't care", "do not care", "couldn't care less", "get lost", "go away", "ridiculous", "nonsense", "pathetic", "waste of my time", "wasting my time", "wasting our time", "damn", "crap", "wtf", "whatever.", "too bad", "tough luck", "learn to read", "can't you read", "calm down", "as i already told", "obviously you", "you people",
	"dumm", "selbst schuld", "ist mir egal", "halt die", "blöd", "estúpid", "idiota", "cállate", "me da igual", "imbécile", "tais-toi", "tant pis", "je m'en fiche", "stupido", "stai zitto", "non mi interessa", "cale a boca", "problema seu", "hou je mond", "dom ", "głupi", "zamknij się", "глуп", "идиот", "дурак", "заткн", "дурн", "aptal", "salak", "غبي", "أحمق", "احمق", "मूर्ख", "বোকা", "愚蠢", "白痴", "闭嘴", "关我什么事", "バカ", "馬鹿", "うるさい", "知りません", "바보", "멍청", "닥쳐", "ngu ", "im đi", "bodoh", "diam kau", "bobo ", "โง่",
}

//nolint:misspell // words of many languages
var themes = []theme{
	{
		name: "courtesy", neutral: 0.6, against: rude,
		cues:  []string{"polite", "courteous", "courtesy", "respectful", "professional", "calm", "friendly", "kind ", "tactful", "civil", "warm", "cordial", "tone", "höflich", "sachlich", "freundlich", "respektvoll", "professionell", "ruhig", "ton ", "cortés", "amable", "educad", "profesional", "respetuos", "tono", "poli ", "polie", "courtois", "respectueu", "professionnel", "aimable", "cortes", "gentil", "professional", "rispettos", "cordial", "respeitos", "profissional", "tom ", "beleefd", "vriendelijk", "professioneel", "uprzejm", "grzeczn", "profesjonaln", "вежлив", "уважит", "дружелюб", "тон ", "ввічлив", "дружн", "kibar", "nazik", "saygılı", "profesyonel", "مهذب", "محترم", "لبق", "مؤدب", "مودب", "विनम्र", "भद्र", "ভদ্র", "নম্র", "礼貌", "专业", "友好", "语气", "禮貌", "丁寧", "礼儀", "공손", "정중", "친절", "예의", "lịch sự", "nhã nhặn", "sopan", "ramah", "magalang", "สุภาพ", "artig", "vänlig"},
		signs: []string{"please", "thank", "sorry", "happy to", "glad to", "kindly", "would you", "i'll", "i will", "we'll", "we will", "apprec", "welcome", "regards", "apolog", "understand", "bitte", "danke", "gern", "freundlich", "leid", "por favor", "gracias", "saludos", "lament", "disculp", "s'il vous", "merci", "cordialement", "désol", "per favore", "grazie", "cordiali", "dispiace", "obrigad", "atenciosamente", "alstublieft", "dank", "groet", "proszę", "dziękuj", "przeprasz", "пожалуйста", "спасибо", "извин", "уважением", "будь ласка", "дякую", "вибач", "lütfen", "teşekkür", "özür", "من فضلك", "شكرا", "يرجى", "نعتذر", "لطفا", "متشکر", "कृपया", "धन्यवाद", "क्षमा", "অনুগ্রহ", "ধন্যবাদ", "দুঃখিত", "请", "谢谢", "您", "抱歉", "ください", "ありがとう", "ございます", "申し訳", "감사", "주세요", "죄송", "습니다", "vui lòng", "cảm ơn", "xin ", "mohon", "terima kasih", "silakan", "maaf", "salamat", "pakiusap", "กรุณา", "ขอบคุณ", "ครับ", "ค่ะ", "tack", "vänligen"},
	},
	{
		name: "empathy", against: rude,
		cues:  []string{"empath", "sympath", "compassion", "frustrat", "feeling", "emotion", "concern", "acknowledges the", "acknowledge the", "understanding of the", "einfühl", "verständnis", "mitgefühl", "frust", "ärger", "empat", "comprens", "sentim", "molestia", "compréhens", "ressent", "mécontent", "comprension", "frustraz", "compreens", "frustraç", "begrip", "meelev", "frustratie", "empati", "współczu", "zrozumieni", "сочувств", "эмпат", "понимани", "недовольств", "співчут", "емпат", "розумінн", "empatik", "anlayış", "تعاطف", "تفهم", "همدلی", "सहानुभूति", "সহানুভূতি", "同理", "共情", "体谅", "理解客户", "不满", "共感", "気持ち", "공감", "이해", "감정", "đồng cảm", "thấu hiểu", "thông cảm", "empati", "memahami", "เห็นใจ", "เข้าใจ"},
		signs: []string{"understand", "sorry", "frustrat", "must be", "must have been", "can imagine", "i hear you", "that sounds", "apolog", "upset", "disappoint", "inconvenien", "difficult", "stress", "worr", "appreciate your patience", "verstehe", "leid", "entschuldig", "ärgerlich", "bedauer", "entiend", "lament", "siento", "disculp", "comprend", "désol", "navré", "excus", "regrett", "capisc", "dispiace", "scus", "compreend", "desculp", "sinto muito", "begrijp", "spijt", "vervelend", "rozumie", "przykro", "przeprasz", "понима", "сожале", "извин", "прости", "розумі", "шкода", "вибач", "перепрош", "anlıyor", "üzgün", "özür", "نتفهم", "أتفهم", "نعتذر", "أعتذر", "آسف", "متاسف", "درک می", "क्षमा", "खेद", "समझ", "দুঃখিত", "বুঝতে", "理解", "抱歉", "对不起", "遗憾", "歉意", "申し訳", "お詫び", "ご不便", "残念", "죄송", "이해", "사과", "불편", "xin lỗi", "hiểu", "rất tiếc", "maaf", "memahami", "mengerti", "paumanhin", "naiintindihan", "ขออภัย", "ขอโทษ", "เข้าใจ", "förstår", "ledsen", "beklag"},
	},
	{
		name: "blame", unwanted: true,
		cues:  []string{"blam", "accus", "fault", "schuldzuweis", "schuld", "vorwurf", "vorwürfe", "beschuldig", "culp", "reproch", "colpa", "colpevol", "obwini", "winy", "обвин", "винит", "звинувач", "suçla", "لوم", "يلوم", "سرزنش", "दोष", "দোষ", "责怪", "指责", "責め", "非難", "責任を転嫁", "비난", "탓", "đổ lỗi", "trách", "menyalahkan", "sinisi", "ตำหนิ", "skyll"},
		signs: []string{"your fault", "your own fault", "your mistake", "your own mistake", "you should have", "you failed", "you didn't", "you did not", "you forgot", "you must have", "because you", "you are to blame", "you're to blame", "you caused", "you people", "if you had", "had you ", "you never read", "ihre schuld", "deine schuld", "selbst schuld", "sie haben vergessen", "sie hätten", "su culpa", "tu culpa", "usted debería haber", "debió haber", "votre faute", "ta faute", "vous auriez dû", "colpa sua", "sua colpa", "tua colpa", "avrebbe dovuto", "culpa sua", "deveria ter", "uw schuld", "jouw schuld", "had u", "pana wina", "pani wina", "twoja wina", "сами виноват", "ваша вина", "вы виноват", "вам следовало", "ваша провина", "sizin suçunuz", "sizin hatanız", "خطؤك", "خطأك", "تقصیر شما", "आपकी गलती", "আপনার দোষ", "你的错", "您的错", "怪你", "自己的问题", "あなたのせい", "自己責任", "당신 탓", "고객님 잘못", "본인 잘못", "lỗi của bạn", "salah anda", "kesalahan anda", "kasalanan mo", "ความผิดของคุณ"},
	},
	{
		name: "next_step", against: nil,
		cues:  []string{"next step", "call to action", "follow-up", "follow up", "action item", "how to proceed", "what to do next", "what happens next", "nächste schritt", "nächsten schritt", "nächster schritt", "próximo paso", "siguiente paso", "prochaine étape", "étape suivante", "prossimo passo", "passo successivo", "próximo passo", "vervolgstap", "volgende stap", "następny krok", "kolejny krok", "следующий шаг", "следующего шага", "дальнейш", "наступний крок", "sonraki adım", "الخطوة التالية", "خطوة تالية", "گام بعدی", "अगला कदम", "अगले कदम", "পরবর্তী পদক্ষেপ", "下一步", "后续", "次のステップ", "次の手順", "今後の対応", "다음 단계", "bước tiếp", "langkah selanjutnya", "langkah berikut", "susunod na hakbang", "ขั้นตอนต่อไป", "ขั้นตอนถัดไป", "nästa steg"},
		signs: []string{"please send", "please reply", "please contact", "please call", "please share", "please provide", "please confirm", "please check", "please visit", "please let", "please click", "please log", "please try", "send us", "send me", "reply to", "contact us", "call us", "let me know", "let us know", "i'll ", "i will", "we'll ", "we will", "you can ", "you will receive", "next step", "next,", "within ", "once you", "as soon as", "go to ", "follow ", "bitte senden", "bitte schicken", "bitte antworten", "melden sie", "ich werde", "wir werden", "sie können", "wenden sie", "envíe", "envía", "responda", "contact", "llame", "vamos a", "puede ", "podrá", "veuillez", "envoyez", "appelez", "nous allons", "je vais", "vous pouvez", "invii", "la preg", "risponda", "contatt", "può ", "provveder", "envie", "responda", "entre em contato", "iremos", "vou ", "pode ", "stuur", "neem contact", "u kunt", "ik zal", "wij zullen", "proszę przesłać", "prosimy o", "skontaktuj", "wyślij", "możesz", "может", "отправьте", "пришлите", "свяжитесь", "сообщите", "мы проверим", "я проверю", "надішліть", "зв'яжіться", "зверніться", "lütfen", "gönderin", "iletişime", "edeceğiz", "yapacağ", "يرجى", "أرسل", "تواصل", "سنقوم", "سوف", "لطفا", "ارسال کنید", "تماس بگیرید", "कृपया", "भेजें", "संपर्क", "করুন", "পাঠান", "যোগাযোগ", "请提供", "请发送", "请联系", "请回复", "我们会", "我们将", "我会", "ください", "お送り", "ご連絡", "いたします", "주세요", "보내", "연락", "드리겠습니다", "vui lòng", "hãy ", "gửi", "liên hệ", "sẽ ", "silakan", "mohon", "kirim", "hubungi", "akan ", "mangyaring", "ipadala", "กรุณา", "โปรด", "ติดต่อ", "จะ"},
	},
	{
		name:  "apology",
		cues:  []string{"apolog", "sorry", "entschuldig", "disculpa", "excuse", "scuse", "scusa", "desculpa", "excuses", "przepros", "извин", "вибач", "özür", "اعتذار", "يعتذر", "عذرخواهی", "माफ़ी", "क्षमा", "ক্ষমা", "道歉", "谢罪", "謝罪", "사과", "xin lỗi", "maaf", "paumanhin", "ขอโทษ", "ursäkt"},
		signs: []string{"sorry", "apolog", "regret", "entschuldig", "leid", "bedauer", "disculp", "perdón", "lament", "siento", "excus", "désol", "pardon", "scus", "dispiace", "desculp", "perdão", "sinto", "excuses", "spijt", "przeprasz", "przykro", "извин", "прости", "сожале", "вибач", "перепрош", "özür", "üzgün", "نعتذر", "أعتذر", "آسف", "عذر", "متاسف", "क्षमा", "माफ़", "खेद", "দুঃখিত", "ক্ষমা", "抱歉", "对不起", "歉意", "道歉", "申し訳", "お詫び", "すみません", "ごめん", "죄송", "미안", "사과", "xin lỗi", "maaf", "paumanhin", "ขออภัย", "ขอโทษ", "ursäkt", "förlåt", "ledsen"},
	},
	{
		name:  "thanks",
		cues:  []string{"thanks the", "thank the", "thanks ", "gratitude", "bedankt", "dankt", "agradec", "remerci", "ringrazi", "dzięku", "благодар", "дяку", "teşekkür", "يشكر", "感谢", "感謝", "감사", "cảm ơn", "terima kasih"},
		signs: []string{"thank", "grateful", "appreciate", "danke", "dank ", "gracias", "agradec", "merci", "remerci", "grazie", "obrigad", "dziękuj", "спасибо", "благодар", "дякую", "teşekkür", "شكرا", "متشکر", "धन्यवाद", "ধন্যবাদ", "谢谢", "感谢", "ありがとう", "感謝", "감사", "cảm ơn", "terima kasih", "salamat", "ขอบคุณ", "tack"},
	},
	{
		name:  "greeting",
		cues:  []string{"greet", "salutation", "begrüß", "anrede", "saluda", "saludo", "salue", "salutation", "saluto", "saluta", "saudação", "saudaç", "begroet", "powita", "приветств", "вітан", "selam", "تحية", "打招呼", "问候", "挨拶", "인사", "chào", "sapa"},
		signs: []string{"hello", "hi ", "hi,", "dear ", "good morning", "good afternoon", "good evening", "welcome", "greetings", "hallo", "guten tag", "liebe", "sehr geehrte", "hola", "estimad", "buenos días", "bonjour", "cher ", "chère", "ciao", "buongiorno", "gentile", "olá", "prezad", "bom dia", "beste ", "geachte", "dzień dobry", "szanown", "здравствуй", "добрый день", "уважаем", "вітаю", "добрий день", "шановн", "merhaba", "sayın", "مرحبا", "السلام", "عزيز", "سلام", "नमस्ते", "प्रिय", "নমস্কার", "প্রিয়", "你好", "您好", "尊敬的", "こんにちは", "お世話に", "様", "안녕", "고객님", "xin chào", "kính gửi", "halo", "yang terhormat", "สวัสดี", "เรียน", "hej"},
	},
	{
		name:  "refusal",
		cues:  []string{"refus", "declin", "deny the", "denies the", "turns down", "reject", "lehnt ab", "ablehn", "verweiger", "rechaz", "niega", "negarse", "refuse", "rifiut", "recusa", "weiger", "odmawia", "odmów", "отказ", "отклон", "відмов", "reddet", "يرفض", "رفض", "امتناع", "अस्वीकार", "প্রত্যাখ্যান", "拒绝", "拒絕", "断る", "拒否", "거부", "거절", "từ chối", "menolak", "ปฏิเสธ", "vägra", "avböj"},
		signs: []string{"i can't", "i cannot", "i can’t", "we can't", "we cannot", "can't help", "cannot help", "unable to", "not able to", "i won't", "i will not", "i'm not able", "not allowed", "not possible", "must decline", "i'm sorry, but", "kann ich nicht", "kann nicht", "leider nicht", "darf nicht", "no puedo", "no podemos", "no es posible", "je ne peux pas", "nous ne pouvons", "impossible", "non posso", "non possiamo", "não posso", "não podemos", "ik kan niet", "nie mogę", "не могу", "не можем", "невозможно", "не можу", "yapamam", "edemem", "mümkün değil", "لا أستطيع", "لا يمكنني", "نمی\u200cتوانم", "नहीं कर सकता", "পারব না", "পারি না", "不能", "无法", "できません", "できかねます", "할 수 없", "불가", "không thể", "tidak bisa", "tidak dapat", "hindi ko maaari", "ไม่สามารถ", "kan inte"},
	},
	{
		name: "reason", helps: true,
		cues:  []string{"reason", "explains why", "explain why", "why ", "cause", "justif", "grund", "begründ", "warum", "ursache", "razón", "motivo", "por qué", "causa", "raison", "pourquoi", "perché", "ragione", "razão", "reden", "waarom", "oorzaak", "powód", "dlaczego", "przyczyn", "причин", "почему", "чому", "neden", "gerekçe", "سبب", "لماذا", "علت", "دلیل", "कारण", "কারণ", "原因", "理由", "이유", "원인", "lý do", "nguyên nhân", "alasan", "sebab", "dahilan", "เหตุผล", "สาเหตุ", "orsak"},
		signs: []string{"because", "since ", "due to", "therefore", "so that", "as a result", "caused by", "reason", "weil", "da ", "deshalb", "wegen", "grund", "porque", "debido", "ya que", "parce que", "car ", "en raison", "puisque", "perché", "poiché", "a causa", "dovuto", "devido", "pois ", "omdat", "want ", "vanwege", "ponieważ", "bo ", "dlatego", "потому", "так как", "из-за", "поскольку", "бо ", "тому що", "через ", "çünkü", "nedeniyle", "yüzünden", "لأن", "بسبب", "زیرا", "چون", "क्योंकि", "कारण", "কারণ", "জন্য", "因为", "由于", "因此", "ため", "ので", "から", "때문", "므로", "vì ", "bởi", "do đó", "karena", "sebab", "dahil", "เพราะ", "เนื่องจาก", "eftersom"},
	},
	{
		name: "example", helps: true,
		cues:  []string{"example", "beispiel", "ejemplo", "exemple", "esempio", "exemplo", "voorbeeld", "przykład", "пример", "приклад", "örnek", "مثال", "उदाहरण", "উদাহরণ", "例子", "举例", "示例", "例を", "具体例", "예시", "예를", "ví dụ", "contoh", "halimbawa", "ตัวอย่าง", "exempel"},
		signs: []string{"for example", "for instance", "e.g.", "such as", "example", "zum beispiel", "z.b.", "z. b.", "beispielsweise", "por ejemplo", "p. ej.", "par exemple", "ad esempio", "per esempio", "por exemplo", "bijvoorbeeld", "na przykład", "np.", "например", "наприклад", "örneğin", "mesela", "مثل", "مثال", "उदाहरण", "जैसे", "উদাহরণ", "যেমন", "例如", "比如", "例えば", "たとえば", "예를 들", "예컨대", "ví dụ", "chẳng hạn", "misalnya", "contoh", "halimbawa", "ตัวอย่าง", "เช่น", "till exempel"},
	},
	{
		name: "source", helps: true,
		cues:  []string{"cites a source", "cite a source", "cites source", "cites its source", "citation", "sources", "quellenangabe", "quelle", "fuente", "cita ", "source ", "cite ", "fonte", "bron", "źródł", "источник", "джерел", "kaynak", "مصدر", "منبع", "स्रोत", "উৎস", "来源", "引用", "出典", "출처", "nguồn", "sumber", "แหล่งที่มา", "källa"},
		signs: []string{"http://", "https://", "www.", "doi", "according to", "et al", "source:", "[1]", "(19", "(20", "laut ", "quelle", "según", "fuente", "selon", "d'après", "secondo", "fonte", "segundo", "volgens", "według", "согласно", "по данным", "за даними", "göre", "وفقا", "بحسب", "के अनुसार", "অনুসারে", "根据", "によると", "따르면", "theo ", "menurut", "ayon sa", "ตามที่", "enligt"},
	},
	{
		name: "caution", helps: true,
		cues:  []string{"warn", "caution", "disclaimer", "limitation", "uncertain", "hedg", "risk", "warnt", "warnhinweis", "einschränkung", "advert", "avertissement", "mise en garde", "limite", "avvert", "aviso", "waarschuw", "ostrze", "предупрежд", "ограничен", "попередж", "uyarı", "تحذير", "هشدار", "चेतावनी", "সতর্ক", "警告", "风险", "局限", "注意喚起", "경고", "주의", "cảnh báo", "rủi ro", "peringatan", "คำเตือน", "varn"},
		signs: []string{"warn", "caution", "careful", "however", "may ", "might", "could", "risk", "not a substitute", "consult", "limitation", "uncertain", "does not guarantee", "depends", "but ", "achtung", "vorsicht", "jedoch", "könnte", "advert", "riesgo", "sin embargo", "podría", "attention", "risque", "toutefois", "pourrait", "attenzione", "rischio", "tuttavia", "potrebbe", "atenção", "risco", "porém", "let op", "risico", "echter", "uwaga", "ryzyko", "jednak", "осторож", "риск", "однако", "может", "обереж", "ризик", "проте", "dikkat", "risk", "ancak", "احذر", "خطر", "قد ", "لكن", "सावधान", "जोखिम", "लेकिन", "সাবধান", "ঝুঁকি", "注意", "风险", "但是", "可能", "リスク", "ただし", "可能性", "주의", "위험", "하지만", "lưu ý", "rủi ro", "tuy nhiên", "hati-hati", "risiko", "namun", "ระวัง", "เสี่ยง"},
	},
}
