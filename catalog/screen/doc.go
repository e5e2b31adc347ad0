// Package screen filters the catalog: it returns a page of matching records, their
// number, and their counts by the values of every field, from one immutable copy of
// the catalog in memory.
//
//	index := screen.NewIndex(db, screen.Config{})
//	page, err := index.Screen(ctx, catalog.Filter{Type: "etf", Country: "japan", Facets: true, Limit: 50, Ascending: true})
//
// A Snapshot consists of columns. Each value of a field has its rows as a list and, if
// there are many, as a bitmap; so do the words of names. A filter is an AND of bitmaps,
// and totals and facets are counts of bits. Rows are sorted by symbol, so that a prefix
// of a ticker is a range.
//
// An Index keeps a snapshot of the database's latest state. For every read it checks
// whether the catalog or the bars have changed, once for all concurrent callers, and
// reads the changes: a caller sees every import that had returned before the call. Each
// call is answered from one snapshot.
package screen
