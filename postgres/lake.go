package postgres

import (
	"context"

	"ballast/export/lake"
)

var (
	_ lake.Lock     = (*DB)(nil)
	_ lake.Runs     = (*DB)(nil)
	_ lake.LiveRuns = (*DB)(nil)
)

// LockLake waits until no other process publishes a lake. The lock is one of a
// session, so it ends with the process.
func (db *DB) LockLake(ctx context.Context) (release func(), err error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, wrap(err, "lock the lake")
	}
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", int64(lakeLock)); err != nil {
		_ = conn.Conn().Close(context.WithoutCancel(ctx)) // it may have the lock after all
		conn.Release()
		return nil, wrap(err, "lock the lake")
	}
	return func() {
		// A connection whose lock could not be given back must not go back to the pool.
		if _, err := conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock($1)", int64(lakeLock)); err != nil {
			_ = conn.Conn().Close(context.WithoutCancel(ctx))
		}
		conn.Release()
	}, nil
}
