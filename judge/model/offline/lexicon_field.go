package offline

// fieldPhrase is a way to speak of a record's field, lower case. not lists what
// may follow it when it means something else.
type fieldPhrase struct {
	field  string
	phrase string
	not    []string
}

// The fields of a record that a step can speak of. The output is left out: it
// is what every step is about.
const (
	fieldInput   = "input"
	fieldPrompt  = "prompt"
	fieldContext = "context"
	fieldGolden  = "golden_answer"
)

var fieldPhrases = []fieldPhrase{
	{field: fieldGolden, phrase: "golden answer"}, {field: fieldGolden, phrase: "golden_answer"}, {field: fieldGolden, phrase: "gold answer"}, {field: fieldGolden, phrase: "gold standard"},
	{field: fieldGolden, phrase: "reference answer"}, {field: fieldGolden, phrase: "reference text"}, {field: fieldGolden, phrase: "reference response"}, {field: fieldGolden, phrase: "reference solution"}, {field: fieldGolden, phrase: "reference output"}, {field: fieldGolden, phrase: "reference translation"}, {field: fieldGolden, phrase: "reference summary"},
	{field: fieldGolden, phrase: "the reference", not: []string{" number", " id", " code", " list", " to", " is given", "s"}},
	{field: fieldGolden, phrase: "expected output"}, {field: fieldGolden, phrase: "expected_output"}, {field: fieldGolden, phrase: "expected answer"}, {field: fieldGolden, phrase: "expected response"}, {field: fieldGolden, phrase: "ground truth"}, {field: fieldGolden, phrase: "ground-truth"}, {field: fieldGolden, phrase: "model answer"},
	{field: fieldGolden, phrase: "referenzantwort"}, {field: fieldGolden, phrase: "musterlösung"}, {field: fieldGolden, phrase: "musterantwort"}, {field: fieldGolden, phrase: "erwartete antwort"}, {field: fieldGolden, phrase: "erwarteten antwort"}, {field: fieldGolden, phrase: "erwartete ausgabe"},
	{field: fieldGolden, phrase: "respuesta de referencia"}, {field: fieldGolden, phrase: "respuesta esperada"}, {field: fieldGolden, phrase: "respuesta modelo"}, {field: fieldGolden, phrase: "salida esperada"},
	{field: fieldGolden, phrase: "réponse de référence"}, {field: fieldGolden, phrase: "réponse attendue"}, {field: fieldGolden, phrase: "risposta di riferimento"}, {field: fieldGolden, phrase: "risposta attesa"}, {field: fieldGolden, phrase: "resposta de referência"}, {field: fieldGolden, phrase: "resposta esperada"},
	{field: fieldGolden, phrase: "referentieantwoord"}, {field: fieldGolden, phrase: "verwachte antwoord"}, {field: fieldGolden, phrase: "odpowiedzi wzorcow"}, {field: fieldGolden, phrase: "odpowiedź wzorcow"}, {field: fieldGolden, phrase: "odpowiedzią wzorcow"}, {field: fieldGolden, phrase: "odpowiedzią referencyjn"},
	{field: fieldGolden, phrase: "эталон"}, {field: fieldGolden, phrase: "ожидаемым ответом"}, {field: fieldGolden, phrase: "ожидаемый ответ"}, {field: fieldGolden, phrase: "еталон"}, {field: fieldGolden, phrase: "очікуван"}, {field: fieldGolden, phrase: "referans yanıt"}, {field: fieldGolden, phrase: "referans cevap"}, {field: fieldGolden, phrase: "beklenen yanıt"}, {field: fieldGolden, phrase: "beklenen cevap"},
	{field: fieldGolden, phrase: "الإجابة المرجعية"}, {field: fieldGolden, phrase: "الإجابة المتوقعة"}, {field: fieldGolden, phrase: "پاسخ مرجع"}, {field: fieldGolden, phrase: "संदर्भ उत्तर"}, {field: fieldGolden, phrase: "রেফারেন্স উত্তর"},
	{field: fieldGolden, phrase: "参考答案"}, {field: fieldGolden, phrase: "标准答案"}, {field: fieldGolden, phrase: "參考答案"}, {field: fieldGolden, phrase: "標準答案"}, {field: fieldGolden, phrase: "参照回答"}, {field: fieldGolden, phrase: "模範解答"}, {field: fieldGolden, phrase: "期待される回答"}, {field: fieldGolden, phrase: "모범 답안"}, {field: fieldGolden, phrase: "참조 답변"}, {field: fieldGolden, phrase: "기준 답변"},
	{field: fieldGolden, phrase: "đáp án tham chiếu"}, {field: fieldGolden, phrase: "câu trả lời tham chiếu"}, {field: fieldGolden, phrase: "đáp án mẫu"}, {field: fieldGolden, phrase: "jawaban referensi"}, {field: fieldGolden, phrase: "jawaban acuan"}, {field: fieldGolden, phrase: "คำตอบอ้างอิง"}, {field: fieldGolden, phrase: "referenssvar"},

	{field: fieldContext, phrase: "the context", not: []string{" of", " in which", " where"}}, {field: fieldContext, phrase: "provided context"}, {field: fieldContext, phrase: "given context"}, {field: fieldContext, phrase: "retrieved context"}, {field: fieldContext, phrase: "retrieval context"}, {field: fieldContext, phrase: "retrieved passage"}, {field: fieldContext, phrase: "retrieved document"}, {field: fieldContext, phrase: "retrieved chunk"}, {field: fieldContext, phrase: "source passage"}, {field: fieldContext, phrase: "source document"}, {field: fieldContext, phrase: "the passages"}, {field: fieldContext, phrase: "the documents"}, {field: fieldContext, phrase: "provided documents"}, {field: fieldContext, phrase: "provided sources"}, {field: fieldContext, phrase: "given sources"},
	{field: fieldContext, phrase: "im kontext", not: []string{" der", " des", " von"}}, {field: fieldContext, phrase: "dem kontext"}, {field: fieldContext, phrase: "bereitgestellten dokument"}, {field: fieldContext, phrase: "el contexto"}, {field: fieldContext, phrase: "contexto proporcionado"}, {field: fieldContext, phrase: "le contexte"}, {field: fieldContext, phrase: "contexte fourni"}, {field: fieldContext, phrase: "il contesto"}, {field: fieldContext, phrase: "contesto fornito"}, {field: fieldContext, phrase: "o contexto"}, {field: fieldContext, phrase: "contexto fornecido"}, {field: fieldContext, phrase: "de context"}, {field: fieldContext, phrase: "kontekście"}, {field: fieldContext, phrase: "kontekstem"}, {field: fieldContext, phrase: "контексте"}, {field: fieldContext, phrase: "контексту"}, {field: fieldContext, phrase: "контекстом"}, {field: fieldContext, phrase: "bağlam"}, {field: fieldContext, phrase: "السياق"}, {field: fieldContext, phrase: "上下文"}, {field: fieldContext, phrase: "コンテキスト"}, {field: fieldContext, phrase: "컨텍스트"}, {field: fieldContext, phrase: "ngữ cảnh"}, {field: fieldContext, phrase: "konteks"}, {field: fieldContext, phrase: "บริบท"}, {field: fieldContext, phrase: "दिए गए संदर्भ"}, {field: fieldContext, phrase: "প্রদত্ত প্রসঙ্গ"},

	{field: fieldPrompt, phrase: "the prompt"}, {field: fieldPrompt, phrase: "given prompt"}, {field: fieldPrompt, phrase: "original prompt"},
	{field: fieldInput, phrase: "the input", not: []string{" field", " box"}}, {field: fieldInput, phrase: "user input"}, {field: fieldInput, phrase: "user's question"}, {field: fieldInput, phrase: "user’s question"}, {field: fieldInput, phrase: "user question"}, {field: fieldInput, phrase: "user query"}, {field: fieldInput, phrase: "user's query"}, {field: fieldInput, phrase: "the question", not: []string{" of", " whether"}}, {field: fieldInput, phrase: "the query"}, {field: fieldInput, phrase: "user's request"}, {field: fieldInput, phrase: "user's message"},
	{field: fieldInput, phrase: "frage des nutzers"}, {field: fieldInput, phrase: "die frage", not: []string{", ob", " der", " des"}}, {field: fieldInput, phrase: "la pregunta"}, {field: fieldInput, phrase: "la question"}, {field: fieldInput, phrase: "la domanda"}, {field: fieldInput, phrase: "a pergunta"}, {field: fieldInput, phrase: "de vraag", not: []string{" of"}}, {field: fieldInput, phrase: "вопрос пользователя"}, {field: fieldInput, phrase: "на вопрос"}, {field: fieldInput, phrase: "用户的问题"}, {field: fieldInput, phrase: "用户问题"}, {field: fieldInput, phrase: "ユーザーの質問"}, {field: fieldInput, phrase: "사용자의 질문"}, {field: fieldInput, phrase: "câu hỏi của người dùng"}, {field: fieldInput, phrase: "pertanyaan pengguna"},
}
