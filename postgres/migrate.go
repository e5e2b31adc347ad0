package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5"
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

// Migrate brings the database to the newest schema, including River's tables. Several
// processes may call it at once: one migrates, the others wait and find nothing to do.
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
	if err := migrateSchema(ctx, db.pool); err != nil {
		return fmt.Errorf("migrate database: %w", err)
	}
	if err := migrateQueue(ctx, db.pool); err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	return nil
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
	_, err = pool.Exec(ctx, laneIndex)
	return err
}

// queueMigrator returns the migrations of River's tables.
func queueMigrator(pool *pgxpool.Pool) (*rivermigrate.Migrator[pgx.Tx], error) {
	return rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
}
