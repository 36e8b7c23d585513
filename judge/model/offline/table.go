package offline

import (
	"strings"
	"unicode"
)

// fromTables reads Markdown tables: a line of cells, a line of dashes, rows.
// The step of a row is the cell under a heading that names criteria or checks,
// else the longest cell. A table of levels of a scale gives none.
func fromTables(text string, prose []proseLine) []span {
	var out []span
	for i := 0; i+2 < len(prose); i++ {
		head := cellsOf(text, prose[i].span)
		if len(head) < 2 || prose[i].rank == rankOther || !isRule(prose[i+1].of(text)) {
			continue
		}
		var rows [][]span
		j := i + 2
		for ; j < len(prose); j++ {
			cells := cellsOf(text, prose[j].span)
			if len(cells) < 2 {
				break
			}
			rows = append(rows, cells)
		}
		out = append(out, stepsOfTable(text, head, rows)...)
		i = j - 1
	}
	return tidy(text, out)
}

// cellsOf splits a row at its bars; nil when the line is none.
func cellsOf(text string, s span) []span {
	s = s.trim(text)
	if !strings.HasPrefix(s.of(text), "|") && !strings.Contains(s.of(text), "|") {
		return nil
	}
	var cells []span
	start := s.start
	for i := s.start; i <= s.end; i++ {
		if i < s.end && (text[i] != '|' || i > s.start && text[i-1] == '\\') {
			continue
		}
		if i > s.start || text[s.start] != '|' {
			cells = append(cells, span{start, i}.trim(text))
		}
		start = i + 1
	}
	if n := len(cells); n > 0 && cells[n-1].empty() {
		cells = cells[:n-1]
	}
	return cells
}

func isRule(s string) bool {
	return strings.Contains(s, "-") && strings.Trim(s, "|-: \t") == ""
}

func stepsOfTable(text string, head []span, rows [][]span) []span {
	grades := 0
	for _, h := range head {
		if isGrade(strings.ToLower(h.of(text))) {
			grades++
		}
	}
	column := columnOfSteps(text, head, rows)
	if grades >= 2 || column < 0 {
		return nil
	}
	var out []span
	var texts []string
	for _, r := range rows {
		if column < len(r) && !r[column].empty() {
			out = append(out, r[column])
			texts = append(texts, r[0].of(text)+":")
		}
	}
	if isScale(texts) {
		return nil
	}
	return out
}

// columnWords name the column that holds the steps, best first.
var columnWords = [][]string{
	{"check", "step", "question", "requirement", "what to", "description", "prüf", "schritt", "frage", "beschreibung", "anforderung", "comprob", "pregunta", "descrip", "requisit", "vérif", "question", "exigence", "controllo", "domanda", "descriz", "verifica", "pergunta", "descri", "controle", "vraag", "omschrijving", "sprawd", "pytanie", "opis", "проверк", "вопрос", "описан", "перевірк", "питання", "опис", "kontrol", "soru", "açıklama", "检查", "步骤", "问题", "说明", "描述", "要求", "確認", "質問", "説明", "確認内容", "확인", "질문", "설명", "kiểm tra", "câu hỏi", "mô tả", "periksa", "pertanyaan", "deskripsi", "التحقق", "السؤال", "الوصف"},
	{"criteri", "kriteri", "critère", "critério", "kryteri", "критери", "критері", "ölçüt", "标准", "標準", "基準", "기준", "tiêu chí", "معيار", "المعيار", "मानदंड", "মানদণ্ড", "เกณฑ์"},
}

func columnOfSteps(text string, head []span, rows [][]span) int {
	for _, words := range columnWords {
		for i, h := range head {
			if containsWord(strings.ToLower(h.of(text)), words) {
				return i
			}
		}
	}
	best, longest := -1, 0
	for i := range head {
		letters := 0
		for _, r := range rows {
			if i < len(r) {
				letters += len(strings.TrimFunc(r[i].of(text), func(c rune) bool { return !unicode.IsLetter(c) }))
			}
		}
		if letters > longest {
			best, longest = i, letters
		}
	}
	return best
}
