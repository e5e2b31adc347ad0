//go:build race

package sandbox

// burden is how many times the memory and the time the race detector takes.
const burden = 6
