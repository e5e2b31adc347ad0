//go:build duckdb_arrow

package importing

import (
	"context"

	"ballast/timeseries/bars"
)

// Manifest is what an Importer needs of the manifest: it reads a snapshot, works
// out a change and commits it. The database in package postgres implements it,
// and bars.Memory.
type Manifest interface {
	bars.Manifest

	// BySymbol returns the current state of the assets with these symbols
	// (exact spelling), with their current segments. It leaves out unknown
	// symbols.
	BySymbol(ctx context.Context, symbols []string) (bars.Snapshot, error)

	// Commit makes c the next version, in one transaction under the manifest's
	// advisory lock, and returns its number. It inserts an asset whose ID is
	// unknown, with its ID and Symbol, price_coverage stored, and its first and
	// last date; a known asset takes its new state. The error is
	// bars.ErrConflict, and nothing has changed, when the latest version is no
	// longer c.Base, when the symbol of an unknown asset exists by now under
	// another ID, or when a removed segment is not current.
	Commit(ctx context.Context, c bars.Change) (bars.Version, error)

	// Fragmented returns the ids of assets that have at least the given number
	// of current segments, those with the most first, at most limit of them.
	Fragmented(ctx context.Context, segments, limit int) ([]string, error)
}
