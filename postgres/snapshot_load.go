package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/rivermigrate"

	"ballast/operate/backup"
)

// unfinishedRestore is a table that exists while a backup is being restored. Without it,
// tables without their rows would look like a new installation.
const unfinishedRestore = "restore_unfinished"

// errUnfinished says that a restore into the database was interrupted.
var errUnfinished = errors.New("a restore into this database was interrupted; create an empty database (or choose a new data folder) and restore the backup again")

// checkFinished rejects a database whose restore was interrupted.
func (db *DB) checkFinished(ctx context.Context) error {
	var unfinished bool
	if err := db.pool.QueryRow(ctx, "select to_regclass('"+unfinishedRestore+"') is not null").Scan(&unfinished); err != nil {
		return wrap(err, "check for an unfinished restore")
	}
	if unfinished {
		return errUnfinished
	}
	return nil
}

// Empty reports whether the database has no tables.
func (db *DB) Empty(ctx context.Context) (bool, error) {
	var empty bool
	err := db.pool.QueryRow(ctx, "select not exists (select from pg_tables where schemaname not in ('pg_catalog', 'information_schema'))").Scan(&empty)
	return empty, wrap(err, "check for tables")
}

// Load creates the tables of the backup's version with this program's migrations and
// fills them with the backup's rows, all tables in one transaction. Only values from the
// backup reach the database, by COPY FROM STDIN into tables and columns that the
// migrations created; constraints are checked.
func (db *DB) Load(ctx context.Context, rows *backup.Rows) error {
	_, err := db.pool.Exec(ctx, "create table "+unfinishedRestore+" ()")
	if err == nil {
		err = db.migrateAs(ctx, rows.Database())
	}
	if err == nil {
		err = pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error { return loadRows(ctx, tx, rows) })
	}
	return wrap(err, "load the database")
}

// migrateAs applies the migrations that the backup's database had.
func (db *DB) migrateAs(ctx context.Context, as *backup.Database) error {
	err := withMigrations(db.pool, func(p *goose.Provider) error {
		known := map[int64]bool{}
		for _, s := range p.ListSources() {
			known[s.Version] = true
		}
		for _, version := range as.Migrations {
			if !known[version] {
				return fmt.Errorf("the backup's database has the migration %d, which this version of ballast does not know; restore it with the version that made it, or a newer one", version)
			}
		}
		for _, version := range as.Migrations {
			if _, err := p.ApplyVersion(ctx, version, true); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	migrator, err := queueMigrator(db.pool)
	if err != nil {
		return err
	}
	if _, err := migrator.GetVersion(as.Queue); err != nil {
		return fmt.Errorf("the backup's queue has version %d, which this version of ballast does not know; restore it with the version that made it, or a newer one", as.Queue)
	}
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, &rivermigrate.MigrateOpts{TargetVersion: as.Queue})
	return err
}

func loadRows(ctx context.Context, tx pgx.Tx, rows *backup.Rows) error {
	if _, err := tx.Exec(ctx, plainText); err != nil {
		return err
	}
	tables, err := tablesOf(ctx, tx)
	if err != nil {
		return err
	}
	if err := sameTables(tables, rows.Tables()); err != nil {
		return err
	}
	// Rows refer to each other across tables, some in cycles.
	restore, err := withoutReferences(ctx, tx)
	if err != nil {
		return err
	}
	// The rows include the changes that triggers have made to them.
	if err := triggers(ctx, tx, tables, "disable"); err != nil {
		return err
	}
	for _, t := range tables {
		// Migrations insert the first rows of some tables; the backup has its own.
		if _, err := tx.Exec(ctx, "delete from "+pgx.Identifier{t.name}.Sanitize()); err != nil {
			return err
		}
		err := rows.Read(ctx, t.name, func(r io.Reader) error {
			_, err := tx.Conn().PgConn().CopyFrom(ctx, r, "copy "+t.String()+" from stdin")
			return err
		})
		if err != nil {
			return fmt.Errorf("rows of %s: %w", t.name, err)
		}
	}
	database := rows.Database()
	for name, last := range database.Sequences {
		if err := setSequence(ctx, tx, name, last); err != nil {
			return err
		}
	}
	if err := triggers(ctx, tx, tables, "enable"); err != nil {
		return err
	}
	if err := restore(); err != nil {
		return err
	}
	if err := checkObjects(ctx, tx, database.Objects); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "drop table "+unfinishedRestore)
	return err
}

// sameTables returns an error unless the backup has exactly the tables and columns that
// the migrations have created. It replaces the columns in tables by the backup's, whose
// order is that of its rows.
func sameTables(tables []tableRows, of map[string][]string) error {
	for i, t := range tables {
		columns, ok := of[t.name]
		if !ok {
			return fmt.Errorf("the backup is damaged: it has no rows of the table %s", t.name)
		}
		if !slices.Equal(slices.Sorted(slices.Values(columns)), slices.Sorted(slices.Values(t.columns))) {
			return fmt.Errorf("the backup is damaged: its table %s has the columns %q, but this version expects %q", t.name, columns, t.columns)
		}
		tables[i].columns = columns
	}
	for name := range of {
		if slices.Contains(derivedTables, name) { // a backup of format 1 has them
			continue
		}
		if !slices.ContainsFunc(tables, func(t tableRows) bool { return t.name == name }) {
			return fmt.Errorf("the backup has rows of the table %q, which is unknown to this version", name)
		}
	}
	return nil
}

// withoutReferences drops the foreign keys. restore adds them again, and fails if a row
// violates one.
func withoutReferences(ctx context.Context, tx pgx.Tx) (restore func() error, err error) {
	rows, err := tx.Query(ctx, `select format('alter table %s drop constraint %I', conrelid::regclass, conname),
			format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
		from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`)
	if err != nil {
		return nil, err
	}
	var drop, add []string
	var d, a string
	if _, err := pgx.ForEachRow(rows, []any{&d, &a}, func() error { drop, add = append(drop, d), append(add, a); return nil }); err != nil {
		return nil, err
	}
	all := func(statements []string) error {
		for _, s := range statements {
			if _, err := tx.Exec(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	}
	return func() error { return all(add) }, all(drop)
}

// triggers disables or enables the triggers of all tables, except those of foreign keys.
func triggers(ctx context.Context, tx pgx.Tx, tables []tableRows, how string) error {
	for _, t := range tables {
		if _, err := tx.Exec(ctx, "alter table "+pgx.Identifier{t.name}.Sanitize()+" "+how+" trigger user"); err != nil {
			return fmt.Errorf("%s the triggers of %s: %w", how, t.name, err)
		}
	}
	return nil
}

// setSequence makes a sequence continue after its last value.
func setSequence(ctx context.Context, tx pgx.Tx, name string, last int64) error {
	tag, err := tx.Exec(ctx, "select setval(format('%I.%I', schemaname, sequencename)::regclass, $2) from pg_sequences where schemaname = current_schema() and sequencename = $1", name, last)
	if err == nil && tag.RowsAffected() == 0 {
		err = fmt.Errorf("the backup has the sequence %q, which is unknown to this version", name)
	}
	return err
}

// checkObjects returns an error unless the backup has each object that its rows name,
// with the recorded size.
func checkObjects(ctx context.Context, tx pgx.Tx, have map[string]int64) error {
	named := map[string]int64{}
	if err := collect(ctx, tx, named, namedObjects); err != nil {
		return err
	}
	for key, size := range named {
		if got, ok := have[key]; !ok || size >= 0 && size != got {
			return fmt.Errorf("the backup is damaged: its rows name the object %q of %d bytes, which is missing", key, size)
		}
	}
	return nil
}
