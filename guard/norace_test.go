//go:build !race

package guard

// raceEnabled says that the race detector is on.
const raceEnabled = false
