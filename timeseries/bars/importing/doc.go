// Package importing merges files of bars into the bar store.
//
//	importer := importing.New(importing.Config{Store: manifest, Bucket: bucket, DB: db})
//	report, err := importer.Import(ctx, "prices.csv.gz", importing.Options{})
//
// An import takes one file through a DuckDB session of its own, in five steps:
//
//	Reading     package files gives the rows, which become a table
//	Checking    SQL finds cells, rows and symbols that are wrong
//	Merging     the rows are laid onto the stored bars, and returns follow
//	Writing     what changes becomes new Parquet objects in the bucket
//	Committing  one transaction makes them the next version of the manifest
//
// It is all or nothing: a file with an error changes nothing, and until the
// commit nobody sees the new objects. When somebody else has committed in
// between, the merge is worked out again on the new state. An import that is
// killed leaves at most objects that no version names, which bars.Sweep deletes.
//
// Compact merges the segments that many small imports leave into one per asset.
// The bars and their versions stay the same.
//
// The package needs DuckDB, and so cgo; those who only read bars import package
// bars. docs/bars.md has every rule of an import.
package importing
