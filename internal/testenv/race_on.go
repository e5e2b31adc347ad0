//go:build race

package testenv

// race reports whether the tests run under the race detector.
const race = true
