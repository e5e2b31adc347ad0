package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// The files of a backup.
const (
	manifestFile  = "manifest.json"
	databaseFile  = "database.dump"
	objectsFolder = "objects"
)

// format is the version of the folder's layout.
const format = 1

// Database is what a dump says of itself.
type Database struct {
	Server  int              // major version of PostgreSQL
	Schema  int64            // number of the last migration
	At      time.Time        // the moment that it shows
	Objects map[string]int64 // size in bytes of each object that it names, -1 where it does not know it
}

// Manifest lists a backup.
type Manifest struct {
	Format   int             `json:"format"`
	At       time.Time       `json:"at"`
	Server   int             `json:"postgresql"`
	Schema   int64           `json:"schema"`
	Database File            `json:"database"`
	Objects  map[string]File `json:"objects"` // by key
}

// File is one file of a backup.
type File struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Bytes is the size of the whole.
func (m *Manifest) Bytes() int64 {
	n := m.Database.Bytes
	for _, o := range m.Objects {
		n += o.Bytes
	}
	return n
}

// readManifest reads the manifest of a backup that was finished.
func readManifest(dir string) (*Manifest, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is no backup, or one that was not finished: it has no %s", dir, manifestFile)
	}
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("the manifest of %s is damaged: %w", dir, err)
	}
	if m.Format != format {
		return nil, fmt.Errorf("%s is a backup of format %d, and this program reads format %d", dir, m.Format, format)
	}
	for key := range m.Objects {
		if !filepath.IsLocal(filepath.FromSlash(key)) {
			return nil, fmt.Errorf("the manifest of %s is damaged: %q is no object's key", dir, key)
		}
	}
	return m, nil
}

// writeManifest makes the backup whole.
func writeManifest(dir string, m *Manifest) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	_, err = writeFile(filepath.Join(dir, manifestFile), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	return err
}

// writeFile writes a new file for its owner alone, synced before it has its name.
func writeFile(path string, write func(io.Writer) error) (File, error) {
	temp := path + ".part"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	count := &counter{}
	err = write(io.MultiWriter(f, sum, count))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		return File{}, errors.Join(err, os.Remove(temp))
	}
	return File{Bytes: count.n, SHA256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// fileOf sums up a file that is there.
func fileOf(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	return File{Bytes: n, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}
