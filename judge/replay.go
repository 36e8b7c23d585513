package judge

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// maxReplayLine bounds one row of a replay, in bytes.
const maxReplayLine = 1 << 20

// ReplayGroup is the agreement of one judge in one mode on one dimension.
type ReplayGroup struct {
	Judge    string `json:"judge"`
	Mode     string `json:"mode"`
	Dim      string `json:"dim"`
	Samples  int    `json:"samples"`  // recorded answers
	Unparsed int    `json:"unparsed"` // of those, null
	Agreement
}

// ReplayOptions choose how recorded answers are read.
type ReplayOptions struct {
	CalibrateOptions
	// NullAs counts an answer without a score as this number, as some published
	// scripts do with 0 or −1. nil drops it.
	NullAs *float64
}

// replayRow is one line. Score and Scores are alternatives.
type replayRow struct {
	Doc    string     `json:"doc"`
	Sys    string     `json:"sys"`
	Dim    string     `json:"dim"`
	Mode   string     `json:"mode"`
	Judge  string     `json:"judge"`
	Score  *float64   `json:"score"`
	Scores []*float64 `json:"scores"`
	Human  *float64   `json:"human"`
}

// Replay compares recorded answers of judges with labels of people, calling no
// model. r holds JSON lines {doc, sys, dim, mode?, judge?, scores: […] or
// score, human}, gzip-compressed or not. The score of an item is the mean of
// its answers; an item without any is left out. Groups come in the order in
// which they first appear. Errors name the line.
func Replay(r io.Reader, opt ReplayOptions) ([]ReplayGroup, error) {
	in, err := plain(r)
	if err != nil {
		return nil, err
	}
	type key struct{ judge, mode, dim string }
	groups := map[key]*ReplayGroup{}
	items := map[key][]Labelled{}
	var order []key
	for line := 1; ; line++ {
		raw, err := readLine(in)
		if errors.Is(err, io.EOF) && len(raw) == 0 {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		row, err := readRow(raw)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		k := key{row.Judge, row.Mode, row.Dim}
		g := groups[k]
		if g == nil {
			g = &ReplayGroup{Judge: k.judge, Mode: k.mode, Dim: k.dim}
			groups[k] = g
			order = append(order, k)
		}
		if score, ok := g.score(row, opt.NullAs); ok {
			items[k] = append(items[k], Labelled{Doc: row.Doc, Score: score, Human: *row.Human})
		}
	}
	out := make([]ReplayGroup, 0, len(order))
	for _, k := range order {
		g := groups[k]
		g.Agreement = Calibrate(items[k], opt.CalibrateOptions)
		out = append(out, *g)
	}
	return out, nil
}

// score is the mean of the row's answers.
func (g *ReplayGroup) score(row replayRow, nullAs *float64) (float64, bool) {
	answers := row.Scores
	if answers == nil {
		answers = []*float64{row.Score}
	}
	var sum, n float64
	for _, a := range answers {
		g.Samples++
		switch {
		case a != nil:
			sum += *a
			n++
		case nullAs != nil:
			g.Unparsed++
			sum += *nullAs
			n++
		default:
			g.Unparsed++
		}
	}
	return sum / math.Max(n, 1), n > 0
}

func readRow(raw []byte) (replayRow, error) {
	var row replayRow
	if err := json.Unmarshal(raw, &row); err != nil {
		return row, fmt.Errorf("not a row {doc, sys, dim, scores or score, human}: %w", err)
	}
	if row.Human == nil {
		return row, errors.New("human is missing: a row needs the label of people beside the judge's scores")
	}
	if row.Scores != nil && row.Score != nil {
		return row, errors.New("score and scores are both given: which of them counts is unclear")
	}
	return row, nil
}

// plain takes gzip off, told by its first two bytes.
func plain(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	magic, err := in.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read recorded answers: %w", err)
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("read gzip: %w", err)
	}
	return bufio.NewReaderSize(z, 1<<16), nil
}

func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxReplayLine {
			return nil, fmt.Errorf("longer than %d bytes", maxReplayLine)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
