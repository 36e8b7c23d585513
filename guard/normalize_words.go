package guard

// Parameters of the filter of English words; normalize_words_gen.py has them
// too.
const (
	bloomBits   = 1 << 19
	bloomProbes = 7
)

// isEnglish reports whether a word in lower case is English, short function
// words included. One in a thousand strings passes by chance.
func isEnglish(word string) bool {
	if len(word) < 2 {
		return word == "a" || word == "i"
	}
	h := uint64(0xcbf29ce484222325)
	for i := 0; i < len(word); i++ {
		h = (h ^ uint64(word[i])) * 0x100000001b3
	}
	a, b := h&0xffffffff, h>>32|1
	for i := range uint64(bloomProbes) {
		at := (a + i*b) % bloomBits
		if englishBloom[at>>3]&(1<<(at&7)) == 0 {
			return false
		}
	}
	return true
}

// commonWords are the words that hold English sentences together, most of them
// too general for any pattern: taking joined letters apart needs them.
const commonWords = `
a about above across add after again against all allow almost alone along already also although always am among an and another any anyone anything are around as ask at away
back bad based be because become been before begin behind being below best better between beyond big both bring but by
call can cannot case change check clear come complete completely consider contain contains correct could
day did different do does done down during
each early easy either else end enough entire even ever every everyone everything evidence example except explain
fact false few final find finally first five follow for form four from full further
general get give given go goes going good great group
had half has have having he help her here high him his how however
i if important in include including indeed information inside instead into is it item its itself
just keep kind know known
large last later least leave less let like likely line list little long look low
made main make making many matter may me mean mention might more most much must my
name near need needs neither never new next no none nor not note nothing now number
of off often ok old on once one only onto open or order other others otherwise our out outside over own
page paragraph part particular people per perhaps place please point possible present provide provided put
question quite quote
rather read real really reason regardless related remain rest right
said same say says second section see seem set several shall she short should show shown side simply since single six small so some someone something soon state still stop such sure
take ten than that the their them themselves then there therefore these they thing things think third this those though three through thus time to today together told too top toward treat true try turn two type
under until up upon us use used user users using usual
value various very via view
want was way we well were what whatever when whenever where whether which while who whole whom whose why will with within without word words work would write written wrong
year yes yet you your yours yourself zero
`
