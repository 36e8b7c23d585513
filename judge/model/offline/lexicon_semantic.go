package offline

// subjects name what is evaluated, lower case stems.
var subjects = []string{
	"response", "answer", "output", "reply", "repl", "summar", "article", "report", "essay", "translation", "submission", "completion", "generation", "assistant", "agent", "chatbot", "bot", "student", "candidate", "author", "explanation", "content", "conversation", "the text", "the code", "the letter", "the email", "the model", "the message", "paragraph", "argument", "statement", "claim", "document", "result", "llm",
	"antwort", "ausgabe", "zusammenfassung", "schüler", "respuesta", "salida", "resumen", "estudiante", "alumn", "réponse", "sortie", "résumé", "élève", "risposta", "riassunto", "studente", "resposta", "resumo", "aluno", "antwoord", "samenvatting", "odpowied", "streszczen", "uczeń", "ответ", "резюме", "студент", "відповід", "yanıt", "cevap", "özet", "öğrenci", "الرد", "الإجابة", "إجابة", "رد", "پاسخ", "उत्तर", "प्रतिक्रिया", "जवाब", "উত্তর", "প্রতিক্রিয়া", "回答", "回复", "回應", "回应", "答案", "输出", "文章", "报告", "响应", "応答", "出力", "反応", "レスポンス", "답변", "응답", "반응", "출력", "câu trả lời", "phản hồi", "jawaban", "tanggapan", "respon", "tugon", "sagot", "คำตอบ", "คําตอบ", "การตอบ", "svar", "vastau", "απάντησ",
}

// demands are words by which a text states a norm, lower case stems.
//
//nolint:misspell // words of many languages
var demands = []string{
	"should", "must", "shall", "has to", "have to", "need to", "needs to", "may not", "cannot", "is expected", "criteri", "rubric", "evaluat", "assess", "check whether", "check if", "check that", "verif", "determine whether", "determine if", "grading", "score", "scoring", "rating", "graded", "judge", "mark the", "award", "pass if", "fail if", "pass when", "correctness", "accura", "complete", "concise", "relevan", "faithful", "hallucinat", "compar", "identif", "contains", "includes", "mention", "avoid",
	"soll", "muss", "müssen", "darf", "bewert", "beurteil", "prüf", "punkt", "debe", "deben", "tiene que", "evalú", "evalu", "comprueb", "puntua", "califica", "doit", "doivent", "évalu", "vérifi", "critère", "deve", "devono", "valut", "controll", "devem", "avali", "verifiqu", "moet", "mogen", "beoordeel", "controleer", "powinn", "musi", "oceń", "sprawdź", "должен", "должн", "оцен", "провер", "балл", "повин", "оцін", "перевір", "meli", "malı", "gerek", "değerlendir", "kontrol", "يجب", "ينبغي", "قيّم", "تحقق", "درجة", "باید", "ارزیابی", "चाहिए", "मूल्यांकन", "जाँच", "উচিত", "মূল্যায়ন", "যাচাই", "应", "必须", "需要", "是否", "评估", "评价", "得分", "评分", "検証", "べき", "必要", "評価", "確認", "採点", "こと", "点", "해야", "평가", "확인", "만점", "점수", "phải", "nên", "đánh giá", "kiểm tra", "điểm", "harus", "sebaiknya", "nilai", "evaluasi", "periksa", "dapat", "ต้อง", "ควร", "ประเมิน", "ตรวจสอบ", "ska", "bör", "bedöm", "tulee", "πρέπει", "αξιολόγ",
}

