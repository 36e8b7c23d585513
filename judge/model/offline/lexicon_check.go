package offline

import (
	"strings"
	"unicode/utf8"
)

// checkOpeners begin a sentence that asks for one thing to be checked. They are
// lower case; a sentence opens with one when it goes on with a space or, in
// scripts without spaces, at once.
var checkOpeners = openers(
	// en
	"check whether", "check if", "check that", "check for", "check how", "check the", "check each", "check all", "check to", "check", "double-check",
	"verify whether", "verify if", "verify that", "verify the", "verify", "confirm that", "confirm whether", "confirm if", "confirm",
	"ensure that", "ensure", "make sure that", "make sure", "be sure that", "validate that", "validate whether", "validate",
	"see whether", "see if", "look for", "look whether", "test whether", "test if", "test that", "ask whether", "ask if", "consider whether", "inspect whether", "examine whether", "examine if", "note whether", "establish whether", "find out whether", "identify whether", "identify if", "identify any", "watch for",
	// es
	"comprueba", "compruebe", "comprueben", "comprobar", "verifica", "verifique", "verifiquen", "verificar", "asegúrate de", "asegúrese de", "asegurarse de", "asegurar que", "confirma", "confirme", "confirmar", "revisa si", "revise si", "revisar si", "revisa que", "revise que", "examina si", "examine si", "mira si", "mire si", "constata", "constate", "controla", "controle", "corrobora", "cerciórate", "cerciórese", "valida que", "valide que",
	// fr
	"vérifie", "vérifiez", "vérifier", "assure-toi", "assurez-vous", "s'assurer", "contrôle", "contrôlez", "contrôler", "confirme", "confirmez", "confirmer", "regarde si", "regardez si", "examine si", "examinez si", "veille à", "veillez à", "constatez", "valide que", "validez que", "cherche si", "cherchez si",
	// de
	"prüfe", "prüfen sie", "prüft", "prüfen", "überprüfe", "überprüfen sie", "überprüft", "überprüfen", "kontrolliere", "kontrollieren sie", "kontrollieren", "stelle sicher", "stell sicher", "stellen sie sicher", "sicherstellen", "achte darauf", "achten sie darauf", "vergewissere dich", "vergewissern sie sich", "bestätige", "bestätigen sie", "schau, ob", "schaue, ob", "schau nach, ob", "schauen sie, ob", "sieh nach, ob", "untersuche, ob", "checke",
	// it
	"controlla", "controllare", "controllate", "controlli", "verificate", "verifichi", "accertati", "accertarsi", "accertatevi", "assicurati", "assicurarsi", "assicuratevi", "si assicuri", "conferma", "confermare", "confermate", "esamina se", "guarda se", "appura",
	// pt
	"confira", "confere", "conferir", "certifique-se", "certifica-te", "certificar-se", "assegure", "assegura", "assegurar", "cheque", "checa", "checar", "garanta", "garantir", "veja se", "observe se", "analise se", "verifiquem", "comprove", "valide se",
	// nl
	"controleer", "controleren", "ga na", "verifieer", "zorg ervoor", "zorg dat", "bevestig", "kijk of", "check of", "check dat", "onderzoek of", "vergewis je",
	// pl
	"sprawdź", "sprawdźcie", "sprawdzić", "proszę sprawdzić", "upewnij się", "upewnić się", "zweryfikuj", "zweryfikować", "potwierdź", "skontroluj", "zobacz, czy", "zbadaj, czy", "zwróć uwagę, czy",
	// ru
	"проверь", "проверьте", "проверить", "проверяй", "проверяйте", "убедись", "убедитесь", "убедиться", "удостоверься", "удостоверьтесь", "подтверди", "подтвердите", "посмотри, ", "посмотрите, ", "проконтролируй", "проконтролируйте", "выясни, ", "выясните, ",
	// uk
	"перевір", "перевірте", "перевірити", "переконайся", "переконайтеся", "переконайтесь", "переконатися", "упевнись", "упевніться", "впевнися", "впевніться", "підтверди", "підтвердьте", "пересвідчіться", "з'ясуй", "з'ясуйте",
	// sv da no fi el cs hu ro
	"kontrollera", "säkerställ", "verifiera", "se till att", "bekräfta", "undersök om", "kontroller", "kontrollér", "sørg for", "tjek", "sjekk", "sikre at", "verificer", "bekreft", "tarkista", "varmista", "katso, ",
	"έλεγξε", "ελέγξτε", "βεβαιώσου", "βεβαιωθείτε", "επαλήθευσε", "επαληθεύστε", "επιβεβαίωσε", "επιβεβαιώστε",
	"zkontroluj", "zkontrolujte", "ověř", "ověřte", "ujisti se", "ujistěte se", "ellenőrizd", "ellenőrizze", "győződj meg", "győződjön meg", "verificați", "verificaţi", "verifică", "asigură-te", "asigurați-vă",
	// tr where the verb leads
	"kontrol et:", "kontrol edin:",
	// vi
	"kiểm tra", "hãy kiểm tra", "xác minh", "hãy xác minh", "đảm bảo", "hãy đảm bảo", "bảo đảm", "xác nhận", "xem xét liệu", "xem liệu", "xem xem",
	// id
	"periksa", "periksalah", "pastikan", "pastikanlah", "verifikasi", "cek", "konfirmasi", "konfirmasikan", "lihat apakah", "perhatikan apakah", "telaah apakah", "semak sama ada",
	// tl
	"suriin", "tiyakin", "siguraduhin", "siguruhin", "i-verify", "kumpirmahin", "tingnan kung", "alamin kung",
)

