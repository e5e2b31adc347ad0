package examples_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"ballast/internal/testenv"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/sample"
)

// market holds series by symbol.
type market map[string]timeseries.Source

// frame puts members on one axis. It ends with the bitcoin series, whose file is older
// than the others.
func (m market) frame(t testing.TB, universe []string) *timeseries.Frame {
	t.Helper()
	sources := make([]timeseries.Source, len(universe))
	last := timeseries.NoDate
	for i, symbol := range universe {
		s, ok := m[symbol]
		if !ok {
			t.Fatalf("the market has no %s", symbol)
		}
		sources[i] = s
		if s.SevenDay {
			last = s.Series.Last()
		}
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	if last != timeseries.NoDate {
		f = f.Cut(last)
	}
	return f
}

// realMarket returns the 21 funds and bitcoin. It skips the test if their files are
// absent.
func realMarket(t testing.TB) market {
	t.Helper()
	funds := testenv.Data(t, "bars/etf21_yahoo_2025.csv.gz")
	coin := testenv.Data(t, "bars/lean_btcusd_coinbase.csv")
	m, err := realOnce(funds, coin)
	if err != nil {
		t.Fatal(err)
	}
	return maps.Clone(m)
}

var realOnce = func() func(files ...string) (market, error) {
	var once sync.Once
	var m market
	var err error
	return func(files ...string) (market, error) {
		once.Do(func() { m, err = readMarket(files...) })
		return m, err
	}
}()

// readMarket imports files into a store that exists only during the call, as the
// command for local runs does.
func readMarket(files ...string) (_ market, err error) {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "ballast-examples-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
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
	for _, path := range files {
		if _, err := importer.Import(ctx, path, importing.Options{}); err != nil {
			return nil, err
		}
	}
	ids := slices.Collect(maps.Values(store.Symbols()))
	loaded, err := bars.NewReader(store, bucket, bars.DefaultCache).LoadAssets(ctx, ids, bars.Latest)
	if err != nil {
		return nil, err
	}
	m := market{}
	for _, l := range loaded {
		m[l.Asset.Symbol] = timeseries.Source{Key: l.Asset.Symbol, Series: l.Series, SevenDay: l.Asset.SevenDay}
	}
	return m, nil
}

// standIns describes which synthetic assets stand in for a real one. Their returns are
// averaged over the days that all of them have.
var standIns = map[string][]string{
	"SPY": {"LARGE"}, "QQQ": {"TECH"}, "IWM": {"SMALL"}, "MDY": {"LARGE", "SMALL"}, "VTI": {"WORLD"},
	"EFA": {"EUROPE", "ASIA"}, "EEM": {"EMERG"}, "EWJ": {"ASIA"}, "IEV": {"EUROPE"},
	"AGG": {"BOND"}, "BIL": {"BILLS"}, "SHY": {"SHORT"}, "IEF": {"SHORT", "LONG"}, "TLT": {"LONG"},
	"TIP": {"INFL"}, "LQD": {"CREDIT"}, "HYG": {"YIELD"}, "VNQ": {"REAL"}, "IYR": {"REAL", "WORLD"},
	"GLD": {"GOLD"}, "DBC": {"COMMO"}, "BTCUSD": {"COIN1"},
}

// sampleMarket returns the synthetic market with the symbols of the examples.
func sampleMarket(t testing.TB) market {
	t.Helper()
	m, err := sampleOnce()
	if err != nil {
		t.Fatal(err)
	}
	return maps.Clone(m)
}

var sampleOnce = sync.OnceValues(func() (market, error) {
	file, err := os.CreateTemp("", "ballast-examples-*.csv")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	if err := errors.Join(sample.WriteBars(file), file.Close()); err != nil {
		return nil, err
	}
	synthetic, err := readMarket(file.Name())
	if err != nil {
		return nil, err
	}
	m := market{}
	for symbol, parts := range standIns {
		s, ok := synthetic["SYN-"+parts[0]]
		if !ok {
			return nil, fmt.Errorf("the sample market has no SYN-%s", parts[0])
		}
		s.Key = symbol
		for _, other := range parts[1:] {
			s.Series = average(s.Series, synthetic["SYN-"+other].Series)
		}
		m[symbol] = s
	}
	return m, nil
})

// average returns the mean of the returns of two series, on the days that both have.
func average(a, b timeseries.Series) timeseries.Series {
	other := make(map[timeseries.Date]float64, len(b.Dates))
	for i, d := range b.Dates {
		other[d] = b.Returns[i]
	}
	mean := timeseries.Series{Base: max(a.Base, b.Base)}
	for i, d := range a.Dates {
		if r, ok := other[d]; ok && d > mean.Base {
			mean.Dates = append(mean.Dates, d)
			mean.Returns = append(mean.Returns, (a.Returns[i]+r)/2)
		}
	}
	return mean
}
