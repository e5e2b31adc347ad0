// Package export writes whole tables: assets, bars, returns, allocations and
// runs, filtered as their lists are, as Parquet, an Arrow stream or CSV.
//
//	service := export.NewService(export.Config{Assets: db, Bars: db, RunPages: db, Models: models, Runs: runs, Histories: histories, Symbols: db, Bucket: bucket})
//	rows, err := service.Open(ctx, accountID, export.Query{Table: export.Bars, Symbols: []string{"SPY"}})
//	defer rows.Close()
//	err = export.Write(ctx, w, rows, export.Parquet)
//
// A table is never held whole: batches of about 65,000 rows flow from the stored
// objects, or from pages of the database, through Rows to the writer, which asks
// for the next when it has written one. Open answers every fault that the query
// can have and reads the first batch, so that an error after it is the
// storage's. Both formats of machines end with a mark, Parquet with its footer
// and an Arrow stream with its end-of-stream: without it nobody takes a part for
// the whole.
//
// Save writes to a file, a folder or a bucket, partitioned by year or symbol
// where asked.
package export
