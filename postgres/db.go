package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"golang.org/x/sync/semaphore"

	"ballast/audit"
	"ballast/billing"
	"ballast/catalog"
	"ballast/notify/mail"
	"ballast/notify/webhook"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/program/backfills"
	"ballast/program/execution"
	"ballast/program/history"
	"ballast/program/jobs"
	"ballast/program/result"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/syncing"
)

// defaultMaxConns is the pool's size if Config does not set it.
const defaultMaxConns = 16

// liveRuns is the number of served runs kept in memory, about 10 kB each.
const liveRuns = 256

// Config specifies how to open a database.
type Config struct {
	MaxConns int              // connections of the pool; 0 means 16
	Logger   *slog.Logger     // nil logs nothing
	Now      func() time.Time // nil means time.Now
	Billing  billing.Policy   // the zero value meters nothing
	Mails    bool             // queue mails about changed allocations; a worker sends them
}

// DB is an open database and all stores on it. Its methods may be called from any
// goroutine.
type DB struct {
	pool    *pgxpool.Pool
	queries *dbsqlc.Queries
	queue   *river.Client[pgx.Tx] // inserts jobs but works none
	ended   *announcements        // of runs
	starts  *semaphore.Weighted   // limits the runs that start at the same time

	live *lru.Cache[string, *program.Run] // runs that were live when they were read, by id

	identities *identities // of callers
	log        *slog.Logger
	now        func() time.Time
	policy     billing.Policy
	mails      bool
}

// The stores that domain packages declare.
var (
	_ audit.Store          = (*DB)(nil)
	_ billing.Store        = (*DB)(nil)
	_ catalog.Store        = (*DB)(nil)
	_ bars.Manifest        = (*DB)(nil)
	_ bars.Objects         = (*DB)(nil)
	_ program.Reports      = (*DB)(nil)
	_ backfills.Store      = (*DB)(nil)
	_ program.ScriptKeeper = (*DB)(nil)
	_ program.ExpiryStore  = (*DB)(nil)
	_ execution.Store      = (*DB)(nil)
	_ execution.Programs   = (*DB)(nil)
	_ execution.Members    = (*DB)(nil)
	_ execution.Backfills  = (*DB)(nil)
	_ history.Store        = (*DB)(nil)
	_ history.Trials       = (*DB)(nil)
	_ result.Names         = (*DB)(nil)
	_ result.FigureStore   = (*DB)(nil)
	_ jobs.Lanes           = (*DB)(nil)
	_ jobs.Leases          = (*DB)(nil)
	_ syncing.Store        = (*DB)(nil)
	_ mail.Store           = (*DB)(nil)
	_ webhook.Endpoints    = (*DB)(nil)
	_ webhook.Deliveries   = (*DB)(nil)
	_ webhook.Queue        = (*DB)(nil)
	_ webhook.Outcomes     = (*DB)(nil)
)

// Open connects to a database; Migrate brings it to the schema that all other
// methods need. The caller closes it.
func Open(ctx context.Context, dsn string, c Config) (*DB, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	config.MaxConns = defaultMaxConns
	if c.MaxConns > 0 {
		config.MaxConns = int32(min(c.MaxConns, 10_000))
	}
	if _, given := config.ConnConfig.RuntimeParams["application_name"]; !given {
		config.ConnConfig.RuntimeParams["application_name"] = "ballast"
	}
	config.AfterConnect = planOnce
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("reach database: %w", err)
	}
	db := &DB{pool: pool, queries: dbsqlc.New(pool), starts: semaphore.NewWeighted(1), log: c.Logger, now: c.Now, policy: c.Billing, mails: c.Mails}
	if db.log == nil {
		db.log = slog.New(slog.DiscardHandler)
	}
	if db.now == nil {
		db.now = time.Now
	}
	// River announces one insertion per cooldown. With its default of 100 ms, a job
	// inserted shortly after another would wait for the next poll.
	queue := &river.Config{Logger: db.log, FetchCooldown: river.FetchCooldownMin}
	if db.queue, err = river.NewClient(riverpgxv5.New(pool), queue); err != nil {
		pool.Close()
		return nil, fmt.Errorf("configure the queue: %w", err)
	}
	if db.live, err = lru.New[string, *program.Run](liveRuns); err != nil {
		pool.Close()
		return nil, fmt.Errorf("create the cache of runs: %w", err)
	}
	db.identities = &identities{ask: db.queries.Identities}
	db.ended = newAnnouncements(config.ConnConfig, db.queries, db.log)
	return db, nil
}

// planOnce makes the server plan each statement once per connection. By default it
// plans some of them again for every execution, which takes longer than most of them
// take to run, and no statement's best plan depends much on its arguments.
func planOnce(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "set plan_cache_mode = force_generic_plan")
	return err
}

// Close closes all connections, after the running queries have finished.
func (db *DB) Close() {
	db.ended.close()
	db.pool.Close()
}

// Pool is the pool of connections, for the queue's workers.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error { return wrap(db.pool.Ping(ctx), "ping database") }

// transactionTries is how often a transaction is tried if it conflicts with others.
const transactionTries = 5

// transact runs f in one transaction. If the context carries an audit note, its entry
// is written in the same transaction. Locks are taken in an order that avoids
// deadlocks; if the server detects one all the same, f is run again.
func (db *DB) transact(ctx context.Context, f func(pgx.Tx, *dbsqlc.Queries) error) error {
	note := audit.Of(ctx)
	err := retry(func() error {
		return pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
			if err := f(tx, db.queries.WithTx(tx)); err != nil {
				return err
			}
			return db.record(ctx, db.queries.WithTx(tx), note)
		})
	})
	if err == nil {
		note.Wrote()
	}
	return err
}

// retry repeats a transaction that conflicted with another.
func retry(try func() error) error {
	var err error
	for range transactionTries {
		err = try()
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || (pg.Code != codeDeadlock && pg.Code != codeSerialization) {
			return err
		}
	}
	return err
}

// read runs f on one snapshot.
func (db *DB) read(ctx context.Context, f func(*dbsqlc.Queries) error) error {
	return db.readTx(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error { return f(q) })
}

// readTx is like read, but also passes the transaction, for queries that are built at
// run time.
func (db *DB) readTx(ctx context.Context, f func(pgx.Tx, *dbsqlc.Queries) error) error {
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, db.pool, snapshot, func(tx pgx.Tx) error { return f(tx, db.queries.WithTx(tx)) })
}
