// Package bars reads the daily bars of assets.
//
// Bars are stored as immutable Parquet objects in a bucket. A manifest says which rows of
// which object are an asset's bars: a Segment is the rows of one asset in one object, and
// belongs to the versions from AddedIn up to but excluding RemovedIn. Each change of the
// store is a Version. The bars of a version never change, so a run that names a version
// always reads the same bars.
//
//	reader := bars.NewReader(manifest, bucket, bars.DefaultCache)
//	series, err := reader.Load(ctx, []string{assetID}, bars.Latest)
//
// A Reader asks the manifest for the segments of the assets, decodes their dates and
// total returns, and caches the result in bounded memory.
//
// Reading needs neither DuckDB nor cgo. Writing happens in separate packages; each of
// them imports only packages above it in this list:
//
//	bars            versions, the reader, the sweep of orphaned objects
//	bars/files      files of bars of any make, as rows with typed columns
//	bars/reports    what an import found in a file and what it changed
//	bars/importing  checks files and merges them into the store, with DuckDB
//	bars/provider   services and folders that provide bars
//	bars/syncing    loads from providers, which it hands to an importer
//
// docs/bars.md describes the layout for other engines, and every rule of an
// import.
package bars
