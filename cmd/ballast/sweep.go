package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"ballast/timeseries/bars"
)

// temporarySweeper deletes what imports and loads that were killed have left in
// the temporary folder.
type temporarySweeper struct {
	dir string
	log *slog.Logger
}

// leftovers are the names of their files and folders.
var leftovers = []string{"load-*", "bars-*.csv"}

// Sweep implements jobs.Sweeper.
func (t temporarySweeper) Sweep(ctx context.Context) error {
	var problems []error
	for _, pattern := range leftovers {
		found, err := filepath.Glob(filepath.Join(t.dir, pattern))
		if err != nil {
			return err
		}
		for _, path := range found {
			info, err := os.Stat(path)
			if errors.Is(err, fs.ErrNotExist) {
				continue // its owner lives
			}
			if err == nil && time.Since(info.ModTime()) > bars.SweepGrace {
				t.log.InfoContext(ctx, "deleted what was left behind", "path", path)
				err = os.RemoveAll(path)
			}
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}
