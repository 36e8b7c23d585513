//go:build unix

package guard

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// confine puts the child into its own process group, at low priority through
// limitSelf, and kills the whole group when its time is over.
func confine(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// limitSelf sets the limits of the calling process. The limit of address space
// counts from what is mapped already, since a Go program reserves far more than
// it uses.
func limitSelf(l Limits) error {
	seconds := uint64((l.CPU + time.Second - 1) / time.Second)
	for _, limit := range []struct {
		name     string
		resource int
		value    uint64
	}{
		{"processor time", syscall.RLIMIT_CPU, seconds},
		{"address space", syscall.RLIMIT_AS, mappedBytes() + uint64(l.Memory)},
		{"file size", syscall.RLIMIT_FSIZE, 0},
		{"core size", syscall.RLIMIT_CORE, 0},
	} {
		if err := syscall.Setrlimit(limit.resource, &syscall.Rlimit{Cur: limit.value, Max: limit.value}); err != nil {
			return fmt.Errorf("limit %s: %w", limit.name, err)
		}
	}
	return syscall.Setpriority(syscall.PRIO_PROCESS, 0, 10)
}

// mappedBytes is the size of the address space in use, where /proc tells it.
func mappedBytes() uint64 { return statm(os.Getpid(), 0) }

// residentBytes is the memory that a process occupies, 0 when unknown.
func residentBytes(pid int) uint64 { return statm(pid, 1) }

func statm(pid, field int) uint64 {
	src, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(src))
	if len(fields) <= field {
		return 0
	}
	pages, err := strconv.ParseUint(fields[field], 10, 64)
	if err != nil {
		return 0
	}
	return pages * uint64(os.Getpagesize())
}

// watchMemory kills the child when it occupies more than it may: the limit of
// address space alone is coarse. The returned function ends the watch and
// reports whether it had to kill.
func watchMemory(pid int, limit int64, kill func()) (stop func() bool) {
	const idle = 192 << 20 // what a child occupies before it has done anything, and slack
	done, ended := make(chan struct{}), make(chan bool, 1)
	go func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				ended <- false
				return
			case <-tick.C:
				if residentBytes(pid) > uint64(limit)+idle {
					kill()
					<-done
					ended <- true
					return
				}
			}
		}
	}()
	return func() bool {
		close(done)
		return <-ended
	}
}

func endedByCPULimit(cmd *exec.Cmd) bool {
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && (status.Signal() == syscall.SIGXCPU || status.Signal() == syscall.SIGKILL)
}
