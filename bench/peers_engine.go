package bench

import (
	"context"
	"errors"
	"path/filepath"

	"ballast/script"
	"ballast/storage/columnar"
	"ballast/timeseries"
	"ballast/timeseries/bars"
)

// membersFrame returns the frame of a compared model, from the service's bar store.
func membersFrame(ctx context.Context, e *Env, s *service, members []string) (_ *timeseries.Frame, err error) {
	store, closeStore, err := e.Manifest(ctx, s.dir)
	if err != nil {
		return nil, err
	}
	defer closeStore()
	bucket, err := columnar.OpenBucket(ctx, filepath.Join(s.dir, "objects"), columnar.BucketOptions{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bucket.Close()) }()
	known, err := store.BySymbol(ctx, members)
	if err != nil {
		return nil, err
	}
	var sources []timeseries.Source
	reader := bars.NewReader(store, bucket, bars.DefaultCache)
	for _, a := range known.Assets {
		loaded, err := reader.Load(ctx, []string{a.ID}, bars.Latest)
		if err != nil {
			return nil, err
		}
		sources = append(sources, timeseries.Source{Key: a.Symbol, Series: loaded[a.ID]})
	}
	return timeseries.Align(sources)
}

// engineSeconds returns the median time of the script's whole backtest in this process.
func engineSeconds(ctx context.Context, text string, f *timeseries.Frame) (float64, error) {
	p, problems := script.Check(text, nil)
	if len(problems) > 0 {
		return 0, errors.New(problems[0].String())
	}
	universe := make([]any, len(f.Members)) // in the frame's order
	for i := range universe {
		universe[i] = f.Members[i].Key
	}
	values := map[string]any{"universe": universe}
	took, err := repeat(ctx, 20, func() error { return runScript(ctx, p, values, f) })
	return took.median().Seconds(), err
}