// checkOpenersWide open a sentence in scripts without spaces between words, or
// with particles joined to the verb.
var checkOpenersWide = openers(
	// zh
	"检查", "请检查", "核实", "请核实", "核对", "请核对", "判断", "请判断", "确认", "请确认", "验证", "请验证", "查看", "请查看", "确保", "请确保", "检验", "查明", "审查", "看看是否", "看是否", "需检查", "需确认",
	"檢查", "請檢查", "核實", "請核實", "核對", "判斷", "請判斷", "確認", "請確認", "驗證", "請驗證", "查看", "確保", "請確保", "檢驗",
	// th
	"ตรวจสอบ", "โปรดตรวจสอบ", "ตรวจดู", "ตรวจว่า", "ยืนยันว่า", "ดูว่า", "เช็คว่า", "เช็กว่า", "ให้แน่ใจว่า", "ตรวจทาน",
	// ar fa he
	"تحقق", "تحقّق", "تحققي", "تحققوا", "يرجى التحقق", "التحقق من", "تأكد", "تأكّد", "تأكدي", "تأكدوا", "التأكد من", "افحص", "راجع ما إذا", "راجع أن", "انظر هل", "انظر ما إذا",
	"بررسی کن", "بررسی کنید", "بررسی شود", "اطمینان حاصل کن", "مطمئن شو", "تأیید کن", "کنترل کن", "בדוק", "בדקי", "בדקו", "ודא", "ודאו", "וודא",
	// hi bn
	"जाँचें", "जांचें", "जाँचिए", "जांचिए", "जाँच करें", "जांच करें", "जाँचो", "सुनिश्चित करें", "सत्यापित करें", "देखें कि", "पुष्टि करें", "यह जाँचें", "यह जांचें", "यह सुनिश्चित करें", "यह देखें",
	"যাচাই করুন", "যাচাই করো", "যাচাই কর", "পরীক্ষা করুন", "পরীক্ষা করো", "নিশ্চিত করুন", "নিশ্চিত করো", "দেখুন", "খতিয়ে দেখুন",
)

