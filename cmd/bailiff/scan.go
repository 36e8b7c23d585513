package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"bailiff/guard"
)

// maxScanText bounds one text of a scan, in bytes. Longer texts are refused,
// never cut: a cut text would be cleared for what was not read.
const maxScanText = 16 << 20

type scanCmd struct {
	File     string `arg:"" optional:"" default:"-" help:"File to scan; - is standard input."`
	JSONL    bool   `name:"jsonl" help:"Read one JSON object a line, {\"id\", \"text\", \"fields\"?}, and answer one line each, in order."`
	Output   string `enum:"text,json,sarif" default:"text" help:"text for people, json for programs, sarif for code hosts (${enum})."`
	Policies string `type:"existingdir" env:"BAILIFF_POLICIES" placeholder:"DIR" help:"Policies to decide by; the embedded ones without."`
}

// Help is the longer text of bailiff scan --help.
func (*scanCmd) Help() string {
	return "Scans a definition and decides by policy. No model is asked. Ends with 1 when a text is denied."
}

func (c *scanCmd) Run(ctx context.Context, std *stdio) error {
	policy, err := compilePolicies(ctx, c.Policies)
	if err != nil {
		return err
	}
	in, name, err := openInput(c.File, std)
	if err != nil {
		return err
	}
	defer in.Close()
	out := bufio.NewWriterSize(std.out, 64<<10)
	var denied bool
	if c.JSONL {
		denied, err = scanLines(ctx, policy, in, out)
	} else {
		denied, err = c.scanText(ctx, policy, in, name, out)
	}
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	if err != nil {
		return fmt.Errorf("scan %s: %w", name, err)
	}
	if denied {
		return exitCode(exitNo)
	}
	return nil
}

func openInput(file string, std *stdio) (io.ReadCloser, string, error) {
	if file == "-" {
		return io.NopCloser(std.in), "standard input", nil
	}
	f, err := os.Open(file) //nolint:gosec // the caller names the file to read
	if err != nil {
		return nil, "", usageError(err)
	}
	return f, file, nil
}

func (c *scanCmd) scanText(ctx context.Context, p *guard.Policy, in io.Reader, name string, out io.Writer) (bool, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxScanText+1))
	if err != nil {
		return false, err
	}
	if len(text) > maxScanText {
		return false, usageError(fmt.Errorf("the text is longer than %d MiB", maxScanText>>20))
	}
	definition := string(text)
	report, fault := p.Scan(ctx, guard.Subject{Definition: definition})
	if fault != nil {
		return false, errors.New(fault.Message)
	}
	switch c.Output {
	case "json":
		err = json.MarshalWrite(out, report, jsontext.Multiline(true), json.Deterministic(true))
		fmt.Fprintln(out)
	case "sarif":
		err = writeSARIF(out, p, name, definition, report)
	default:
		writeReport(out, definition, report)
	}
	return report.Decision == guard.Deny, err
}

// scanRow is one line of scan --jsonl.
type scanRow struct {
	ID     jsontext.Value `json:"id"`
	Text   string         `json:"text"`
	Fields []string       `json:"fields"`
}

// scanAnswer is what one line of scan --jsonl gives.
type scanAnswer struct {
	ID       jsontext.Value  `json:"id"`
	Decision guard.Decision  `json:"decision"`
	Reasons  []guard.Reason  `json:"reasons"`
	Findings []guard.Finding `json:"findings"`
	Revision string          `json:"policy_revision"`
}

// scanLines scans a line at a time on every processor and answers in order.
func scanLines(ctx context.Context, p *guard.Policy, in io.Reader, out io.Writer) (denied bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		answer []byte
		deny   bool
		err    error
	}
	pending := make(chan chan result, 4*runtime.GOMAXPROCS(0))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var readErr error
	go func() {
		defer close(pending)
		readErr = eachLine(in, maxScanText, func(n int, line []byte) bool {
			done := make(chan result, 1)
			select {
			case pending <- done:
			case <-ctx.Done():
				return false
			}
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				var r result
				r.answer, r.deny, r.err = scanLine(ctx, p, line)
				if r.err != nil {
					r.err = fmt.Errorf("line %d: %w", n, r.err)
				}
				done <- r
			}()
			return true
		})
	}()
	for done := range pending {
		r := <-done
		if err != nil {
			continue // the first error is the answer; the rest only drains
		}
		if err = r.err; err == nil {
			denied = denied || r.deny
			_, err = out.Write(append(r.answer, '\n'))
		}
		if err != nil {
			cancel()
		}
	}
	if err == nil {
		err = readErr
	}
	return denied, err
}

func scanLine(ctx context.Context, p *guard.Policy, line []byte) ([]byte, bool, error) {
	var row scanRow
	// Texts with broken encoding are what a scanner is for: they are taken,
	// with the replacement character in the broken places.
	if err := json.Unmarshal(line, &row, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, false, usageError(fmt.Errorf(`want {"id": …, "text": "…"}: %w`, err))
	}
	if row.ID == nil {
		row.ID = jsontext.Value("null")
	}
	report, fault := p.Scan(ctx, guard.Subject{Definition: row.Text, Fields: row.Fields})
	if fault != nil {
		return nil, false, errors.New(fault.Message)
	}
	answer, err := json.Marshal(scanAnswer{
		ID: row.ID, Decision: report.Decision, Reasons: report.Reasons, Findings: report.Findings, Revision: report.Revision,
	}, jsontext.AllowInvalidUTF8(true))
	return answer, report.Decision == guard.Deny, err
}

// eachLine gives the non-blank lines of in, numbered from 1, until use says no.
// The slice is the callee's to keep.
func eachLine(in io.Reader, longest int, use func(n int, line []byte) bool) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for n := 1; ; n++ {
		var line []byte
		for {
			part, err := r.ReadSlice('\n')
			if len(line)+len(part) > longest {
				return usageError(fmt.Errorf("line %d is longer than %d MiB", n, longest>>20))
			}
			line = append(line, part...)
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if len(bytes.TrimSpace(line)) > 0 && !use(n, line) {
				return nil
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			break
		}
	}
}

// writeReport shows a person what was found and where.
func writeReport(out io.Writer, text string, r guard.Report) {
	fmt.Fprintf(out, "%s   (policy %s)\n", r.Decision, r.Revision)
	for _, reason := range r.Reasons {
		fmt.Fprintf(out, "  %s: %s\n", reason.Code, reason.Message)
	}
	for _, f := range r.Findings {
		line, column := position(text, f.Start)
		mark := ""
		if f.Quoted {
			mark = ", talked about"
		}
		if f.Layer != "text" {
			mark += ", in " + f.Layer
		}
		fmt.Fprintf(out, "  %d:%d  %-8s %s%s\n        %s\n", line, column, f.Severity, f.RuleID, mark, f.Excerpt)
	}
}

// position is the line and column, both from 1 and in characters, of a byte
// offset.
func position(text string, offset int) (line, column int) {
	offset = min(offset, len(text))
	before := text[:offset]
	line = 1 + strings.Count(before, "\n")
	return line, 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}
