package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"ballast/storage/columnar"
)

// Source is a database whose rows can be copied.
type Source interface {
	// Dump calls write for each table of one consistent snapshot of the database. It
	// passes a function that writes the table's rows in PostgreSQL's COPY text format.
	Dump(ctx context.Context, write WriteTable) (*Database, error)
}

// WriteTable stores one table. rows writes the values in the order of columns.
type WriteTable func(table string, columns []string, rows func(io.Writer) error) error

// Progress is called after each file with the number of files done and the total. It
// may be nil.
type Progress func(done, of int)

// tries limits how often the database is dumped. It is dumped again if an object that it
// names was deleted in the meantime, for example because its model was purged.
const tries = 5

// Write makes a backup in a folder, which must be empty or not exist.
func Write(ctx context.Context, db Source, bucket columnar.ObjectReader, dir string, progress Progress) (*Manifest, error) {
	if err := emptyFolder(dir); err != nil {
		return nil, err
	}
	m := &Manifest{Format: format, Objects: map[string]File{}}
	for try := 1; ; try++ {
		named, err := m.copyRows(ctx, db, dir)
		if err != nil {
			return nil, err
		}
		err = m.copyObjects(ctx, bucket, dir, named.Objects, progress)
		if err == nil {
			break
		}
		if !errors.Is(err, columnar.ErrNotFound) || try == tries {
			return nil, err
		}
	}
	if err := syncTree(dir); err != nil {
		return nil, err
	}
	return m, errors.Join(writeManifest(dir, m), syncPath(dir))
}

// copyRows writes the tables of the database, and fills in their part of the manifest.
func (m *Manifest) copyRows(ctx context.Context, db Source, dir string) (*Database, error) {
	m.Tables = map[string]Table{}
	database, err := db.Dump(ctx, func(table string, columns []string, rows func(io.Writer) error) error {
		t, err := writeRows(dir, table, columns, rows)
		m.Tables[table] = t
		return err
	})
	if err != nil {
		return nil, err
	}
	m.At, m.Server, m.Migrations, m.Queue, m.Sequences = database.At, database.Server, database.Migrations, database.Queue, database.Sequences
	return database, nil
}

// copyObjects copies the objects that the backup lacks. It removes those that only an
// earlier dump named.
func (m *Manifest) copyObjects(ctx context.Context, bucket columnar.ObjectReader, dir string, named map[string]int64, progress Progress) error {
	for key := range m.Objects {
		if _, ok := named[key]; !ok {
			delete(m.Objects, key)
			if err := os.Remove(objectPath(dir, key)); err != nil {
				return err
			}
		}
	}
	for i, key := range slices.Sorted(maps.Keys(named)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, ok := m.Objects[key]; !ok {
			file, err := copyObject(ctx, bucket, key, objectPath(dir, key))
			if err != nil {
				return fmt.Errorf("copy the object %s: %w", key, err)
			}
			if want := named[key]; want >= 0 && want != file.Bytes {
				return fmt.Errorf("the object %s has %d bytes, but the database expects %d; run ballast doctor", key, file.Bytes, want)
			}
			m.Objects[key] = file
		}
		if progress != nil {
			progress(i+1, len(named))
		}
	}
	return nil
}

func copyObject(ctx context.Context, bucket columnar.ObjectReader, key, path string) (File, error) {
	o, err := bucket.Open(ctx, key)
	if err != nil {
		return File{}, err
	}
	err = os.MkdirAll(filepath.Dir(path), 0o700)
	var file File
	if err == nil {
		file, err = writeFile(path, func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(o, 0, o.Size))
			return err
		})
	}
	return file, errors.Join(err, o.Close())
}

func objectPath(dir, key string) string {
	return filepath.Join(dir, objectsFolder, filepath.FromSlash(key))
}

// emptyFolder creates a folder that only its owner can read. It refuses one that is not
// empty.
func emptyFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.MkdirAll(dir, 0o700)
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("the folder %s is not empty; choose a new or empty folder for the backup", dir)
	}
	return os.Chmod(dir, 0o700)
}

// syncTree makes the names of all files in a folder durable. Their contents already are.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return syncPath(path)
	})
}

func syncPath(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
