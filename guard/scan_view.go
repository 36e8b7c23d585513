package guard

import (
	"sort"
	"unicode/utf8"
)

// span is a piece of a text in bytes, end not included.
type span struct{ start, end int }

func (s span) overlaps(o span) bool { return s.start < o.end && o.start < s.end }

func (s span) within(o span) bool { return s.start >= o.start && s.end <= o.end }

// edit says that a piece of the text stands for a piece of another length or
// kind in the text it was made from. Between edits both run in step.
type edit struct {
	at, from int32 // start here, start there
	n, m     int32 // length here, length there
	disguise bool  // the reader was to be deceived: a look-alike, a hidden character, split letters
}

// view is one reading of a text, with the way back to what it was made from.
type view struct {
	text   string
	edits  []edit
	parent *view // nil: made from the original
	source string
}

// origin translates a span of the view into the text that the outermost parent
// was made from. The result is never empty for a span that is not, and begins
// and ends between characters.
func (v *view) origin(s span) span {
	for ; v != nil; v = v.parent {
		s = v.back(s)
		if v.parent == nil {
			return snap(v.source, s)
		}
	}
	return s
}

func (v *view) back(s span) span {
	if len(v.edits) == 0 {
		return s
	}
	// The last edit that begins at or before the start; of several at one place
	// the last one, so that what was removed in front is left out.
	i := sort.Search(len(v.edits), func(i int) bool { return int(v.edits[i].at) > s.start }) - 1
	start := s.start
	if i >= 0 {
		e := &v.edits[i]
		if in := s.start - int(e.at); in < int(e.n) {
			start = int(e.from)
		} else {
			start = int(e.from+e.m) + in - int(e.n)
		}
	}
	// The last edit that begins before the end.
	j := sort.Search(len(v.edits), func(j int) bool { return int(v.edits[j].at) >= s.end }) - 1
	end := s.end
	if j >= 0 {
		e := &v.edits[j]
		if in := s.end - int(e.at); in <= int(e.n) {
			end = int(e.from + e.m)
		} else {
			end = int(e.from+e.m) + in - int(e.n)
		}
	}
	return span{start, max(start, end)}
}

// disguised reports whether anything inside the span was made to deceive.
func (v *view) disguised(s span) bool {
	for ; v != nil; v = v.parent {
		i := sort.Search(len(v.edits), func(i int) bool { return int(v.edits[i].at+v.edits[i].n) >= s.start })
		for ; i < len(v.edits) && int(v.edits[i].at) < s.end; i++ {
			e := &v.edits[i]
			inside := int(e.at) > s.start || e.n > 0 && int(e.at+e.n) > s.start
			if e.disguise && inside {
				return true
			}
		}
		s = v.back(s)
	}
	return false
}

// snap widens a span to whole characters of text.
func snap(text string, s span) span {
	s.start, s.end = min(max(s.start, 0), len(text)), min(max(s.end, 0), len(text))
	for s.start > 0 && s.start < len(text) && !utf8.RuneStart(text[s.start]) {
		s.start--
	}
	for s.end < len(text) && !utf8.RuneStart(text[s.end]) {
		s.end++
	}
	return s
}
