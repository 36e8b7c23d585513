package rubric

import (
	"fmt"
	"strings"
	"testing"
)

func TestDetectScales(t *testing.T) {
	tests := map[string]string{
		"Rate it 1 to 5.":                            "1-5",
		"Score from 0 to 1, where 1 is the best.":    "0-1",
		"Give a score between 1 and 7":               "1-7",
		"Score (1-10)":                               "1-10",
		"Rate on a scale from 1 (worst) to 4 (best)": "1-4",
		"On a scale of 0.0 to 1.0, score the reply":  "0-1",
		"Score it one to five.":                      "1-5",
		"Give a mark out of 20.":                     "0-20",
		"Grade: x/10":                                "0-10",
		"a 7-point Likert scale":                     "1-7",
		"Answer on a Likert scale.":                  "1-5",
		"a 100-point scale":                          "0-100",
		"Rate it with 5 stars":                       "1-5",
		"Give the score as a percentage.":            "0-100",
		"Score 1: bad\nScore 2: fair\nScore 3: good": "1-3",
		"Grade it: 0 = wrong, 2 = right":             "0-2",
		"Puntúa de 1 a 5.":                           "1-5",
		"Donnez une note de 0 à 20.":                 "0-20",
		"Notez sur 10.":                              "0-10",
		"Bewerte von 1 bis 6.":                       "1-6",
		"Dê uma nota de 0 a 10.":                     "0-10",
		"Dai un voto da 1 a 10.":                     "1-10",
		"Geef een cijfer van 1 tot 10.":              "1-10",
		"Oceń w skali od 1 do 6.":                    "1-6",
		"Оцените по шкале от 1 до 5.":                "1-5",
		"по 10-балльной шкале":                       "1-10",
		"Оцініть за шкалою від 1 до 5.":              "1-5",
		"قيّم من 1 إلى 5":                            "1-5",
		"1 से 5 के पैमाने पर स्कोर दें": "1-5",
		"请按1到5分打分。":                             "1-5",
		"满分10分":                                 "0-10",
		"百分制":                                   "0-100",
		"10点満点で採点する":                            "0-10",
		"5段階で評価する":                              "1-5",
		"5점 만점":                                 "0-5",
		"Chấm điểm từ 1 đến 10.":                "1-10",
		"Beri skor dari 1 sampai 5.":            "1-5",
		"ให้คะแนน 1 ถึง 5":                      "1-5",
		"Rate tone 1 to 5. Rate facts 0 to 10.": "1-5 0-10",

		"":                                       "",
		"Write 2 to 4 sentences.":                "",
		"Rate replies of 1 to 5 sentences alike": "",
		"Mentions 9 out of 10 dentists.":         "",
		"Covers at least 80% of the facts.":      "",
		"Stays between 1 and 3 paragraphs.":      "",
		"Delivered on 1/10/2026.":                "",
		"A four-star hotel is named.":            "",
		"Chapters 1 to 5 are summarised.":        "",
		"Scores of people, from 20 to 30":        "",
		"Version 1.0 to 2.0 of the score sheet":  "",
		"Score the reply on three points.":       "",
		"It is 1.":                               "",
	}
	for text, want := range tests {
		t.Run(text, func(t *testing.T) {
			var list []string
			for _, s := range DetectScales(text) {
				if s.Start >= s.End || s.End > len(text) {
					t.Errorf("bad span %+v", s)
				}
				list = append(list, fmt.Sprintf("%s-%s", decimal(s.Min), decimal(s.Max)))
			}
			if got := strings.Join(list, " "); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		})
	}
}

func TestDetectPlaceholders(t *testing.T) {
	tests := map[string]string{
		"{{golden_answer}}":            "golden_answer",
		"{{ output | upper }} is read": "output | upper",
		"${a} and $(b)":                "a b",
		"<%= c %> {% if d %}":          "c if d",
		"a {name} and {0}":             "name 0",
		"{{.Output}}":                  "Output",
		"%s, %(x)s":                    "? x",
		"<CUSTOMER> [[city]]":          "CUSTOMER city",

		"a set {1, 2}":          "",
		"x_{ij} and \\frac{a}":  "",
		"[a-z]{3} digits":       "",
		"100%sure, 5 % solid":   "",
		"<b>bold</b> {\"a\":1}": "",
		"{not a name}":          "",
	}
	for text, want := range tests {
		t.Run(text, func(t *testing.T) {
			var list []string
			for _, p := range DetectPlaceholders(text) {
				if p.Name == "" {
					p.Name = "?"
				}
				list = append(list, p.Name)
			}
			if got := strings.Join(list, " "); got != want {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		})
	}
}

func TestDetectNegations(t *testing.T) {
	for lang, text := range map[string]string{
		"en": "must not", "en2": "doesn't", "es": "sin datos", "fr": "ne doit pas", "de": "darf nicht", "de2": "keine Daten", "pt": "não deve",
		"it": "senza dati", "nl": "geen gegevens", "pl": "nie może", "ru": "не должен", "uk": "не повинна", "tr": "olmamalı değil", "ar": "لا يذكر",
		"fa": "نباید", "hi": "नहीं होना चाहिए", "bn": "উল্লেখ করে না", "zh": "不得提到", "ja": "含まない", "ko": "포함하지 않는다", "vi": "không nêu",
		"id": "tidak menyebut", "th": "ไม่ระบุ",
	} {
		spans := DetectNegations(text)
		if len(spans) == 0 {
			t.Errorf("%s: no negation in %q", lang, text)
		}
		for _, s := range spans {
			if s.Start >= s.End || s.End > len(text) {
				t.Errorf("%s: bad span %+v", lang, s)
			}
		}
	}
	for _, text := range []string{"names the notary", "the note is noble", "knotted", "a nice nonsense-free day in Nottingham"} {
		if spans := DetectNegations(text); len(spans) > 0 {
			t.Errorf("%q has %v", text, spans)
		}
	}
}
