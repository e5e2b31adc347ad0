// Package result stores what runs compute: immutable Parquet tables, for models one
// of days and one of fills. They are written once under keys of their own, read
// whole, cached decoded in memory, and hashed so that two results can be compared.
//
//	results, err := result.NewStore(bucket, cacheBytes)
//	objects, err := results.Write(ctx, runID, daily, ledger)
//	daily, err := results.Daily(ctx, run)     // one row per session, starting with the base
//	ledger, err := results.Ledger(ctx, run)   // the fills
//	series, _, err := results.Series(ctx, run) // what models that hold this one read
//
// What is read is shared with the cache and must not be changed. A Sweeper deletes
// objects that no run names.
package result