// taskOpeners begin a request to do something other than judge, lower case.
var taskOpeners = openers(
	"write", "generate", "create", "compose", "draft", "craft", "tell me", "give me", "show me", "help me", "teach me", "explain", "translate", "summarize", "summarise", "list", "describe", "make me", "make a", "build", "design", "develop", "implement", "provide me", "suggest", "recommend", "imagine", "pretend", "act as", "i want", "i need", "i'd like", "i would like", "i am looking", "i'm looking", "can you", "could you", "would you", "will you", "please write", "please create", "please explain", "please help", "please tell", "please give", "how do i", "how can i", "how to", "do you know", "let's", "convert", "calculate", "solve", "fix", "find me", "book", "order", "play", "search", "remind me", "discuss", "prepare a", "plan a", "optimize", "refactor", "paraphrase", "rewrite", "brainstorm",
	"schreib", "schreibe", "schreiben sie", "erstelle", "erstellen sie", "erkläre", "erklär", "übersetze", "was ist", "wer ist", "wie kann ich", "ich möchte", "ich suche", "ich brauche", "kannst du", "können sie", "gib mir", "erzähl",
	"escribe", "escriba", "crea", "genera", "explica", "traduce", "dime", "cuéntame", "ayúdame", "qué es", "¿qué es", "¿cómo puedo", "¿puedes", "quiero", "necesito", "redacta",
	"écris", "écrivez", "crée", "génère", "explique", "traduis", "dis-moi", "raconte", "aide-moi", "qu'est-ce que", "peux-tu", "pouvez-vous", "je veux", "je cherche", "rédige", "donne-moi",
	"scrivi", "genera", "spiega", "traduci", "dimmi", "raccontami", "aiutami", "che cos'è", "cos'è", "puoi", "vorrei", "escreva", "escreve", "crie", "gere", "explique", "traduza", "diga-me", "me diga", "ajude-me", "o que é", "você pode", "eu quero", "preciso de",
	"schrijf", "maak een", "leg uit", "vertaal", "vertel me", "help me", "wat is", "kun je", "ik wil", "napisz", "stwórz", "wyjaśnij", "przetłumacz", "powiedz mi", "pomóż mi", "czym jest", "czy możesz", "chcę",
	"напиши", "напишите", "создай", "сгенерируй", "объясни", "переведи", "расскажи", "помоги", "что такое", "кто такой", "можешь", "я хочу", "составь", "напиши", "створи", "поясни", "переклади", "розкажи", "допоможи", "що таке", "чи можеш", "я хочу",
	"yaz", "bana", "oluştur", "açıkla", "çevir", "anlat", "nedir", "yazar mısın", "cho tôi", "viết", "hãy viết", "tạo", "giải thích", "dịch", "kể", "làm sao", "tôi muốn", "tulis", "tuliskan", "buat", "buatkan", "jelaskan", "terjemahkan", "ceritakan", "apa itu", "bisakah", "saya ingin", "isulat", "gumawa", "ipaliwanag", "ano ang",
)

// questionWords open questions for a fact.
//
//nolint:misspell // words of many languages
var questionWords = openers("what", "what's", "who", "who's", "whom", "whose", "why", "when", "where", "how", "how's", "which", "was", "wer", "wen", "wem", "warum", "wieso", "weshalb", "wann", "wo", "wohin", "woher", "wie", "welche", "welcher", "welches", "qué", "quién", "por qué", "cuándo", "dónde", "cómo", "cuál", "cuánto", "quoi", "que", "qui", "pourquoi", "quand", "où", "comment", "quel", "quelle", "combien", "che", "chi", "perché", "quando", "dove", "come", "quale", "quanto", "o que", "quem", "por que", "onde", "como", "qual", "wat", "wie", "waarom", "wanneer", "waar", "hoe", "welk", "welke", "co", "kto", "dlaczego", "kiedy", "gdzie", "jak", "który", "jaki", "jaka", "что", "кто", "почему", "зачем", "когда", "где", "как", "какой", "какая", "какие", "сколько", "що", "хто", "чому", "коли", "де", "як", "який", "яка", "ne", "neden", "niçin", "kim", "nerede", "nasıl", "hangi", "kaç", "apa", "siapa", "mengapa", "kenapa", "kapan", "di mana", "bagaimana", "ano", "sino", "bakit", "kailan", "saan", "paano", "ai", "tại sao", "khi nào", "ở đâu", "ماذا", "من", "لماذا", "متى", "أين", "كيف", "چه", "چرا", "چگونه", "कौन", "क्यों", "कब", "कहाँ", "कैसे", "কে", "কেন", "কখন", "কোথায়", "কীভাবে")

// firstPerson opens sentences in which somebody speaks of themselves, or casts
// the reader in a part.
var firstPerson = openers("i'm", "i am", "i have", "i've", "i was", "i can", "my", "we are", "we're", "we have", "you're a", "you are a", "you are an", "sure, here", "in a world", "ich bin", "ich habe", "mein", "meine", "soy", "tengo", "mi", "je suis", "j'ai", "mon", "sono", "ho", "eu sou", "tenho", "meu", "minha", "ik ben", "ik heb", "mijn", "jestem", "mam", "мой", "моя", "я", "у меня", "benim", "aku", "saya", "tôi")

