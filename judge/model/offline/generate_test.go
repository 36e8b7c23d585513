package offline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGenerateEnglish(t *testing.T) {
	t.Parallel()
	for definition, want := range map[string][]string{
		"The reply should name the date, apologise for the delay and offer a refund.": {"Check whether the reply names the date.", "Check whether the reply apologises for the delay.", "Check whether the reply offers a refund."},
		"The answer must not mention prices. It should be short and polite.":          {"Check that the answer does not mention prices.", "Check whether it is short.", "Check whether it is polite."},
		"Evaluate whether the note covers the outage, names its cause and is brief.":  {"Check whether the note covers the outage.", "Check whether the note names its cause.", "Check whether the note is brief."},
		"The assistant must never promise a date. The assistant has to be calm.":      {"Check that the assistant never promises a date.", "Check whether the assistant is calm."},
		"Is the tone warm? Rate it.":                                   {"Is the tone warm?", "Check that nothing in the response contradicts this: Is the tone warm?"},
		"Responses should have a title. Responses should not be long.": {"Check whether responses have a title.", "Check that responses are not long."},
	} {
		if diff := cmp.Diff(want, generate(request{Definition: definition}).Steps); diff != "" {
			t.Errorf("%q (-want +got):\n%s", definition, diff)
		}
	}
}

// TestGenerateBounds: two to five steps that differ, whatever the definition.
func TestGenerateBounds(t *testing.T) {
	t.Parallel()
	for _, definition := range []string{
		"", " ", "Clarity", "is it good?", "{{criteria}}", "Rate from 1 to 10.", "Reply: {{x}}.",
		"The reply is right.", strings.Repeat("The reply must name a town. ", 40), strings.Repeat("word ", 5000),
		"A; b; c; d; e; f; g; h.", "Tone\n1: bad\n5: good", "Die Antwort soll kurz sein.", "回答应当简洁。",
		"It must name one, two, three, four, five, six and seven.",
	} {
		steps := generate(request{Definition: definition}).Steps
		if len(steps) < 2 || len(steps) > 5 {
			t.Errorf("%.40q: %d steps, want 2 to 5", definition, len(steps))
		}
		seen := map[string]bool{}
		for _, s := range steps {
			if strings.TrimSpace(s) == "" || seen[s] {
				t.Errorf("%.40q: step %q is empty or repeated", definition, s)
			}
			seen[s] = true
		}
	}
}

// TestGenerateKeepsLanguageAndPolarity: outside English the definition's own
// clause stands in the step, negation and all.
func TestGenerateKeepsLanguageAndPolarity(t *testing.T) {
	t.Parallel()
	for clause, frame := range map[string]string{
		"Die Antwort darf keine Preise nennen.":                      "Prüfe, ob",
		"La respuesta no debe culpar al cliente.":                    "Comprueba si",
		"La réponse ne doit pas citer de prix.":                      "Vérifie si",
		"La risposta non deve citare i prezzi.":                      "Verifica se",
		"A resposta não deve citar preços.":                          "Verifique se",
		"Het antwoord mag de klant niet beschuldigen.":               "Controleer of",
		"Odpowiedź nie może obwiniać klienta.":                       "Sprawdź, czy",
		"Ответ не должен обвинять клиента.":                          "Проверь,",
		"Відповідь не повинна звинувачувати клієнта.":                "Перевір,",
		"Yanıt müşteriyi suçlamamalı ve bir tarih vermeli.":          "Şunun",
		"يجب ألا يلوم الرد العميل.":                                  "تحقق",
		"پاسخ نباید مشتری را سرزنش کند و باید تاریخ بگوید.":          "بررسی کن",
		"उत्तर में ग्राहक को दोष नहीं देना चाहिए।":                   "जाँचें",
		"উত্তরে গ্রাহককে দোষ দেওয়া উচিত নয়।":                       "এটি",
		"回答不应责怪客户。":                                                  "检查",
		"回答は顧客を責めてはいけない。":                                            "次の点",
		"답변은 고객을 탓하지 않아야 한다.":                                        "다음이",
		"Câu trả lời không được đổ lỗi cho khách hàng.":              "Kiểm tra",
		"Jawaban tidak boleh menyalahkan pelanggan dan harus sopan.": "Periksa",
		"คำตอบต้องไม่ตำหนิลูกค้า":                                    "ตรวจสอบ",
	} {
		steps := generate(request{Definition: clause}).Steps
		if !strings.HasPrefix(steps[0], frame) || !strings.Contains(steps[0], clause) {
			t.Errorf("%q: first step %q, want it to begin with %q and hold the clause", clause, steps[0], frame)
		}
	}
}

// TestGenerateFromScale: the heading and the best level make the steps.
func TestGenerateFromScale(t *testing.T) {
	t.Parallel()
	got := generate(request{Definition: "Does the plan work?\n1-2: nothing works\n3-4: some parts work\n5: every part works and is costed"}).Steps
	want := []string{"Does the plan work?", "Check whether this holds: every part works and is costed"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// TestGeneratedStepsScore: steps that were written can be judged: an output
// that meets the definition comes out above one that breaks it.
func TestGeneratedStepsScore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ definition, good, bad string }{
		{"The reply must not mention 'refund'.", "We are looking for the parcel.", "You get a refund."},
		{"The reply must name the depot in Graz.", "The parcel lies in the depot in Graz.", "The parcel is somewhere."},
		{"Die Antwort soll das Lager in Graz nennen.", "Das Paket liegt im Lager in Graz.", "Das Paket ist unterwegs."},
		{"The reply should be polite.", "Thank you for waiting, I will look into it.", "Shut up, idiot."},
	} {
		steps := generate(request{Definition: c.definition}).Steps
		good := score(request{Steps: steps, Record: record{Output: &c.good}}).Score
		bad := score(request{Steps: steps, Record: record{Output: &c.bad}}).Score
		if good < bad+3 {
			t.Errorf("%q by %q: %d for %q, %d for %q", c.definition, steps, good, c.good, bad, c.bad)
		}
	}
}
