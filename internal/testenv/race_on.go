//go:build race

package testenv

// race says whether the tests run under the race detector.
const race = true
