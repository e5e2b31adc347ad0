//go:build duckdb_arrow

package duck

import (
	"context"
	"errors"
	"fmt"
)

// Version is the version of the DuckDB that is linked in, such as v1.5.5.
func Version(ctx context.Context) (version string, err error) {
	db, err := Open(ctx, Config{Threads: 1})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.pool.QueryRowContext(ctx, "SELECT version()").Scan(&version); err != nil {
		return "", fmt.Errorf("version of DuckDB: %w", err)
	}
	return version, nil
}
