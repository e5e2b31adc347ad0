// Package query answers one SELECT over an account's models, results, bars and
// catalog.
//
// Tables lists the logical tables with their columns; the documentation, the segments
// and the Iceberg lake are derived from it. A Service runs a statement in three steps:
//
//	names    which tables and macros the statement names
//	plan     which of the account's files and rows these need: segments, the results
//	         that are in no segment yet, small tables from PostgreSQL
//	engine   a process with DuckDB that can open these files and no others
//
// Another account's rows are never filtered out of a file: the process never gets its
// files. The macros (macros/*.sql) compute the blocks of a history as set operations,
// and tests compare them with the Go code that serves a history.
package query
