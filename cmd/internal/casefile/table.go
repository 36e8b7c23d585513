package casefile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/parquet-go/parquet-go"
)

// csvRows reads a CSV file whose first line names the columns.
func csvRows(f *os.File, emit func(Case) bool) error {
	in := csv.NewReader(f)
	in.ReuseRecord = true
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty: its first line must name the columns")
	}
	if err != nil {
		return csvError(err)
	}
	columns := append([]string(nil), header...)
	columns[0] = strings.TrimPrefix(columns[0], "\ufeff")
	if err := checkColumns(columns); err != nil {
		return &lineError{line: 1, err: err}
	}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return csvError(err)
		}
		line, _ := in.FieldPos(0)
		values := make(map[string]any, len(cells))
		for i, cell := range cells {
			values[columns[i]] = cell
		}
		if err := tableRow(values, emit); err != nil {
			return &lineError{line: line, err: err}
		}
	}
}

func csvError(err error) error {
	if p, ok := errors.AsType[*csv.ParseError](err); ok {
		return &lineError{line: p.Line, err: p.Err}
	}
	return err
}

// checkColumns refuses a table in which nothing can be judged, before its
// first row is.
func checkColumns(columns []string) error {
	seen, judged := map[string]bool{}, false
	for _, c := range columns {
		if seen[c] {
			return fmt.Errorf("column %q is there twice", c)
		}
		seen[c] = true
		if _, ok := fieldNames[c]; ok || c == "trace" {
			judged = true
		}
	}
	if !judged {
		return errors.New("no column can be judged: name at least one of input (question), output (generation), golden_answer (reference), prompt, context, trace")
	}
	return nil
}

// parquetRows reads a Parquet file, one batch of rows after another.
func parquetRows(f *os.File, emit func(Case) bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return fmt.Errorf("not a Parquet file that can be read: %w", err)
	}
	var columns []string
	for _, field := range file.Schema().Fields() {
		columns = append(columns, field.Name())
	}
	if err := checkColumns(columns); err != nil {
		return err
	}
	rows := parquet.NewReader(file)
	defer rows.Close()
	for n := 1; ; n++ {
		values := map[string]any{}
		if err := rows.Read(&values); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("row %d: %w", n, err)
		}
		if err := tableRow(values, emit); err != nil {
			return fmt.Errorf("row %d: %w", n, err)
		}
	}
}

// listColumns may hold a JSON value in a text cell.
var listColumns = map[string]bool{"context": true, "evaluation_steps": true, "evaluation_fields": true, "trace": true, "geval": true, "human": true}

// tableRow turns the cells of one row into a case, by way of the JSON row so
// that every kind of file is read by the same rules.
func tableRow(values map[string]any, emit func(Case) bool) error {
	members := make(map[string]jsontext.Value, len(values))
	for name, value := range values {
		cell, err := cellJSON(name, value)
		if err != nil {
			return fmt.Errorf("column %q: %w", name, err)
		}
		if cell != nil {
			members[name] = cell
		}
	}
	text, err := json.Marshal(members)
	if err != nil {
		return err
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

// cellJSON is a cell as JSON; nil leaves the member out.
func cellJSON(name string, value any) (jsontext.Value, error) {
	if b, ok := value.([]byte); ok {
		value = string(b)
	}
	s, isText := value.(string)
	if !isText {
		return json.Marshal(value)
	}
	if listColumns[name] {
		t := strings.TrimSpace(s)
		if t == "" {
			return nil, nil
		}
		if v := jsontext.Value(t); v.IsValid() {
			return v, nil
		}
		if name != "context" {
			return nil, errors.New("must hold JSON")
		}
	}
	return json.Marshal(s)
}
