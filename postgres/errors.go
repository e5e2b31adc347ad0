package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"ballast/internal/fault"
)

// PostgreSQL's error codes that mean something to callers.
const (
	codeDeadlock         = "40P01"
	codeSerialization    = "40001"
	codeUnique           = "23505"
	codeForeignKey       = "23503" // foreign_key_violation
	codeLockNotAvailable = "55P03"
	codeNulInText        = "22021" // character_not_in_repertoire
	codeNulInJSON        = "22P05" // untranslatable_character
)

// wrap adds the operation to an error. Faults pass unchanged. An unreachable database
// and text that PostgreSQL cannot store become faults.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	var f *fault.Error
	if errors.As(err, &f) {
		return err
	}
	err = fmt.Errorf(format+": %w", append(args, err)...)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) {
		return unavailable(err)
	}
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return err
	}
	switch {
	case pg.Code == codeNulInText, pg.Code == codeNulInJSON:
		return fault.New(fault.InvalidBody, "The request contains a character that cannot be stored (NUL, or bytes that are not valid UTF-8). Remove it.").Wrap(err)
	case strings.HasPrefix(pg.Code, "57P"), strings.HasPrefix(pg.Code, "08"), strings.HasPrefix(pg.Code, "53"):
		return unavailable(err) // shutting down, connection lost, out of resources
	}
	return err
}

func unavailable(err error) error {
	return fault.New(fault.Unavailable, "The database does not respond. Try again in a few seconds.").Wrap(err)
}

// violates reports whether err is a violation of the named unique constraint or foreign
// key.
func violates(err error, constraint string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == codeUnique || pg.Code == codeForeignKey) && pg.ConstraintName == constraint
}

// absent reports whether a query for one row found no row.
func absent(err error) bool { return errors.Is(err, pgx.ErrNoRows) }
