package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ballast/internal/nearest"
	"ballast/script"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/reports"
)

// localMarket holds the series of a run's members, by symbol.
type localMarket struct {
	series map[string]bars.Loaded
	known  map[string]bool // all symbols of the files
	localSeries
}

// readShare is the part of the progress that reading the files takes.
const readShare = 0.8

// market imports the bars of the wanted symbols into a store that ends with the
// command. Rows of other symbols are skipped.
func (r *localRun) market(ctx context.Context, wanted []string, show *meter) (_ *localMarket, err error) {
	outside, err := readSeries(r.series, r.lags, r.kinds)
	if err != nil {
		return nil, err
	}
	options, err := r.fileOptions.options(r.files)
	if err != nil {
		return nil, err
	}
	options.Only = map[string]bool{}
	for _, symbol := range wanted {
		options.Only[fileSymbol(symbol)] = true
	}
	dir, err := os.MkdirTemp("", "ballast-run-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	bucket, err := columnar.OpenBucket(ctx, filepath.Join(dir, "objects"), columnar.BucketOptions{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bucket.Close()) }()
	db, err := duck.Open(ctx, duck.Config{TempDir: filepath.Join(dir, "tmp")})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	store := bars.NewMemory()
	importer := importing.New(importing.Config{Store: store, Bucket: bucket, DB: db})
	m := &localMarket{localSeries: outside, series: map[string]bars.Loaded{}, known: map[string]bool{}}
	share := shares(r.files)
	for i, path := range r.files {
		options.Progress = show.bars(readShare*share[i], readShare*share[i+1], filepath.Base(path))
		report, err := importer.Import(ctx, path, options)
		if errors.Is(err, reports.ErrRefused) {
			show.end(err)
			report.Print(r.errs)
			return nil, exitCode(1)
		}
		if err != nil {
			return nil, err
		}
		for symbol := range report.InFile {
			m.known[symbol] = true
		}
	}
	ids := slices.Collect(maps.Values(store.Symbols()))
	loaded, err := bars.NewReader(store, bucket, bars.DefaultCache).LoadAssets(ctx, ids, bars.Latest)
	if err != nil {
		return nil, err
	}
	for _, l := range loaded {
		m.series[l.Asset.Symbol] = l
	}
	return m, nil
}

// symbols lists the symbols in the files.
func (m *localMarket) symbols() []string { return slices.Sorted(maps.Keys(m.known)) }

// some names the first few of them.
func (m *localMarket) some() string {
	known := m.symbols()
	return strings.Join(known[:min(30, len(known))], ", ")
}

// Resolve tells the checks of a script which members the files have.
func (m *localMarket) Resolve(_ string, members []string) map[string]script.Unresolved {
	missing := map[string]script.Unresolved{}
	for _, entry := range members {
		if _, ok := m.series[fileSymbol(entry)]; !ok {
			missing[entry] = script.Unresolved{
				Message: fmt.Sprintf("%q is not in the files; they have %s", entry, m.some()), Suggestion: nearest.Match(entry, m.symbols()),
			}
		}
	}
	return missing
}

// fileSymbol returns the symbol for an entry of a universe; files do not distinguish
// assets and models.
func fileSymbol(entry string) string {
	return strings.ToUpper(strings.TrimPrefix(strings.TrimPrefix(entry, "asset:"), "model:"))
}

// Taken accepts any symbol, because the script runs by itself.
func (m *localMarket) Taken(string) string { return "" }

// frame aligns the universe's members on one time axis.
func (m *localMarket) frame(universe []string) (*timeseries.Frame, error) {
	var sources []timeseries.Source
	for _, entry := range universe {
		l, ok := m.series[fileSymbol(entry)]
		if !ok {
			return nil, fmt.Errorf("the universe names %s, which is not in the files; they have %s", entry, m.some())
		}
		sources = append(sources, timeseries.Source{Key: entry, Series: l.Series, SevenDay: l.Asset.SevenDay})
	}
	return timeseries.Align(sources)
}
