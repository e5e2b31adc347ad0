package backtest_test

import "ballast/internal/testenv"

// Each property draws 25 cases, and under make soak rapid's default of 100.
func init() { testenv.RapidChecks("25") }
