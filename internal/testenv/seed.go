package testenv

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Seed returns the seed of a test's random choices: that of BALLAST_SEED, else the
// given one. A test that fails prints it.
func Seed(t testing.TB, given uint64) uint64 {
	t.Helper()
	seed := given
	if text := os.Getenv("BALLAST_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("BALLAST_SEED=%s: a number from 0 is accepted", text)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("BALLAST_SEED=%d repeats the random choices of this test", seed)
		}
	})
	return seed
}

// Random makes random choices from the test's seed. Goroutines of a test take
// streams of their own.
func Random(t testing.TB, given, stream uint64) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t, given), stream))
}
