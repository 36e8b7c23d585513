package offline

// Words that tell what a section holds, lower case, matched anywhere in a
// heading. A heading that names steps outranks one that names criteria.
//
//nolint:misspell // words of many languages
var (
	headingSteps = []string{
		"step", "checklist", "checks", "what to check", "schritt", "prüfpunkt", "prüfschritt", "checkliste", "pasos", "étapes", "etapas", "passos", "passi", "passaggi", "stappen", "kroki", "krok", "шаги", "кроки", "adımlar", "الخطوات", "خطوات", "مراحل", "گام", "चरण", "ধাপ", "步骤", "步驟", "检查项", "检查清单", "手順", "ステップ", "チェックリスト", "단계", "체크리스트", "các bước", "langkah", "hakbang", "ขั้นตอน", "steg", "vaiheet", "βήματα", "kroky", "lépések", "pași",
	}
	headingCriteria = []string{
		"criteri", "requirement", "what is judged", "what we judge", "what counts", "rubric", "kriteri", "anforderung", "critère", "exigence", "critério", "requisit", "eisen", "kryteri", "wymagania", "критери", "требования", "критері", "вимоги", "ölçüt", "معايير", "المعايير", "معیار", "मानदंड", "মানদণ্ড", "标准", "標準", "要求", "基準", "評価項目", "기준", "항목", "tiêu chí", "yêu cầu", "pamantayan", "เกณฑ์", "κριτήρι", "krav",
	}
	headingOther = []string{ // anywhere in a short heading
		"not judged", "not evaluated", "not scored", "not graded", "not assessed", "not count", "not consider", "do not judge", "do not check", "don't judge", "out of scope", "ignore", "example", "scale", "score levels", "scoring guide", "levels", "format", "glossary", "evaluation form", "response form",
		"beispiel", "hinweis", "nicht bewertet", "nicht geprüft", "skala", "notenstufen", "ejemplo", "no se evalúa", "no se juzga", "escala", "formato", "exemple", "remarque", "n'est pas jugé", "n'est pas évalué", "barème", "échelle", "esempi", "non si valuta", "non è valutato", "scala", "exemplo", "não se avalia", "não é avaliado", "voorbeeld", "niet beoordeeld", "schaal", "przykład", "uwagi", "nie ocenia", "skala ocen", "пример", "шкала", "примечание", "не оценивается", "приклад", "примітк", "не оцінюється", "örnek", "notlar", "ölçek", "değerlendirilmez", "أمثلة", "مثال", "ملاحظات", "ملاحظة", "مقياس", "لا يُقيَّم", "لا يقيم", "مثال\u200c", "یادداشت", "उदाहरण", "टिप्पणी", "पैमाना", "উদাহরণ", "টীকা", "示例", "例子", "例如", "注意", "备注", "量表", "格式", "不评估", "不评价", "不考察", "例：", "例:", "備考", "尺度", "対象外", "評価しない", "예시", "참고", "척도", "평가하지 않", "ví dụ", "ghi chú", "thang điểm", "không đánh giá", "contoh", "catatan", "skala", "tidak dinilai", "halimbawa", "tala", "ตัวอย่าง", "หมายเหตุ", "ไม่ประเมิน", "exempel", "esimerk", "παράδειγμα",
	}
	headingMaterial = []string{ // at the start of a short heading: what is shown, not what is checked
		"note", "output", "input", "source", "background", "context", "definition", "document", "conversation", "rating", "form", "text", "notas", "nota", "remarque", "hinweise", "eingabe", "ausgabe", "entrada", "salida", "saída", "entrée", "sortie", "bronnen", "输入", "输出", "背景", "入力", "出力", "입력", "출력",
	}
)

