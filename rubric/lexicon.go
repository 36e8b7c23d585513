package rubric

import (
	"slices"
	"sync"
)

// lexicon is the words for fields, a file part per group of languages. Words
// that inflect end in a run of letters; scripts without word spaces are matched
// as they stand. A phrase is sure when people use it for the field alone.
var lexicon = sync.OnceValue(func() []lexeme {
	return slices.Concat(
		lexiconShields(), lexiconNames(), lexiconEnglish(), lexiconRomance(), lexiconGermanic(),
		lexiconSlavic(), lexiconWestAsian(), lexiconSouthAsian(), lexiconEastAsian(), lexiconSouthEastAsian(),
	)
})

// lexiconShields are phrases that hold a field's word and mean something else.
func lexiconShields() []lexeme {
	return []lexeme{
		{"", true, `(?:in|out of) (?:the )?context(?: of)?|context[- ]?(?:aware|free|window|dependent)`},
		{"", true, `question marks?|(?:a|any|every|each|no|one|further|follow[- ]?up|clarifying|rhetorical|open|leading) questions?|(?:asks?|asking) questions?`},
		{"", true, `in (?:response|answer|reply|reference) to|with reference to|reference numbers?|references? to`},
		{"", true, `(?:open|data|power|single|news) sources?|source code|(?:cites?|citing|citations? of|names?|naming|lists?|listing) (?:its |the |their |his |her )?sources?`},
		{"", true, `response times?|quick responses?|prompt (?:reply|response|answer|replies|responses|answers)|(?:safety|security|legal|official) documents?`},
		{"", true, `(?:leak|reveal|disclose|repeat|expose|share|show|print|output)(?:s|es|ed|ing)? (?:the |its |any |their |your )?(?:system |hidden |original |own )*(?:prompts?|instructions?)`},
	}
}

// lexiconNames are names of fields as programs write them.
func lexiconNames() []lexeme {
	return []lexeme{
		{Output, true, `actual[_-]?output|model_output`},
		{Input, true, `user_input|user_query|user_question`},
		{Context, true, `retrieval_context|retrieved_contexts?`},
		{GoldenAnswer, true, `golden_answer|gold_answer|expected_output|expected_answer|reference_answer|ground_truth`},
		{Prompt, true, `system_prompt|system_message`},
	}
}

func lexiconEnglish() []lexeme {
	const definite = `(?:the|this|that|its|their|his|her|my|your|original|given|user(?:['’]s)?|users['’]|customer(?:['’]s)?|student(?:['’]s)?|asked|posed)`
	return []lexeme{
		{GoldenAnswer, true, `(?:gold|golden|gold[- ]standard|reference|ground[- ]truth) (?:answers?|responses?|outputs?|repl(?:y|ies)|solutions?|texts?|translations?|summar(?:y|ies)|completions?)`},
		{GoldenAnswer, false, `ground[- ]truths?|(?:expected|target) (?:answers?|responses?|outputs?|repl(?:y|ies)|solutions?)|(?:the|a|provided|given) references?|gold[- ]standard`},
		{Context, true, `(?:provided|given|supplied|retrieved|retrieval|supporting|attached|reference) (?:contexts?|documents?|passages?|chunks?|sources?|articles?|materials?|excerpts?|snippets?)|source (?:documents?|passages?)`},
		{Context, false, `(?:the|this|that|its|given a|a given) (?:context|passage|source text)s?|(?:the|these|those) (?:documents|chunks|sources|excerpts)`},
		{Input, false, definite + ` (?:user (?:questions?|quer(?:y|ies)|inputs?|requests?|messages?)|questions?|quer(?:y|ies)|inputs?|requests?)|user (?:questions?|quer(?:y|ies)|inputs?|requests?|messages?|prompts?)|inputs?`},
		{Prompt, false, `(?:system|developer) (?:prompts?|messages?|instructions?)|(?:the|this|that|original|given) prompts?`},
		{Output, true, `(?:actual|model(?:['’]s)?|assistant(?:['’]s)?|chatbot(?:['’]s)?|generated|submitted) (?:outputs?|answers?|responses?|repl(?:y|ies)|texts?|messages?)`},
		{Output, false, `answers?|responses?|repl(?:y|ies)|outputs?|generations?|completions?`},
	}
}

