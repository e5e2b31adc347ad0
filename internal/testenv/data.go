// Package testenv has what tests of several packages share: the built command, seeds,
// measurements, and real market data, if it is present. Only tests import it.
package testenv

import (
	"os"
	"path/filepath"
	"testing"
)

// Root returns the project's root: the nearest folder with a go.mod, from the working
// directory upwards.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("working directory: %v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod in the working directory or above it")
		}
		dir = parent
	}
}

// Data returns the path of a file of real data, such as
// "bars/etf21_yahoo_2025.csv.gz", in the folder that BALLAST_TEST_DATA names or in
// ../shared/data, relative to the project's root. The test is skipped if the file does
// not exist.
func Data(t testing.TB, name string) string {
	t.Helper()
	folder := os.Getenv("BALLAST_TEST_DATA")
	if folder == "" {
		folder = filepath.Join(Root(t), "..", "shared", "data")
	}
	path := filepath.Join(folder, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("real data is absent: %s (set BALLAST_TEST_DATA to its folder)", path)
	}
	return path
}
