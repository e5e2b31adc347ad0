package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"ballast/storage/columnar"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

// barStore loads the service's own bars as its workers do: the manifest from PostgreSQL,
// Parquet objects from the folder, and the frame from both.
func barStore(e *Env) Row {
	return Row{
		Name: "bars of 10 assets × 20 years into the frame", Key: "BarStore",
		Bar: "≤ 5 ms warm", Limits: []Limit{{Figure: "warm p50", Most: 5}},
		Measure: func(ctx context.Context) (_ Result, err error) {
			s, err := e.serving(ctx)
			if err != nil {
				return Result{}, err
			}
			store, closeStore, err := e.Manifest(ctx, s.dir)
			if err != nil {
				return Result{}, err
			}
			defer closeStore()
			bucket, err := columnar.OpenBucket(ctx, filepath.Join(s.dir, "objects"), columnar.BucketOptions{})
			if err != nil {
				return Result{}, err
			}
			defer func() { err = errors.Join(err, bucket.Close()) }()
			known, err := store.BySymbol(ctx, marketSymbols())
			if err != nil {
				return Result{}, err
			}
			ids := make([]string, len(known.Assets))
			for i, a := range known.Assets {
				ids[i] = a.ID
			}
			warm := bars.NewReader(store, bucket, bars.DefaultCache)
			hot, err := repeat(ctx, e.count(500, 30), func() error { return loadFrame(ctx, warm, ids) })
			if err != nil {
				return Result{}, err
			}
			cold, err := repeat(ctx, e.count(50, 5), func() error {
				return loadFrame(ctx, bars.NewReader(store, bucket, bars.DefaultCache), ids)
			})
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{milliseconds("warm p50", hot.median()), milliseconds("warm p99", hot.percentile(0.99)), milliseconds("undecoded p50", cold.median())},
				Note:    "manifest from PostgreSQL; undecoded: a reader without its cache of decoded series, files in the system's",
			}, nil
		},
	}
}

func loadFrame(ctx context.Context, r *bars.Reader, ids []string) error {
	loaded, err := r.Load(ctx, ids, bars.Latest)
	if err != nil {
		return err
	}
	sources := make([]timeseries.Source, len(ids))
	for i, id := range ids {
		sources[i] = timeseries.Source{Key: id, Series: loaded[id]}
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		return err
	}
	if len(f.Members) != marketAssets || len(f.Axis) != marketSessions {
		return fmt.Errorf("the frame has %d members and %d sessions", len(f.Members), len(f.Axis))
	}
	return nil
}
