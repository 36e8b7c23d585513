package rubric

// marks is a run of letters and vowel signs: the endings of Indic words.
const marks = `[\p{L}\p{M}]*`

func lexiconWestAsian() []lexeme {
	const and = `[وفبكل]{0,2}(?:ال|لل)?` // what Arabic writes on to the front of a word
	return []lexeme{
		// Arabic
		{GoldenAnswer, true, and + `(?:إجابة|جواب|رد|نص|ترجمة) ` + and + `(?:مرجعي|نموذجي|ذهبي)[ةه]?`},
		{GoldenAnswer, false, and + `(?:إجابة|جواب|رد|ناتج) ` + and + `متوقع[ةه]?|المرجع`},
		{Context, true, and + `(?:سياق|وثائق|مستندات|مقاطع|مصادر) ` + and + `(?:مقدم|مسترجع|معطى|مرفق|متاح)[ةه]?`},
		{Context, false, and + `سياق`},
		{Input, false, and + `(?:سؤال|استفسار|استعلام|مدخل|مدخلات)(?: ` + and + `(?:مستخدم|عميل))?|طلب ` + and + `(?:مستخدم|عميل)`},
		{Prompt, false, and + `(?:رسالة|موجه|تعليمات|مطالبة) ` + and + `نظام`},
		{Output, false, and + `(?:إجابة|اجابة|إجابات|جواب|رد|ردود|مخرج|مخرجات|ناتج)`},
		// Persian
		{GoldenAnswer, true, `(?:پاسخ|جواب|متن|ترجمه|خلاصه)[\x{200c} ]?(?:های?|ی)?[\x{200c} ](?:مرجع|طلایی|نمونه|معیار)`},
		{GoldenAnswer, false, `(?:پاسخ|خروجی) (?:مورد انتظار|منتظره)`},
		{Context, true, `(?:متن|زمینه|اسناد|منابع|بافت)[\x{200c} ]?(?:های?|ی)? (?:ارائه[\x{200c} ]?شده|بازیابی[\x{200c} ]?شده|داده[\x{200c} ]?شده|پیوست)`},
		{Context, false, `زمینه|بافت(?:ار)?|متن منبع`},
		{Input, false, `(?:سؤال|سوال|پرسش|ورودی|درخواست)(?: (?:کاربر|مشتری))?`},
		{Prompt, false, `(?:پرامپت|پیام|دستور) سیستم|پرامپت`},
		{Output, false, `پاسخ(?:[\x{200c} ]?ها(?:ی)?)?|جواب|خروجی`},
		// Turkish
		{GoldenAnswer, true, `(?:referans|altın|örnek) (?:cevap|cevab|yanıt|metin|metn|çeviri|çıktı|özet)\p{L}*`},
		{GoldenAnswer, false, `beklenen (?:cevap|cevab|yanıt|çıktı)\p{L}*`},
		{Context, true, `(?:verilen|sağlanan|getirilen|sunulan|ekli) (?:bağlam|belge|pasaj|kaynak|kaynağ|metin|metn)\p{L}*`},
		{Context, false, `bağlam\p{L}*`},
		{Input, false, `(?:kullanıcının |müşterinin |kullanıcı )?(?:soru|sorgu)(?:nun|yu|ya|su|sunu|suna|sunun)?|kullanıcı girdisi\p{L}*|girdi\p{L}*`},
		{Prompt, false, `sistem (?:istem|mesaj|talimat|komut|prompt)\p{L}*`},
		{Output, false, `(?:yanıt|cevap|cevab|çıktı)\p{L}*`},
	}
}

