// Package export writes whole tables (assets, bars, runs and the results of runs)
// as Parquet, an Arrow stream or CSV. They have the filters of the lists.
//
//	service := export.NewService(export.Config{Assets: db, Bars: db, RunPages: db, Models: models, Runs: runs, Histories: histories, Symbols: db, Bucket: bucket})
//	rows, err := service.Open(ctx, accountID, export.Query{Table: export.Bars, Symbols: []string{"SPY"}})
//	defer rows.Close()
//	err = export.Write(ctx, w, rows, export.Parquet)
//
// A table is never in memory as a whole. Batches of about 65,000 rows go from the
// stored objects, or from pages of the database, through Rows to the writer, which
// asks for the next batch when it has written one. Open reports every mistake in
// the query and reads the first batch, so a later error comes from the storage or
// the writer. Parquet ends with a footer, and an Arrow stream with an end-of-stream
// mark, so readers of these formats notice a file that was cut off.
//
// Save writes one object of a bucket. SavePartitioned writes one per year or symbol.
package export
