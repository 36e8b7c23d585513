package guard

import (
	"cmp"
	"slices"
)

// maxSpans bounds the places that one pattern is shown at in one reading.
const maxSpans = 16

// Views that a pattern can be limited to.
const (
	viewText    = "text"    // as written, normalised
	viewLoose   = "loose"   // split, misspelt and dressed-up words put right
	viewDecoded = "decoded" // what encodings yield
	viewHidden  = "hidden"  // comments, hidden elements, characters without a shape
	viewRaw     = "raw"     // as written, in its own case
)

// layerText is the layer of what stands in the text itself.
const layerText = "text"

// scanner matches pattern packs against every reading of a text. It is
// immutable and safe for concurrent use, and it starts no goroutine.
type scanner struct {
	packs *Packs
	set   *exprSet
	voc   *vocabulary
}

func newScanner(packs *Packs) (*scanner, error) {
	exprs := make([]string, len(packs.Patterns))
	for i := range packs.Patterns {
		exprs[i] = packs.Patterns[i].Expr
	}
	set, err := newExprSet(exprs, packs.sample())
	if err != nil {
		return nil, err
	}
	return &scanner{packs: packs, set: set, voc: newVocabulary(packs)}, nil
}

// scan finds what the packs and the engine's own rules know in text. It is
// pure: the same text gives the same marks and features, in the same order.
func (s *scanner) scan(text string) ([]mark, textFeatures) {
	v, t := normalize(text)
	r := &run{scanner: s, text: text, features: measureText(text, v, &t)}
	r.read(v, viewText, layerText, sightPlain)
	if t.foldable > 0 {
		v = foldAll(v)
		r.read(v, viewText, layerText, sightPlain)
	}
	if l, words := s.voc.loosen(v); l != nil {
		r.features.RepairedWords = words
		r.read(l, viewLoose, layerText, sightPlain)
	}
	return r.finish(), &r.features
}

// finish sorts the marks and keeps one of those that a later reading repeats.
func (r *run) finish() []mark {
	return slices.CompactFunc(sortMarks(r.marks), func(a, b mark) bool {
		return a.RuleID == b.RuleID && a.sight == b.sight && a.Start == b.Start && a.End == b.End
	})
}

// run is the work on one text.
type run struct {
	*scanner
	text     string
	marks    []mark
	features Features
}

// hit is one place in a view where a pattern matched.
type hit struct {
	pattern *Pattern
	span
}

// read matches the patterns against one view; name is what packs call it.
func (r *run) read(v *view, name, layer, sight string) {
	var attacks, mentions []hit
	r.set.each(v.text, maxSpans, func(i int, spans []span) {
		p := &r.packs.Patterns[i]
		if !p.readIn(name) {
			return
		}
		switch p.Kind {
		case kindRubric:
			r.features.RubricMarks += len(spans)
		case kindRole:
			r.features.AddressedEvaluator += len(spans)
		}
		for _, at := range spans {
			h := hit{p, at}
			switch p.Kind {
			case kindMention:
				mentions = append(mentions, h)
			case kindAttack:
				attacks = append(attacks, h)
			}
		}
	})
	if len(attacks) == 0 {
		return
	}
	st := newStances(v.text, mentions)
	for _, h := range attacks {
		if st.excused(h) {
			continue
		}
		r.mark(v, h, layer, sight, st.of(h))
	}
}

func (r *run) mark(v *view, h hit, layer, sight, stance string) {
	at := v.origin(h.span)
	if sight == sightPlain && v.disguised(h.span) {
		sight = sightDisguised
	}
	r.marks = append(r.marks, mark{Finding{
		RuleID: h.pattern.ID, Category: h.pattern.Category, Severity: h.pattern.Severity, Layer: layer,
		Start: at.start, End: at.end, Excerpt: excerpt(r.text[at.start:at.end]), Quoted: stance != stanceAsserted, Mode: h.pattern.Mode,
	}, stance, sight})
}

func sortMarks(marks []mark) []mark {
	slices.SortStableFunc(marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.RuleID, b.RuleID), cmp.Compare(a.sight, b.sight), cmp.Compare(a.Layer, b.Layer), cmp.Compare(excuse(a), excuse(b)))
	})
	return marks
}
