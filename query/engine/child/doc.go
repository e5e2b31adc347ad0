// Package child is the process that answers one SQL statement for package engine,
// with DuckDB linked in.
package child
