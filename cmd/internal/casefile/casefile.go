// Package casefile reads the files people keep their records in: a JSON array,
// JSON lines, CSV, Parquet, a nexa-gauge case file, or the body of a
// /v1/runs/custom request.
//
// Cases are read one at a time, so a file may be larger than memory (a run
// body excepted, which is one JSON document). A bad row is an error that names
// the file and the line and ends the reading; nothing is skipped silently.
// Members that are not known are left alone: they are the owner's own columns.
package casefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"bailiff/judge"
)

// MaxRow bounds one JSON row or line, in bytes.
const MaxRow = 16 << 20

// Case is one record with what it is to be judged by.
type Case struct {
	ID      string // the row's id or case_id, else its position from 1
	Record  judge.Record
	Metrics []Metric // empty when the file names none
	Human   *float64 // what people gave it, on any scale; nil when the file does not say
}

// Metric is one metric that a file asks for.
type Metric struct {
	Metric     string // g_eval | step_efficiency
	Name       string
	Args       judge.Args
	ItemFields []string // the field names as the file spells them
	Threshold  *float64 // 0..100; nil when the file names none
	Model      string   // slug; "" when the file names none
}

// Error is a fault in a file: where it is and what to do about it.
type Error struct {
	File string
	Line int // from 1; 0 when it is about the whole file
	Err  error
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Read yields the cases of a file in order. The kind is told from the name's
// ending (.csv, .parquet) and else from the content. An error is the last
// thing yielded; it is an *Error for anything wrong with the file.
func Read(path string) iter.Seq2[Case, error] {
	return func(yield func(Case, error) bool) {
		f, err := os.Open(path) //nolint:gosec // the caller names the file to read
		if err != nil {
			yield(Case{}, err)
			return
		}
		defer f.Close()
		rows := jsonRows
		switch strings.ToLower(filepath.Ext(path)) {
		case ".csv":
			rows = csvRows
		case ".parquet":
			rows = parquetRows
		}
		n := 0
		err = rows(f, func(c Case) bool {
			n++
			if c.ID == "" {
				c.ID = fmt.Sprint(n)
			}
			return yield(c, nil)
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(Case{}, inFile(path, err))
		}
	}
}

// errStopped says that the reader of the cases wants no more.
var errStopped = errors.New("stopped")

// lineError carries a line to inFile, which knows the file.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return e.err.Error() }
func (e *lineError) Unwrap() error { return e.err }

// offsetError carries a byte offset to inFile, which turns it into a line.
type offsetError struct {
	offset int64
	err    error
}

func (e *offsetError) Error() string { return e.err.Error() }
func (e *offsetError) Unwrap() error { return e.err }

func inFile(path string, err error) error {
	if at, ok := errors.AsType[*lineError](err); ok {
		return &Error{File: path, Line: at.line, Err: at.err}
	}
	if at, ok := errors.AsType[*offsetError](err); ok {
		return &Error{File: path, Line: lineOf(path, at.offset), Err: at.err}
	}
	return &Error{File: path, Err: err}
}

// lineOf counts the lines before a byte offset, by reading the file again:
// only a file that is refused pays for it.
func lineOf(path string, offset int64) int {
	f, err := os.Open(path) //nolint:gosec // the same file as before
	if err != nil {
		return 0
	}
	defer f.Close()
	line, buf := 1, bufio.NewReader(io.LimitReader(f, offset))
	for {
		chunk, err := buf.ReadSlice('\n')
		line += bytes.Count(chunk, []byte{'\n'})
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return line
		}
	}
}
