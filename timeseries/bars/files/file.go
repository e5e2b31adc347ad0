package files

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"ballast/internal/fault"
)

// Options settle what a file leaves open.
type Options struct {
	Symbol  string          // of a file without a symbol column; "" takes the file's name
	Wide    Role            // what the columns of a wide file hold; "" assumes adjusted closes and says so
	Dates   Order           // of dates such as 01/02/2024; "" takes what the file's dates tell
	Decimal string          // "." or ","; "" takes what the file's numbers tell
	Only    map[string]bool // the symbols to read; the cells of others are skipped; nil for all
	// Progress receives the number of bytes read so far and the total.
	Progress func(done, total int64)
	// Parquet opens a Parquet file as rows of strings.
	Parquet func(ctx context.Context, path string) (Table, error)
}

func (o Options) decimal() byte {
	if o.Decimal == "" {
		return 0
	}
	return o.Decimal[0]
}

// Check refuses invalid options.
func (o Options) Check() error {
	switch {
	case o.Wide != "" && o.Wide != Adjusted && o.Wide != Close && o.Wide != TotalReturn:
		return fmt.Errorf("wide %q is unknown; accepted are adj_close, close and total_return", o.Wide)
	case o.Dates != "" && o.Dates != DayFirst && o.Dates != MonthFirst:
		return fmt.Errorf("dates %q is unknown; accepted are dmy and mdy", o.Dates)
	case o.Decimal != "" && o.Decimal != "." && o.Decimal != ",":
		return fmt.Errorf("decimal %q is unknown; accepted are . and ,", o.Decimal)
	}
	return nil
}

// Table is a table that another package parses.
type Table interface {
	Header() []string
	// Next returns the cells of a row, which are valid until the next call, and io.EOF
	// after the last row.
	Next() ([]string, error)
	// Rewind starts again at the first row.
	Rewind() error
	Close() error
}

// File is one open file of bars.
type File struct {
	name    string
	path    string
	file    *os.File
	size    int64
	packing packing
	table   Table  // of a Parquet file
	release func() // frees what unpacking holds

	options  Options
	layout   *layout
	survey   survey
	head     int  // number of header rows
	half     bool // the survey used the first half of the progress
	problems problems
	known    map[string]bool
}

// Open inspects a file. An error that is a fault.InvalidBody says what was found, what is
// accepted and what to do.
func Open(ctx context.Context, path string, o Options) (_ *File, err error) {
	if err := o.Check(); err != nil {
		return nil, fault.New(fault.InvalidBody, "%v", err)
	}
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	f := &File{name: filepath.Base(path), path: path, options: o, known: map[string]bool{}}
	if f.file, f.size, err = openRegular(path); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	head := make([]byte, 512)
	n, err := f.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if f.packing, err = detectPacking(f.name, head[:n]); err != nil {
		return nil, err
	}
	if f.packing == parquet {
		if f.table, err = o.Parquet(ctx, path); err != nil {
			return nil, err
		}
	}
	if err := f.detect(ctx); err != nil {
		return nil, err
	}
	r, err := f.data(ctx, func(done int64) {
		if f.half {
			o.Progress(done/2, f.size)
		}
	})
	if err != nil {
		return nil, err
	}
	f.survey, err = look(f.name, f.layout, &passing{rows: r, beyond: func() { f.half = true }}, o)
	return f, err
}

// passing counts the rows inspected, and reports it when they go beyond the beginning of
// a file.
type passing struct {
	rows
	n      int
	beyond func()
}

func (p *passing) next() ([]string, int64, error) {
	if p.n++; p.n == surveyRows+1 {
		p.beyond()
	}
	return p.rows.next()
}

// detect reads the header.
func (f *File) detect(ctx context.Context) error {
	if f.table != nil {
		f.head = 0
		var err error
		f.layout, err = detect(f.table.Header(), f.symbolOfName(f.name), f.options.Wide)
		return err
	}
	r, inner, err := f.open(ctx, func(int64) {})
	if err != nil {
		return err
	}
	if inner == "" {
		inner = f.name
	}
	var header [][]string
	for len(header) < 3 {
		cells, _, err := r.next()
		var bad *malformed
		switch {
		case errors.Is(err, io.EOF):
		case errors.As(err, &bad) && len(header) == 0:
			return fault.New(fault.InvalidBody, "the header of %s cannot be read: %s", f.name, bad.what)
		case err != nil && !errors.As(err, &bad):
			return err
		}
		if err != nil {
			break
		}
		copied := make([]string, len(cells))
		for i, c := range cells {
			copied[i] = strings.Clone(c)
		}
		header = append(header, copied)
	}
	if len(header) == 0 {
		return fault.New(fault.InvalidBody, "%s is empty", f.name)
	}
	if f.layout, f.head, err = stacked(header); err != nil || f.layout != nil {
		return err
	}
	f.head = 1
	// Spreadsheets write empty cells to the right of a table.
	for len(header[0]) > 1 && strings.TrimSpace(header[0][len(header[0])-1]) == "" {
		header[0] = header[0][:len(header[0])-1]
	}
	f.layout, err = detect(header[0], f.symbolOfName(inner), f.options.Wide)
	if f.layout != nil {
		f.layout.cells = len(header[0])
	}
	return err
}

