// Package tablefile reads CSV, gzip CSV and Parquet files as text. It is separate from
// catalog because it links DuckDB, which reads Parquet.
package tablefile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/klauspost/compress/gzip"

	"ballast/internal/fault"
	"ballast/storage/duck"
)

// File is a table in a file. The first bytes determine the format.
type File struct {
	path string
	db   *duck.DB
}

// At returns the file at path. db reads it if it is Parquet.
func At(path string, db *duck.DB) File { return File{path, db} }

// Name returns the file's name without its folder.
func (f File) Name() string { return filepath.Base(f.path) }

// Read passes the header and then each row. The slices are reused. Errors are
// fault.InvalidBody, and name the file and its problem.
func (f File) Read(ctx context.Context, header, row func([]string) error) error {
	path, name := f.path, f.Name()
	file, err := os.Open(filepath.Clean(path))
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.InvalidBody, "there is no file %s", path)
	}
	if err != nil {
		return fault.New(fault.InvalidBody, "%s cannot be opened: %v", path, errors.Unwrap(err)).Wrap(err)
	}
	defer file.Close()
	buffered := bufio.NewReaderSize(file, 1<<18)
	magic, err := buffered.Peek(4)
	switch {
	case errors.Is(err, io.EOF) && len(magic) == 0:
		return fault.New(fault.InvalidBody, "%s is empty", name)
	case err != nil && !errors.Is(err, io.EOF):
		return fault.New(fault.InvalidBody, "%s cannot be read: %v", path, err).Wrap(err)
	case string(magic) == "PAR1":
		return readParquet(ctx, f.db, path, header, row)
	}
	var text io.Reader = buffered
	if len(magic) >= 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(buffered)
		if err != nil {
			return damaged(name, err)
		}
		defer z.Close()
		text = z
	}
	return readCSV(ctx, name, text, header, row)
}

func readCSV(ctx context.Context, name string, text io.Reader, header, row func([]string) error) error {
	text, err := inUTF8(name, text)
	if err != nil {
		return err
	}
	r := csv.NewReader(text)
	r.ReuseRecord = true
	first, err := r.Read()
	if errors.Is(err, io.EOF) {
		return fault.New(fault.InvalidBody, "%s has no header line", name)
	}
	if err != nil {
		return damaged(name, err)
	}
	if err := header(first); err != nil {
		return err
	}
	for n := 0; ; n++ {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return damaged(name, err)
		}
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := row(fields); err != nil {
			return err
		}
	}
}

// inUTF8 removes a byte-order mark, which would hide the first column's name, and refuses
// a UTF-16 one.
func inUTF8(name string, r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	mark, _ := b.Peek(3) // an error comes up again when the file is read
	switch {
	case bytes.Equal(mark, []byte("\xef\xbb\xbf")):
		_, _ = b.Discard(3) // three bytes were just peeked
	case bytes.HasPrefix(mark, []byte("\xff\xfe")), bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return nil, fault.New(fault.InvalidBody, "%s is in UTF-16. Save it in UTF-8", name)
	}
	return b, nil
}

func damaged(name string, err error) error {
	var parse *csv.ParseError
	switch {
	case errors.As(err, &parse):
		return fault.New(fault.InvalidBody, "%s, line %d: %v", name, parse.Line, parse.Err).Wrap(err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fault.New(fault.InvalidBody, "%s is incomplete: the compressed data is cut off. Download the file again", name).Wrap(err)
	}
	return fault.New(fault.InvalidBody, "%s is damaged: %v", name, err).Wrap(err)
}

func readParquet(ctx context.Context, db *duck.DB, path string, header, row func([]string) error) error {
	records, err := db.Query(ctx, fmt.Sprintf("SELECT COLUMNS(*)::VARCHAR FROM read_parquet(%s)", duck.Literal(path)))
	if err != nil {
		return fault.New(fault.InvalidBody, "%s is not a Parquet file that can be read: %v", filepath.Base(path), err).Wrap(err)
	}
	defer duck.Release(records)
	if len(records) == 0 {
		return fault.New(fault.InvalidBody, "%s has no rows", filepath.Base(path))
	}
	names := make([]string, records[0].NumCols())
	for i := range names {
		names[i] = records[0].ColumnName(i)
	}
	if err := header(names); err != nil {
		return err
	}
	fields := make([]string, len(names))
	for _, record := range records {
		for r := range int(record.NumRows()) {
			for c := range fields {
				fields[c] = ""
				if column, ok := record.Column(c).(*array.String); ok && column.IsValid(r) {
					fields[c] = column.Value(r)
				}
			}
			if err := row(fields); err != nil {
				return err
			}
		}
	}
	return nil
}
