package postgres

import (
	"context"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"ballast/internal/fault"
)

// schema says which migrations a database has had, compared with those of this program.
type schema struct {
	newest  int64 // of the database; 0 if it has no tables
	missing int64 // the first migration of this program that the database has not had; 0 if there is none
	known   int64 // the newest of this program
	oldest  int64 // programs run with the schema if they know this migration; 0 if the schema does not say
}

// tooNew reports whether the schema no longer suits this program.
func (s schema) tooNew() bool { return s.oldest > s.known }

// schema reads what the database says about its schema.
func (db *DB) schema(ctx context.Context) (schema, error) {
	own, err := ownMigrations()
	if err != nil {
		return schema{}, err
	}
	s := schema{known: own[len(own)-1]}
	var exists, says bool
	err = db.pool.QueryRow(ctx, "select to_regclass('goose_db_version') is not null, to_regprocedure('oldest_program()') is not null").Scan(&exists, &says)
	applied := map[int64]bool{}
	if err == nil && exists {
		var versions []int64
		err = db.pool.QueryRow(ctx, "select coalesce(array_agg(version_id), '{}') from goose_db_version where is_applied").Scan(&versions)
		for _, v := range versions {
			applied[v], s.newest = true, max(s.newest, v)
		}
	}
	if err == nil && says {
		err = db.pool.QueryRow(ctx, "select oldest_program()").Scan(&s.oldest)
	}
	if err != nil {
		return schema{}, wrap(err, "read the applied migrations")
	}
	for _, v := range own {
		if !applied[v] {
			s.missing = v
			break
		}
	}
	return s, nil
}

// ownMigrations returns the numbers of the program's migrations in ascending order.
func ownMigrations() ([]int64, error) {
	files, err := fs.Glob(migrations, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	numbers := make([]int64, len(files))
	for i, f := range files {
		number, _, _ := strings.Cut(strings.TrimPrefix(f, "migrations/"), "_")
		if numbers[i], err = strconv.ParseInt(number, 10, 64); err != nil {
			return nil, fmt.Errorf("the migration %s has no number: %w", f, err)
		}
	}
	return numbers, nil
}

// CheckSchema returns an error if this program cannot run with the database's schema,
// because it is too old, too new, or the rest of an interrupted restore.
func (db *DB) CheckSchema(ctx context.Context) error {
	if err := db.checkFinished(ctx); err != nil {
		return err
	}
	s, err := db.schema(ctx)
	switch {
	case err != nil:
		return err
	case s.tooNew():
		return s.refuse()
	case s.missing > 0:
		return fault.New(fault.Unavailable, "The database's schema is too old: it lacks migration %d, which this version of ballast needs. Run `ballast migrate` with this version, then start again.", s.missing)
	}
	if s.newest > s.known {
		db.log.InfoContext(ctx, "the database has the schema of a newer version of ballast, with which this version still works; upgrade it soon", "schema", s.newest, "known", s.known)
	}
	return nil
}

// refuse is the error for a schema that is too new.
func (s schema) refuse() error {
	return fault.New(fault.Unavailable, "The database's schema is too new: a newer version of ballast has migrated it to version %d, and only versions that know migration %d can use it; this one knows migrations up to %d. Start the newer version, or restore the backup from before the upgrade.", s.newest, s.oldest, s.known)
}
