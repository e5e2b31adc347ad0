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
	"regexp"
	"strings"
	"time"
)

// The files of a backup.
const (
	manifestFile  = "manifest.json"
	rowsFolder    = "rows"
	objectsFolder = "objects"
	formerDump    = "database.dump" // only in format 1
)

// The versions of the folder's layout. Write makes the current one; Restore also reads
// the former one.
const (
	format       = 2
	formerFormat = 1
)

// maxManifest limits the size of a manifest in bytes. It is enough for about ten million
// objects.
const maxManifest = 2 << 30

// Database describes a dump.
type Database struct {
	Server     int              // major version of PostgreSQL
	Migrations []int64          // numbers of the migrations that made its tables, in the order in which they were applied
	Queue      int              // number of the last migration of the queue's tables
	Sequences  map[string]int64 // last value of each sequence that was used
	At         time.Time        // time of the snapshot
	Objects    map[string]int64 // size in bytes of each object that it names, or -1 if it does not know the size
}

// Manifest lists the contents of a backup.
type Manifest struct {
	Format     int              `json:"format"`
	At         time.Time        `json:"at"`
	Server     int              `json:"postgresql"`
	Migrations []int64          `json:"migrations,omitempty"`
	Queue      int              `json:"queue,omitempty"`
	Sequences  map[string]int64 `json:"sequences,omitempty"`
	Tables     map[string]Table `json:"tables,omitempty"`
	Database   *File            `json:"database,omitempty"` // only in format 1, instead of the tables
	Objects    map[string]File  `json:"objects"`            // by key
}

// Table describes the rows of one table.
type Table struct {
	Columns []string `json:"columns"`
	Text    int64    `json:"text_bytes"` // size before compression
	File    File     `json:"file"`
}

// File describes one file of a backup.
type File struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Bytes returns the total size of the backup's files.
func (m *Manifest) Bytes() int64 {
	var n int64
	if m.Database != nil {
		n = m.Database.Bytes
	}
	for _, t := range m.Tables {
		n += t.File.Bytes
	}
	for _, o := range m.Objects {
		n += o.Bytes
	}
	return n
}

// tableName matches the names that a table may have. They are also file names.
var tableName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,62}$`)

// readManifest reads the manifest. A backup without one is unfinished, and refused.
func readManifest(root *os.Root) (*Manifest, error) {
	f, err := openRegular(root, manifestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is not a complete backup: it has no %s", root.Name(), manifestFile)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("the manifest of %s is damaged: %w", root.Name(), err)
	}
	if m.Format != format && m.Format != formerFormat {
		return nil, fmt.Errorf("%s is a backup of format %d, but this version of ballast reads only formats %d and %d; restore it with the version that made it", root.Name(), m.Format, formerFormat, format)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the manifest of %s is damaged: %w", root.Name(), err)
	}
	return m, nil
}

// check refuses a manifest that names files outside its folder.
func (m *Manifest) check() error {
	if (m.Database != nil) != (m.Format == formerFormat) || (len(m.Tables) > 0) != (m.Format == format) {
		return fmt.Errorf("it lacks fields that a backup of format %d must have", m.Format)
	}
	for name, t := range m.Tables {
		if !tableName.MatchString(name) {
			return fmt.Errorf("%q is not a valid table name", name)
		}
		if t.Text < 0 {
			return fmt.Errorf("the table %s has %d bytes", name, t.Text)
		}
	}
	for key := range m.Objects {
		if !fs.ValidPath(key) || key == "." || strings.ContainsAny(key, "\\\x00:") {
			return fmt.Errorf("%q is not a valid object key", key)
		}
	}
	return nil
}

// writeManifest writes the manifest, which completes the backup.
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

// writeFile writes a new file that only its owner can read. It is synced before it gets
// its name.
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

type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}
