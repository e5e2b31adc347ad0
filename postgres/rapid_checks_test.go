package postgres_test

import "ballast/internal/testenv"

// Each property is tested on 25 cases; make soak uses rapid's default of 100.
func init() { testenv.RapidChecks("25") }
