//go:build !race

package offline

// raceEnabled tells tests that measure time that they run many times slower.
const raceEnabled = false
