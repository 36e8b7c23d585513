package rubric

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestDetectFieldsInEveryLanguage(t *testing.T) {
	// One sentence for each language: what it speaks of, * marks sure words.
	tests := map[string]struct{ text, want string }{
		"en": {"Compare the response with the golden answer, the retrieved documents, the user's question and the system prompt.", "output golden_answer* context* input prompt"},
		"es": {"Compara la respuesta con la respuesta de referencia, los documentos proporcionados, la pregunta del usuario y el mensaje del sistema.", "output golden_answer* context* input prompt"},
		"fr": {"Comparez la réponse à la réponse de référence, aux documents fournis, à la question de l'utilisateur et au message système.", "output golden_answer* context* input prompt"},
		"de": {"Vergleiche die Antwort mit der Referenzantwort, den bereitgestellten Dokumenten, der Nutzerfrage und dem Systemprompt.", "output golden_answer* context* input prompt"},
		"pt": {"Compare a resposta com a resposta de referência, os documentos fornecidos, a pergunta do usuário e a mensagem do sistema.", "output golden_answer* context* input prompt"},
		"it": {"Confronta la risposta con la risposta di riferimento, i documenti forniti, la domanda dell'utente e il messaggio di sistema.", "output golden_answer* context* input prompt"},
		"nl": {"Vergelijk het antwoord met het referentieantwoord, de aangeleverde documenten, de gebruikersvraag en de systeemprompt.", "output golden_answer* context* input prompt"},
		"pl": {"Porównaj odpowiedź z odpowiedzią wzorcową, podanymi dokumentami, pytaniem użytkownika i promptem systemowym.", "output golden_answer* context* input prompt"},
		"ru": {"Сравните ответ с эталонным ответом, предоставленными документами, вопросом пользователя и системным промптом.", "output golden_answer* context* input prompt"},
		"uk": {"Порівняйте відповідь з еталонною відповіддю, наданими документами, запитанням користувача і системним промптом.", "output golden_answer* context* input prompt"},
		"tr": {"Yanıtı referans yanıtla, verilen belgelerle, kullanıcının sorusu ve sistem mesajıyla karşılaştır.", "output golden_answer* context* input prompt"},
		"ar": {"قارن الرد بالإجابة المرجعية والوثائق المقدمة وسؤال المستخدم ورسالة النظام.", "output golden_answer* context* input prompt"},
		"fa": {"پاسخ را با پاسخ مرجع، اسناد ارائه\u200cشده، پرسش کاربر و پیام سیستم مقایسه کن.", "output golden_answer* context* input prompt"},
		"hi": {"उत्तर की तुलना संदर्भ उत्तर, दिए गए दस्तावेज़ों, उपयोगकर्ता के प्रश्न और सिस्टम संदेश से करें।", "output golden_answer* context* input prompt"},
		"bn": {"উত্তরটি রেফারেন্স উত্তর, প্রদত্ত নথি, ব্যবহারকারীর প্রশ্ন ও সিস্টেম বার্তার সাথে মেলান।", "output golden_answer* context* input prompt"},
		"zh": {"将回复与参考答案、所提供的文档、用户的问题和系统提示词比较。", "output golden_answer* context* input prompt"},
		"ja": {"返信を模範解答、提供された文書、ユーザーの質問、システムプロンプトと比べる。", "output golden_answer* context* input prompt"},
		"ko": {"답변을 모범 답안, 제공된 문서, 사용자의 질문, 시스템 프롬프트와 비교한다.", "output golden_answer* context* input prompt"},
		"vi": {"So sánh phản hồi với câu trả lời tham chiếu, tài liệu được cung cấp, câu hỏi của người dùng và tin nhắn hệ thống.", "output golden_answer* context* input prompt"},
		"id": {"Bandingkan tanggapan dengan jawaban acuan, dokumen yang diberikan, pertanyaan pengguna dan pesan sistem.", "output golden_answer* context* input prompt"},
		"th": {"เปรียบเทียบการตอบกลับกับคำตอบอ้างอิง เอกสารที่ให้มา คำถามของผู้ใช้ และข้อความระบบ", "output golden_answer* context* input prompt"},
	}
	if len(tests) != 21 {
		t.Fatalf("%d languages, want 21", len(tests))
	}
	for lang, tt := range tests {
		t.Run(lang, func(t *testing.T) {
			if got := spoken(tt.text); got != tt.want {
				t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
			}
			decomposed := norm.NFD.String(tt.text)
			if got := spoken(decomposed); got != tt.want {
				t.Errorf("decomposed: got %s, want %s", got, tt.want)
			}
		})
	}
}

