// Package child is the process that answers one SQL statement for package engine. It
// links DuckDB.
package child
