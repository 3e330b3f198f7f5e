//go:build race

package cli

// raceEnabled builds the command like the test.
const raceEnabled = true
