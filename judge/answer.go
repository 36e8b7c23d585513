package judge

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"
)

// answer is a judge's answer, read strictly: exact member names, each once, of
// the right type. Members nobody asked for are ignored.
type answer struct {
	findings []StepFinding
	reason   string
	number   number // of a score
	verdict  string // of a strict verdict: pass | fail
}

// number is the score as it stands in the answer.
type number struct {
	value      float64
	start, end int  // byte span of the number in the object, quotation marks left out
	integer    bool // written as a plain integer: digits alone
	coerced    bool // came as a JSON string
}

// mistakeError says what was wrong with an answer, in words of ours that the
// judge is told. It quotes nothing but a number.
type mistakeError struct{ text string }

func (m *mistakeError) Error() string { return m.text }

func mistake(format string, args ...any) *mistakeError {
	return &mistakeError{text: fmt.Sprintf(format, args...)}
}

// member is one member of an object with the place of its value.
type member struct {
	value jsontext.Value
	start int
}

// readScore reads the answer of the score stage on a scale of 0..scale.
func readScore(object []byte, scale int) (answer, *mistakeError) {
	a, members, wrong := readCommon(object)
	if wrong != nil {
		return a, wrong
	}
	m, ok := members["score"]
	if !ok {
		return a, mistake("the member score is missing.")
	}
	a.number, ok = readNumber(m)
	if !ok {
		return a, mistake("score is not a number; it has to be a whole number from 0 to %d.", scale)
	}
	if v := a.number.value; !(v >= 0 && v <= float64(scale)) {
		return a, mistake("score is %s, which is outside 0 to %d; that is the only scale that counts.", strconv.FormatFloat(v, 'g', 6, 64), scale)
	}
	return a, nil
}

// readStrict reads the answer of the strict stage.
func readStrict(object []byte) (answer, *mistakeError) {
	a, members, wrong := readCommon(object)
	if wrong != nil {
		return a, wrong
	}
	m, ok := members["verdict"]
	if !ok {
		return a, mistake("the member verdict is missing.")
	}
	if a.verdict, ok = text(m.value); !ok || (a.verdict != "pass" && a.verdict != "fail") {
		return a, mistake(`verdict has to be "pass" or "fail".`)
	}
	return a, nil
}

// readTask reads the answer of the task stage.
func readTask(object []byte) (string, *mistakeError) {
	members, wrong := membersOf(object)
	if wrong != nil {
		return "", wrong
	}
	m, ok := members["task"]
	if !ok {
		return "", mistake("the member task is missing.")
	}
	task, ok := text(m.value)
	if !ok || Blank(task) {
		return "", mistake("task has to be a text that says what the agent was to do.")
	}
	return task, nil
}

// readCommon reads what the score and the strict answer share.
func readCommon(object []byte) (answer, map[string]member, *mistakeError) {
	var a answer
	members, wrong := membersOf(object)
	if wrong != nil {
		return a, nil, wrong
	}
	m, ok := members["findings"]
	if !ok {
		return a, nil, mistake("the member findings is missing.")
	}
	if a.findings, ok = readFindings(m.value); !ok {
		return a, nil, mistake("findings has to be a list of objects with step (a number), evidence (a text) and verdict (a text).")
	}
	if m, ok = members["reason"]; !ok {
		return a, nil, mistake("the member reason is missing.")
	}
	if a.reason, ok = text(m.value); !ok {
		return a, nil, mistake("reason has to be a text.")
	}
	return a, members, nil
}

// readFindings takes findings as they came: however many, in whatever order.
func readFindings(v jsontext.Value) ([]StepFinding, bool) {
	if v.Kind() != '[' {
		return nil, false
	}
	findings := []StepFinding{}
	dec := jsontext.NewDecoder(bytes.NewReader(v))
	if _, err := dec.ReadToken(); err != nil {
		return nil, false
	}
	for dec.PeekKind() != ']' {
		item, err := dec.ReadValue()
		if err != nil {
			return nil, false
		}
		f, ok := readFinding(item)
		if !ok {
			return nil, false
		}
		findings = append(findings, f)
	}
	return findings, true
}

func readFinding(v jsontext.Value) (StepFinding, bool) {
	var f StepFinding
	members, wrong := membersOf(v)
	if wrong != nil {
		return f, false
	}
	n, ok := readNumber(members["step"])
	if !ok || n.coerced || n.value != math.Trunc(n.value) || math.Abs(n.value) > math.MaxInt32 {
		return f, false
	}
	f.Step = int(n.value)
	if f.Evidence, ok = text(members["evidence"].value); !ok {
		return f, false
	}
	f.Verdict, ok = text(members["verdict"].value)
	return f, ok
}

// membersOf splits one JSON object. Duplicate names, at any depth, trailing
// data and invalid UTF-8 are refused by the decoder.
func membersOf(object []byte) (map[string]member, *mistakeError) {
	broken := mistake("it was not one valid JSON object with each member once.")
	dec := jsontext.NewDecoder(bytes.NewReader(object))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil, broken
	}
	members := map[string]member{}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, broken
		}
		key := name.String()
		v, err := dec.ReadValue()
		if err != nil {
			return nil, broken
		}
		v = bytes.Clone(v)
		members[key] = member{value: v, start: int(dec.InputOffset()) - len(v)}
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, broken
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, broken
	}
	return members, nil
}

// text is the string in a JSON value.
func text(v jsontext.Value) (string, bool) {
	if v.Kind() != '"' {
		return "", false
	}
	b, err := jsontext.AppendUnquote(nil, v)
	return string(b), err == nil
}

var (
	plainInteger = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)$`)
	plainNumber  = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`)
)

// readNumber takes a JSON number, or a string that holds a number and nothing
// else. In a string, compatibility forms of ASCII digits count (NFKC); digits
// of other scripts, words, fractions and lists do not.
func readNumber(m member) (number, bool) {
	n := number{start: m.start, end: m.start + len(m.value)}
	literal := string(m.value)
	switch m.value.Kind() {
	case '0':
	case '"':
		s, ok := text(m.value)
		if !ok {
			return n, false
		}
		literal = strings.TrimSpace(norm.NFKC.String(s))
		if !plainNumber.MatchString(literal) {
			return n, false
		}
		n.coerced = true
		n.start, n.end = n.start+1, n.end-1
	default:
		return n, false
	}
	v, err := strconv.ParseFloat(literal, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return n, false
	}
	n.value = v + 0 // -0 is 0
	n.integer = plainInteger.MatchString(literal)
	return n, true
}
