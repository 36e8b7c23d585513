package offline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

const (
	fenceOpen  = "<<<DATA "
	fenceClose = "<<<END "
	fenceTail  = ">>>"
)

var (
	errNoFence   = errors.New("the prompt holds no complete data fence")
	errNotObject = errors.New("the data fence holds no JSON object")
)

func errData(err error) error { return fmt.Errorf("read the data fence: %w", err) }

func errStage(stage string) error { return fmt.Errorf("no such stage %q", stage) }

// fenced returns the JSON object of the last well-formed data fence of a user
// text: a line <<<DATA word>>>, the object, and the line <<<END word>>> with the
// same word. JSON has no raw line break inside a string, so a fence cannot
// start or end inside the data of another one.
func fenced(user string) ([]byte, error) {
	var body []byte
	var boundary string
	var found bool
	start := -1
	for at := 0; at < len(user); {
		end := strings.IndexByte(user[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(user)-at, len(user)
		}
		line := strings.TrimRight(user[at:at+end], "\r")
		if word, ok := fenceWord(line, fenceOpen); ok && start < 0 {
			boundary, start = word, next
		} else if word, ok := fenceWord(line, fenceClose); ok && start >= 0 && word == boundary {
			body, found, start = []byte(user[start:at]), true, -1
		}
		at = next
	}
	if !found {
		return nil, errNoFence
	}
	body = bytes.TrimSpace(body)
	if len(body) == 0 || body[0] != '{' || !json.Valid(body) {
		return nil, errNotObject
	}
	return body, nil
}

func fenceWord(line, mark string) (string, bool) {
	rest, ok := strings.CutPrefix(line, mark)
	if !ok {
		return "", false
	}
	word, ok := strings.CutSuffix(rest, fenceTail)
	return word, ok && word != ""
}

// encode writes an answer as one line of JSON, leaving < > & as they are.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}
