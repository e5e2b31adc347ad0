//go:build !linux

package child

import "ballast/query/engine"

// limit leaves the limits to DuckDB and the pool.
func limit(engine.Limits) error { return nil }
