//go:build !unix

package guard

import (
	"errors"
	"os/exec"
)

func confine(_ *exec.Cmd) {}

// limitSelf fails: without limits a candidate could take the machine, so on
// this system no policy but the built-in one can be activated.
func limitSelf(_ Limits) error {
	return errors.New("this system has no process limits")
}

func watchMemory(_ int, _ int64, _ func()) (stop func() bool) { return func() bool { return false } }

func endedByCPULimit(_ *exec.Cmd) bool { return false }
