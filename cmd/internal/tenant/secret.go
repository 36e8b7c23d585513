package tenant

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// prefix marks a key, for people and for scanners of leaked secrets.
const prefix = "blf_"

// Lengths of the parts of a made key, in characters of base 62.
const (
	secretChars   = 43 // 256 bits
	checksumChars = 6  // 32 bits
	alphabet      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newSecret makes a key: blf_, 256 random bits, and a checksum, by which a
// mistyped or cut-off key is told from an unknown one without a look-up.
func newSecret() string {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails; the program ends if there is no randomness
	body := base62(new(big.Int).SetBytes(raw[:]), secretChars)
	return prefix + body + checksum(body)
}

// malformed reports whether text has the form of a made key with a checksum
// that is not its own. Keys that an operator chose have another form.
func malformed(text string) bool {
	body, ok := strings.CutPrefix(text, prefix)
	if !ok || len(body) != secretChars+checksumChars {
		return false
	}
	return checksum(body[:secretChars]) != body[secretChars:]
}

func checksum(body string) string {
	return base62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), checksumChars)
}

func base62(n *big.Int, width int) string {
	out := make([]byte, width)
	base, digit := big.NewInt(int64(len(alphabet))), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		out[i] = alphabet[digit.Int64()]
	}
	return string(out)
}

// keyedSum is how a key is kept.
func keyedSum(pepper []byte, text string) []byte {
	m := hmac.New(sha256.New, pepper)
	_, _ = m.Write([]byte("key:" + text)) // a hash never fails
	return m.Sum(nil)
}

// hint is the end of a key, too short to help guessing it.
func hint(text string) string { return text[max(0, len(text)-4):] }