//nolint:misspell // words of other languages
func lexiconRomance() []lexeme {
	return []lexeme{
		// Spanish
		{GoldenAnswer, true, `(?:respuestas?|salidas?|traducci(?:ón|ones)|texto|resumen) (?:de referencia|de oro|modelo|patrón)|verdad (?:de )?(?:base|terreno)`},
		{GoldenAnswer, false, `(?:respuestas?|salidas?) esperadas?|la referencia`},
		{Context, true, `(?:contexto|documentos?|pasajes?|fuentes?|fragmentos?) (?:proporcionad|recuperad|suministrad|dad)[oa]s?`},
		{Context, false, `(?:el|este|del|al) contexto|(?:los|las|estos|estas) (?:documentos|pasajes|fuentes|fragmentos)`},
		{Input, false, `(?:la|esta|su) (?:pregunta|consulta|entrada|solicitud|petición)(?: del (?:usuario|cliente))?`},
		{Prompt, false, `(?:prompt|mensaje|instrucci(?:ón|ones)) del? sistema|el prompt`},
		{Output, false, `respuestas?|contestaci(?:ón|ones)|salidas?`},
		// French
		{GoldenAnswer, true, `(?:réponses?|sorties?|traductions?|textes?|résumés?) de référence|réponses?[- ]types?|vérité terrain|corrigés?`},
		{GoldenAnswer, false, `(?:réponses?|sorties?) attendues?|la référence`},
		{Context, true, `(?:contextes?|documents?|passages?|sources?|extraits?) (?:fourni|récupéré|donné|joint)e?s?`},
		{Context, false, `(?:le|ce|du|au) contexte|(?:les|ces|des|aux) (?:documents|passages|sources|extraits)`},
		{Input, false, `(?:la|cette|sa) (?:question|requête|demande)(?: (?:de l['’]utilisateur|du client))?|l['’]entrée|l['’]invite de l['’]utilisateur`},
		{Prompt, false, `(?:prompt|message|instructions?|invite) (?:du )?système|le prompt`},
		{Output, false, `réponses?|sorties?`},
		// Portuguese
		{GoldenAnswer, true, `(?:respostas?|saídas?|traduç(?:ão|ões)|texto|resumo) (?:de referência|modelo|padrão)|gabaritos?`},
		{GoldenAnswer, false, `(?:respostas?|saídas?) esperadas?|a referência`},
		{Context, true, `(?:contextos?|documentos?|trechos?|fontes?|passagens) (?:fornecid|recuperad|dad|apresentad)[oa]s?`},
		{Context, false, `(?:o|este|do|ao|no) contexto|(?:os|as|estes|estas) (?:documentos|trechos|fontes|passagens)`},
		{Input, false, `(?:a|esta|sua|à|da) (?:pergunta|consulta|entrada|solicitação)(?: do (?:usuário|utilizador|cliente))?`},
		{Prompt, false, `(?:prompt|mensagem|instruç(?:ão|ões)) d[oe] sistema|o prompt`},
		{Output, false, `respostas?|saídas?`},
		// Italian
		{GoldenAnswer, true, `(?:rispost[ae]|output|traduzion[ei]|testo|riassunto) (?:di riferimento|modello)|verità di base`},
		{GoldenAnswer, false, `(?:rispost[ae]|output) attes[aoe]|il riferimento`},
		{Context, true, `(?:contest[oi]|document[oi]|passagg(?:io|i)|font[ei]|brani?) (?:fornit|recuperat|dat|allegat)[oaie]`},
		{Context, false, `(?:il|questo|del|al|nel) contesto|(?:i|le|questi|queste) (?:documenti|passaggi|fonti|brani)`},
		{Input, false, `(?:la|questa|sua|alla|della) (?:domanda|richiesta|query)(?: dell['’]utente| del cliente)?|l['’]input`},
		{Prompt, false, `(?:prompt|messaggio|istruzion[ei]) di sistema|il prompt`},
		{Output, false, `rispost[ae]|output`},
	}
}

//nolint:misspell // words of other languages
func lexiconGermanic() []lexeme {
	return []lexeme{
		// German
		{GoldenAnswer, true, `referenz(?:antwort|lösung|text|übersetzung|ausgabe|zusammenfassung)\p{L}*|muster(?:lösung|antwort)\p{L}*|gold(?:antwort|standard)\p{L}*`},
		{GoldenAnswer, false, `erwartete[nrs]? (?:antwort|ausgabe|lösung)\p{L}*|(?:die|der) referenz`},
		{Context, true, `(?:bereitgestellte|gegebene|abgerufene|mitgelieferte|gelieferte|beigefügte)[nrsm]? (?:kontext|dokument|textstelle|quelle|abschnitt|passage)\p{L}*|quell(?:text|dokument)\p{L}*`},
		{Context, false, `(?:der|dem|den|des|diesem|diesen|im) kontexte?s?|(?:die|den|diese|diesen) (?:dokumente|quellen|textstellen|passagen)n?`},
		{Input, false, `(?:nutzer|benutzer|kunden|ursprungs)?(?:frage|anfrage|eingabe)`},
		{Prompt, false, `system-?(?:prompt|nachricht|anweisung)\p{L}*|(?:der|dem|den|des) prompts?`},
		{Output, false, `(?:modell)?(?:antwort|ausgabe)(?:en)?`},
		// Dutch
		{GoldenAnswer, true, `referentie(?:antwoord|tekst|oplossing|vertaling)\p{L}*|modelantwoord\p{L}*|gouden (?:antwoord|standaard)`},
		{GoldenAnswer, false, `verwachte? (?:antwoord|uitvoer)|de referentie`},
		{Context, true, `(?:gegeven|verstrekte|opgehaalde|aangeleverde|meegeleverde) (?:context|document|bron|passage|fragment)\p{L}*|bron(?:tekst|document)\p{L}*`},
		{Context, false, `(?:de|deze) (?:context|documenten|bronnen|passages|fragmenten)`},
		{Input, false, `(?:de|deze) (?:gebruikers|klant)?(?:vraag|invoer|verzoek|aanvraag)|gebruikersvraag`},
		{Prompt, false, `systeem(?:prompt|bericht|instructie)\p{L}*|de prompt`},
		{Output, false, `antwoord(?:en)?|uitvoer|reactie`},
	}
}

