package main

import (
	"errors"
	"io"
	"strconv"

	"bailiff/cmd/internal/casefile"
)

// Exit codes of every verb.
const (
	exitNo          = 1   // the answer is "no": a denied text, a mean too low, a failed test
	exitUsage       = 2   // the command or its input is wrong
	exitFailed      = 3   // something outside failed, or evaluations ended in an error
	exitInterrupted = 130 // interrupted; what was done is kept
)

// stdio is where a verb reads and writes. Results go to out and nothing else
// does.
type stdio struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is a terminal that may be drawn on
	color    bool // out may be coloured
}

// exitCode ends the program with a code and says nothing more.
type exitCode int

func (c exitCode) Error() string { return "exit code " + strconv.Itoa(int(c)) }

// coded is an error that ends the program with a code.
type coded struct {
	code int
	err  error
}

func (e *coded) Error() string { return e.err.Error() }
func (e *coded) Unwrap() error { return e.err }

// usageError says that the command or its input is wrong.
func usageError(err error) error { return &coded{code: exitUsage, err: err} }

// failedError says that something outside failed.
func failedError(err error) error { return &coded{code: exitFailed, err: err} }

// inputError makes a fault in a case file a wrong input.
func inputError(err error) error {
	if _, ok := errors.AsType[*casefile.Error](err); ok {
		return usageError(err)
	}
	return err
}

// codeOf is the exit code for what a verb returned, and whether there is
// something to say.
func codeOf(err error) (code int, speak bool) {
	if err == nil {
		return 0, false
	}
	if c, ok := errors.AsType[exitCode](err); ok {
		return int(c), false
	}
	if c, ok := errors.AsType[*coded](err); ok {
		return c.code, true
	}
	return exitFailed, true
}
