// Package query answers one SELECT over an account's models, results, bars and
// catalog.
//
// Tables lists the logical tables with their columns; documentation, segments and
// the Iceberg lake follow it. A Service plans a statement in three steps:
//
//	names    which tables and macros the statement names
//	plan     which files and rows of the account they have: segments, the results
//	         that no segment has yet, small tables from PostgreSQL
//	engine   a process with DuckDB that is given those files, and can open no others
//
// Another account's rows are never filtered out of a file: its files are not given.
// The macros (macros/*.sql) compute the blocks of a history as set operations, and
// so check the Go code that serves them.
package query
