package casefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonRows reads an array, one object, a run body, or one value a line.
func jsonRows(f *os.File, emit func(Case) bool) error {
	in := bufio.NewReaderSize(f, 64<<10)
	if head, _ := in.Peek(3); bytes.Equal(head, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3)
	}
	first, err := in.ReadBytes('\n')
	for err == nil && len(bytes.TrimSpace(first)) == 0 {
		var next []byte
		next, err = in.ReadBytes('\n')
		first = append(first, next...)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if len(bytes.TrimSpace(first)) == 0 {
		return errors.New("the file is empty: it needs a JSON array, an object, or one JSON object a line")
	}
	whole := io.MultiReader(bytes.NewReader(first), in)
	if isObject(first) && jsontext.Value(first).IsValid() {
		return lineRows(bufio.NewReaderSize(whole, 64<<10), emit)
	}
	return documentRows(whole, emit)
}

func isObject(text []byte) bool {
	t := bytes.TrimSpace(text)
	return len(t) > 0 && t[0] == '{'
}

// lineRows reads JSON lines. A single line is also how a small run body or
// case file may be written.
func lineRows(in *bufio.Reader, emit func(Case) bool) error {
	for line := 1; ; line++ {
		text, err := readLine(in)
		if len(bytes.TrimSpace(text)) > 0 {
			if rowErr := object(text, emit); rowErr != nil {
				return &lineError{line: line, err: rowErr}
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &lineError{line: line, err: err}
		}
	}
}

// readLine reads to the next line break; a line may be at most MaxRow long.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > MaxRow {
			return nil, fmt.Errorf("the line is longer than %d MiB", MaxRow>>20)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// documentRows reads one JSON document: an array row by row, or one object.
func documentRows(in io.Reader, emit func(Case) bool) error {
	dec := jsontext.NewDecoder(in)
	at := func(err error) error {
		offset := dec.InputOffset()
		if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			offset = s.ByteOffset
		}
		return &offsetError{offset: offset, err: plain(err)}
	}
	if dec.PeekKind() == '[' {
		if _, err := dec.ReadToken(); err != nil {
			return at(err)
		}
		for dec.PeekKind() != ']' {
			row, err := dec.ReadValue()
			if err != nil {
				return at(err)
			}
			if err := object(row, emit); err != nil {
				return &offsetError{offset: dec.InputOffset() - int64(len(row)), err: err}
			}
		}
		if _, err := dec.ReadToken(); err != nil {
			return at(err)
		}
	} else {
		doc, err := dec.ReadValue()
		if err != nil {
			return at(err)
		}
		if err := object(doc, emit); err != nil {
			return &offsetError{offset: 0, err: err}
		}
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return at(errors.New("there is more after the JSON document; write one JSON object a line (.jsonl), or an array"))
	}
	return nil
}

// object reads one JSON object: a run body when it has evaluations, else a case.
func object(text []byte, emit func(Case) bool) error {
	if !isObject(text) {
		return errors.New("a row must be a JSON object")
	}
	var probe struct {
		Evaluations jsontext.Value `json:"evaluations"`
	}
	if err := json.Unmarshal(text, &probe); err != nil {
		return plain(err)
	}
	if probe.Evaluations != nil {
		return runBody(text, emit)
	}
	var r row
	if err := json.Unmarshal(text, &r); err != nil {
		return plain(err)
	}
	c, err := r.toCase()
	if err != nil {
		return err
	}
	if !emit(c) {
		return errStopped
	}
	return nil
}

// plain words a JSON error for a person: what is wrong and at which member.
func plain(err error) error {
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if s.JSONPointer != "" {
			return fmt.Errorf("not valid JSON at %s: %w", s.JSONPointer, s.Err)
		}
		return fmt.Errorf("not valid JSON: %w", s.Err)
	}
	if s, ok := errors.AsType[*json.SemanticError](err); ok {
		return fmt.Errorf("%s must be %s, not %s", s.JSONPointer, wanted(s), s.JSONKind)
	}
	return err
}

func wanted(s *json.SemanticError) string {
	if s.GoType == nil {
		return "of another type"
	}
	switch s.GoType.String() {
	case "string", "*string":
		return "text"
	case "float64", "*float64", "int":
		return "a number"
	case "bool", "*bool":
		return "true or false"
	case "casefile.texts", "[]string":
		return "text or a list of texts"
	}
	return "an object of the documented shape"
}
