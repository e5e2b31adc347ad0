//go:build race

package sandbox

// burden is the factor by which the race detector increases memory and time.
const burden = 6
