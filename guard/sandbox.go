package guard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Limits bound the child process that tries a candidate policy. A zero member
// takes its default.
type Limits struct {
	Memory   int64         `json:"memory"`   // bytes beyond what an idle child has; default 512 MiB
	CPU      time.Duration `json:"cpu"`      // processor time, whole seconds; default 20 s
	Wall     time.Duration `json:"wall"`     // from start to kill; default 30 s
	Decision time.Duration `json:"decision"` // median of scan and policy over a text of 2 KB; default 250 ms, a hundred times what it takes on an idle machine
}

// withDefaults fills what is not set.
func (l Limits) withDefaults() Limits {
	if l.Memory <= 0 {
		l.Memory = 512 << 20
	}
	if l.CPU <= 0 {
		l.CPU = 20 * time.Second
	}
	if l.Wall <= 0 {
		l.Wall = 30 * time.Second
	}
	if l.Decision <= 0 {
		l.Decision = 250 * time.Millisecond
	}
	return l
}

// TryResult is what became of a candidate.
type TryResult struct {
	OK       bool          `json:"ok"`
	Revision string        `json:"revision"` // "" when it does not compile
	Problems []Problem     `json:"problems"` // why it is refused, with file and line
	Killed   string        `json:"killed"`   // memory | cpu | wall | crash when the child did not end by itself
	Tests    int           `json:"tests"`    // Rego tests that ran
	Compile  time.Duration `json:"compile_ns"`
	Decision time.Duration `json:"decision_ns"` // median of scan and policy over a text of 2 KB
	Took     time.Duration `json:"took_ns"`
}

// Bounds of what goes to and comes from the child.
const (
	maxBundleBytes = 4 << 20
	maxResultBytes = 256 << 10
	maxChildErrors = 8 << 10
)

// Try compiles the candidate in fsys, runs its Rego tests and its patterns'
// examples, and times it, in a child process of this same binary that has no
// environment, an empty working directory, and limits of memory, processor time
// and wall time. Compiling and evaluating Rego can take any amount of all
// three, and OPA's own deadline bounds neither; a process can be killed.
//
// A candidate that fails is a TryResult with OK false. The error is about the
// sandbox itself: it could not be started, or ctx ended.
//
// The program's main function must call SandboxMain before anything else.
func Try(ctx context.Context, fsys fs.FS, l Limits) (TryResult, error) {
	started := time.Now()
	l = l.withDefaults()
	bundle, err := pack(fsys)
	if err != nil {
		return refused(started, problemsOf("layout", "", err)...), nil
	}
	out, killed, err := runChild(ctx, bundle, l)
	if err != nil {
		return TryResult{}, err
	}
	if killed != "" {
		r := refused(started, Problem{Stage: "limits", Message: killedSentence(killed, l)})
		r.Killed = killed
		return r, nil
	}
	var r TryResult
	if err := json.Unmarshal(out, &r); err != nil {
		return TryResult{}, fmt.Errorf("read the sandbox's answer: %w", err)
	}
	r.Took = time.Since(started)
	return r, nil
}

func refused(started time.Time, problems ...Problem) TryResult {
	return TryResult{Problems: problems, Took: time.Since(started)}
}

func killedSentence(reason string, l Limits) string {
	switch reason {
	case "memory":
		return fmt.Sprintf("the candidate needs more than %d MiB of memory; look for rules that build large values", l.Memory>>20)
	case "cpu", "wall":
		return fmt.Sprintf("the candidate was not done after %s; look for nested comprehensions, rules built from each other, and loops over loops", l.Wall)
	default:
		return "the candidate crashed the process that tried it"
	}
}

// runChild starts the child, feeds it the bundle and takes its answer. killed
// says why the child gave none.
func runChild(ctx context.Context, bundle []byte, l Limits) (out []byte, killed string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, "", fmt.Errorf("find the program for the sandbox: %w", err)
	}
	dir, err := os.MkdirTemp("", "bailiff-sandbox-")
	if err != nil {
		return nil, "", fmt.Errorf("make the sandbox's directory: %w", err)
	}
	defer os.RemoveAll(dir)

	timed, cancel := context.WithTimeout(ctx, l.Wall)
	defer cancel()
	limits, err := json.Marshal(l)
	if err != nil {
		return nil, "", fmt.Errorf("encode the sandbox's limits: %w", err)
	}
	cmd := exec.CommandContext(timed, self) //nolint:gosec // the program is this one, without arguments
	cmd.Args = []string{self, sandboxVerb}
	cmd.Env = []string{sandboxVariable + "=" + string(limits)}
	cmd.Dir = dir
	cmd.Stdin = bytes.NewReader(bundle)
	stdout, stderr := &bounded{left: maxResultBytes}, &bounded{left: maxChildErrors}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = time.Second
	confine(cmd)
	if err := cmd.Start(); err != nil {
		return nil, "", fmt.Errorf("start the sandbox: %w", err)
	}
	stop := watchMemory(cmd.Process.Pid, l.Memory, cancel)
	err = cmd.Wait()
	outgrown := stop()
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case outgrown:
		return nil, "memory", nil
	case timed.Err() != nil:
		return nil, "wall", nil
	case err != nil:
		return nil, causeOfDeath(cmd, stderr.String()), nil
	case stdout.over:
		return nil, "", errors.New("the sandbox's answer is too long")
	}
	return stdout.Bytes(), "", nil
}

// causeOfDeath reads the reason from what a dying Go program prints.
func causeOfDeath(cmd *exec.Cmd, stderr string) string {
	switch {
	case strings.Contains(stderr, "out of memory"), strings.Contains(stderr, "cannot allocate memory"), strings.Contains(stderr, "makeslice"):
		return "memory"
	case endedByCPULimit(cmd):
		return "cpu"
	default:
		return "crash"
	}
}

// bounded keeps the first bytes that are written to it and drops the rest.
type bounded struct {
	bytes.Buffer
	left int
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	keep := p[:min(len(p), b.left)]
	b.left -= len(keep)
	b.over = b.over || len(keep) < len(p)
	if _, err := b.Buffer.Write(keep); err != nil {
		return 0, err
	}
	return len(p), nil
}

var _ io.Writer = (*bounded)(nil)
