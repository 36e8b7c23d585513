package offline

// The fields of a record that a step can speak of. The output is left out: it
// is what every step is about.
const (
	fieldInput   = "input"
	fieldPrompt  = "prompt"
	fieldContext = "context"
	fieldGolden  = "golden_answer"
)

// fieldPhrases are ways to speak of a field, lower case.
var fieldPhrases = map[string][]string{
	fieldGolden: {
		"golden answer", "golden_answer", "gold answer", "gold standard", "reference answer", "reference text", "reference response", "reference solution",
		"reference output", "reference translation", "reference summary", "the reference", "expected output", "expected_output", "expected answer",
		"expected response", "ground truth", "ground-truth", "model answer", "referenzantwort", "musterlösung", "musterantwort", "erwartete antwort",
		"erwarteten antwort", "erwartete ausgabe", "respuesta de referencia", "respuesta esperada", "respuesta modelo", "salida esperada",
		"réponse de référence", "réponse attendue", "risposta di riferimento", "risposta attesa", "resposta de referência", "resposta esperada",
		"referentieantwoord", "verwachte antwoord", "odpowiedzi wzorcow", "odpowiedź wzorcow", "odpowiedzią wzorcow", "odpowiedzią referencyjn", "эталон",
		"ожидаемым ответом", "ожидаемый ответ", "еталон", "очікуван", "referans yanıt", "referans cevap", "beklenen yanıt", "beklenen cevap",
		"الإجابة المرجعية", "الإجابة المتوقعة", "پاسخ مرجع", "संदर्भ उत्तर", "রেফারেন্স উত্তর", "参考答案", "标准答案", "參考答案", "標準答案", "参照回答", "模範解答", "期待される回答",
		"모범 답안", "참조 답변", "기준 답변", "đáp án tham chiếu", "câu trả lời tham chiếu", "đáp án mẫu", "jawaban referensi", "jawaban acuan", "คำตอบอ้างอิง",
		"referenssvar",
	},
	fieldContext: {
		"the context", "provided context", "given context", "retrieved context", "retrieval context", "retrieved passage", "retrieved document",
		"retrieved chunk", "source passage", "source document", "the passages", "the documents", "provided documents", "provided sources", "given sources",
		"im kontext", "dem kontext", "bereitgestellten dokument", "el contexto", "contexto proporcionado", "le contexte", "contexte fourni", "il contesto",
		"contesto fornito", "o contexto", "contexto fornecido", "de context", "kontekście", "kontekstem", "контексте", "контексту", "контекстом", "bağlam",
		"السياق", "上下文", "コンテキスト", "컨텍스트", "ngữ cảnh", "konteks", "บริบท", "दिए गए संदर्भ", "প্রদত্ত প্রসঙ্গ",
	},
	fieldPrompt: {
		"the prompt", "given prompt", "original prompt",
	},
	fieldInput: {
		"the input", "user input", "user's question", "user’s question", "user question", "user query", "user's query", "the question", "the query",
		"user's request", "user's message", "frage des nutzers", "die frage", "la pregunta", "la question", "la domanda", "a pergunta", "de vraag",
		"вопрос пользователя", "на вопрос", "用户的问题", "用户问题", "ユーザーの質問", "사용자의 질문", "câu hỏi của người dùng", "pertanyaan pengguna",
	},
}

// fieldExceptions are what may follow a phrase when it means something else.
var fieldExceptions = map[string][]string{
	"the reference": {" number", " id", " code", " list", " to", " is given", "s"},
	"the context":   {" of", " in which", " where"},
	"im kontext":    {" der", " des", " von"},
	"the input":     {" field", " box"},
	"the question":  {" of", " whether"},
	"die frage":     {", ob", " der", " des"},
	"de vraag":      {" of"},
}
