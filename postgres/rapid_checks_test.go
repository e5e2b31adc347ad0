package postgres_test

import "ballast/internal/testenv"

// Each property is tested on 25 cases, and in make test on 8; make soak uses rapid's
// default of 100.
func init() {
	if testenv.Brief() {
		testenv.RapidChecks("8")
	} else {
		testenv.RapidChecks("25")
	}
}
