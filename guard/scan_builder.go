package guard

import "unicode/utf8"

// builder writes a view of a source text from left to right. Every byte of the
// source is either copied in step or covered by an edit.
type builder struct {
	src   string
	buf   []byte
	edits []edit
	pos   int // bytes of src that are done
}

func newBuilder(src string) *builder {
	return &builder{src: src, buf: make([]byte, 0, len(src)+16)}
}

// keep copies n bytes of the source.
func (b *builder) keep(n int) {
	b.buf = append(b.buf, b.src[b.pos:b.pos+n]...)
	b.pos += n
}

// put writes out for the next m bytes of the source.
func (b *builder) put(out string, m int, disguise bool) {
	if len(out) != m || disguise || out == "" {
		b.edits = append(b.edits, edit{at: int32(len(b.buf)), n: int32(len(out)), from: int32(b.pos), m: int32(m), disguise: disguise})
	}
	b.buf = append(b.buf, out...)
	b.pos += m
}

// drop leaves out the next m bytes of the source.
func (b *builder) drop(m int, disguise bool) {
	if n := len(b.edits); n > 0 {
		if e := &b.edits[n-1]; e.n == 0 && int(e.from+e.m) == b.pos {
			e.m += int32(m)
			e.disguise = e.disguise || disguise
			b.pos += m
			return
		}
	}
	b.put("", m, disguise)
}

// erase takes back the last character that was written and leaves out the next
// m bytes of the source: what a backspace does on a terminal.
func (b *builder) erase(m int) {
	e := edit{from: int32(b.pos), disguise: true}
	for len(b.edits) > 0 {
		last := b.edits[len(b.edits)-1]
		if int(last.at+last.n) != len(b.buf) || last.n != 0 {
			break
		}
		e.from = last.from
		b.edits = b.edits[:len(b.edits)-1]
	}
	if len(b.buf) > 0 {
		_, size := utf8.DecodeLastRune(b.buf)
		b.buf = b.buf[:len(b.buf)-size]
		if n := len(b.edits); n > 0 && int(b.edits[n-1].at+b.edits[n-1].n) > len(b.buf) {
			last := &b.edits[n-1]
			last.n = max(last.n-int32(size), 0)
			if last.n == 0 {
				e.from = last.from
				b.edits = b.edits[:n-1]
			} else {
				e.from = last.from + last.m
			}
		} else {
			e.from -= int32(size)
		}
	}
	e.at = int32(len(b.buf))
	e.m = int32(b.pos+m) - e.from
	b.edits = append(b.edits, e)
	b.pos += m
}

// changed reports whether the view differs from its source.
func (b *builder) changed() bool { return len(b.edits) > 0 }

func (b *builder) view(parent *view) *view {
	source := b.src
	if parent != nil {
		source = parent.source
	}
	return &view{text: string(b.buf), edits: b.edits, parent: parent, source: source}
}
