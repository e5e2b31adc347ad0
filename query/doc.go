// Package query answers SQL over an account's results, bars and catalog.
//
// Tables are the logical tables that a statement may read; this list is what the
// documentation, the segments of results and the exports to other engines go by.
package query
