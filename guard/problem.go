package guard

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Problem is one thing that is wrong with a policy, with its place in the file
// that has to be changed. Row and Col count from 1 and are 0 when the problem
// is not tied to a line.
type Problem struct {
	Stage   string `json:"stage"` // layout | parse | limits | compile | data | patterns | selftest | tests | timing
	File    string `json:"file"`
	Row     int    `json:"line"`
	Col     int    `json:"col"`
	Message string `json:"message"`
}

// String renders file:line:col: message.
func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Stage + ": " + p.Message
	case p.Row == 0:
		return p.File + ": " + p.Message
	case p.Col == 0:
		return fmt.Sprintf("%s:%d: %s", p.File, p.Row, p.Message)
	default:
		return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Row, p.Col, p.Message)
	}
}

// PolicyError is a policy that is refused, with everything that is wrong.
type PolicyError struct{ Problems []Problem }

// Error lists the problems, one a line.
func (e *PolicyError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return "policy refused:\n" + strings.Join(lines, "\n")
}

// refuse makes a PolicyError, nil when there is no problem.
func refuse(problems ...Problem) error {
	if len(problems) == 0 {
		return nil
	}
	sort.SliceStable(problems, func(i, j int) bool {
		a, b := problems[i], problems[j]
		if a.File != b.File {
			return a.File < b.File
		}
		return a.Row < b.Row
	})
	return &PolicyError{Problems: problems}
}

// problemsOf spells out the errors of OPA's parser and compiler.
func problemsOf(stage, file string, err error) []Problem {
	if errs, ok := errors.AsType[ast.Errors](err); ok {
		var out []Problem
		for _, e := range errs {
			p := Problem{Stage: stage, File: file, Message: e.Message}
			if e.Location != nil {
				p.File, p.Row, p.Col = e.Location.File, e.Location.Row, e.Location.Col
			}
			out = append(out, p)
		}
		return out
	}
	if own, ok := errors.AsType[*PolicyError](err); ok {
		return own.Problems
	}
	return []Problem{{Stage: stage, File: file, Message: err.Error()}}
}