// checkClosers end a sentence that asks for a check in languages whose verb
// stands last. They are matched before the closing punctuation.
var checkClosers = []string{
	// tr
	"kontrol edin", "kontrol et", "kontrol ediniz", "doğrulayın", "doğrula", "emin olun", "emin ol", "teyit edin", "teyit et", "denetleyin", "denetle", "inceleyin", "bakın", "bak", "kontrol edilmeli", "kontrol edilmelidir",
	// ja
	"確認する", "確認してください", "確認すること", "確認せよ", "確認します", "確認しなさい", "を確認", "確かめる", "確かめてください", "確かめること", "確かめよ", "チェックする", "チェックしてください", "チェックすること", "検証する", "検証してください", "検証すること", "点検する", "点検してください", "調べる", "調べてください", "見てください", "見る",
	// ko
	"확인하세요", "확인하라", "확인하십시오", "확인한다", "확인하시오", "확인할 것", "확인해 주세요", "확인해주세요", "확인합니다", "확인해야 한다", "점검하세요", "점검한다", "점검하십시오", "검토하세요", "검토한다", "검증하세요", "검증한다", "검사하세요", "살펴보세요", "살펴본다", "보세요", "확인",
	// hi bn fa
	"जाँचें", "जांचें", "जाँच करें", "जांच करें", "जाँचिए", "सुनिश्चित करें", "सत्यापित करें", "देखें", "पुष्टि करें",
	"যাচাই করুন", "যাচাই করো", "পরীক্ষা করুন", "নিশ্চিত করুন", "দেখুন", "যাচাই করতে হবে",
	"بررسی کنید", "بررسی کن", "بررسی شود", "مطمئن شوید", "اطمینان حاصل کنید", "تأیید کنید",
}

// goalOpeners begin a sentence that says what the whole evaluation is about.
// Several sentences with the same one are steps; a single one among checks is
// the goal.
var goalOpeners = openers(
	"evaluate whether", "evaluate if", "evaluate how", "evaluate that", "assess whether", "assess if", "assess how", "assess that", "judge whether", "judge if", "judge how", "determine whether", "determine if", "determine how", "decide whether", "decide if", "rate whether", "rate how", "score whether", "score how", "grade whether", "analyze whether", "analyse whether", "measure whether", "review whether",
	"evalúa si", "evalúe si", "evaluar si", "determina si", "determine si", "determinar si", "valora si", "valore si", "juzga si", "decide si", "analiza si",
	"évalue si", "évaluez si", "évaluer si", "détermine si", "déterminez si", "juge si", "jugez si", "apprécie si", "appréciez si",
	"bewerte, ob", "bewerten sie, ob", "beurteile, ob", "beurteilen sie, ob", "ermittle, ob", "ermitteln sie, ob", "bestimme, ob", "stelle fest, ob", "stellen sie fest, ob", "entscheide, ob", "bewerte ob", "beurteile ob",
	"valuta se", "valutare se", "valutate se", "determina se", "stabilisci se", "giudica se", "decidi se",
	"avalie se", "avalia se", "avaliar se", "determine se", "julgue se", "decida se",
	"beoordeel of", "evalueer of", "bepaal of", "stel vast of", "beslis of",
	"oceń, czy", "ocenić, czy", "ustal, czy", "określ, czy", "zdecyduj, czy",
	"оцени, ", "оцените, ", "определи, ", "определите, ", "оценить, ", "реши, ", "решите, ",
	"оціни, ", "оцініть, ", "визнач, ", "визначте, ",
	"bedöm om", "avgör om", "utvärdera om", "vurder om", "afgør om", "avgjør om", "arvioi, ", "päätä, ", "αξιολόγησε αν", "αξιολογήστε αν", "καθόρισε αν", "καθορίστε αν", "zhodnoť, zda", "urči, zda", "posuď, zda",
	"đánh giá xem", "đánh giá liệu", "xác định xem", "xác định liệu", "hãy đánh giá xem",
	"nilai apakah", "evaluasi apakah", "tentukan apakah", "nilailah apakah", "tayahin kung", "suriin at tayahin kung", "tukuyin kung",
)

