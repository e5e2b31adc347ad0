package bars

import (
	"context"
	"errors"
	"fmt"

	"ballast/storage/columnar"
	"ballast/timeseries"
)

// DefaultCache limits the decoded series that a Reader keeps: 64 MiB, enough for about
// 1,100 assets of 20 years.
const DefaultCache int64 = 64 << 20

// Manifest describes which rows of which objects are an asset's bars at a version. The
// database in package postgres implements it, and so does Memory.
type Manifest interface {
	// ByID returns the assets with these ids and their segments as of version at
	// (Latest: the current ones). It leaves out unknown ids. The fields of an
	// Asset are always its latest state.
	ByID(ctx context.Context, ids []string, at Version) (Snapshot, error)
}

// Reader loads the series of assets. It is safe for concurrent use.
type Reader struct {
	store  Manifest
	bucket columnar.Bucket
	cache  *cache
}

// NewReader returns a reader that keeps up to cacheBytes of decoded series, and as many
// footers of objects as fit into an eighth of that.
func NewReader(store Manifest, bucket columnar.Bucket, cacheBytes int64) *Reader {
	return &Reader{store: store, bucket: bucket, cache: newCache(cacheBytes)}
}

// Cached counts reads from the cache of decoded bars.
func (r *Reader) Cached() columnar.CacheCounts { return r.cache.counts() }

// Loaded holds the bars of one asset.
type Loaded struct {
	Asset  Asset // the latest state
	Series timeseries.Series
}

// Load returns the daily total returns of each asset by its id, as of a version (Latest:
// the current ones). An asset without bars at that version has an empty series; an
// unknown one is left out. The slices are shared; callers must not change them.
func (r *Reader) Load(ctx context.Context, assetIDs []string, version Version) (map[string]timeseries.Series, error) {
	if kept, ok := r.cache.all(assetIDs, version); ok && version != Latest {
		return kept, nil
	}
	loaded, latest, err := r.load(ctx, assetIDs, version)
	if err != nil {
		return nil, err
	}
	out := make(map[string]timeseries.Series, len(loaded))
	for _, l := range loaded {
		out[l.Asset.ID] = l.Series
		if version != Latest && version <= latest {
			r.cache.keepWhole(l.Asset.ID, version, l.Series)
		}
	}
	return out, nil
}

// LoadAssets is Load with the manifest's records of the assets, read in the same
// transaction, in no particular order.
func (r *Reader) LoadAssets(ctx context.Context, assetIDs []string, version Version) ([]Loaded, error) {
	loaded, _, err := r.load(ctx, assetIDs, version)
	return loaded, err
}

// load is LoadAssets with the store's latest version.
func (r *Reader) load(ctx context.Context, assetIDs []string, version Version) ([]Loaded, Version, error) {
	snapshot, err := r.store.ByID(ctx, assetIDs, version)
	if err != nil {
		return nil, 0, fmt.Errorf("load bars: %w", err)
	}
	segments := make(map[string][]Segment, len(snapshot.Assets))
	for _, g := range snapshot.Segments {
		segments[g.AssetID] = append(segments[g.AssetID], g)
	}
	open := &opened{reader: r, files: map[string]*columnar.ParquetFile{}}
	out := make([]Loaded, len(snapshot.Assets))
	for i, a := range snapshot.Assets {
		out[i].Asset = a
		if out[i].Series, err = open.series(ctx, segments[a.ID]); err != nil {
			err = fmt.Errorf("load bars of %s: %w", a.Symbol, err)
			break
		}
	}
	if err := errors.Join(err, open.close()); err != nil {
		return nil, 0, err
	}
	return out, snapshot.Version, nil
}
