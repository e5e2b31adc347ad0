package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/backup"
	"ballast/storage/postgres/embedded"
)

// namedObjects are the keys that runs and bars name, with their sizes, -1 where
// it is not known.
const namedObjects = `
	select daily_object, daily_bytes from runs where daily_object <> ''
	union all select ledger_object, ledger_bytes from runs where ledger_object <> ''
	union all select distinct object, -1::bigint from bar_segments`

// Dump writes the whole database, as it is at one moment, into a file of
// pg_dump's custom format, and returns what it names.
func (db *DB) Dump(ctx context.Context, file string) (*backup.Database, error) {
	out := &backup.Database{Objects: map[string]int64{}}
	moment := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, db.pool, moment, func(tx pgx.Tx) error {
		var snapshot string
		err := tx.QueryRow(ctx, `select pg_export_snapshot(), current_setting('server_version_num')::integer / 10000,
			(select max(version_id) from goose_db_version where is_applied), now()`).Scan(&snapshot, &out.Server, &out.Schema, &out.At)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, namedObjects)
		if err != nil {
			return err
		}
		var key string
		var size int64
		if _, err := pgx.ForEachRow(rows, []any{&key, &size}, func() error { out.Objects[key] = size; return nil }); err != nil {
			return err
		}
		return db.tool(ctx, "pg_dump", out.Server, "--format=custom", "--no-owner", "--no-privileges", "--snapshot="+snapshot, "--file="+file)
	})
	out.At = out.At.UTC()
	return out, wrap(err, "dump the database")
}

// Load fills an empty database from a file of Dump's, in one transaction.
func (db *DB) Load(ctx context.Context, file string) error {
	var server int
	if err := db.pool.QueryRow(ctx, "select current_setting('server_version_num')::integer / 10000").Scan(&server); err != nil {
		return wrap(err, "ask for the server's version")
	}
	return wrap(db.tool(ctx, "pg_restore", server, "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction", file), "load the database")
}

// Empty reports whether the database has no tables.
func (db *DB) Empty(ctx context.Context) (bool, error) {
	var empty bool
	err := db.pool.QueryRow(ctx, "select not exists (select from pg_tables where schemaname not in ('pg_catalog', 'information_schema'))").Scan(&empty)
	return empty, wrap(err, "look for tables")
}

// tool runs a program of PostgreSQL on the database. The address with its
// password is in the environment alone, where other users cannot read it.
func (db *DB) tool(ctx context.Context, name string, major int, args ...string) error {
	c := db.pool.Config().ConnConfig
	cmd, err := embedded.Tool(ctx, name, major, append([]string{"--dbname=" + c.Database}, args...)...)
	if err != nil {
		return err
	}
	cmd.Env = append(cmd.Env, "PGHOST="+c.Host, fmt.Sprintf("PGPORT=%d", c.Port), "PGUSER="+c.User, "PGPASSWORD="+c.Password)
	if c.TLSConfig != nil {
		cmd.Env = append(cmd.Env, "PGSSLMODE=require")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out)))
	}
	return nil
}
