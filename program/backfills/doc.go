// Package backfills puts proxies before the first bar of an asset.
//
// A Backfill is an account's rule for one asset: its sources are other assets, or
// models of the account, with terms that are fitted on the bars that are stored
// when a version is made (fit.go). A version never changes, and a run pins the
// version that it has read. Splicer reads an asset with what its backfill gives
// (splice.go). A source that leads back to the asset is refused (circle.go).
package backfills