// goalOpenersWide is goalOpeners for scripts without spaces.
var goalOpenersWide = openers(
	"评估", "请评估", "评价", "请评价", "評估", "請評估", "評價", "ประเมินว่า", "พิจารณาว่า", "قيّم ما إذا", "قيم ما إذا", "حدد ما إذا", "حدّد ما إذا", "ارزیابی کنید که", "ارزیابی کن که", "मूल्यांकन करें कि", "निर्धारित करें कि", "মূল্যায়ন করুন", "নির্ধারণ করুন",
)

// connectives may stand before the verb of a check; a step is quoted without
// them: "Then check …", "Finally, verify …", "Please make sure …".
var connectives = openers(
	"first", "firstly", "first of all", "second", "secondly", "third", "thirdly", "fourth", "fourthly", "fifth", "sixth", "next", "then", "after that", "afterwards", "finally", "lastly", "last", "also", "and", "in addition", "additionally", "furthermore", "moreover", "besides", "please", "to begin", "to start", "now",
	"primero", "en primer lugar", "segundo", "en segundo lugar", "tercero", "en tercer lugar", "luego", "después", "por último", "finalmente", "además", "también", "por favor", "y",
	"d'abord", "tout d'abord", "premièrement", "deuxièmement", "troisièmement", "en premier lieu", "en second lieu", "ensuite", "puis", "enfin", "finalement", "de plus", "aussi", "et", "veuillez",
	"erstens", "zweitens", "drittens", "viertens", "zuerst", "zunächst", "dann", "danach", "anschließend", "zuletzt", "schließlich", "abschließend", "außerdem", "ferner", "und", "bitte", "zudem",
	"primo", "in primo luogo", "per prima cosa", "secondo", "in secondo luogo", "terzo", "in terzo luogo", "poi", "quindi", "dopo", "infine", "inoltre", "per favore",
	"primeiro", "primeiramente", "em primeiro lugar", "em segundo lugar", "terceiro", "depois", "em seguida", "por fim", "além disso", "também",
	"ten eerste", "ten tweede", "ten derde", "eerst", "vervolgens", "daarna", "ten slotte", "tot slot", "ook", "en", "bovendien",
	"po pierwsze", "po drugie", "po trzecie", "najpierw", "następnie", "potem", "na koniec", "wreszcie", "ponadto", "oraz", "proszę",
	"во-первых", "во-вторых", "в-третьих", "в-четвертых", "сначала", "затем", "потом", "наконец", "также", "кроме того", "далее", "пожалуйста",
	"по-перше", "по-друге", "по-третє", "спочатку", "потім", "далі", "нарешті", "також", "крім того", "будь ласка",
	"birincisi", "ikincisi", "üçüncüsü", "ilk olarak", "önce", "öncelikle", "ikinci olarak", "üçüncü olarak", "sonra", "ardından", "son olarak", "ayrıca", "lütfen",
	"först", "för det första", "för det andra", "sedan", "därefter", "slutligen", "till sist",
	"đầu tiên", "trước tiên", "trước hết", "thứ nhất", "thứ hai", "thứ ba", "tiếp theo", "sau đó", "cuối cùng", "ngoài ra", "hãy",
	"pertama", "kedua", "ketiga", "keempat", "pertama-tama", "kemudian", "lalu", "selanjutnya", "terakhir", "akhirnya", "selain itu", "juga", "harap", "mohon",
	"una", "pangalawa", "pangatlo", "ikalawa", "ikatlo", "sunod", "pagkatapos", "panghuli", "sa huli",
	"أولاً", "أولا", "ثانياً", "ثانيا", "ثالثاً", "ثالثا", "رابعاً", "ثم", "أخيراً", "أخيرا", "بعد ذلك", "كما", "وأخيراً", "اولاً", "اول", "نخست", "دوم", "سوم", "سپس", "در نهایت", "همچنین", "لطفا", "لطفاً",
	"पहले", "सबसे पहले", "पहला", "दूसरा", "तीसरा", "दूसरे", "तीसरे", "फिर", "इसके बाद", "अंत में", "अंततः", "साथ ही", "कृपया",
	"প্রথমে", "প্রথমত", "দ্বিতীয়ত", "তৃতীয়ত", "তারপর", "এরপর", "সবশেষে", "অবশেষে", "শেষে", "এছাড়াও",
)

