// Package importing merges files of bars into the bar store.
//
//	importer := importing.New(importing.Config{Store: manifest, Bucket: bucket, DB: db})
//	report, err := importer.Import(ctx, "prices.csv.gz", importing.Options{})
//
// An import processes one file in five steps, in its own DuckDB session:
//
//	Reading     package files reads the rows, which become a table
//	Checking    SQL finds cells, rows and symbols that are wrong
//	Merging     the rows are merged with the stored bars, and returns are computed
//	Writing     what changes becomes new Parquet objects in the bucket
//	Committing  one transaction makes them the next version of the manifest
//
// An import is all or nothing: a file with an error changes nothing, and nobody sees
// the new objects before the commit. If another import has committed in between, the
// merge is repeated on the new state. An import that is killed leaves at most objects
// that no version names, which bars.Sweep deletes.
//
// Compact merges the segments that many small imports leave into one per asset. The
// bars and their versions do not change.
//
// The package needs DuckDB, and so cgo; packages that only read bars import package
// bars. docs/bars.md has every rule of an import.
package importing
