// Package result keeps what runs give: two immutable Parquet tables each, of days
// and of fills, written once under keys of their own, read whole and kept decoded
// in memory, and hashed so that two runs can be told to be the same.
//
//	results, err := result.NewStore(bucket, cacheBytes)
//	objects, err := results.Write(ctx, runID, daily, ledger)
//	daily, err := results.Daily(ctx, run)     // one row per session, the base first
//	ledger, err := results.Ledger(ctx, run)   // the fills
//	series, _, err := results.Series(ctx, run) // what a holder of the model reads
//
// What is read is shared with the cache: callers do not write to it. A Sweeper
// deletes the objects that no run names.
package result
