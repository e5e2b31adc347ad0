// Package backfills puts proxies before the first bar of an asset.
//
// A Backfill is an account's rule for one asset. Its sources are other assets, or
// models of the account, with terms that are fitted on the stored bars when a version
// is made (fit.go). A version never changes, and a run pins the version that it read.
// Splicer reads an asset with its backfill (splice.go). A source that leads back to
// the asset is refused (circle.go).
package backfills
