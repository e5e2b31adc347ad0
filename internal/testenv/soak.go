package testenv

import (
	"flag"
	"os"
	"testing"
)

// Soak reports whether tests should do everything that they can, as in make soak,
// instead of only what each change needs.
func Soak() bool { return os.Getenv("BALLAST_SOAK") != "" }

// OnlyInSoak skips a test that takes minutes or needs the machine to itself.
func OnlyInSoak(t testing.TB) {
	t.Helper()
	if !Soak() {
		t.Skip("takes minutes or needs the machine to itself; run make soak")
	}
}

// Brief reports whether the tests are those of make test, which every change waits for,
// and not those of make race or make soak.
func Brief() bool { return !race && !Soak() }

// NotInTest skips a test of kills or crowds, or one that takes long, in make test.
// make race and make soak run it.
func NotInTest(t testing.TB) {
	t.Helper()
	if Brief() {
		t.Skip("takes long, or kills or crowds the service; make race and make soak run it")
	}
}

// Rounds returns how often a test repeats: few times or, in make soak, many times.
func Rounds(few, many int) int {
	if Soak() {
		return many
	}
	return few
}

// RapidChecks sets how many cases each rapid property of the package draws, except in make
// soak, which draws the full number. -rapid.checks on the command line wins. A package
// calls it from an init function of its tests, before flags are parsed.
func RapidChecks(n string) {
	if f := flag.Lookup("rapid.checks"); f != nil && !Soak() {
		_ = f.Value.Set(n)
	}
}
