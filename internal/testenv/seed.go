package testenv

import (
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
)

// Seed returns the seed of a test's random choices: that of BALLAST_SEED, or else the
// given one. A test that fails prints its seed.
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

// seeded has the tests that will print their seed if they fail, so that each prints it
// once, however many generators it uses.
var seeded sync.Map

// Random returns a generator that starts from the test's seed. A test that needs
// several gives each its own number or stream; goroutines must not share one.
func Random(t testing.TB, number, stream uint64) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t, 0)+number, stream))
}
