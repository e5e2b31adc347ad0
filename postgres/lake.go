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

// LockLake waits until no other process is publishing a lake. It is a session lock, so
// it ends with the process.
func (db *DB) LockLake(ctx context.Context) (release func(), err error) {
	conn, err := db.pool.Acquire(ctx)
	if err != nil {
		return nil, wrap(err, "lock the lake")
	}
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", int64(lakeLock)); err != nil {
		_ = conn.Conn().Close(context.WithoutCancel(ctx)) // it may already hold the lock
		conn.Release()
		return nil, wrap(err, "lock the lake")
	}
	return func() {
		// A connection that still holds the lock must not return to the pool.
		if _, err := conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock($1)", int64(lakeLock)); err != nil {
			_ = conn.Conn().Close(context.WithoutCancel(ctx))
		}
		conn.Release()
	}, nil
}
