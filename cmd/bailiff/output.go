package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// outputDir is the folder that a run writes into; without a name it writes
// nothing.
//
// results.jsonl is appended to as results come, in the order of the input, so
// an interrupted run keeps what was done.
type outputDir struct {
	dir  string
	sub  string // folder of the cases' own files
	file *os.File
	out  *bufio.Writer
}

// openOutput makes the folder. To resume, every line that an earlier run left is
// given to load.
func openOutput(dir, sub string, resume bool, load func(line []byte) error) (*outputDir, error) {
	d := &outputDir{dir: dir, sub: sub}
	if dir == "" {
		return d, nil
	}
	if err := os.MkdirAll(filepath.Join(dir, sub), 0o750); err != nil {
		return nil, failedError(err)
	}
	path := d.results()
	if resume {
		if err := loadLines(path, load); err != nil {
			return nil, err
		}
	} else if _, err := os.Stat(path); err == nil {
		return nil, usageError(fmt.Errorf("%s is there already: give --resume to go on with it, or another folder", path))
	}
	// A resumed file is written anew, in the order of the input, beside the
	// old one, which is replaced when the run ends.
	file, err := os.OpenFile(path+".part", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) //nolint:gosec // the caller names the folder
	if err != nil {
		return nil, failedError(err)
	}
	d.file, d.out = file, bufio.NewWriterSize(file, 64<<10)
	return d, nil
}

func (d *outputDir) used() bool { return d.dir != "" }

func (d *outputDir) results() string { return filepath.Join(d.dir, "results.jsonl") }

// loadLines reads what an earlier run left, finished or not. A torn last line is
// what a killed run leaves and is done again; any other bad line is refused.
func loadLines(path string, load func(line []byte) error) error {
	for _, name := range []string{path, path + ".part"} {
		f, err := os.Open(name) //nolint:gosec // the caller names the folder
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return failedError(err)
		}
		bad := 0
		err = eachLine(f, maxScanText, func(n int, line []byte) bool {
			if bad != 0 {
				return false
			}
			if load(line) != nil {
				bad = n
			}
			return true
		})
		torn := bad != 0 && err == nil && isLastLine(name, bad)
		if closeErr := f.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return failedError(err)
		}
		if bad != 0 && !torn {
			return usageError(fmt.Errorf("%s:%d is not a line of results: mend or remove it, or start in another folder", name, bad))
		}
	}
	return nil
}

func isLastLine(path string, line int) bool {
	data, err := os.ReadFile(path) //nolint:gosec // as above
	return err == nil && strings.Count(strings.TrimRight(string(data), "\n"), "\n") == line-1
}

// line appends to results.jsonl.
func (d *outputDir) line(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := d.out.Write(append(text, '\n')); err != nil {
		return failedError(fmt.Errorf("write results: %w", err))
	}
	return nil
}

// caseFile writes the file of one case; index counts cases from 0.
func (d *outputDir) caseFile(index int, id string, v any) error {
	return d.json(filepath.Join(d.sub, fmt.Sprintf("%06d-%s.json", index+1, fileName(id))), v)
}

// json writes a whole file.
func (d *outputDir) json(name string, v any) error {
	text, err := json.Marshal(v, jsontext.Multiline(true), json.Deterministic(true))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(d.dir, name), append(text, '\n'), 0o600); err != nil {
		return failedError(fmt.Errorf("write results: %w", err))
	}
	return nil
}

// fileName keeps of an id what every file system takes.
func fileName(id string) string {
	safe := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			return c
		}
		return '_'
	}, id)
	return safe[:min(len(safe), 60)]
}

// finish writes the summary and the report, and puts results.jsonl in place.
func (d *outputDir) finish(summary any, report func(io.Writer) error) error {
	if err := errors.Join(d.out.Flush(), d.file.Sync(), d.file.Close()); err != nil {
		return failedError(fmt.Errorf("write results: %w", err))
	}
	d.file = nil
	if err := os.Rename(d.results()+".part", d.results()); err != nil {
		return failedError(err)
	}
	if err := d.json("summary.json", summary); err != nil {
		return err
	}
	page, err := os.OpenFile(filepath.Join(d.dir, "report.html"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return failedError(err)
	}
	return errors.Join(report(page), page.Close())
}

// close keeps what was written when the run could not be finished.
func (d *outputDir) close() {
	if d.file == nil {
		return
	}
	_ = d.out.Flush() // the run's own error is the one to tell
	_ = d.file.Close()
}
