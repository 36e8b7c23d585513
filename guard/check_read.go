package guard

import (
	"cmp"
	"slices"
	"strings"
)

// partBreak stands between parts that are read as one text.
const partBreak = "\n\n"

// read scans the parts one by one and, when there are several, as one text as
// well: a model reads them together, so an order that is split over two steps
// is an order, while a step on its own must not be excused by what stands in
// front of it. The features are those of the whole.
func (p *Policy) read(parts []Part) ([]mark, textFeatures) {
	if len(parts) == 1 {
		marks, features := p.engine.scan(parts[0].Text)
		return inPart(marks, parts[0].Name), features
	}
	whole := joined(parts)
	marks, features := p.engine.scan(whole)
	marks = acrossParts(marks, parts)
	for _, part := range parts {
		own, _ := p.engine.scan(part.Text)
		marks = append(marks, inPart(own, part.Name)...)
	}
	return strongest(marks), features
}

func joined(parts []Part) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = part.Text
	}
	return strings.Join(texts, partBreak)
}

func inPart(marks []mark, name string) []mark {
	for i := range marks {
		marks[i].Part = name
	}
	return marks
}

// acrossParts turns offsets into the whole into a part and offsets into it. A
// mark over a border is shown where it begins, up to the end of that part.
func acrossParts(marks []mark, parts []Part) []mark {
	for i := range marks {
		m := &marks[i]
		offset := 0
		for j, part := range parts {
			end := offset + len(part.Text)
			if m.Start < end || j == len(parts)-1 {
				m.Part = part.Name
				m.Start = min(max(m.Start-offset, 0), len(part.Text))
				m.End = min(max(m.End-offset, m.Start), len(part.Text))
				break
			}
			offset = end + len(partBreak)
		}
	}
	return marks
}

// strongest keeps one mark per rule and place, the one that excuses least, in
// order of place.
func strongest(marks []mark) []mark {
	order := slices.Clone(marks)
	slices.SortStableFunc(order, func(a, b mark) int {
		return cmp.Or(
			cmp.Compare(a.Part, b.Part), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End),
			cmp.Compare(a.RuleID, b.RuleID), cmp.Compare(a.sight, b.sight), cmp.Compare(excuse(a), excuse(b)),
		)
	})
	return slices.CompactFunc(order, func(a, b mark) bool {
		return a.Part == b.Part && a.Start == b.Start && a.End == b.End && a.RuleID == b.RuleID && a.sight == b.sight
	})
}

// excuse orders stances from said in earnest to quoted.
func excuse(m mark) int {
	switch m.stance {
	case stanceMentioned:
		return 1
	case stanceQuoted:
		return 2
	default:
		return 0
	}
}

func findingsOf(marks []mark) []Finding {
	findings := make([]Finding, len(marks))
	for i := range marks {
		findings[i] = marks[i].Finding
	}
	return findings
}
