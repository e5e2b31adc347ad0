package bars

import (
	"context"
	"fmt"
	"time"

	"ballast/storage/columnar"
)

// SweepGrace is the age at which Sweep treats an object that no version names as an
// orphan. It is longer than any import works on its objects.
const SweepGrace = 6 * time.Hour

// Objects lists the objects of the manifest.
type Objects interface {
	// Objects returns the key of every object that a segment of any version names, once
	// each, in no particular order.
	Objects(ctx context.Context) ([]string, error)
}

// Sweep deletes the objects under Prefix that no version names and that are older than
// grace: those of an import that was killed between writing and committing. It returns
// the deleted keys.
func Sweep(ctx context.Context, manifest Objects, bucket columnar.Bucket, grace time.Duration) ([]string, error) {
	// The objects are listed before the manifest is read, so that the manifest includes
	// what is committed meanwhile.
	var old []string
	for entry, err := range bucket.List(ctx, Prefix) {
		if err != nil {
			return nil, fmt.Errorf("sweep bars: %w", err)
		}
		if time.Since(entry.Modified) > grace {
			old = append(old, entry.Key)
		}
	}
	if len(old) == 0 {
		return nil, nil
	}
	keys, err := manifest.Objects(ctx)
	if err != nil {
		return nil, fmt.Errorf("sweep bars: %w", err)
	}
	named := make(map[string]bool, len(keys))
	for _, key := range keys {
		named[key] = true
	}
	var swept []string
	for _, key := range old {
		if named[key] {
			continue
		}
		if err := bucket.Delete(ctx, key); err != nil {
			return swept, fmt.Errorf("sweep bars: %w", err)
		}
		swept = append(swept, key)
	}
	return swept, nil
}
