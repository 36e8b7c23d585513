package model

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// Bounds of CountTokens. A tokenizer splits text by a backtracking pattern and
// merges pairs, both worse than linear in the length of one unbroken run, so
// text is counted in pieces and a very long text by its beginning.
const (
	tokenPiece   = 512      // bytes of a piece
	tokenOverlap = 128      // bytes at the end of a piece in which a space may end it
	tokenExact   = 64 << 10 // bytes that are counted; the rest is taken to be alike
)

// encoding is the tokenizer of current OpenAI models, loaded when first used:
// its vocabulary takes some 30 MB and half a second.
var encoding = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// CountTokens estimates the tokens of a text without a network, by the o200k
// vocabulary. Other vendors' tokenizers differ by up to a third. It takes time
// linear in at most 64 KiB of the text, whatever the text is; a longer one is
// extrapolated. The count is for estimates and budgets, never for decisions
// about content.
func CountTokens(text string) int {
	if text == "" {
		return 0
	}
	codec, err := encoding()
	if err != nil {
		return roughTokens(text)
	}
	head := text
	if len(head) > tokenExact {
		head = head[:runeStart(head, tokenExact)]
	}
	n := 0
	for rest := head; rest != ""; {
		cut := pieceEnd(rest)
		c, err := codec.Count(rest[:cut])
		if err != nil {
			c = roughTokens(rest[:cut])
		}
		n += c
		rest = rest[cut:]
	}
	if len(head) < len(text) {
		n = int(float64(n) * float64(len(text)) / float64(len(head)))
	}
	return n
}

// pieceEnd is where the next piece of a text ends: before a space, so that no
// word is torn, or at a rune when there is none.
func pieceEnd(text string) int {
	if len(text) <= tokenPiece {
		return len(text)
	}
	from := tokenPiece - tokenOverlap
	if i := strings.LastIndexAny(text[from:tokenPiece], " \n"); i >= 0 && from+i > 0 {
		return from + i
	}
	return runeStart(text, tokenPiece)
}

// runeStart is the last beginning of a rune at or before at, which is > 0.
func runeStart(text string, at int) int {
	for i := at; i > 0 && i > at-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	return at
}

// roughTokens is an upper estimate that costs next to nothing: a token for
// three bytes of ASCII text, one for every other rune.
func roughTokens(text string) int {
	ascii, other := 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	return (ascii+2)/3 + other
}