// taskOpenersWide is taskOpeners for scripts without spaces.
var taskOpenersWide = openers(
	"写一", "请写", "请帮", "帮我", "请给我", "给我", "请你", "请解释", "解释一下", "翻译", "请翻译", "告诉我", "什么是", "如何", "怎么", "生成", "创建", "请生成", "请创建", "请用", "寫一", "請寫", "幫我", "اكتب", "أنشئ", "اشرح", "ترجم", "أخبرني", "ما هو", "ما هي", "هل يمكنك", "ساعدني", "بنویس", "توضیح بده", "ترجمه کن", "چیست", "लिखो", "लिखिए", "मुझे", "समझाओ", "अनुवाद", "क्या आप", "লিখুন", "লেখো", "আমাকে", "ব্যাখ্যা করুন", "เขียน", "ช่วย", "อธิบาย", "แปล", "บอก", "教えて", "書いて", "작성해", "써줘", "알려줘", "알려 줘",
)

// taskClosers end a request in languages whose verb stands last, lower case.
var taskClosers = []string{"を書いてください", "書いてください", "を教えてください", "教えてください", "教えて", "作ってください", "作成してください", "説明してください", "翻訳してください", "써줘", "써 주세요", "작성해 줘", "작성해주세요", "알려줘", "알려주세요", "설명해줘", "설명해주세요", "번역해줘", "만들어줘", "लिखो", "लिखें", "लिखिए", "बताओ", "बताइए", "समझाइए", "লিখুন", "বলুন", "yaz", "yazın", "oluştur", "anlat", "açıkla", "بنویس", "بنویسید", "توضیح بده"}

// chatter are words that carry no criterion: greetings, fillers, function
// words, and praise so general that nothing can be looked for.
var chatter = setOf(
	"hello", "hi", "hey", "hallo", "hola", "bonjour", "ciao", "olá", "thanks", "thank", "you", "test", "testing", "foo", "bar", "lorem", "ipsum", "asdf", "qwerty", "abc", "ok", "okay", "yes", "no", "please", "um", "hmm", "lol", "blah", "whatever", "something", "anything", "stuff", "thing", "things", "todo", "tbd", "na", "none", "null", "undefined", "placeholder", "sup", "yo", "morning", "evening", "there", "how", "going",
	"is", "are", "was", "be", "it", "its", "this", "that", "these", "those", "the", "a", "an", "of", "to", "in", "on", "for", "and", "or", "as", "at", "do", "does", "did", "i", "we", "me", "my", "your", "what", "think", "just", "really", "very", "so", "too", "how", "if", "whether", "check", "see", "rate", "judge", "evaluate", "score", "grade", "should", "must", "will", "can", "would", "want", "like", "get", "make", "sure", "all", "everything",
	"good", "bad", "nice", "great", "fine", "cool", "awesome", "amazing", "perfect", "better", "best", "worse", "worst", "well", "wow", "decent", "right",
	"ist", "es", "das", "gut", "schlecht", "toll", "sehr", "está", "bien", "mal", "bueno", "buena", "muy", "c'est", "est", "ce", "que", "esto", "isso", "questo", "dit", "to", "bon", "bonne", "très", "è", "buono", "bene", "molto", "bom", "boa", "muito", "goed", "slecht", "heel", "jest", "dobry", "dobre", "dobra", "хорошо", "хороший", "привет", "здравствуйте", "добре", "привіт", "iyi", "güzel", "merhaba", "mi", "mı", "جيد", "مرحبا", "هل", "هو", "خوب", "سلام", "अच्छा", "है", "नमस्ते", "क्या", "यह", "ভালো", "এটা", "কি", "xin", "chào", "tốt", "không", "bagus", "baik", "halo", "apakah", "ini", "ดี", "ดีไหม", "สวัสดี",
	"response", "answer", "output", "reply", "text", "antwort", "respuesta", "réponse", "risposta", "resposta", "antwoord", "odpowiedź", "ответ", "відповідь", "yanıt",
)

// chatterWide are whole texts without a criterion in scripts without spaces.
var chatterWide = setOf("你好", "好吗", "好不好", "好", "这个好吗", "回答好吗", "回答好", "很好", "测试", "こんにちは", "いいですか", "良いですか", "これはいいですか", "テスト", "안녕하세요", "안녕", "좋아요", "좋은가요", "테스트", "ดีไหม", "สวัสดี")