func lexiconSouthAsian() []lexeme {
	return []lexeme{
		// Hindi
		{GoldenAnswer, true, `(?:संदर्भ|आदर्श|मानक|स्वर्ण) (?:उत्तर|जवाब|पाठ|अनुवाद|सारांश)` + marks},
		{GoldenAnswer, false, `अपेक्षित (?:उत्तर|जवाब|आउटपुट)` + marks},
		{Context, true, `(?:दिए गए|प्रदान किए गए|दिये गये|प्रदत्त|प्राप्त) (?:संदर्भ|दस्तावेज|दस्तावेज़|स्रोत|अंश)` + marks},
		{Context, false, `संदर्भ` + marks},
		{Input, false, `(?:उपयोगकर्ता (?:के|का|की) |ग्राहक (?:के|का|की) )?(?:प्रश्न|सवाल|क्वेरी|इनपुट)` + marks},
		{Prompt, false, `सिस्टम (?:प्रॉम्प्ट|संदेश|निर्देश)` + marks + `|प्रॉम्प्ट` + marks},
		{Output, false, `(?:उत्तर|जवाब|प्रतिक्रिया|आउटपुट)` + marks},
		// Bengali
		{GoldenAnswer, true, `(?:রেফারেন্স|আদর্শ|নমুনা|স্বর্ণ) (?:উত্তর|পাঠ|অনুবাদ|সারাংশ)` + marks},
		{GoldenAnswer, false, `প্রত্যাশিত (?:উত্তর|আউটপুট)` + marks},
		{Context, true, `(?:প্রদত্ত|দেওয়া|সরবরাহকৃত|প্রাপ্ত) (?:প্রসঙ্গ|নথি|উৎস|অনুচ্ছেদ|প্রেক্ষাপট)` + marks},
		{Context, false, `(?:প্রসঙ্গ|প্রেক্ষাপট)` + marks},
		{Input, false, `(?:ব্যবহারকারীর |গ্রাহকের )?(?:প্রশ্ন|ইনপুট|জিজ্ঞাসা)` + marks},
		{Prompt, false, `সিস্টেম (?:প্রম্পট|বার্তা|নির্দেশ)` + marks + `|প্রম্পট` + marks},
		{Output, false, `(?:উত্তর|জবাব|প্রতিক্রিয়া|আউটপুট)` + marks},
	}
}

func lexiconEastAsian() []lexeme {
	return []lexeme{
		// Chinese
		{GoldenAnswer, true, `(?:参考|標準|标准|黄金|參考|金标准)(?:答案|回答|答复|答覆|译文|譯文|文本|输出|輸出|摘要)`},
		{GoldenAnswer, false, `(?:预期|預期|期望)(?:的)?(?:答案|回答|输出|輸出)`},
		{Context, true, `(?:所?给定|所?提供|检索到?|檢索到?|给出|所给|附带)的?(?:上下文|文档|文檔|文件|资料|資料|段落|来源|材料|语境)|源文档|原文`},
		{Context, false, `上下文|语境|語境`},
		{Input, false, `(?:用户|使用者|客户|顾客)的?(?:问题|問題|提问|提問|查询|查詢|请求|請求|输入|輸入)|(?:该|此|这个|所提)(?:问题|問題)|输入|輸入`},
		{Prompt, false, `系统(?:提示词?|消息|指令)|系統(?:提示詞?|訊息|指令)|提示词|提示詞`},
		{Output, false, `回答|答案|回复|回覆|答复|答覆|响应|輸出|输出`},
		// Japanese
		{GoldenAnswer, true, `(?:模範|参照|正解|参考|ゴールド|標準)(?:解答|回答|応答|訳|要約|データ)`},
		{GoldenAnswer, false, `(?:期待される|想定される|想定)(?:回答|出力|応答)|正解`},
		{Context, true, `(?:与えられた|提供された|取得した|検索された|提示された|添付の)(?:コンテキスト|コンテクスト|文書|文脈|資料|文章|情報源)`},
		{Context, false, `コンテキスト|コンテクスト|文脈`},
		{Input, false, `(?:ユーザー|利用者|顧客|お客様)の?(?:質問|問い合わせ|入力|要求|依頼)|質問文?|入力`},
		{Prompt, false, `システム(?:プロンプト|メッセージ|指示)|プロンプト`},
		{Output, false, `回答|返答|応答|返信|出力`},
		// Korean
		{GoldenAnswer, true, `(?:참조|모범|기준|정답|참고|표준) ?(?:답변|답안|응답|번역|요약)` + marks},
		{GoldenAnswer, false, `(?:예상|기대)(?:되는)? ?(?:답변|응답|출력)` + marks + `|정답` + marks},
		{Context, true, `(?:제공된|주어진|검색된|첨부된) ?(?:문맥|맥락|컨텍스트|문서|자료|출처)` + marks},
		{Context, false, `(?:문맥|맥락|컨텍스트)` + marks},
		{Input, false, `(?:사용자의? ?|고객의? ?)?(?:질문|질의|입력)` + marks},
		{Prompt, false, `시스템 ?(?:프롬프트|메시지|지시)` + marks + `|프롬프트` + marks},
		{Output, false, `(?:답변|응답|대답|회신|출력)` + marks},
	}
}

