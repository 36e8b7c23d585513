package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// entry is one item of a list with the items nested under it.
type entry struct {
	mark     mark
	indent   int
	body     span // its own text without the mark
	children []*entry
}

// whole is the item with everything nested under it.
func (e *entry) whole() span {
	s := e.body
	if n := len(e.children); n > 0 {
		s.end = max(s.end, e.children[n-1].whole().end)
	}
	return s
}

// list is one run of items with the heading it stands under.
type list struct {
	rank    rank
	intro   bool // a heading or a line that ends in a colon stands right above
	entries []*entry
}

// layout is a text taken apart: its lists, and the lines that are prose.
type layout struct {
	lists []list
	prose []proseLine
}

// proseLine is a line outside of lists and headings.
type proseLine struct {
	span
	rank rank
	head bool // the line is a heading
}

// layoutOf takes a text apart line by line.
func layoutOf(text string) layout {
	p := parser{text: text, lines: linesOf(text)}
	for i := range p.lines {
		p.read(i)
	}
	p.close()
	return layout{lists: p.lists, prose: p.prose}
}

// parser reads lines from top to bottom. stack holds the open items of the
// current list from the outermost to the innermost.
type parser struct {
	text  string
	lines []line
	lists []list
	prose []proseLine

	current list
	stack   []*entry
	rank    rank
	intro   bool
	gap     bool // a blank line was seen since the last item
}

func (p *parser) read(i int) {
	l := p.lines[i]
	if l.blank {
		p.gap = true
		return
	}
	body := l.content().of(p.text)
	if m := p.markOf(body, i); m.kind != markNone {
		p.add(l, m)
		return
	}
	if len(p.stack) > 0 && p.continues(l, body) {
		p.stack[len(p.stack)-1].body.end = l.end
		p.gap = false
		return
	}
	p.close()
	title, isHeading := headingOf(body)
	if isHeading {
		p.rank = rankOf(title)
	}
	p.prose = append(p.prose, proseLine{span: l.content(), rank: p.rank, head: isHeading})
	p.intro = isHeading || strings.HasSuffix(body, ":") || strings.HasSuffix(body, "：")
	p.gap = false
}

// markOf reads the mark of a line, also behind "**" and "> ".
func (p *parser) markOf(body string, i int) mark {
	lead := 0
	for _, prefix := range []string{"> ", "**", "__"} {
		if strings.HasPrefix(body[lead:], prefix) {
			lead += len(prefix)
		}
	}
	m := markAt(body[lead:])
	if m.kind == markNone || lead > 0 && strings.HasPrefix(string(m.kind), string(markBullet)) {
		m = markAt(body)
		lead = 0
	}
	if m.kind == markNone {
		return m
	}
	m.size += lead
	m = p.settle(m, body, lead)
	if lonely(m.kind) && !p.hasSibling(m, i) {
		return mark{}
	}
	return m
}

// settle reads "i)" behind "h)" as a letter.
func (p *parser) settle(m mark, body string, lead int) mark {
	if m.kind != markRoman {
		return m
	}
	token, value := letterToken(strings.TrimLeft(body[lead:], "(（["))
	for _, e := range p.stack {
		if n := len(token); n == 1 && e.mark.kind == markLetter && e.mark.value == value-1 {
			m.kind, m.value = markLetter, value
		}
	}
	return m
}

// lonely kinds are marks that also begin ordinary sentences; alone they are none.
func lonely(k markKind) bool { return k == markLetter || k == markRoman || k == markHan }

// siblingReach is how many lines up and down a sibling is looked for.
const siblingReach = 12

func (p *parser) hasSibling(m mark, i int) bool {
	for j := max(0, i-siblingReach); j < min(len(p.lines), i+siblingReach+1); j++ {
		if j == i || p.lines[j].blank {
			continue
		}
		body := strings.TrimLeft(p.lines[j].content().of(p.text), "*_> ")
		o := markAt(body)
		if o.kind == markRoman && m.kind == markLetter {
			if _, v := letterToken(strings.TrimLeft(body, "(（[")); v > 0 {
				o = mark{kind: markLetter, value: v}
			}
		}
		if o.kind == m.kind && (o.value == m.value+1 || o.value == m.value-1) {
			return true
		}
	}
	return false
}

// continues reports whether a line without a mark goes on with the last item:
// it is indented under it, or the item broke off in mid-sentence.
func (p *parser) continues(l line, body string) bool {
	last := p.stack[len(p.stack)-1]
	if l.indent > last.indent {
		return true
	}
	if p.gap {
		return false
	}
	if _, heading := headingOf(body); heading {
		return false
	}
	first, _ := utf8.DecodeRuneInString(body)
	return unicode.IsLower(first) && !endsSentence(last.body.of(p.text))
}

// endsSentence reports whether a text ends with a terminator or a colon.
func endsSentence(s string) bool {
	t := strings.TrimRight(s, closersOfSentence+" ")
	r, _ := utf8.DecodeLastRuneInString(t)
	return strings.ContainsRune(terminators+wideTerminators+":：;；", r)
}

// add puts an item where its mark and its indent say.
func (p *parser) add(l line, m mark) {
	e := &entry{mark: m, indent: l.indent, body: span{l.body + m.size, l.end}}
	depth := p.depthOf(e)
	if depth == 0 && len(p.stack) > 0 && !sameLevel(p.current.entries[0], e) {
		p.close()
	}
	if depth == 0 {
		if len(p.current.entries) == 0 {
			p.current.rank, p.current.intro = p.rank, p.intro
		}
		p.current.entries = append(p.current.entries, e)
	} else {
		parent := p.stack[depth-1]
		parent.children = append(parent.children, e)
	}
	p.stack = append(p.stack[:depth], e)
	p.gap = false
}

// depthOf is how many of the open items stay open above a new one.
func (p *parser) depthOf(e *entry) int {
	for d, open := range slices.Backward(p.stack) {
		if sameLevel(open, e) {
			return d
		}
	}
	if n := len(p.stack); n > 0 {
		top := p.stack[n-1]
		if e.indent > top.indent || !p.gap && e.mark.kind != top.mark.kind {
			return n
		}
	}
	return 0
}

func sameLevel(a, b *entry) bool {
	return a.mark.kind == b.mark.kind && a.indent-b.indent <= 1 && b.indent-a.indent <= 1
}

// close ends the current list.
func (p *parser) close() {
	if len(p.current.entries) > 0 {
		p.lists = append(p.lists, p.current)
	}
	p.current, p.stack, p.intro = list{}, nil, false
}
