package lake_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestExpiry publishes three results of a model, one after another, and checks that old
// snapshots and the files that nothing names go, and nothing else.
func TestExpiry(t *testing.T) {
	t.Parallel()
	i := install(t)
	folder := filepath.Join(i.place, "lake", "account_a", "returns", "data")
	files := func() []string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(folder, "*.parquet"))
		must(t, err)
		return found
	}
	age := func(paths ...string) {
		t.Helper()
		past := time.Now().Add(-48 * time.Hour)
		for _, path := range paths {
			must(t, os.Chtimes(path, past, past))
		}
	}
	check := func(what, run string, sessions, snapshots, stored int) {
		t.Helper()
		rows, n := i.read(t, "account_a", "returns")
		if len(rows) != sessions || n != snapshots {
			t.Errorf("%s: %d rows and %d snapshots, want %d and %d", what, len(rows), n, sessions, snapshots)
		}
		for _, row := range rows {
			if !strings.Contains(row, run) {
				t.Fatalf("%s: a row of another run: %s", what, row)
			}
		}
		if got := files(); len(got) != stored {
			t.Errorf("%s: the files %v, want %d", what, got, stored)
		}
	}
	i.serve(t, "account_a", "model_a", "run_first", 10)
	i.publish(t)
	i.serve(t, "account_a", "model_a", "run_second", 20)
	i.publish(t)
	check("two publications", "run_second", 20, 2, 2)

	// However old a file is, a snapshot that is kept keeps it. A young orphan may belong to
	// a publication that was killed and will be repeated.
	age(files()...)
	young := filepath.Join(folder, "young.parquet")
	must(t, os.WriteFile(young, []byte("left behind"), 0o600))
	i.publish(t)
	check("kept", "run_second", 20, 2, 3)
	age(young)
	i.publish(t)
	check("an old orphan", "run_second", 20, 2, 2)

	// Snapshots expire, and then their files.
	p := i.publisher()
	p.Keep = time.Millisecond
	i.serve(t, "account_a", "model_a", "run_third", 30)
	_, err := p.Publish(t.Context())
	must(t, err)
	age(files()...)
	_, err = p.Publish(t.Context())
	must(t, err)
	check("expired", "run_third", 30, 1, 1)
	if again := i.publish(t); len(again[0].Files) != 0 {
		t.Errorf("published again: %v", again)
	}
	check("afterwards", "run_third", 30, 1, 1)
}
