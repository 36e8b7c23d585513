package model

import (
	"strings"

	"github.com/tidwall/gjson"
)

// maxTokens bounds the tokens that are read of an answer.
const maxTokens = 100_000

// readTokens reads choices[].logprobs. Alternatives are read of tokens with a
// digit only: they are most of the bytes, and nothing else is weighted. Numbers
// that are none make the whole list worthless, and so does a token without a
// text: nil then, as when the endpoint gave none.
func readTokens(logprobs gjson.Result) []Token {
	list := logprobs.Get("content")
	if !list.IsArray() {
		return nil
	}
	var tokens []Token
	whole := true
	list.ForEach(func(_, item gjson.Result) bool {
		t, ok := readToken(item)
		if whole = ok && len(tokens) < maxTokens; whole {
			tokens = append(tokens, t)
		}
		return whole
	})
	if !whole {
		return nil
	}
	return tokens
}

func readToken(item gjson.Result) (Token, bool) {
	var t Token
	var text, top gjson.Result
	ok := false
	item.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "token":
			text = value
		case "bytes":
			t.Bytes = readBytes(value)
		case "logprob":
			t.Logprob, ok = value.Num, value.Type == gjson.Number
		case "top_logprobs":
			top = value
		}
		return true
	})
	if len(t.Bytes) == 0 {
		// Absent or null: the text is all there is.
		t.Bytes = []byte(text.Str)
		ok = ok && text.Type == gjson.String
	}
	if ok && top.IsArray() && strings.ContainsAny(string(t.Bytes), "0123456789") {
		t.Top, ok = readTop(top)
	}
	return t, ok
}

func readTop(list gjson.Result) ([]Alternative, bool) {
	top := make([]Alternative, 0, maxTop)
	whole := true
	list.ForEach(func(_, item gjson.Result) bool {
		var a Alternative
		text, number := false, false
		item.ForEach(func(key, value gjson.Result) bool {
			switch key.Str {
			case "token":
				a.Text, text = value.Str, value.Type == gjson.String
			case "logprob":
				a.Logprob, number = value.Num, value.Type == gjson.Number
			}
			return true
		})
		if whole = text && number && len(top) < 4*maxTop; whole {
			top = append(top, a)
		}
		return whole
	})
	return top, whole
}

// readBytes reads a list of byte values, nil when it is none.
func readBytes(v gjson.Result) []byte {
	if !v.IsArray() {
		return nil
	}
	out := make([]byte, 0, 8)
	n, digits := 0, 0
	for i := 0; i < len(v.Raw); i++ {
		switch ch := v.Raw[i]; {
		case ch >= '0' && ch <= '9':
			n, digits = n*10+int(ch-'0'), digits+1
			if n > 255 {
				return nil
			}
		case ch == ',' || ch == ']':
			if digits > 0 {
				out = append(out, byte(n))
			}
			n, digits = 0, 0
		case ch == '[' || ch == ' ' || ch == '\n' || ch == '\t' || ch == '\r':
		default:
			return nil
		}
	}
	return out
}
