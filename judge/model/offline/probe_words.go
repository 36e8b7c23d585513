package offline

import "strings"

// probeThemes measures demands that texts show by their wording: courtesy,
// empathy, no blame, a next step, a reason and the like.
func probeThemes(x *examiner, s stepText) (measure, bool) {
	var low measure
	sum, n := 0.0, 0
	for _, t := range themes {
		if !holdsCue(s.body, t.cues) || t.unwanted && !s.no {
			continue
		}
		m := x.shows(t, s)
		if n == 0 || m.strength < low.strength {
			low = m
		}
		sum += m.strength
		n++
	}
	if n == 0 {
		return low, false
	}
	low.strength = sum / float64(n)
	return low, true
}

// shows measures one theme.
func (x *examiner) shows(t theme, s stepText) measure {
	if p, bad := x.subject.find(t.against); bad {
		return turned(measure{evidence: quote(p.text)}, s, t)
	}
	p, has := x.subject.find(t.signs)
	m := measure{strength: t.neutral, evidence: "no wording of " + strings.ReplaceAll(t.name, "_", " ") + " found in the output"}
	if has {
		m = measure{strength: 1, evidence: quote(p.text)}
	}
	if t.helps && !s.no {
		if own := ownKeys(s); len(own) > 1 {
			_, share := x.subject.best(own)
			m.strength = (m.strength + scaled(max(share, x.subject.cover(own)), 0, 0.7)) / 2
		}
	}
	return turned(m, s, t)
}

// turned swaps a measure where the step asks for absence.
func turned(m measure, s stepText, t theme) measure {
	if s.no && (t.unwanted || t.neutral == 0) {
		m.strength = 1 - m.strength
	}
	return m
}

// probeWords is the last resort: how much of what the step names does the text
// hold. A step that forbids is met unless one sentence states most of it.
func probeWords(x *examiner, s stepText) measure {
	keys := s.keys
	if len(keys) == 0 {
		return measure{strength: 0.5, evidence: "the step names nothing that can be looked for"}
	}
	if s.no {
		if banned := contentKeys(behindNo(s.body)); len(banned) > 0 {
			keys = banned
		}
	}
	best, share := x.subject.best(keys)
	if s.no {
		if share >= 0.7 && !best.negated() {
			return measure{evidence: quote(best.text)}
		}
		return measure{strength: 1, evidence: "not found in the output: " + strings.Join(s.words[:min(len(s.words), 6)], ", ")}
	}
	cover := x.subject.cover(keys)
	if cover == 0 && foreign(s.full, x.subject.text) {
		return measure{strength: 0.5, evidence: "the step and the output are in different languages, which words cannot compare"}
	}
	m := measure{strength: scaled(0.7*cover+0.3*share, 0.05, 0.7), evidence: quote(best.text)}
	if m.strength < partlyFrom {
		m.evidence = "not found in the output: " + strings.Join(absent(x.subject, s), ", ")
	}
	return m
}

// absent lists up to six words of a step that a text lacks.
func absent(d *doc, s stepText) []string {
	var out []string
	for i, k := range s.keys {
		if !d.keys[k] {
			if out = append(out, s.words[i]); len(out) == 6 {
				break
			}
		}
	}
	return out
}

// foreign reports two texts in two languages that are both known.
func foreign(a, b string) bool {
	x, y := languageOf(a), languageOf(b)
	return x != "" && y != "" && x != y
}