// connectivesWide is connectives for scripts without spaces.
var connectivesWide = openers(
	"首先", "第一", "其次", "第二", "第三", "第四", "再次", "然后", "然後", "接着", "最后", "最後", "此外", "另外", "同时", "并且",
	"まず", "第一に", "第二に", "第三に", "次に", "そして", "最後に", "また", "さらに", "첫째", "둘째", "셋째", "넷째", "먼저", "우선", "다음으로", "그다음", "그리고", "마지막으로", "또한", "끝으로",
	"ประการแรก", "ประการที่สอง", "ประการที่สาม", "ขั้นแรก", "จากนั้น", "สุดท้าย", "แล้ว", "นอกจากนี้", "โปรด",
)

// ordinals are the connectives that number a sentence: what follows them is a
// step even when it holds no verb of checking.
var ordinals = openers(
	"first", "firstly", "second", "secondly", "third", "thirdly", "fourth", "fourthly", "fifth", "fifthly", "sixth", "finally", "lastly",
	"primero", "en primer lugar", "segundo", "en segundo lugar", "tercero", "en tercer lugar", "por último", "premièrement", "deuxièmement", "troisièmement", "en premier lieu", "enfin",
	"erstens", "zweitens", "drittens", "viertens", "fünftens", "schließlich", "primo", "in primo luogo", "in secondo luogo", "in terzo luogo", "infine", "primeiro", "em primeiro lugar", "em segundo lugar", "terceiro", "por fim",
	"ten eerste", "ten tweede", "ten derde", "ten slotte", "po pierwsze", "po drugie", "po trzecie", "wreszcie", "во-первых", "во-вторых", "в-третьих", "в-четвертых", "наконец", "по-перше", "по-друге", "по-третє", "нарешті",
	"birincisi", "ikincisi", "üçüncüsü", "ilk olarak", "ikinci olarak", "üçüncü olarak", "son olarak", "för det första", "för det andra", "för det tredje", "slutligen",
	"thứ nhất", "thứ hai", "thứ ba", "cuối cùng", "pertama", "kedua", "ketiga", "keempat", "terakhir", "una", "pangalawa", "pangatlo", "ikalawa", "ikatlo", "panghuli",
	"أولاً", "أولا", "ثانياً", "ثانيا", "ثالثاً", "ثالثا", "رابعاً", "أخيراً", "أخيرا", "وأخيراً", "اول", "نخست", "دوم", "سوم", "در نهایت",
	"पहला", "दूसरा", "तीसरा", "पहले", "दूसरे", "तीसरे", "अंत में", "প্রথমত", "দ্বিতীয়ত", "তৃতীয়ত", "সবশেষে",
)

// ordinalsWide is ordinals for scripts without spaces.
var ordinalsWide = openers(
	"首先", "第一", "其次", "第二", "第三", "第四", "最后", "最後", "第一に", "第二に", "第三に", "まず", "次に", "最後に", "첫째", "둘째", "셋째", "넷째", "마지막으로", "먼저", "다음으로", "끝으로",
	"ประการแรก", "ประการที่สอง", "ประการที่สาม", "สุดท้าย",
)

// opener is a set of phrases, keyed by their first rune so that looking one up
// costs a few comparisons.
type opener map[rune][]string

func openers(phrases ...string) opener {
	set := opener{}
	for _, p := range phrases {
		r := []rune(p)[0]
		set[r] = append(set[r], p)
		if curly := strings.ReplaceAll(p, "'", "’"); curly != p {
			set[r] = append(set[r], curly)
		}
	}
	return set
}

// match is the longest phrase that text, in lower case, starts with. With
// words set, the phrase has to end where a word ends.
func (o opener) match(text string, words bool) string {
	best := ""
	r, _ := utf8.DecodeRuneInString(text)
	for _, p := range o[r] {
		if len(p) > len(best) && strings.HasPrefix(text, p) && (!words || wordEnds(text, len(p))) {
			best = p
		}
	}
	return best
}
