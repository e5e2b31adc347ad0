package backup

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"ballast/storage/columnar"
)

// Target is the empty database of a new installation.
type Target interface {
	// Load fills the database from a dump, all at once.
	Load(ctx context.Context, file string) error
	// Empty reports whether the database has no tables.
	Empty(ctx context.Context) (bool, error)
}

// Verify reads a backup whole and holds each file against its checksum.
func Verify(ctx context.Context, dir string, progress Progress) (*Manifest, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	if err := verifyFile(filepath.Join(dir, databaseFile), m.Database); err != nil {
		return nil, err
	}
	for i, key := range slices.Sorted(maps.Keys(m.Objects)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := verifyFile(objectPath(dir, key), m.Objects[key]); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(i+1, len(m.Objects))
		}
	}
	return m, nil
}

func verifyFile(path string, want File) error {
	got, err := fileOf(path)
	if err != nil {
		return fmt.Errorf("the backup is damaged: %w", err)
	}
	if got != want {
		return fmt.Errorf("the backup is damaged: %s is not what was written: %d bytes with checksum %s, not %d with %s", path, got.Bytes, got.SHA256, want.Bytes, want.SHA256)
	}
	return nil
}

// Restore fills an empty database and bucket from a backup that Verify has
// passed: the objects first, then the database that names them, all at once.
func Restore(ctx context.Context, m *Manifest, dir string, db Target, bucket columnar.Bucket, progress Progress) error {
	empty, err := db.Empty(ctx)
	if err != nil {
		return err
	}
	if !empty {
		return fmt.Errorf("the database has tables already; a backup is restored into an empty one")
	}
	for e, err := range bucket.List(ctx, "") {
		if err != nil {
			return err
		}
		return fmt.Errorf("the bucket has objects already (%s); a backup is restored into an empty one", e.Key)
	}
	for i, key := range slices.Sorted(maps.Keys(m.Objects)) {
		if err := putObject(ctx, bucket, key, objectPath(dir, key)); err != nil {
			return err
		}
		if progress != nil {
			progress(i+1, len(m.Objects))
		}
	}
	return db.Load(ctx, filepath.Join(dir, databaseFile))
}

func putObject(ctx context.Context, bucket columnar.Bucket, key, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return bucket.Put(ctx, key, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}
