//go:build !duckdb_arrow

package duck

// The undefined name tells the reader what is wrong: build with -tags=duckdb_arrow, which
// the Makefile sets, or export GOFLAGS=-tags=duckdb_arrow.
var _ = build_with_tags_duckdb_arrow
