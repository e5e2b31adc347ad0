//go:build duckdb_arrow

package duck

import (
	"context"
	"errors"
	"fmt"
)

// Version returns the version of the linked DuckDB, such as v1.5.5.
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
