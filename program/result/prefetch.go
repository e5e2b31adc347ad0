package result

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"ballast/program"
	"ballast/script/sandbox"
)

// prefetchedAtOnce is how many objects are downloaded at a time for one caller.
const prefetchedAtOnce = 8

// Prefetch downloads the daily tables of runs that are not in memory, several at a time,
// so that reading one after the other waits for a remote bucket about once. An object
// that cannot be downloaded is left to its reader, who says what is missing.
func (r *Store) Prefetch(ctx context.Context, runs map[string]*program.Run) {
	var g errgroup.Group
	g.SetLimit(prefetchedAtOnce)
	for _, id := range slices.Sorted(maps.Keys(runs)) {
		key := runs[id].Tables[sandbox.DailyTable].Key
		if key == "" || r.tables.has(id, PartWeights) {
			continue
		}
		g.Go(func() error {
			_, _ = r.bucket.Path(ctx, key) // its reader meets the error again
			return nil
		})
	}
	_ = g.Wait() // no error
}
