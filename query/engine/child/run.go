//go:build duckdb_arrow

package child

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/duckdb/duckdb-go/v2"

	"ballast/query/engine"
	"ballast/storage/duck"
)

// database is the one session of a child's DuckDB.
type database struct {
	pool   *sql.DB
	conn   *sql.Conn
	folder string
}

// open starts DuckDB without threads of its own, because guards apply only to existing
// threads.
func open(folder string) (*database, error) {
	connector, err := duckdb.NewConnector("?threads=1", nil)
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	d := &database{pool: sql.OpenDB(connector), folder: folder}
	if d.conn, err = d.pool.Conn(context.Background()); err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	for _, s := range []string{
		"SET autoinstall_known_extensions = false",
		"SET autoload_known_extensions = false",
		"SET allow_community_extensions = false",
		"SET parquet_metadata_cache = true",
		"SET errors_as_json = true",
		"SET GLOBAL TimeZone = 'UTC'",
		"SET temp_directory = " + duck.Literal(folder),
	} {
		if err := d.exec(context.Background(), s); err != nil {
			return nil, err
		}
	}
	// The parser is loaded now, while no caller waits.
	var ignored string
	err = d.conn.QueryRowContext(context.Background(), "SELECT CAST(json_serialize_sql('SELECT 1') AS VARCHAR)").Scan(&ignored)
	return d, err
}

