package registry

import (
	"slices"
	"strings"
	"unicode"
)

// Op says what became of a piece of text.
type Op string

// The ops. Equal and deleted pieces make the older text, equal and inserted
// ones the newer.
const (
	Equal  Op = "equal"
	Delete Op = "delete"
	Insert Op = "insert"
)

// Piece is a piece of text with what became of it.
type Piece struct {
	Op   Op     `json:"op"`
	Text string `json:"text"`
}

// maxCells bounds the work of a comparison: texts that differ in more are
// compared by lines, and then as wholes.
const maxCells = 4 << 20

// Diff compares two texts by words, long and very different ones by lines.
func Diff(from, to string) []Piece {
	for _, cut := range []func(string) []string{words, lines} {
		if pieces, ok := compare(cut(from), cut(to)); ok {
			return pieces
		}
	}
	return join([]Piece{{Delete, from}, {Insert, to}})
}

// words cuts a text before every run of white space and after it, so that the
// pieces together are the text.
func words(s string) []string {
	var out []string
	start, space := 0, false
	for i, r := range s {
		if now := unicode.IsSpace(r); now != space && i > 0 {
			out = append(out, s[start:i])
			start = i
		}
		space = unicode.IsSpace(r)
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

func lines(s string) []string { return slices.Collect(strings.Lines(s)) }

// compare finds a longest common subsequence; ok is false when that would take
// too much.
func compare(a, b []string) (pieces []Piece, ok bool) {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	midA, midB := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(midA)*len(midB) > maxCells {
		return nil, false
	}
	for _, s := range a[:head] {
		pieces = append(pieces, Piece{Equal, s})
	}
	pieces = append(pieces, middle(midA, midB)...)
	for _, s := range a[len(a)-tail:] {
		pieces = append(pieces, Piece{Equal, s})
	}
	return join(pieces), true
}

func middle(a, b []string) []Piece {
	longest := make([][]int32, len(a)+1) // of the rests from i and from j
	for i := range longest {
		longest[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var out []Piece
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, Piece{Equal, a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			out = append(out, Piece{Delete, a[i]})
			i++
		default:
			out = append(out, Piece{Insert, b[j]})
			j++
		}
	}
	return out
}

// join makes one piece of neighbours of the same op, and between two equal ones
// one deletion before one insertion.
func join(in []Piece) []Piece {
	out := []Piece{}
	var gone, come strings.Builder
	flush := func() {
		for _, p := range []Piece{{Delete, gone.String()}, {Insert, come.String()}} {
			if p.Text != "" {
				out = append(out, p)
			}
		}
		gone.Reset()
		come.Reset()
	}
	for _, p := range in {
		switch p.Op {
		case Delete:
			gone.WriteString(p.Text)
		case Insert:
			come.WriteString(p.Text)
		default:
			flush()
			if n := len(out); n > 0 && out[n-1].Op == Equal {
				out[n-1].Text += p.Text
			} else if p.Text != "" {
				out = append(out, p)
			}
		}
	}
	flush()
	return out
}

// Changes are what was taken out of a list and what came into it.
type Changes struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
}

// Changed compares two lists without regard to order.
func Changed(from, to []string) Changes {
	missing := func(list, in []string) []string {
		out := []string{}
		for _, s := range list {
			if !slices.Contains(in, s) {
				out = append(out, s)
			}
		}
		return out
	}
	return Changes{Added: missing(to, from), Removed: missing(from, to)}
}
