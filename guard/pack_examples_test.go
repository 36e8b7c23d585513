package guard

import (
	"testing"

	"bailiff/policies"
)

// TestPatternExamples holds every example of the shipped packs against the
// whole engine: what must be found is found, what must not be is not.
func TestPatternExamples(t *testing.T) {
	for _, p := range checkExamples(policies.FS) {
		t.Error(p)
	}
}
