package guard

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/open-policy-agent/opa/v1/rego"
)

func TestTryAcceptsAGoodPolicy(t *testing.T) {
	r, err := Try(t.Context(), smallPolicyFS(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK || r.Tests != 3 || r.Revision != smallPolicy(t, smallPolicyFS()).Revision() || r.Decision <= 0 || r.Compile <= 0 {
		t.Errorf("%+v", r)
	}
	t.Logf("compile %s, decision %s, all %s", r.Compile, r.Decision, r.Took)
}

func TestTryTellsWhereAPolicyIsWrong(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	def := string(files["definition.rego"].Data)
	test := string(files["definition_test.rego"].Data)
	line := strings.Count(def, "\n") + 2
	for name, c := range map[string]struct {
		files   fstest.MapFS
		file    string
		row     int
		stage   string
		message string
	}{
		"syntax error":      {with(files, "definition.rego", def+"\nx := ]\n"), "definition.rego", line, "parse", "unexpected"},
		"forbidden builtin": {with(files, "definition.rego", def+"\nx := opa.runtime()\n"), "definition.rego", line, "compile", "opa.runtime"},
		"failing test":      {with(files, "definition_test.rego", test+"\ntest_wrong if {\n\tdefinition.decision == \"deny\" with input as {\"hits\": [], \"tenant\": {}}\n}\n"), "definition_test.rego", strings.Count(test, "\n") + 2, "tests", "test_wrong failed"},
		"skipped test":      {with(files, "definition_test.rego", test+"\ntodo_test_later if false\n"), "definition_test.rego", strings.Count(test, "\n") + 2, "tests", "skipped"},
		"builtin in a test": {with(files, "definition_test.rego", test+"\ntest_x if http.send({\"method\": \"get\", \"url\": \"http://localhost\"})\n"), "definition_test.rego", strings.Count(test, "\n") + 2, "tests", "http.send"},
		"no tests":          {with(files, "definition_test.rego", ""), "", 0, "tests", "no Rego tests"},
		"data out of range": {with(files, "data.json", `{"bailiff": {"config": {"deny_from": 0}}}`), "data.json", 1, "data", "minimum"},
		"blind":             {with(files, "definition.rego", "package bailiff.definition\n\ndecision := \"allow\"\n\nreasons := []\n"), "", 0, "selftest", "plain attack"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Try(t.Context(), c.files, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if r.OK || r.Killed != "" {
				t.Fatalf("accepted: %+v", r)
			}
			for _, p := range r.Problems {
				if p.Stage == c.stage && p.File == c.file && (p.Row == c.row || c.row == 0 || (c.stage == "tests" && p.Row >= c.row && p.Row <= c.row+1)) && strings.Contains(p.Message, c.message) {
					return
				}
			}
			t.Errorf("no %s problem at %s:%d with %q in %+v", c.stage, c.file, c.row, c.message, r.Problems)
		})
	}
}

// bomb is a module that takes more than it should, with what it reads as input.
type bomb struct {
	ID     string `json:"id"`
	Module string `json:"module"`
	Input  any    `json:"input"`
}

// lay puts a bomb into a good policy: once as it is, and once inside the
// package that policies have, with a test that makes it go off.
func (b bomb) lay(tb testing.TB) (plain, armed fstest.MapFS) {
	tb.Helper()
	files := filesIn(tb, smallPolicyFS())
	plain = with(files, "bomb.rego", b.Module)
	inside := strings.Replace(b.Module, "package t\n", "package bailiff.bomb\n\n", 1)
	input, err := json.Marshal(b.Input)
	if err != nil {
		tb.Fatal(err)
	}
	armed = with(files, "bomb.rego", inside)
	armed = with(armed, "bomb_test.rego", "package bailiff.bomb_test\n\nimport data.bailiff.bomb\n\ntest_goes_off if {\n\tbomb.p with input as "+string(input)+"\n}\n")
	return plain, armed
}

// defuse tries a bomb and measures what it costs this process.
func (b bomb) defuse(t *testing.T, files fstest.MapFS, l Limits) (r TryResult, grown int64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, err := Try(t.Context(), files, l)
	if err != nil {
		t.Fatalf("%s: %v", b.ID, err)
	}
	runtime.ReadMemStats(&after)
	return r, int64(after.HeapSys) - int64(before.HeapSys)
}

func (b bomb) outcome(r TryResult) string {
	switch {
	case r.OK:
		return "accepted"
	case r.Killed != "":
		return "killed: " + r.Killed
	default:
		return "refused: " + r.Problems[0].Stage
	}
}

func TestTryContainsBombs(t *testing.T) {
	bombs := readBombs(t, filepath.Join("testdata", "bombs.jsonl"))
	if len(bombs) < 25 {
		t.Fatalf("only %d bombs", len(bombs))
	}
	contain(t, bombs)
}

// TestTryContainsTheProbes runs the collection of bombs that a workplace may
// have beside the source.
func TestTryContainsTheProbes(t *testing.T) {
	file := os.Getenv("BAILIFF_REGO_PROBES")
	if file == "" {
		file = filepath.Join("..", "..", "shared", "data", "rego_probes.jsonl")
	}
	if _, err := os.Stat(file); err != nil {
		t.Skipf("no collection of probes: %v", err)
	}
	if testing.Short() {
		t.Skip("takes a minute")
	}
	contain(t, readBombs(t, file))
}

func contain(t *testing.T, bombs []bomb) {
	t.Helper()
	limits := Limits{Memory: 256 << 20, CPU: 4 * time.Second, Wall: 8 * time.Second}
	counts := map[string]int{}
	for i, b := range bombs {
		if raceEnabled && i%20 != 0 {
			continue
		}
		plain, armed := b.lay(t)
		if r, _ := b.defuse(t, plain, limits); r.OK {
			t.Errorf("%s: accepted outside the package of policies", b.ID)
		}
		r, grown := b.defuse(t, armed, limits)
		counts[b.outcome(r)]++
		if r.Took > limits.Wall+3*time.Second {
			t.Errorf("%s: took %s", b.ID, r.Took)
		}
		if grown > 64<<20 {
			t.Errorf("%s: this process grew by %d MiB", b.ID, grown>>20)
		}
		if r.OK && !strings.Contains(b.ID, "baseline") {
			t.Logf("%s: harmless: decision %s, %s in all", b.ID, r.Decision, r.Took)
			if r.Took > 3*time.Second {
				t.Errorf("%s: accepted after %s", b.ID, r.Took)
			}
		}
	}
	t.Logf("%d bombs: %v", len(bombs), counts)
}

func readBombs(t *testing.T, file string) []bomb {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var bombs []bomb
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var b bomb
		if err := json.Unmarshal(lines.Bytes(), &b); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		bombs = append(bombs, b)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return bombs
}

// TestLimitsOfTheChild makes children that outgrow each limit by themselves,
// whatever the checks before them would have refused.
func TestLimitsOfTheChild(t *testing.T) {
	loop := "count([1 | some a in x; some b in x; some c in x; some d in x; some e in x; a + b + c + d + e < 0])"
	list := strings.TrimSuffix(strings.Repeat("1, ", 200), ", ")
	files := with(filesIn(t, smallPolicyFS()), "slow_test.rego", "package bailiff.slow_test\n\nx := ["+list+"]\n\ntest_slow if "+loop+" == 0\n\ntest_slower if "+loop+" == 0\n\ntest_slowest if "+loop+" == 0\n")
	for name, c := range map[string]struct {
		limits Limits
		killed string
	}{
		"wall": {Limits{Wall: time.Second, CPU: time.Minute}, "wall"},
		"cpu":  {Limits{Wall: 20 * time.Second, CPU: time.Second}, "cpu"},
	} {
		started := time.Now()
		r, err := Try(t.Context(), files, c.limits)
		if err != nil {
			t.Fatal(err)
		}
		if r.Killed != c.killed || len(r.Problems) != 1 || time.Since(started) > c.limits.Wall+2*time.Second {
			t.Errorf("%s: %+v after %s", name, r, time.Since(started))
		}
	}
	r, err := Try(t.Context(), smallPolicyFS(), Limits{Decision: time.Nanosecond})
	if err != nil || r.OK || len(r.Problems) != 1 || r.Problems[0].Stage != "timing" {
		t.Errorf("slow decisions: %+v %v", r, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Try(ctx, files, Limits{}); err == nil {
		t.Error("a cancelled trial has a result")
	}
}

func TestTryBoundsTheBundle(t *testing.T) {
	files := filesIn(t, smallPolicyFS())
	for i := range 8 {
		files = with(files, fmt.Sprintf("patterns/p%d.yaml", i), strings.Repeat("# padding\n", 100_000))
	}
	r, err := Try(t.Context(), files, Limits{})
	if err != nil || r.OK || !strings.Contains(r.Problems[0].Message, "bytes") {
		t.Errorf("%+v %v", r, err)
	}
}

const rawFile = "raw.rego"

// rawModule finds the module of a bundle that is to be evaluated unchecked.
func rawModule(bundle []byte) (string, bool) {
	fsys, err := unpack(bundle)
	if err != nil {
		return "", false
	}
	src, err := fs.ReadFile(fsys, rawFile)
	return string(src), err == nil
}

// tryUnchecked evaluates data.t.p with every function that OPA has and without
// the checks of a policy's source.
func tryUnchecked(ctx context.Context, module string) TryResult {
	_, err := rego.New(rego.Query("data.t.p"), rego.Module(rawFile, module)).Eval(ctx)
	if err != nil {
		return TryResult{Problems: []Problem{{Stage: "eval", Message: err.Error()}}}
	}
	return TryResult{OK: true}
}

// TestTheCageHoldsByItself sets the bombs off without the checks that would
// refuse them: the child dies or ends, and this process does not notice.
func TestTheCageHoldsByItself(t *testing.T) {
	if os.Getenv("BAILIFF_LONG_TESTS") == "" {
		t.Skip("set BAILIFF_LONG_TESTS=1: each bomb may burn for its two seconds")
	}
	limits := Limits{Memory: 256 << 20, CPU: 5 * time.Second, Wall: 2 * time.Second}
	counts := map[string]int{}
	for _, b := range readBombs(t, filepath.Join("testdata", "bombs.jsonl")) {
		input, err := json.Marshal(b.Input)
		if err != nil {
			t.Fatal(err)
		}
		module := b.Module + "\n"
		if b.Input != nil {
			module = strings.ReplaceAll(module, "input.", "given.") + "given := " + string(input) + "\n"
		}
		r, grown := b.defuse(t, fstest.MapFS{rawFile: {Data: []byte(module)}}, limits)
		counts[b.outcome(r)]++
		if r.Took > limits.Wall+2*time.Second || grown > 64<<20 {
			t.Errorf("%s: took %s, this process grew by %d MiB", b.ID, r.Took, grown>>20)
		}
	}
	t.Logf("%v", counts)
	if counts["killed: memory"] == 0 || counts["killed: wall"] == 0 {
		t.Error("nothing had to be killed: the bombs are duds")
	}
}
