package postgres_test

import "ballast/internal/testenv"

// Each property draws 25 cases; in make soak it draws rapid's hundred.
func init() { testenv.Draws("25") }
