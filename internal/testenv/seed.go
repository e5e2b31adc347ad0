package testenv

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
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
			t.Fatalf("BALLAST_SEED=%s is not a seed: set it to an integer from 0", text)
		}
	}
	if _, known := seeded.LoadOrStore(t, seed); known {
		return seed
	}
	t.Cleanup(func() {
		seeded.Delete(t)
		if t.Failed() {
			t.Logf("to repeat the random choices: BALLAST_SEED=%d go test -run '^%s$'", seed, t.Name())
		}
	})
	return seed
}

// seeded are the tests that print their seed when they fail: once each, however
// many streams they take.
var seeded sync.Map

// Random makes random choices from the test's seed. A test that needs several
// generators gives each a number or a stream of its own: goroutines must not share one.
func Random(t testing.TB, number, stream uint64) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t, 0)+number, stream))
}