func lexiconSouthEastAsian() []lexeme {
	return []lexeme{
		// Vietnamese
		{GoldenAnswer, true, `(?:câu trả lời|bản dịch|bản tóm tắt|đáp án) (?:tham chiếu|tham khảo|chuẩn|mẫu)`},
		{GoldenAnswer, false, `(?:câu trả lời|kết quả) (?:mong đợi|kỳ vọng|dự kiến)|đáp án`},
		{Context, true, `(?:ngữ cảnh|tài liệu|đoạn văn|nguồn) (?:được cung cấp|đã cho|được truy xuất|đính kèm)`},
		{Context, false, `ngữ cảnh`},
		{Input, false, `câu hỏi(?: của (?:người dùng|khách hàng))?|yêu cầu của (?:người dùng|khách hàng)|đầu vào`},
		{Prompt, false, `(?:lời nhắc|tin nhắn|chỉ dẫn|prompt) hệ thống`},
		{Output, false, `câu trả lời|phản hồi|đầu ra`},
		// Indonesian
		{GoldenAnswer, true, `(?:jawaban|terjemahan|ringkasan|teks) (?:referensi|acuan|rujukan|emas|baku)|kunci jawaban`},
		{GoldenAnswer, false, `(?:jawaban|keluaran) yang diharapkan`},
		{Context, true, `(?:konteks|dokumen|sumber|bagian) yang (?:diberikan|disediakan|diambil|dilampirkan)`},
		{Context, false, `konteks(?:nya)?`},
		{Input, false, `pertanyaan(?:nya)?(?: (?:pengguna|pelanggan))?|masukan pengguna|permintaan (?:pengguna|pelanggan)`},
		{Prompt, false, `(?:prompt|pesan|instruksi) sistem`},
		{Output, false, `jawaban(?:nya)?|tanggapan|respons|balasan|keluaran`},
		// Thai
		{GoldenAnswer, true, `คำตอบ(?:อ้างอิง|มาตรฐาน|ต้นแบบ)|คำแปลอ้างอิง|เฉลย`},
		{GoldenAnswer, false, `คำตอบที่คาดหวัง`},
		{Context, true, `(?:บริบท|เอกสาร|แหล่งข้อมูล|ข้อความ)ที่(?:ให้มา|กำหนด|ดึงมา|แนบมา)`},
		{Context, false, `บริบท`},
		{Input, false, `คำถาม(?:ของ(?:ผู้ใช้|ลูกค้า))?|คำขอของ(?:ผู้ใช้|ลูกค้า)|ข้อมูลนำเข้า`},
		{Prompt, false, `(?:พรอมต์|ข้อความ|คำสั่ง)(?:ของ)?ระบบ|พรอมต์`},
		{Output, false, `คำตอบ|การตอบกลับ|เอาต์พุต`},
	}
}
