// Package bars keeps daily bars of assets: immutable Parquet objects in a
// bucket, and a manifest that says which rows of which object are an asset's
// bars at each version.
//
// An Importer reads CSV, gzip CSV and Parquet files, checks them and merges
// them onto what is stored. Each import that changes something is a version; a
// Reader loads the series of assets at a version or at the latest one. Compact
// merges the small segments that many small imports leave, and Sweep deletes
// objects that no version names.
//
//	importer := bars.NewImporter(bars.Config{Store: store, Bucket: bucket, DB: db})
//	report, err := importer.Import(ctx, "prices.csv.gz", bars.Options{})
//
//	reader := bars.NewReader(store, bucket, bars.DefaultCache)
//	loaded, err := reader.Load(ctx, []string{assetID}, bars.Latest)
//
// docs/bars.md describes the layout for other engines, and every rule of an
// import.
package bars
