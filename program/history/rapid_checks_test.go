package history

import "ballast/internal/testenv"

// Each property draws 25 cases; make soak draws rapid's default of 100.
func init() { testenv.RapidChecks("25") }
