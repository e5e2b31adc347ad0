//go:build duckdb_arrow

package importing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/internal/fault"
	"ballast/storage/duck"
	"ballast/timeseries/bars/files"
)

// parquetTable reads a Parquet file as rows of strings, in its own DuckDB session. DuckDB
// prints float64 numbers so that they parse to the same value.
type parquetTable struct {
	ctx    context.Context
	name   string
	query  string
	header []string
	conn   *duck.Conn
	reader array.RecordReader
	batch  []*array.String // columns of the current record
	at     int
	cells  []string
}

// openParquet opens a Parquet file for files.Options.
func openParquet(db *duck.DB) func(context.Context, string) (files.Table, error) {
	return func(ctx context.Context, path string) (_ files.Table, err error) {
		conn, err := db.Conn(ctx)
		if err != nil {
			return nil, err
		}
		t := &parquetTable{ctx: ctx, name: filepath.Base(path), conn: conn}
		defer func() {
			if err != nil {
				err = errors.Join(err, t.Close())
			}
		}()
		records, err := conn.Query(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet(?))", path)
		if err != nil {
			return nil, t.unreadable(err)
		}
		defer duck.Release(records)
		var list []string
		for _, r := range records {
			types := texts(r, 1)
			for i, name := range texts(r, 0) {
				column := duck.Ident(name)
				if types[i] == "FLOAT" {
					column = "CAST(" + column + " AS DOUBLE)"
				}
				t.header = append(t.header, name)
				list = append(list, fmt.Sprintf("CAST(%s AS VARCHAR) AS c%d", column, len(list)))
			}
		}
		t.query = fmt.Sprintf("SELECT %s FROM read_parquet(%s)", strings.Join(list, ", "), duck.Literal(path))
		t.cells = make([]string, len(t.header))
		return t, nil
	}
}

func (t *parquetTable) unreadable(err error) error {
	if t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	return fault.New(fault.InvalidBody, "%s is not a readable Parquet file; download it again", t.name).Wrap(err)
}

// Header implements files.Table.
func (t *parquetTable) Header() []string { return t.header }

// Rewind implements files.Table.
func (t *parquetTable) Rewind() error {
	t.stop()
	var err error
	if t.reader, err = t.conn.Read(t.ctx, t.query); err != nil {
		return t.unreadable(err)
	}
	return nil
}

// Next implements files.Table.
func (t *parquetTable) Next() ([]string, error) {
	for len(t.batch) == 0 || t.at == t.batch[0].Len() {
		if !t.reader.Next() {
			if err := t.reader.Err(); err != nil {
				return nil, t.unreadable(err)
			}
			return nil, io.EOF
		}
		t.batch, t.at = t.batch[:0], 0
		for _, column := range t.reader.RecordBatch().Columns() {
			t.batch = append(t.batch, column.(*array.String))
		}
	}
	for i, column := range t.batch {
		if t.cells[i] = ""; column.IsValid(t.at) {
			t.cells[i] = column.Value(t.at)
		}
	}
	t.at++
	return t.cells, nil
}

func (t *parquetTable) stop() {
	if t.reader != nil {
		t.reader.Release()
		t.reader = nil
	}
	t.batch, t.at = t.batch[:0], 0
}

// Close implements files.Table.
func (t *parquetTable) Close() error {
	t.stop()
	return t.conn.Close()
}
