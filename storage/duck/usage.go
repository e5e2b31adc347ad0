//go:build duckdb_arrow

package duck

import (
	"context"
	"fmt"
	"sync/atomic"
)

// tally counts statements.
type tally struct{ statements, failed atomic.Uint64 }

func (t *tally) count(err error) {
	t.statements.Add(1)
	if err != nil {
		t.failed.Add(1)
	}
}

// Usage describes what a DB has done and what it uses.
type Usage struct {
	Statements uint64 // started since the DB was opened
	Failed     uint64 // failed statements
	Sessions   int    // in use
	Memory     int64  // bytes
	Spilled    int64  // bytes of temporary files
}

// Usage asks DuckDB for its memory. The statements for that are not counted.
func (db *DB) Usage(ctx context.Context) (Usage, error) {
	u := Usage{
		Statements: db.tally.statements.Load(), Failed: db.tally.failed.Load(), Sessions: db.pool.Stats().InUse,
	}
	row := db.pool.QueryRowContext(ctx, "SELECT coalesce(sum(memory_usage_bytes), 0)::BIGINT, coalesce(sum(temporary_storage_bytes), 0)::BIGINT FROM duckdb_memory()")
	if err := row.Scan(&u.Memory, &u.Spilled); err != nil {
		return Usage{}, fmt.Errorf("ask DuckDB for its memory: %w", err)
	}
	return u, nil
}
