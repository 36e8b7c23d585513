package guard

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Fence renders foreign text as data for a prompt: one JSON object between two
// boundary lines that carry a fresh random word. JSON encoding leaves no raw
// line break, and the boundary cannot be guessed, so nothing inside can close
// the fence or stand outside it. The lines read
//
//	<<<DATA 5f0c…>>>
//	{"eval_definition": "…"}
//	<<<END 5f0c…>>>
//
// Prompts built from it tell the model that what lies between is material to
// look at, never an instruction.
func Fence(v any) (text, boundary string, err error) {
	var nonce [16]byte
	if _, err := rand.Read(nonce[:]); err != nil {
		return "", "", fmt.Errorf("read random boundary: %w", err)
	}
	boundary = hex.EncodeToString(nonce[:])
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", "", fmt.Errorf("encode data fence: %w", err)
	}
	body := bytes.TrimRight(buf.Bytes(), "\n")
	return "<<<DATA " + boundary + ">>>\n" + string(body) + "\n<<<END " + boundary + ">>>", boundary, nil
}
