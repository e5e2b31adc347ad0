package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// maxWindow limits the memory of decompression, in bytes. The encoder uses a smaller
// window.
const maxWindow = 32 << 20

// writeRows writes the file of one table.
func writeRows(dir, table string, columns []string, rows func(io.Writer) error) (Table, error) {
	if !tableName.MatchString(table) {
		return Table{}, fmt.Errorf("the table %q cannot be backed up: it does not belong to ballast", table)
	}
	if err := os.MkdirAll(filepath.Join(dir, rowsFolder), 0o700); err != nil {
		return Table{}, err
	}
	t := Table{Columns: columns}
	var err error
	t.File, err = writeFile(filepath.Join(dir, filepath.FromSlash(rowsPath(table))), func(w io.Writer) error {
		z, err := zstd.NewWriter(w)
		if err != nil {
			return err
		}
		text := &counter{}
		err = errors.Join(rows(io.MultiWriter(z, text)), z.Close())
		t.Text = text.n
		return err
	})
	if err != nil {
		return Table{}, fmt.Errorf("copy the rows of %s: %w", table, err)
	}
	return t, nil
}

func rowsPath(table string) string { return path.Join(rowsFolder, table+".zst") }

// Rows gives a database the tables of a backup to load.
type Rows struct {
	manifest *Manifest
	root     *os.Root
}

// Database returns what the backup says about the database. Its objects are those of the
// backup.
func (r *Rows) Database() *Database {
	m := r.manifest
	d := &Database{Server: m.Server, Migrations: m.Migrations, Queue: m.Queue, Sequences: m.Sequences, At: m.At, Objects: map[string]int64{}}
	for key, file := range m.Objects {
		d.Objects[key] = file.Bytes
	}
	return d
}

// Tables returns the columns of each table, by table name.
func (r *Rows) Tables() map[string][]string {
	columns := map[string][]string{}
	for name, t := range r.manifest.Tables {
		columns[name] = t.Columns
	}
	return columns
}

// Read calls load with the rows of a table in PostgreSQL's COPY text format. The reader
// returns an error, instead of io.EOF at the latest, if the rows differ from those of
// the manifest.
func (r *Rows) Read(ctx context.Context, table string, load func(io.Reader) error) error {
	t := r.manifest.Tables[table]
	f, err := openSized(r.root, rowsPath(table), t.File)
	if err != nil {
		return err
	}
	defer f.Close()
	file := newSummed(ctx, f, t.File)
	z, err := zstd.NewReader(file, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	text := &exactly{r: z, left: t.Text, name: rowsPath(table), then: func() error {
		_, err := io.Copy(io.Discard, file) // read to the end of the file, where the checksum is compared
		return err
	}}
	return load(text)
}

// exactly reads n bytes, and fails if there are fewer or more.
type exactly struct {
	r    io.Reader
	left int64
	name string
	then func() error // called at the end
}

func (e *exactly) Read(b []byte) (int, error) {
	n, err := e.r.Read(b)
	e.left -= int64(n)
	switch {
	case e.left < 0 || errors.Is(err, io.EOF) && e.left > 0:
		return 0, fmt.Errorf("the backup is damaged: the rows in %s do not have the size that the manifest gives", e.name)
	case errors.Is(err, io.EOF):
		if err := e.then(); err != nil {
			return 0, err
		}
	}
	return n, err
}
