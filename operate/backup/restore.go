package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"ballast/storage/columnar"
)

// Target is the empty database of a new installation.
type Target interface {
	// Empty reports whether the database has no tables.
	Empty(ctx context.Context) (bool, error)
	// Load creates the tables with the program's own migrations, at the version from
	// which the rows were copied, and fills them. Until it has returned nil, the database
	// is marked as unfinished, and no service starts on it.
	Load(ctx context.Context, rows *Rows) error
	// Dumped reads the rows of a file that pg_dump wrote from a server of this major
	// version. Backups of format 1 contain such a file.
	Dumped(file string, server int) Source
}

// Backup is a backup that Verify has checked. The caller closes it.
type Backup struct {
	*Manifest
	root *os.Root
}

// Close closes the folder.
func (b *Backup) Close() error { return b.root.Close() }

// Verify reads a whole backup and compares each file with its checksum.
func Verify(ctx context.Context, dir string, progress Progress) (_ *Backup, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	b := &Backup{root: root}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close())
		}
	}()
	if b.Manifest, err = readManifest(root); err != nil {
		return nil, err
	}
	files := map[string]File{}
	if b.Database != nil {
		files[formerDump] = *b.Database
	}
	for name, t := range b.Tables {
		files[rowsPath(name)] = t.File
	}
	for key, o := range b.Objects {
		files[path.Join(objectsFolder, key)] = o
	}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if err := verifyFile(ctx, root, name, files[name]); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(i+1, len(files))
		}
	}
	return b, nil
}

// Objects is the bucket that a restore fills. columnar.Bucket implements it.
type Objects interface {
	columnar.ObjectLister
	// Put stores what write writes under key. The object appears only once it is complete.
	Put(ctx context.Context, key string, write func(io.Writer) error) error
}

// Restore fills an empty database and an empty bucket: first the objects, then the
// database that names them. Files are checked again as they are read. temp is a folder
// for temporary files.
func Restore(ctx context.Context, b *Backup, db Target, bucket Objects, temp string, progress Progress) error {
	empty, err := db.Empty(ctx)
	if err != nil {
		return err
	}
	if !empty {
		return fmt.Errorf("the database already has tables; restore the backup into an empty database")
	}
	for e, err := range bucket.List(ctx, "") {
		if err != nil {
			return err
		}
		return fmt.Errorf("the bucket already has objects (%s); restore the backup into an empty bucket", e.Key)
	}
	for i, key := range slices.Sorted(maps.Keys(b.Objects)) {
		if err := b.putObject(ctx, bucket, key); err != nil {
			return err
		}
		if progress != nil {
			progress(i+1, len(b.Objects))
		}
	}
	if b.Format == formerFormat {
		return b.loadFormer(ctx, db, temp)
	}
	return db.Load(ctx, &Rows{manifest: b.Manifest, root: b.root})
}

func (b *Backup) putObject(ctx context.Context, bucket Objects, key string) error {
	want := b.Objects[key]
	f, err := openSized(b.root, path.Join(objectsFolder, key), want)
	if err != nil {
		return err
	}
	defer f.Close()
	return bucket.Put(ctx, key, func(w io.Writer) error {
		_, err := io.Copy(w, newSummed(ctx, f, want))
		return err
	})
}

// loadFormer extracts the rows of a dump of format 1 into a folder of the current format
// and loads them. Nothing else of the dump reaches the database.
func (b *Backup) loadFormer(ctx context.Context, db Target, temp string) (err error) {
	dir, err := os.MkdirTemp(temp, "rows-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	// The copy has the verified bytes, even if the backup changes in the meantime.
	dump := filepath.Join(dir, formerDump)
	f, err := openSized(b.root, formerDump, *b.Database)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := writeFile(dump, func(w io.Writer) error {
		_, err := io.Copy(w, newSummed(ctx, f, *b.Database))
		return err
	}); err != nil {
		return err
	}
	m := &Manifest{Objects: b.Objects}
	if _, err := m.copyRows(ctx, db.Dumped(dump, b.Server), dir); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	return errors.Join(db.Load(ctx, &Rows{manifest: m, root: root}), root.Close())
}
