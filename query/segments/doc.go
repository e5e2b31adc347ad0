// Package segments gathers the results of an account's models into a few large
// Parquet files, so that a query over thousands of models opens a handful of
// files and scans columns.
//
// A run keeps its own two files, and a single history is read from these. A
// segment holds the rows of many runs as long tables (see Table), written from
// the runs' own files. Segments are immutable and derived: one that is lost is
// written again.
//
//	gatherer := &segments.Gatherer{Store: db, Bucket: bucket, Logger: log, Now: time.Now}
//	err := gatherer.Gather(ctx, accountID)
//
// Locate tells which files have the rows of which runs: a run is in at most one
// current segment, and a run that is in none is read from its own files with
// Write, which gives the same columns.
//
// Rows of a table are in groups of models, in a group by year, in a year by model
// and date. Footers have the bounds of each row group, so a query that names a
// model or a span of dates reads little else.
package segments
