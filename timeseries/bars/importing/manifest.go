//go:build duckdb_arrow

package importing

import (
	"context"

	"ballast/timeseries/bars"
)

// Manifest is the part of the manifest that an Importer needs: it reads a snapshot, works
// out a change and commits it. The database in package postgres implements it, and so
// does bars.Memory.
type Manifest interface {
	bars.Manifest

	// BySymbol returns the current state of the assets with these symbols
	// (exact spelling), with their current segments. It leaves out unknown
	// symbols.
	BySymbol(ctx context.Context, symbols []string) (bars.Snapshot, error)

	// Commit makes c the next version, in one transaction under the manifest's advisory
	// lock, and returns its number. It inserts an asset with an unknown id, with its ID
	// and Symbol, price_coverage stored, and its first and last date; a known asset gets
	// its new state. The error is bars.ErrConflict, and nothing has changed, if the
	// latest version is no longer c.Base, if the symbol of an unknown asset now exists
	// under another id, or if a removed segment is not current.
	Commit(ctx context.Context, c bars.Change) (bars.Version, error)

	// Fragmented returns the ids of assets with at least the given number of current
	// segments, those with the most first, at most limit of them.
	Fragmented(ctx context.Context, segments, limit int) ([]string, error)
}
