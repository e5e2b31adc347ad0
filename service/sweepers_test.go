package service

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTemporarySweeper(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := time.Now().Add(-24 * time.Hour)
	for name, kept := range map[string]bool{"load-1": false, "load-2": true, "bars-1.csv": false, "other": true} {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if !kept || name == "other" {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := (temporarySweeper{dir: dir, log: slog.New(slog.DiscardHandler)}).Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 || left[0].Name() != "load-2" || left[1].Name() != "other" {
		t.Errorf("%v, %v", left, err)
	}
}
