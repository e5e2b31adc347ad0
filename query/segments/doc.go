// Package segments gathers the results of an account's models into a few large
// Parquet files, so that a query over thousands of models opens a handful of
// files and scans columns.
//
// A run keeps its own two files, and a single history is read from these. A
// segment holds the rows of many runs as long tables (see Table), written from
// the runs' own files. Segments are immutable, and a lost one can be written again.
//
//	gatherer := &segments.Gatherer{Store: db, Bucket: bucket, Logger: log, Now: time.Now}
//	err := gatherer.Gather(ctx, accountID)
//
// Locate finds the files with the rows of given runs. A run is in at most one current
// segment. A run that is in none is read from its own files with Write, which writes
// the same columns.
//
// The rows of a table are ordered by group of models, then by year, then by model and
// date. Footers hold the bounds of each row group, so a query that names a model or a
// range of dates reads little else.
package segments
