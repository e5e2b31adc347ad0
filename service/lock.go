package service

import (
	"fmt"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lockFolder makes sure that only one service runs on the data folder.
func lockFolder(dir string) (unlock func(), err error) {
	lock := flock.New(filepath.Join(dir, "service.lock"))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if !locked {
		return nil, fmt.Errorf("another ballast serves the data folder %s already; stop it first, or choose another folder with --data-dir", dir)
	}
	return func() { _ = lock.Unlock() }, nil
}
