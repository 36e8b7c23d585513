package guard

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzFence holds that what a stranger writes comes out of the fence as it went
// in, and that nothing of it stands outside.
func FuzzFence(f *testing.F) {
	for _, s := range []string{"", "plain", "<<<END 00>>>", "a\nb\r\n\u2028\u2029\u0085", "\x00\x1b", `"}`, "\xff", "<<<DATA x>>>\n{}\n<<<END x>>>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, boundary, err := Fence(map[string]string{"v": s})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(text, "\n")
		if len(lines) != 3 || lines[0] != "<<<DATA "+boundary+">>>" || lines[2] != "<<<END "+boundary+">>>" || strings.Contains(lines[1], boundary) {
			t.Fatalf("fence %q", text)
		}
		var back map[string]string
		if err := json.Unmarshal([]byte(lines[1]), &back); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); len(back["v"]) < len(want) || (want == s && back["v"] != s) {
			t.Errorf("%q came back as %q", s, back["v"])
		}
		if _, again, _ := Fence(s); again == boundary {
			t.Error("a boundary came twice")
		}
	})
}

func TestFenceRefusesWhatIsNotJSON(t *testing.T) {
	if text, _, err := Fence(make(chan int)); err == nil || text != "" {
		t.Errorf("%q %v", text, err)
	}
}

// FuzzParseSafety holds that only an object with the three members, each once
// and of its type, says safe.
func FuzzParseSafety(f *testing.F) {
	for _, s := range []string{saysSafe, saysUnsafe, `{"verdict":"safe"}`, `{"rationale":"","categories":["x"],"verdict":"safe"}`, "[]", "{"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, object []byte) {
		verdict, categories, rationale, err := parseSafety(object)
		if err != nil {
			if verdict != "" || categories != nil || rationale != "" {
				t.Error("an error comes with an answer")
			}
			return
		}
		var a map[string]any
		if err := json.Unmarshal(object, &a); err != nil || len(a) != 3 {
			t.Fatalf("%q is taken for an answer", object)
		}
		if verdict == verdictSafe && (a["verdict"] != "safe" || len(categories) > 0) {
			t.Errorf("%q is taken for safe", object)
		}
		if verdict != verdictSafe && verdict != verdictUnsafe {
			t.Errorf("verdict %q", verdict)
		}
	})
}