func (d *database) exec(ctx context.Context, statement string) error {
	if _, err := d.conn.ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// run answers an order and returns how it ended.
func (d *database) run(o *engine.Order, data [][]byte, out io.Writer) *engine.End {
	ctx, cancel := context.WithTimeout(context.Background(), o.Limits.Time)
	defer cancel()
	last := &engine.End{}
	err := d.answer(ctx, o, data, out, last)
	if err != nil {
		last.Failure = failureOf(err, files(o))
		if ctx.Err() != nil {
			last.Failure = &engine.Failure{Reason: engine.Time}
		}
		// DuckDB counts bytes.
		if at := last.Failure.Position - 1; at > 0 && at <= len(o.SQL) {
			last.Failure.Position = utf8.RuneCountInString(o.SQL[:at]) + 1
		}
	}
	return last
}

func (d *database) answer(ctx context.Context, o *engine.Order, data [][]byte, out io.Writer, last *engine.End) error {
	if err := d.lock(ctx, o); err != nil {
		return err
	}
	if err := checked(ctx, d.conn, o); err != nil {
		return err
	}
	for i, name := range o.Data {
		if err := d.table(ctx, name, data[i]); err != nil {
			return damage(name, err)
		}
	}
	for _, scan := range o.Scans {
		options := ""
		if scan.Origin {
			options = ", filename = true"
		}
		if scan.Mixed {
			options = ", union_by_name = true, filename = " + duck.Literal(engine.OriginColumn)
		}
		view := "CREATE VIEW " + duck.Ident(scan.Name) + " AS SELECT * FROM read_parquet(" + duck.Literals(scan.Files) + options + ")"
		if err := d.exec(ctx, view); err != nil {
			return damage(scan.Name, err)
		}
	}
	for _, s := range o.Setup {
		if err := d.exec(ctx, s); err != nil {
			return damage("by "+s, err)
		}
	}
	reader, err := d.query(ctx, o)
	if err != nil {
		return err
	}
	defer reader.Release()
	return write(ctx, reader, o.Limits, out, last)
}

// lock sets the limits, and then removes DuckDB's own access to files and settings.
func (d *database) lock(ctx context.Context, o *engine.Order) error {
	for _, s := range []string{
		fmt.Sprintf("SET memory_limit = '%dB'", o.Limits.Memory),
		fmt.Sprintf("SET max_temp_directory_size = '%dB'", o.Limits.Spill),
		"SET allowed_paths = " + duck.Literals(files(o)),
		"SET enable_external_access = false",
		fmt.Sprintf("SET threads = %d", max(o.Limits.Threads, 1)),
		"SET lock_configuration = true",
	} {
		if err := d.exec(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// files returns the files that an order may open.
func files(o *engine.Order) []string {
	var all []string
	for _, s := range o.Scans {
		all = append(all, s.Files...)
	}
	return all
}

// table creates a table from an Arrow stream.
func (d *database) table(ctx context.Context, name string, stream []byte) error {
	reader, err := ipc.NewReader(bytes.NewReader(stream))
	if err != nil {
		return fmt.Errorf("read table %s: %w", name, err)
	}
	defer reader.Release()
	var free func()
	if err := d.arrow(func(a *duckdb.Arrow) (err error) {
		free, err = a.RegisterView(reader, "_arrived")
		return err
	}); err != nil {
		return fmt.Errorf("read table %s: %w", name, err)
	}
	defer free()
	return errors.Join(
		d.exec(ctx, "CREATE TABLE "+duck.Ident(name)+" AS FROM _arrived"),
		d.exec(ctx, "DROP VIEW _arrived"),
	)
}

// query runs the caller's statement.
func (d *database) query(ctx context.Context, o *engine.Order) (reader array.RecordReader, err error) {
	args := make([]any, len(o.Parameters))
	for i, p := range o.Parameters {
		args[i] = value(p.Value)
		if p.Name != "" {
			args[i] = sql.Named(p.Name, args[i])
		}
	}
	err = d.arrow(func(a *duckdb.Arrow) error {
		reader, err = a.QueryContext(ctx, o.SQL, args...)
		return err
	})
	var have, want int
	if _, count, found := strings.Cut(fmt.Sprint(err), "incorrect argument count for command: "); err != nil && found {
		if _, scanned := fmt.Sscanf(count, "have %d want %d", &have, &want); scanned == nil {
			return nil, invalid(0, fmt.Sprintf("The statement needs the values of %d parameters, but %d were given. Give each parameter one value, by its name.", want, have))
		}
	}
	return reader, err
}

// value converts a parameter for the driver.
func value(v any) any {
	if n, ok := v.(uint64); ok { // CBOR decodes integers that are not negative as uint64
		return int64(n) //nolint:gosec // parameters are int64
	}
	return v
}

func (d *database) arrow(do func(*duckdb.Arrow) error) error {
	return d.conn.Raw(func(raw any) error {
		conn, ok := raw.(driver.Conn)
		if !ok {
			return errors.New("not a DuckDB session")
		}
		a, err := duckdb.NewArrowFromConn(conn)
		if err != nil {
			return err
		}
		return do(a)
	})
}

// write sends the answer as Arrow. An answer that ends at the limit is sent as it is read.
// One that fails above the limit is counted before its first byte, so that the caller gets
// the reason instead of a part.
func write(ctx context.Context, reader array.RecordReader, l engine.Limits, out io.Writer, last *engine.End) error {
	buffer := bufio.NewWriterSize(engine.Frames{W: out}, 256<<10)
	w := ipc.NewWriter(buffer, ipc.WithSchema(reader.Schema()))
	send := writeAll
	if l.Cut {
		send = writeFirst
	}
	if err := errors.Join(send(w, reader, l.Rows, last), ctx.Err()); err != nil {
		return err
	}
	if err := w.Close(); err != nil { // writes the schema if the answer has no rows
		return fmt.Errorf("write the answer: %w", err)
	}
	return buffer.Flush()
}

// writeAll writes all rows, or none if there are more than most.
func writeAll(w *ipc.Writer, reader array.RecordReader, most int64, last *engine.End) error {
	var batches []arrow.RecordBatch
	defer func() {
		for _, b := range batches {
			b.Release()
		}
	}()
	n := int64(0)
	for reader.Next() {
		batch := reader.RecordBatch()
		if n += batch.NumRows(); n > most {
			return &engine.Failure{Reason: engine.Rows}
		}
		batch.Retain()
		batches = append(batches, batch)
	}
	if err := reader.Err(); err != nil {
		return err
	}
	for len(batches) > 0 {
		if err := w.Write(batches[0]); err != nil {
			return fmt.Errorf("write the answer: %w", err)
		}
		last.Rows += batches[0].NumRows()
		batches[0].Release()
		batches = batches[1:]
	}
	return nil
}

// writeFirst writes up to most rows.
func writeFirst(w *ipc.Writer, reader array.RecordReader, most int64, last *engine.End) error {
	for reader.Next() {
		batch := reader.RecordBatch()
		left := most - last.Rows
		if last.Cut = batch.NumRows() > left; last.Cut && left == 0 {
			return nil
		}
		part := batch.NewSlice(0, min(batch.NumRows(), left))
		last.Rows += part.NumRows()
		err := w.Write(part)
		part.Release()
		if err != nil {
			return fmt.Errorf("write the answer: %w", err)
		}
		if last.Cut {
			return nil
		}
	}
	return reader.Err()
}
