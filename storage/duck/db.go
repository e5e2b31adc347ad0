//go:build duckdb_arrow

package duck

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/duckdb/duckdb-go/v2"
)

// Config configures a DB.
type Config struct {
	MemoryLimit int64  // bytes; 0 means DuckDB's default, 80 % of the memory
	Threads     int    // threads of all queries together; 0 means one per processor
	TempDir     string // where large sorts and joins spill; "" forbids spilling
}

// DB is one in-memory DuckDB. It is safe for concurrent use.
type DB struct {
	pool  *sql.DB
	tally *tally
}

// Open starts a DuckDB that can read only local files: extensions are neither loaded nor
// installed, and later statements cannot change its settings.
func Open(ctx context.Context, c Config) (*DB, error) {
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		return nil, fmt.Errorf("open DuckDB: %w", err)
	}
	db := &DB{pool: sql.OpenDB(connector), tally: &tally{}}
	// Sessions stay open, because binding and caching again would take milliseconds.
	db.pool.SetMaxIdleConns(2 * runtime.GOMAXPROCS(0))
	threads := c.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	settings := []string{
		fmt.Sprintf("SET threads = %d", threads),
		"SET temp_directory = " + Literal(c.TempDir),
		"SET autoinstall_known_extensions = false",
		"SET autoload_known_extensions = false",
		"SET allow_community_extensions = false",
		"SET parquet_metadata_cache = true",
		"SET GLOBAL TimeZone = 'UTC'",
	}
	if c.MemoryLimit > 0 {
		settings = append(settings, fmt.Sprintf("SET memory_limit = '%dB'", c.MemoryLimit))
	}
	for _, s := range append(settings, "SET lock_configuration = true") {
		if _, err := db.pool.ExecContext(ctx, s); err != nil {
			return nil, errors.Join(fmt.Errorf("open DuckDB: %s: %w", s, err), db.pool.Close())
		}
	}
	return db, nil
}

// Close closes the database. No query may be running.
func (db *DB) Close() error { return db.pool.Close() }

// Query runs one statement and returns its whole result. Cancelling ctx interrupts it.
// The caller releases each record.
func (db *DB) Query(ctx context.Context, query string, args ...any) ([]arrow.RecordBatch, error) {
	c, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	records, err := c.Query(ctx, query, args...)
	if err := errors.Join(err, c.Close()); err != nil {
		Release(records)
		return nil, err
	}
	return records, nil
}

// Release releases the records of a Query.
func Release(records []arrow.RecordBatch) {
	for _, r := range records {
		r.Release()
	}
}

// Conn is one session of a DB, with its own temporary tables and views. Only one
// goroutine may use it at a time.
type Conn struct {
	conn  *sql.Conn
	tally *tally
}

// Conn returns a session; the caller closes it.
func (db *DB) Conn(ctx context.Context) (*Conn, error) {
	c, err := db.pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("DuckDB session: %w", err)
	}
	return &Conn{conn: c, tally: db.tally}, nil
}

// Close returns the session to the pool. The caller must have dropped what it created in
// the session.
func (c *Conn) Close() error { return c.conn.Close() }

// Discard ends the session together with its temporary tables and views.
func (c *Conn) Discard() error {
	err := c.conn.Raw(func(any) error { return driver.ErrBadConn })
	if errors.Is(err, driver.ErrBadConn) {
		return nil
	}
	return err
}

// Exec runs a statement without a result.
func (c *Conn) Exec(ctx context.Context, query string, args ...any) error {
	_, err := c.conn.ExecContext(ctx, query, args...)
	c.tally.count(err)
	return err
}

// Rows runs a statement whose result is scanned row by row, for small results.
func (c *Conn) Rows(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	rows, err := c.conn.QueryContext(ctx, query, args...)
	c.tally.count(err)
	return rows, err
}

// Read runs a statement and returns its result as a stream of Arrow records,
// about 2,000 rows each. The caller releases the reader before it uses the
// session again.
func (c *Conn) Read(ctx context.Context, query string, args ...any) (array.RecordReader, error) {
	var reader array.RecordReader
	err := c.arrow(func(a *duckdb.Arrow) (err error) {
		reader, err = a.QueryContext(ctx, query, args...)
		return err
	})
	c.tally.count(err)
	return reader, err
}

// Query is Read with the records collected. The caller releases each record.
func (c *Conn) Query(ctx context.Context, query string, args ...any) (records []arrow.RecordBatch, err error) {
	reader, err := c.Read(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer reader.Release()
	for reader.Next() {
		r := reader.RecordBatch()
		r.Retain()
		records = append(records, r)
	}
	if err := errors.Join(reader.Err(), ctx.Err()); err != nil {
		Release(records)
		return nil, err
	}
	return records, nil
}

func (c *Conn) arrow(do func(*duckdb.Arrow) error) error {
	return c.conn.Raw(func(raw any) error {
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
