package postgres

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/operate/backup"
)

// namedObjects selects the keys that runs and bars name, with their sizes; -1 if the
// size is unknown.
const namedObjects = `
	select t.value ->> 'object', (t.value ->> 'bytes')::bigint from runs r, jsonb_each(r.tables) t
	union all select distinct object, -1::bigint from bar_segments`

// The tables in which goose and River record the applied migrations. A restored
// database has its own rows there, since migrations create it.
const (
	schemaVersions = "goose_db_version"
	queueVersions  = "river_migration"
)

// derivedTables name files derived from others. A backup leaves them out, and the
// service creates them again.
var derivedTables = []string{"segments", "segment_runs", "segment_generations"}

// tablesWithRows selects the tables of the service and their stored columns.
var tablesWithRows = `
	select c.relname::text, array_agg(a.attname::text order by a.attnum)
	from pg_class c join pg_attribute a on a.attrelid = c.oid
	where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
		and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
		and c.relname not in ('` + schemaVersions + `', '` + queueVersions + `', '` + unfinishedRestore + `')
		and c.relname <> all ('{` + strings.Join(derivedTables, ",") + `}')
	group by c.relname order by c.relname`

// plainText makes the text form of values independent of the server's settings, in
// both directions.
const plainText = `select set_config('datestyle', 'ISO', true), set_config('intervalstyle', 'postgres', true), set_config('timezone', 'UTC', true),
	set_config('extra_float_digits', '3', true), set_config('bytea_output', 'hex', true), set_config('client_encoding', 'UTF8', true)`

// Dump copies the rows of all tables from one snapshot. Migrations wait meanwhile.
func (db *DB) Dump(ctx context.Context, write backup.WriteTable) (*backup.Database, error) {
	out := &backup.Database{Objects: map[string]int64{}, Sequences: map[string]int64{}}
	err := db.withoutMigrations(ctx, func(conn *pgx.Conn) error {
		moment := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
		return pgx.BeginTxFunc(ctx, conn, moment, func(tx pgx.Tx) error {
			if err := describe(ctx, tx, out); err != nil {
				return err
			}
			tables, err := tablesOf(ctx, tx)
			if err != nil {
				return err
			}
			for _, t := range tables {
				err := write(t.name, t.columns, func(w io.Writer) error {
					_, err := tx.Conn().PgConn().CopyTo(ctx, w, "copy "+t.String()+" to stdout")
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
	return out, wrap(err, "copy the database")
}

// withoutMigrations runs f while no process migrates the database.
func (db *DB) withoutMigrations(ctx context.Context, f func(*pgx.Conn) error) error {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "select pg_advisory_lock_shared($1)", int64(migrateLock)); err != nil {
		return err
	}
	// A connection that still holds the lock must not return to the pool.
	defer func() {
		if _, err := conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock_shared($1)", int64(migrateLock)); err != nil {
			_ = conn.Conn().Close(context.WithoutCancel(ctx))
		}
	}()
	return f(conn.Conn())
}

// describe reads the database's versions, row counts and sequences.
func describe(ctx context.Context, tx pgx.Tx, out *backup.Database) error {
	if _, err := tx.Exec(ctx, plainText); err != nil {
		return err
	}
	err := tx.QueryRow(ctx, `select current_setting('server_version_num')::integer / 10000, now(),
		(select array_agg(version_id order by id) from `+schemaVersions+` where is_applied and version_id > 0),
		(select max(version) from `+queueVersions+`)`).Scan(&out.Server, &out.At, &out.Migrations, &out.Queue)
	if err != nil {
		return err
	}
	out.At = out.At.UTC()
	if err := collect(ctx, tx, out.Objects, namedObjects); err != nil {
		return err
	}
	return collect(ctx, tx, out.Sequences, "select sequencename::text, last_value from pg_sequences where schemaname = current_schema() and last_value is not null")
}

// collect reads rows with a name and a number into a map.
func collect(ctx context.Context, tx pgx.Tx, into map[string]int64, query string) error {
	rows, err := tx.Query(ctx, query)
	if err != nil {
		return err
	}
	var name string
	var number int64
	_, err = pgx.ForEachRow(rows, []any{&name, &number}, func() error { into[name] = number; return nil })
	return err
}

// tableRows names a table and the columns of its rows.
type tableRows struct {
	name    string
	columns []string
}

// String returns the table with its columns, in the form that COPY accepts.
func (t tableRows) String() string {
	columns := make([]string, len(t.columns))
	for i, c := range t.columns {
		columns[i] = pgx.Identifier{c}.Sanitize()
	}
	return fmt.Sprintf("%s (%s)", pgx.Identifier{t.name}.Sanitize(), strings.Join(columns, ", "))
}

func tablesOf(ctx context.Context, tx pgx.Tx) ([]tableRows, error) {
	rows, err := tx.Query(ctx, tablesWithRows)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (t tableRows, err error) {
		return t, row.Scan(&t.name, &t.columns)
	})
}