// gradeWords are names of levels of a scale, lower case. A list whose labels
// are such names describes a scale, not steps.
//
//nolint:misspell // words of many languages
var gradeWords = setOf(
	"excellent", "very good", "good", "fair", "average", "acceptable", "satisfactory", "unsatisfactory", "adequate", "inadequate", "poor", "very poor", "bad", "very bad", "weak", "strong", "unacceptable", "exceptional", "outstanding", "proficient", "developing", "beginning", "emerging", "basic", "advanced", "novice", "competent", "exemplary", "mediocre", "perfect", "terrible", "great", "low", "medium", "high", "very low", "very high", "none", "partial", "full", "partially", "fully", "correct", "incorrect", "partially correct", "pass", "fail", "yes", "no", "best", "worst", "failing", "insufficient", "sufficient", "limited", "minimal", "moderate", "needs improvement", "meets expectations", "exceeds expectations", "below expectations", "meets", "exceeds", "below", "above average", "below average", "true", "false", "relevant", "irrelevant",
	"excelente", "muy bien", "bien", "aceptable", "inaceptable", "muy bueno", "bueno", "regular", "malo", "muy malo", "deficiente", "insuficiente", "suficiente", "sobresaliente", "notable", "aprobado", "suspenso", "satisfactorio",
	"très bien", "bon", "très bon", "assez bien", "moyen", "passable", "mauvais", "très mauvais", "insuffisant", "faible", "satisfaisant",
	"sehr gut", "gut", "befriedigend", "ausreichend", "mangelhaft", "ungenügend", "schlecht", "sehr schlecht", "mittelmäßig", "hervorragend", "akzeptabel", "inakzeptabel", "nicht akzeptabel", "mittel",
	"molto buono", "buono", "ottimo", "discreto", "sufficiente", "insufficiente", "accettabile", "non accettabile", "inaccettabile", "eccellente", "scarso", "pessimo",
	"muito bom", "bom", "razoável", "mau", "ruim", "muito ruim", "péssimo", "ótimo", "aceitável", "inaceitável", "satisfatório",
	"uitstekend", "zeer goed", "goed", "voldoende", "onvoldoende", "matig", "slecht", "zeer slecht", "redelijk", "zwak",
	"bardzo dobrze", "dobrze", "bardzo dobry", "dobry", "dostateczny", "niedostateczny", "zły", "słaby", "doskonały", "wystarczający", "celujący", "dopuszczający", "akceptowalny", "nieakceptowalny", "zadowalający",
	"отлично", "хорошо", "удовлетворительно", "неудовлетворительно", "плохо", "очень плохо", "очень хорошо", "приемлемо", "неприемлемо", "превосходно", "средне", "слабо",
	"відмінно", "добре", "задовільно", "незадовільно", "погано", "дуже добре", "прийнятно", "неприйнятно",
	"çok iyi", "iyi", "kabul edilebilir", "kabul edilemez", "orta", "zayıf", "kötü", "çok kötü", "mükemmel", "yeterli", "yetersiz", "geliştirilmeli",
	"mycket väl godkänd", "väl godkänd", "godkänd", "ej godkänd", "underkänd", "utmärkt", "bra", "mycket bra", "dålig",
	"kiitettävä", "hyvä", "tyydyttävä", "ei hyväksytty", "hyväksytty", "heikko", "erinomainen", "välttävä",
	"ممتاز", "جيد جدا", "جيد جدًا", "جيد", "مقبول", "غير مقبول", "ضعيف", "متوسط", "سيئ", "عالی", "خیلی خوب", "خوب", "متوسط", "ضعیف", "قابل قبول", "غیرقابل قبول", "بد",
	"उत्कृष्ट", "बहुत अच्छा", "अच्छा", "औसत", "खराब", "बहुत खराब", "स्वीकार्य", "अस्वीकार्य", "संतोषजनक", "চমৎকার", "খুব ভালো", "ভালো", "মোটামুটি", "খারাপ", "গ্রহণযোগ্য", "অগ্রহণযোগ্য",
	"优秀", "良好", "中等", "及格", "不及格", "较差", "差", "很差", "一般", "优", "良", "中", "合格", "不合格", "極佳", "優秀", "良い", "普通", "悪い", "非常に良い", "とても良い", "優れている", "可", "不可", "優", "秀", "不十分", "十分",
	"매우 좋음", "좋음", "보통", "나쁨", "매우 나쁨", "우수", "미흡", "양호", "탁월", "부족", "수용 가능", "수용 불가",
	"xuất sắc", "tốt", "khá", "trung bình", "yếu", "kém", "rất tốt", "rất kém", "chấp nhận được", "không chấp nhận được", "sangat baik", "baik", "cukup", "kurang", "sangat kurang", "buruk", "dapat diterima", "tidak dapat diterima",
	"napakahusay", "mahusay", "katamtaman", "mahina", "ดีมาก", "ดี", "ปานกลาง", "พอใช้", "แย่", "ดีเยี่ยม", "ควรปรับปรุง", "ยอมรับได้", "ยอมรับไม่ได้",
	"άριστα", "πολύ καλά", "καλά", "μέτρια", "αποδεκτό", "μη αποδεκτό", "πολύ καλό", "καλό", "κακό", "ανεπαρκές",
)

// scoreWords stand beside a number that is a level of a scale.
var scoreWords = []string{
	"score", "scores", "rating", "grade", "level", "points", "point", "pts", "pt", "stars", "star", "mark", "marks", "%", "percent", "punkte", "punkt", "note", "stufe", "puntos", "punto", "puntuación", "nivel", "points", "niveau", "punti", "punto", "livello", "pontos", "ponto", "nível", "nota", "punten", "punt", "score", "punktów", "punkty", "poziom", "балл", "балла", "баллов", "оценка", "бал", "бали", "балів", "оцінка", "puan", "seviye", "نقاط", "نقطة", "درجة", "الدرجة", "امتیاز", "نمره", "अंक", "স্কোর", "নম্বর", "分", "点", "點", "점", "điểm", "poin", "nilai", "skor", "puntos", "คะแนน", "poäng", "pistettä",
}