func lexiconSlavic() []lexeme {
	return []lexeme{
		// Polish
		{GoldenAnswer, true, `odpowied\p{L}* (?:referencyjn|wzorcow|wzorow)\p{L}*|(?:referencyjn|wzorcow|wzorow)\p{L}* (?:odpowied|tekst|tłumaczeni|rozwiązani)\p{L}*`},
		{GoldenAnswer, false, `oczekiwan\p{L}* (?:odpowied|wynik)\p{L}*|odpowied\p{L}* oczekiwan\p{L}*`},
		{Context, true, `(?:podan|dostarczon|pobran|załączon)\p{L}* (?:kontek|dokument|fragment|źród|źród)\p{L}*|(?:kontek|dokument|fragment|źród)\p{L}* (?:podan|dostarczon|pobran|załączon)\p{L}*|teks\p{L}* źródłow\p{L}*`},
		{Context, false, `konte(?:kst|kści)\p{L}*`},
		{Input, false, `pytani(?:e|a|u|em)(?: (?:użytkownika|klienta))?|zapytani\p{L}*|dan\p{L}* wejściow\p{L}*`},
		{Prompt, false, `(?:prompt|komunikat|instrukcj)\p{L}* systemow\p{L}*|systemow\p{L}* prompt\p{L}*`},
		{Output, false, `odpowied\p{L}*`},
		// Russian
		{GoldenAnswer, true, `(?:эталонн|референсн|образцов)\p{L}* (?:ответ|текст|решени|перевод|вывод)\p{L}*|эталон\p{L}*`},
		{GoldenAnswer, false, `ожидаем\p{L}* (?:ответ|вывод|результат)\p{L}*`},
		{Context, true, `(?:предоставленн|данн|найденн|извлечённ|извлеченн|приложенн)\p{L}* (?:контекст|документ|фрагмент|отрывк|источник)\p{L}*|исходн\p{L}* (?:текст|документ)\p{L}*`},
		{Context, false, `контекст\p{L}*`},
		{Input, false, `вопрос(?:а|у|ом|е)?(?: (?:пользователя|клиента))?|запрос(?:а|у|ом|е)?(?: (?:пользователя|клиента))?|входн\p{L}* данн\p{L}*`},
		{Prompt, false, `системн\p{L}* (?:промпт|сообщени|инструкци|подсказк)\p{L}*|промпт\p{L}*`},
		{Output, false, `ответ(?:а|у|ом|е|ы|ов|ам|ами|ах)?|вывод(?:а|у|ом|е)?`},
		// Ukrainian
		{GoldenAnswer, true, `(?:еталонн|зразков|референсн)\p{L}* (?:відповід|текст|переклад|розв)\p{L}*|еталон\p{L}*`},
		{GoldenAnswer, false, `очікуван\p{L}* (?:відповід|результат)\p{L}*`},
		{Context, true, `(?:наданн|надан|знайден|отриман|доданн)\p{L}* (?:контекст|документ|фрагмент|уривк|джерел)\p{L}*|вихідн\p{L}* (?:текст|документ)\p{L}*`},
		{Context, false, `контекст\p{L}*`},
		{Input, false, `(?:запитанн|питанн)(?:я|ю|ям|і)(?: (?:користувача|клієнта))?|запит(?:у|ом|і)?(?: (?:користувача|клієнта))?`},
		{Prompt, false, `системн\p{L}* (?:промпт|повідомлен|інструкці|підказк)\p{L}*|промпт\p{L}*`},
		{Output, false, `відповід(?:ь|і|ю|дю|ей|ям|ями|ях)|відповіддю`},
	}
}
