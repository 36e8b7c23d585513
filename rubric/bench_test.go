package rubric

import (
	"strings"
	"testing"
)

// long is 16 KiB of a definition, the most that a service takes by default.
var long = strings.Repeat("Check whether the reply names the order and says when it will arrive, as the provided context has it. Prüfe, ob der Ton höflich ist. ", 140)[:16<<10]

func BenchmarkDetectFields(b *testing.B) {
	b.SetBytes(int64(len(long)))
	for b.Loop() {
		DetectFields(long)
	}
}

func BenchmarkDetectScales(b *testing.B) {
	b.SetBytes(int64(len(long)))
	for b.Loop() {
		DetectScales(long)
	}
}

func BenchmarkVerify(b *testing.B) {
	req := Request{Definition: letter, Fields: []Field{Input, Output}}
	answered := []answeredStep{{"Check whether it names the ship.", true, ""}, {"Check whether it gives the hour of arrival.", true, ""}}
	for b.Loop() {
		verify(req, answered)
	}
}

func BenchmarkResolveKept(b *testing.B) {
	r := NewResolver(Config{})
	req := request(b, script(nil), prose)
	r.Resolve(b.Context(), req)
	for b.Loop() {
		r.Resolve(b.Context(), req)
	}
}

func BenchmarkResolveAnew(b *testing.B) {
	r := NewResolver(Config{})
	req := request(b, script(nil), prose)
	req.NoCache = true
	for b.Loop() {
		r.Resolve(b.Context(), req)
	}
}
