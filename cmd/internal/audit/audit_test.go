package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func openLog(t *testing.T, path string) (*Log, *File) {
	t.Helper()
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Open(Config{Sink: f, Gateway: "gw"})
	if err != nil {
		t.Fatal(err)
	}
	return l, f
}

func linesOf(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// checkChain verifies numbers, links and sums by the words of the contract
// alone: the sum is over the line's bytes without the member hash.
func checkChain(t *testing.T, lines []string) {
	t.Helper()
	prev := ""
	for i, line := range lines {
		var e struct {
			Seq        int
			Prev, Hash string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		sum := sha256.Sum256([]byte(strings.Replace(line, `,"hash":"`+e.Hash+`"`, "", 1)))
		if e.Seq != i+1 || e.Prev != prev || e.Hash != hex.EncodeToString(sum[:]) {
			t.Fatalf("line %d: seq %d, prev %.8s (want %.8s), hash %.8s (want %x)", i+1, e.Seq, e.Prev, prev, e.Hash, sum[:4])
		}
		prev = e.Hash
	}
}

func TestMembersStandInTheContractsOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	l, _ := openLog(t, path)
	n, score, yes := 3, 81.5, true
	cost := "0.001"
	full := Event{
		Kind: EvaluationDecided, RequestID: "r", TraceID: "t", TenantID: "n", Actor: Actor{"k", "evaluate", "127.0.0.1"}, RunID: "run", EvaluationID: "ev",
		RecordIndex: &n, Metric: "g_eval", Definition: Definition{SHA256: "d", Length: 4, Rubric: "x", Version: 2, Fields: []string{"output"}}, RecordSHA256: "rec",
		Status: "scored", Stage: "score", Code: "c", Decision: "allow", RuleIDs: []string{"a"}, PolicyRevision: "p", Models: map[string]string{"score": "m"},
		PromptVersions: map[string]string{"score": "v"}, Fingerprint: "f", StepsHash: "s", ScoreMethod: "raw", Score: &score, Threshold: &score, Passed: &yes, Borderline: &yes,
		Usage: &Usage{1, 2, &cost}, DurationsMS: map[string]float64{"score": 1}, Before: []byte(`{}`), After: []byte(`{}`), Masked: []string{"/x"},
	}
	if err := errors.Join(l.Record(t.Context(), full), l.Close()); err != nil {
		t.Fatal(err)
	}
	line := linesOf(t, path)[0]
	at := -1
	for _, member := range strings.Fields(`seq schema time event gateway request_id trace_id tenant_id actor run_id evaluation_id record_index metric definition record_sha256
		status stage code decision rule_ids policy_revision models prompt_versions fingerprint steps_hash score_method score threshold passed borderline usage durations_ms
		before after masked prev hash`) {
		next := strings.Index(line, `"`+member+`":`)
		if next <= at && member != "score" {
			t.Errorf("%s is missing or out of order in %s", member, line)
		}
		at = max(at, next)
	}
}

func TestChainGoesOnAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	for range 3 {
		l, _ := openLog(t, path)
		for range 4 {
			if err := l.Record(t.Context(), Event{Kind: ServiceStarted}, Event{Kind: ServiceStopped}); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	lines := linesOf(t, path)
	if len(lines) != 24 {
		t.Fatalf("%d lines", len(lines))
	}
	checkChain(t, lines)
}

func TestManyWritersOneChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	l, _ := openLog(t, path)
	var all sync.WaitGroup
	for w := range 32 {
		all.Go(func() {
			for i := range 10 {
				if err := l.Record(t.Context(), Event{Kind: EvaluationDecided, RequestID: fmt.Sprint(w, "/", i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	lines := linesOf(t, path)
	if len(lines) != 320 {
		t.Fatalf("%d lines", len(lines))
	}
	checkChain(t, lines)
}

func TestTornLastLineIsClosedAndTold(t *testing.T) {
	for _, tail := range []string{`{"seq":3,"schema":"bai`, `{"seq":3}`, "\x00\x00\x00"} {
		path := filepath.Join(t.TempDir(), "a.jsonl")
		l, _ := openLog(t, path)
		if err := errors.Join(l.Record(t.Context(), Event{Kind: ServiceStarted}, Event{Kind: ServiceStopped}), l.Close()); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(f, tail)
		f.Close()

		l, sink := openLog(t, path)
		if !sink.Torn {
			t.Errorf("%q is not told", tail)
		}
		if err := errors.Join(l.Record(t.Context(), Event{Kind: ServiceStarted}), l.Close()); err != nil {
			t.Fatal(err)
		}
		lines := linesOf(t, path)
		if len(lines) != 4 || lines[2] != tail {
			t.Fatalf("lines %q", lines)
		}
		checkChain(t, slices.Delete(lines, 2, 3))
	}
}

func TestAChangedLastLineIsNotContinued(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	l, _ := openLog(t, path)
	if err := errors.Join(l.Record(t.Context(), Event{Kind: ServiceStarted, RequestID: "abc"}), l.Close()); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	if err := os.WriteFile(path, bytes.Replace(data, []byte("abc"), []byte("abd"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Open(Config{Sink: f}); err == nil {
		t.Error("a log whose last line was changed is continued")
	}
}

// brokenSink fails while bad is set.
type brokenSink struct {
	bytes.Buffer
	bad bool
}

func (s *brokenSink) Write(p []byte) (int, error) {
	if s.bad {
		return 0, errors.New("no space left")
	}
	return s.Buffer.Write(p)
}
func (s *brokenSink) Last() []byte { return nil }
func (s *brokenSink) Close() error { return nil }

func TestWhatCouldNotBeWrittenIsAnErrorAndLeavesNoGap(t *testing.T) {
	sink, told := &brokenSink{}, 0
	l, err := Open(Config{Sink: sink, Failed: func(error) { told++ }})
	if err != nil {
		t.Fatal(err)
	}
	record := func() error { return l.Record(t.Context(), Event{Kind: EvaluationDecided}) }
	if err := record(); err != nil {
		t.Fatal(err)
	}
	sink.bad = true
	for range 2 {
		if err := record(); !errors.Is(err, ErrUnavailable) {
			t.Errorf("err = %v", err)
		}
	}
	sink.bad = false
	if err := record(); err != nil {
		t.Fatal(err)
	}
	checkChain(t, strings.Split(strings.TrimSpace(sink.String()), "\n"))
	if told != 2 {
		t.Errorf("told %d times", told)
	}
}

func TestForeignTextCannotForgeALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	l, _ := openLog(t, path)
	hostile := []string{
		"a\n{\"event\":\"key.created\"}", "a\r\nb", "\x1b[2J", `","event":"key.revoked","x":"`, "\u2028\u2029\u0085", "\u202e\u2066", "\x00\x7f", strings.Repeat("x", 1<<20), "<script>",
	}
	for _, text := range hostile {
		if err := l.Record(context.Background(), Event{Kind: RequestRefused, RequestID: text, RuleIDs: []string{text}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	lines := linesOf(t, path)
	if len(lines) != len(hostile) {
		t.Fatalf("%d lines for %d events", len(lines), len(hostile))
	}
	checkChain(t, lines)
	for i, line := range lines {
		var e Event
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Kind != RequestRefused || e.RequestID != hostile[i] {
			t.Errorf("line %d: kind %q, err %v", i+1, e.Kind, err)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || movesText(r) }) {
			t.Errorf("line %d holds a raw control", i+1)
		}
	}
}

func TestReaderFilters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Open(Config{Sink: f, Now: func() time.Time { now = now.Add(time.Minute); return now }})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		e := Event{Kind: EvaluationDecided, TenantID: []string{"a", "b"}[i%2], RunID: fmt.Sprint("r", i/2)}
		if i == 5 {
			e.Kind = RunFinished
		}
		if err := l.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	at := func(minute int) time.Time { return time.Date(2026, 3, 1, 0, minute, 0, 0, time.UTC) }
	for _, tc := range []struct {
		name string
		f    Filter
		want []uint64
	}{
		{"everything", Filter{}, []uint64{1, 2, 3, 4, 5, 6}},
		{"a tenant", Filter{Tenant: "a"}, []uint64{1, 3, 5}},
		{"a kind", Filter{Kind: RunFinished}, []uint64{6}},
		{"a run", Filter{RunID: "r1"}, []uint64{3, 4}},
		{"a time", Filter{From: at(2), To: at(4)}, []uint64{2, 3}},
		{"a page", Filter{After: 2, Limit: 2}, []uint64{3, 4}},
		{"a tenant's page", Filter{Tenant: "b", After: 2, Limit: 1}, []uint64{4}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := FileReader{Path: path}.Events(t.Context(), tc.f)
			if err != nil {
				t.Fatal(err)
			}
			var seqs []uint64
			for _, line := range got {
				seqs = append(seqs, line.Seq)
			}
			if !slices.Equal(seqs, tc.want) {
				t.Errorf("got %v, want %v", seqs, tc.want)
			}
		})
	}
}

func TestSumsAreKeyedPerTenant(t *testing.T) {
	h := NewHasher([]byte("secret"))
	plain := sha256.Sum256([]byte("text"))
	names := []string{h.Text("a", "text"), h.Text("b", "text"), NewHasher([]byte("other")).Text("a", "text"), hex.EncodeToString(plain[:])}
	for i, name := range names {
		if slices.Contains(names[:i], name) || len(name) != 64 {
			t.Errorf("name %d repeats or has %d digits", i, len(name))
		}
	}
	if h.Text("a", "text") != names[0] {
		t.Error("a text has two names")
	}
}