// vagueWords are words that two readers will take differently. They are no
// reason to refuse a definition; the suggestion is to say what to look for.
//
//nolint:misspell // words of many languages
var vagueWords = []string{
	"good", "nice", "great", "appropriate", "appropriately", "proper", "properly", "adequate", "adequately", "reasonable", "natural", "high quality", "high-quality", "well-written", "well written", "sufficiently", "suitable", "effective", "effectively", "engaging", "interesting", "professional", "user-friendly", "handles well", "as needed", "if necessary", "etc",
	"gut", "angemessen", "passend", "sinnvoll", "ordentlich", "bueno", "buena", "adecuado", "adecuada", "apropiado", "correctamente", "bon", "bonne", "approprié", "appropriée", "convenable", "adéquat", "buono", "buona", "adeguato", "adeguata", "appropriato", "bom", "boa", "adequado", "adequada", "apropriado", "goed", "passend", "gepast", "dobry", "odpowiedni", "właściwy", "хороший", "хорошо", "подходящий", "надлежащий", "добрий", "належний", "iyi", "uygun", "yeterli", "جيد", "مناسب", "ملائم", "خوب", "अच्छा", "उचित", "ভালো", "উপযুক্ত", "良好", "合适", "适当", "恰当", "良い", "適切", "좋은", "적절한", "적절히", "tốt", "phù hợp", "baik", "sesuai", "tepat", "maayos", "angkop", "ดี", "เหมาะสม",
}

// judgeOrders are instructions to the judge about its answer that are no
// criterion of the record: how to score, in what form to answer.
//
//nolint:misspell // words of many languages
var judgeOrders = openers(
	"assign a score", "assign the score", "assign a rating", "assign scores", "assign a final score", "assign an overall", "give a score", "give it a score", "give the score", "give a rating", "give a final score", "give an overall score", "provide a score", "provide the score", "provide a rating", "provide a final score", "return a score", "return the score", "return only", "return json", "return a json", "return your", "output a score", "output the score", "output only", "output a number", "output your", "respond with", "respond only", "respond in json", "reply with", "reply only", "answer with", "answer only", "answer in json", "score from", "score it from", "score the", "score on a scale", "rate from", "rate it from", "rate on a scale", "rate the response from", "rate the response on a scale", "use a scale", "use the scale", "use the following scale", "be strict", "be fair", "be lenient", "be objective", "be impartial", "think step by step", "explain your reasoning", "explain your score", "justify your score", "calculate the final score", "compute the final score", "sum the scores", "sum up the scores", "average the scores", "do not explain", "do not output", "do not give partial",
	"vergib eine note", "vergib punkte", "vergeben sie", "gib eine note", "gib eine punktzahl", "antworte mit", "antworte nur", "antworten sie", "sei streng", "sei fair", "asigna una puntuación", "asigne una puntuación", "da una puntuación", "responde con", "responde solo", "sé estricto", "attribue une note", "attribuez une note", "donne une note", "donnez une note", "réponds par", "répondez par", "répondez uniquement", "sois strict", "soyez strict", "assegna un punteggio", "assegnate un punteggio", "rispondi con", "rispondi solo", "atribua uma nota", "atribua uma pontuação", "dê uma nota", "responda com", "responda apenas", "geef een score", "geef een cijfer", "antwoord met", "antwoord alleen", "przyznaj ocenę", "przyznaj punkty", "odpowiedz tylko", "поставь оценку", "поставьте оценку", "выставьте оценку", "присвойте балл", "отвечай только", "отвечайте только", "постав оцінку", "поставте оцінку", "puan ver", "puan verin", "yalnızca", "chấm điểm", "cho điểm", "beri skor", "berikan skor", "beri nilai", "berikan nilai", "jawab hanya", "magbigay ng iskor",
)

// judgeOrdersWide is judgeOrders for scripts without spaces.
var judgeOrdersWide = openers("给出分数", "给出评分", "给出一个分数", "打分", "请打分", "仅输出", "只输出", "输出json", "请以json", "スコアを付け", "点数を付け", "採点して", "점수를 매", "점수를 부여", "أعطِ درجة", "امنح درجة", "امتیاز بده", "अंक दें", "স্কোর দিন", "ให้คะแนน")
