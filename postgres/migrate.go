package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Keys of advisory locks, chosen so that another program is unlikely to use them.
const (
	migrateLock = 0x62616c6c617374_01 // "ballast", 1
	barsLock    = 0x62616c6c617374_02
	catalogLock = 0x62616c6c617374_0c
	lakeLock    = 0x62616c6c617374_0d
)

const (
	// lockWait is how long a migration waits for a lock on a table. Statements of the
	// running service queue behind it for that long at most.
	lockWait = 500 * time.Millisecond
	// migrateWait is how long a migration is tried again while other transactions hold
	// the locks that it needs.
	migrateWait = 10 * time.Minute
	// longestPause is the longest time between two tries.
	longestPause = 5 * time.Second
)

// Migrate brings the database to the newest schema, including River's tables. Several
// processes may call it at once: one migrates, the others wait and find nothing to do.
// While other transactions hold locks that a migration needs, Migrate gives way to them
// and tries again. It refuses a schema that is too new for this program.
func (db *DB) Migrate(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return fmt.Errorf("migrate database: %w", err)
	}
	// The lock is released when its session ends, for whatever reason.
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", int64(migrateLock)); err != nil {
		return fmt.Errorf("lock database for migration: %w", err)
	}
	if err := db.checkFinished(ctx); err != nil {
		return err
	}
	if s, err := db.schema(ctx); err != nil {
		return err
	} else if s.tooNew() {
		return s.refuse()
	}
	pool, err := db.migrationPool(ctx)
	if err != nil {
		return fmt.Errorf("migrate database: %w", err)
	}
	defer pool.Close()
	if err := db.patiently(ctx, func() error { return migrateSchema(ctx, pool) }); err != nil {
		return fmt.Errorf("migrate database: %w", err)
	}
	if err := db.patiently(ctx, func() error { return migrateQueue(ctx, pool) }); err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	return nil
}

// migrationPool opens connections whose statements wait only shortly for locks.
func (db *DB) migrationPool(ctx context.Context) (*pgxpool.Pool, error) {
	config := db.pool.Config()
	config.MinConns, config.MaxConns = 0, 2
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, fmt.Sprintf("set lock_timeout = %d", lockWait.Milliseconds()))
		return err
	}
	return pgxpool.NewWithConfig(ctx, config)
}

// patiently calls try until it gets the locks that it needs. Each migration is a
// transaction, so another try goes on after the last migration that has succeeded.
func (db *DB) patiently(ctx context.Context, try func() error) error {
	pauses := backoff.NewExponentialBackOff() // with jitter
	pauses.MaxInterval = longestPause
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := try()
		if err != nil && !locked(err) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(migrateWait), backoff.WithNotify(func(err error, pause time.Duration) {
		db.log.WarnContext(ctx, "a migration waits for a table that another transaction uses", "error", err, "pause", pause)
	}))
	if locked(err) {
		return fmt.Errorf("other transactions held the tables for %s; end them (`ballast doctor` names long ones), then start again: %w", migrateWait, err)
	}
	return err
}

// locked reports whether a statement has waited for a lock in vain.
func locked(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == codeLockNotAvailable
}

func migrateSchema(ctx context.Context, pool *pgxpool.Pool) error {
	return withMigrations(pool, func(p *goose.Provider) error {
		_, err := p.Up(ctx)
		return err
	})
}

// withMigrations calls f with the migrations of the program's own tables.
func withMigrations(pool *pgxpool.Pool, f func(*goose.Provider) error) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	db := stdlib.OpenDBFromPool(pool)
	defer func() { _ = db.Close() }() // returns its connections to the pool
	// A later release may add a migration with a lower number than the newest applied
	// one.
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithAllowOutofOrder(true))
	if err != nil {
		return err
	}
	return f(provider)
}

func migrateQueue(ctx context.Context, pool *pgxpool.Pool) error {
	migrator, err := queueMigrator(pool)
	if err != nil {
		return err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return err
	}
	for name, create := range runIndexes {
		// The statement locks the table even if the index exists.
		var exists bool
		err := pool.QueryRow(ctx, "select to_regclass($1) is not null", name).Scan(&exists)
		if err == nil && !exists {
			_, err = pool.Exec(ctx, create)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// queueMigrator returns the migrations of River's tables.
func queueMigrator(pool *pgxpool.Pool) (*rivermigrate.Migrator[pgx.Tx], error) {
	return rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
}
