package testenv

import (
	"slices"
	"testing"
)

// Some returns n elements of a list in make test, in the list's order and drawn by the
// test's seed, and the whole list in make race and make soak: for tests that try each of
// many combinations.
func Some[T any](t testing.TB, n int, all []T) []T {
	t.Helper()
	if !Brief() || len(all) <= n {
		return all
	}
	places := Random(t, 0, uint64(len(all))).Perm(len(all))[:n]
	slices.Sort(places)
	some := make([]T, n)
	for i, place := range places {
		some[i] = all[place]
	}
	return some
}