// spoken lists the fields a text speaks of and checks their spans.
func spoken(text string) string {
	var list []string
	last := 0
	for _, r := range DetectFields(text) {
		if r.Start < last || r.End <= r.Start || r.End > len(text) {
			return fmt.Sprintf("a bad span %+v", r)
		}
		last = r.End
		word := string(r.Field)
		if r.Sure {
			word += "*"
		}
		list = append(list, word)
	}
	return strings.Join(list, " ")
}

func TestDetectFields(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "Be kind and brief.", ""},
		{"empty", "", ""},
		{"a golden answer is no answer", "matches the golden answer", "golden_answer*"},
		{"names of fields", "golden_answer, expected_output and retrieval_context", "golden_answer* golden_answer* context*"},
		{"placeholders", "{{golden_answer}} {context} ${input} {{ record.output }}", "golden_answer* context* input* output*"},
		{"a placeholder of no field", "{{customer}}", ""},
		{"in the context of is a phrase", "polite in the context of a complaint", ""},
		{"a reference number is no reference", "gives the reference number", ""},
		{"a question asked is no input", "ends with a question", ""},
		{"a source code is no source", "the source code compiles", ""},
		{"a prompt reply is a reply", "a prompt reply", ""},
		{"keeping the system prompt secret needs none", "must not reveal its system prompt", ""},
		{"inside another word", "irresponsible questionnaires", ""},
		{"an expected answer may be the criteria", "the expected answer mentions tea", "golden_answer"},
		{"capitals", "THE GOLDEN ANSWER", "golden_answer*"},
		{"over a hyphen", "the ground-truth answer", "golden_answer*"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := spoken(tt.text); got != tt.want {
				t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestNeeded(t *testing.T) {
	tests := []struct {
		name, text string
		selected   []Field
		want       []Field
	}{
		{"selected", "equals the golden answer", []Field{Output, GoldenAnswer}, nil},
		{"not selected", "equals the golden answer", []Field{Output}, []Field{GoldenAnswer}},
		{"two of them, in the contract's order", "the golden answer and the provided context", []Field{Output}, []Field{Context, GoldenAnswer}},
		{"a selected one may stand in", "supported by the golden answer or the provided context", []Field{Output, Context}, nil},
		{"both are needed", "agrees with the golden answer and the provided context", []Field{Output, Context}, []Field{GoldenAnswer}},
		{"filled in by the text", "The golden answer is \"Paris\"; the response says so.", []Field{Output}, nil},
		{"filled in after a colon", "Reference answer: 42.", []Field{Output}, nil},
		{"doubtful words decide nothing", "answers the user's question", []Field{Output}, nil},
		{"the output alone, not selected", "Check whether the response is polite.", []Field{Input}, []Field{Output}},
		{"the output with another", "Check whether the question fits the response.", []Field{Input}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := needed(tt.text, tt.selected); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestUnjudgeable(t *testing.T) {
	tests := []struct {
		name, text string
		want       []Field
	}{
		{"every sentence needs it", "The reply equals the golden answer. It leaves out nothing of the golden answer.", []Field{GoldenAnswer}},
		{"one sentence can do without", "The reply equals the golden answer. It is polite.", nil},
		{"one line can do without", "The reply\n- equals the golden answer\n- is polite", nil},
		{"two needs", "It equals the golden answer; it follows from the provided context.", []Field{Context, GoldenAnswer}},
		{"nothing is spoken of", "It is polite.", nil},
		{"a full stop inside a number ends nothing", "It equals the golden answer to 0.1 of a point.", []Field{GoldenAnswer}},
		{"a sentence of marks does not count", "It equals the golden answer. ***", []Field{GoldenAnswer}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req := Request{Definition: tt.text, Fields: []Field{Input, Output}}
			if got := unjudgeable(req, nil); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			if got := unjudgeable(req, []string{"a step in use"}); got != nil {
				t.Errorf("a step is in use and still %v", got)
			}
		})
	}
}
