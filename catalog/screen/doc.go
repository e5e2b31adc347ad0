// Package screen filters the catalog: it returns a page of matching records, their
// number, and their counts by the values of every field, from one immutable copy of
// the catalog in memory.
//
//	index := screen.NewIndex(db, screen.Config{})
//	page, err := index.Screen(ctx, catalog.Filter{Type: "etf", Country: "japan", Facets: true, Limit: 50, Ascending: true})
//
// A Snapshot is columns: each value of a field has the rows that carry it, as a
// list and, where they are many, as a bitmap; words of names have their rows
// likewise. A filter is an AND of bitmaps, a total and a facet are counts of bits.
// Rows are in the order of their symbols, so that a prefix of a ticker is a range.
//
// An Index keeps the snapshot of the database's latest state. It asks for every read
// whether catalog or bars have changed, once for all that ask at the same time, and
// reads what has: whoever asks sees every import that had returned by then. Whatever
// one call answers is of one snapshot.
package screen