// open starts reading the rows, including the header.
func (f *File) open(ctx context.Context, progress func(done int64)) (rows, string, error) {
	if f.table != nil {
		if err := f.table.Rewind(); err != nil {
			return nil, "", err
		}
		return &tableRows{table: f.table, ctx: ctx, path: f.path, tell: progress}, "", nil
	}
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return nil, "", err
	}
	f.releaseUnpacking()
	counted := &counting{r: f.file, ctx: ctx, tell: progress}
	var raw io.Reader = counted
	if f.packing != text {
		raw = bufio.NewReaderSize(counted, 1<<18)
	}
	if f.packing == zipped {
		raw = counted // an archive is read by position
	}
	plain, inner, err := f.unpack(raw)
	if err != nil {
		return nil, "", err
	}
	r, err := newTextRows(f.name, plain, f.unreadable)
	return r, inner, err
}

// unreadable returns the error for content that cannot be read further.
func (f *File) unreadable(err error) error {
	var known *fault.Error
	var file *os.PathError
	if f.packing == text || errors.As(err, &known) || errors.As(err, &file) {
		return err
	}
	return f.damaged(err)
}

// data starts reading the rows below the header.
func (f *File) data(ctx context.Context, progress func(done int64)) (rows, error) {
	r, _, err := f.open(ctx, progress)
	if err != nil {
		return nil, err
	}
	for range f.head {
		if _, _, err := r.next(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// tableRows returns the rows of a Table.
type tableRows struct {
	table Table
	ctx   context.Context
	path  string
	n     int64
	tell  func(done int64)
}

func (t *tableRows) next() ([]string, int64, error) {
	if t.n%4096 == 0 {
		if err := t.ctx.Err(); err != nil {
			return nil, 0, err
		}
	}
	t.n++
	cells, err := t.table.Next()
	return cells, t.n, err
}

// endings are removed from a file's name to find its symbol.
var endings = regexp.MustCompile(`(?i)(\.(csv|txt|tsv|parquet|pq|gz|zst|bz2|zip))+$`)

// copies is what browsers append to the name of a second download.
var copies = regexp.MustCompile(` \(\d+\)$`)

// stooqName matches a download from Stooq: spy_us_d.csv, daily bars.
var stooqName = regexp.MustCompile(`(?i)_us_d$`)

// symbolOfName derives the symbol from the name of a file without a symbol column.
func (f *File) symbolOfName(name string) string {
	if f.options.Symbol != "" {
		return strings.ToUpper(f.options.Symbol)
	}
	name = endings.ReplaceAllString(name, "")
	name = copies.ReplaceAllString(name, "")
	name = endings.ReplaceAllString(name, "")
	return strings.ToUpper(stooqName.ReplaceAllString(name, ""))
}

// Name returns the file's name without its folder.
func (f *File) Name() string { return f.name }

// Unit returns what the file's rows are counted in: lines, or rows of a Parquet file.
func (f *File) Unit() string {
	if f.table != nil {
		return "row"
	}
	return "line"
}

// Wide reports whether a row holds several symbols.
func (f *File) Wide() bool { return f.layout.wide }

// Has reports whether the file has numbers of a role.
func (f *File) Has(r Role) bool { return f.layout.has[r] }

// Unknown returns the columns that are not read.
func (f *File) Unknown() []string { return f.layout.unknown }

// AssumedSymbol returns the symbol derived from the file's name, or "" if a column or the
// caller gives it.
func (f *File) AssumedSymbol() string {
	if f.options.Symbol != "" {
		return ""
	}
	return f.layout.assumed
}

// AssumedAdjusted says why closes are read as adjusted closes, or "" if they are not.
func (f *File) AssumedAdjusted() string { return f.layout.adjusted }

// SHA256 returns the checksum of the file as stored, in hexadecimal.
func (f *File) SHA256(ctx context.Context) (string, error) {
	sum := sha256.New()
	all := io.NewSectionReader(f.file, 0, f.size)
	if _, err := io.Copy(sum, &counting{r: all, ctx: ctx, tell: func(int64) {}}); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Symbols returns all symbols read so far, including those that Options.Only excludes.
func (f *File) Symbols() map[string]bool { return f.known }

// Close closes the file.
func (f *File) Close() error {
	f.releaseUnpacking()
	var err error
	if f.table != nil {
		err = f.table.Close()
	}
	return errors.Join(err, f.file.Close())
}

func (f *File) releaseUnpacking() {
	if f.release != nil {
		f.release()
		f.release = nil
	}
}
