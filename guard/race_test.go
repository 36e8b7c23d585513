//go:build race

package guard

// raceEnabled says that the race detector is on: each child process then waits
// a second before it ends.
const raceEnabled = true
