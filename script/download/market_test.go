package download_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ballast/internal/testenv"
	"ballast/storage/columnar"
	"ballast/storage/duck"
	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/calendar"
)

// market has the files of bars by the names used in scenarios.
type market struct {
	folder string
	loaded map[string]map[string]bars.Loaded // by file, by symbol
	paths  map[string]string
}

func newMarket(t *testing.T) *market {
	m := &market{folder: t.TempDir(), loaded: map[string]map[string]bars.Loaded{}, paths: map[string]string{}}
	sessions := plannedSessions(timeseries.NewDate(2014, time.December, 29), timeseries.NewDate(2019, time.December, 31))
	for name, text := range map[string]string{
		"synthetic": synthetic(sessions), "coins": coins(), "dividends": dividends(sessions), "returns": returnsFile(sessions), "SOLO": solo(sessions),
	} {
		m.paths[name] = save(t, m.folder, name+".csv", []byte(text))
	}
	return m
}

func plannedSessions(from, to timeseries.Date) []timeseries.Date {
	var days []timeseries.Date
	for d := from; d <= to; d++ {
		// The last session of August 2016 is planned but does not take place.
		if calendar.IsSession(calendar.XNYS(), d) && d != timeseries.NewDate(2016, time.August, 31) {
			days = append(days, d)
		}
	}
	return days
}

// walk returns a seeded random price path with the given daily volatility.
func walk(seed uint64, drift, sigma float64) func() float64 {
	r := rand.New(rand.NewPCG(seed, 7))
	price := 100.0
	return func() float64 {
		price *= 1 + drift + sigma*r.NormFloat64()
		return price
	}
}

// synthetic writes exchange-traded symbols with all events that can happen to them.
func synthetic(sessions []timeseries.Date) string {
	var b strings.Builder
	b.WriteString("symbol,date,adj_close\n")
	day := timeseries.NewDate
	for i, s := range []struct {
		symbol       string
		drift, sigma float64
		from, to     timeseries.Date
	}{
		{"A", 0.0004, 0.01, 0, 0}, {"B", 0.0002, 0.008, 0, 0}, {"C", 0.0005, 0.016, 0, 0}, {"D", 0.0001, 0.003, 0, 0}, {"FLAT", 0, 0, 0, 0},
		{"LATE", 0.0003, 0.012, day(2016, time.June, 15), 0}, {"HOLE", 0.0002, 0.011, 0, 0},
		{"DEAD", 0.0001, 0.013, 0, day(2018, time.March, 15)}, {"GONE", 0.0002, 0.009, 0, day(2018, time.May, 10)},
		{"CRASH", 0.0003, 0.012, 0, 0}, {"JUMP", 0.0003, 0.012, 0, 0},
	} {
		next := walk(uint64(i+1), s.drift, s.sigma)
		gaps := rand.New(rand.NewPCG(99, uint64(i)))
		factor := 1.0
		for _, d := range sessions {
			price := next()
			switch {
			case s.symbol == "CRASH" && d == day(2018, time.June, 12):
				factor = 0.55
			case s.symbol == "JUMP" && d == day(2017, time.September, 6):
				factor = 2.2
			}
			hole := s.symbol == "HOLE" && (d >= day(2017, time.March, 1) && d < day(2017, time.April, 12) || gaps.IntN(40) == 0)
			if s.from != 0 && d < s.from || s.to != 0 && d > s.to || hole {
				continue
			}
			fmt.Fprintf(&b, "%s,%s,%.6f\n", s.symbol, d, price*factor)
		}
	}
	return b.String()
}

// coins writes a wide file of members that trade every day.
func coins() string {
	var b strings.Builder
	b.WriteString("Date,COIN,coin2\n")
	one, two := walk(21, 0.001, 0.03), walk(22, 0.0005, 0.04)
	for d := timeseries.NewDate(2015, time.March, 7); d <= timeseries.NewDate(2020, time.January, 20); d++ {
		first, second := fmt.Sprintf("%.4f", one()), fmt.Sprintf("%.4f", two())
		if d%11 == 0 {
			second = "NaN"
		}
		if d < timeseries.NewDate(2015, time.July, 1) {
			second = ""
		}
		if d > timeseries.NewDate(2017, time.January, 4) && d < timeseries.NewDate(2017, time.February, 1) {
			first = "-"
		}
		fmt.Fprintf(&b, "%s,%s,%s\n", d, first, second)
	}
	return b.String()
}

// dividends writes closes with dividends and splits, unsorted and with a duplicate row.
func dividends(sessions []timeseries.Date) string {
	next := walk(31, 0.0004, 0.012)
	var lines []string
	shares := 1.0
	for i, d := range sessions {
		dividend, split := "", "0"
		if i%63 == 5 {
			dividend = "0.55"
		}
		if i == 700 {
			shares, split = 2, "2"
		}
		y, m, day := d.YMD()
		lines = append(lines, fmt.Sprintf(`"stk";%d/%d/%d;%.2f;%s;%s`, y, int(m), day, next()/shares, dividend, split))
	}
	slices.Reverse(lines[100:200])
	lines = append(lines, lines[300])
	return "Ticker;Date;Close;Dividends;Stock Splits\r\n" + strings.Join(lines, "\r\n") + "\r\n"
}

// returnsFile writes total returns; the first row has none.
func returnsFile(sessions []timeseries.Date) string {
	r := rand.New(rand.NewPCG(41, 7))
	var b strings.Builder
	b.WriteString("\ufeff\nsymbol\tdate\ttotal_return\n")
	for i, d := range sessions[40:] {
		if i == 0 {
			fmt.Fprintf(&b, "RET\t%s 00:00:00\t\n", d)
			continue
		}
		fmt.Fprintf(&b, "RET\t%s 00:00:00\t%g\n", d, 0.0002+0.01*r.NormFloat64())
	}
	return b.String()
}

// solo writes a file without a symbol column.
func solo(sessions []timeseries.Date) string {
	next := walk(51, 0.0003, 0.009)
	var b strings.Builder
	b.WriteString("Date,Open,Close\n")
	for _, d := range sessions {
		price := next()
		fmt.Fprintf(&b, "%s,%.2f,%.2f\n", strings.ReplaceAll(d.String(), "-", ""), price-0.1, price)
	}
	return b.String()
}

// split writes one file per symbol of real bars since 2008, so that a download reads only
// what it needs.
func (m *market) split(t *testing.T, name string) {
	t.Helper()
	path := m.path(t, name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if text, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	header, rows, _ := strings.Cut(string(text), "\n")
	files := map[string]*strings.Builder{}
	var whole strings.Builder
	whole.WriteString(header + "\n")
	for row := range strings.Lines(rows) {
		symbol, rest, _ := strings.Cut(row, ",")
		if rest < "2008" {
			continue
		}
		whole.WriteString(row)
		if files[symbol] == nil {
			files[symbol] = &strings.Builder{}
			files[symbol].WriteString(header + "\n")
		}
		files[symbol].WriteString(row)
	}
	loaded := m.load(t, save(t, m.folder, name+"_since.csv", []byte(whole.String())))
	for symbol, b := range files {
		m.paths[symbol] = save(t, m.folder, symbol+".csv", []byte(b.String()))
		m.loaded[symbol] = map[string]bars.Loaded{symbol: loaded[symbol]}
	}
}

// addModel stores the returns of a model as a file named after its symbol.
func (m *market) addModel(t *testing.T, symbol string, s timeseries.Series) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "symbol,date,total_return\n%s,%s,\n", symbol, s.Base)
	for i, d := range s.Dates {
		fmt.Fprintf(&b, "%s,%s,%v\n", symbol, d, s.Returns[i])
	}
	m.paths[symbol] = save(t, m.folder, symbol+".csv", []byte(b.String()))
}

// path returns a file by its name.
func (m *market) path(t *testing.T, name string) string {
	if path, ok := m.paths[name]; ok {
		return path
	}
	return testenv.Data(t, map[string]string{"etf21": "bars/etf21_yahoo_2025.csv.gz", "lean14": "bars/lean14_2021.csv.gz", "bitcoin": "bars/lean_btcusd_coinbase.csv"}[name])
}

// has reports whether all files exist; real data may be absent.
func (m *market) has(t *testing.T, names []string) bool {
	present := true
	for _, name := range names {
		t.Run("bars of "+name, func(t *testing.T) {
			t.Cleanup(func() { present = present && !t.Skipped() })
			m.path(t, name)
		})
	}
	return present
}

// frame aligns the members of a universe from files, read by the importer.
func (m *market) frame(t *testing.T, names, universe, delisted []string) *timeseries.Frame {
	t.Helper()
	found := map[string]bars.Loaded{}
	for _, name := range names {
		if m.loaded[name] == nil {
			m.loaded[name] = m.load(t, m.path(t, name))
		}
		maps.Copy(found, m.loaded[name])
	}
	var sources []timeseries.Source
	for _, entry := range universe {
		l, ok := found[strings.ToUpper(entry)]
		if !ok {
			t.Fatalf("none of %[2]v has %[1]s", entry, names)
		}
		sources = append(sources, timeseries.Source{
			Key: entry, Series: l.Series, SevenDay: l.Asset.SevenDay, Delisted: slices.Contains(delisted, strings.ToUpper(entry)),
		})
	}
	frame, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

func (m *market) load(t *testing.T, path string) map[string]bars.Loaded {
	t.Helper()
	loaded, err := importFile(t, path)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func importFile(t *testing.T, path string) (_ map[string]bars.Loaded, err error) {
	ctx, dir := t.Context(), t.TempDir()
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
	if report, err := importer.Import(ctx, path, importing.Options{}); err != nil {
		return nil, fmt.Errorf("%w: %v", err, report.Problems)
	}
	all, err := bars.NewReader(store, bucket, bars.DefaultCache).LoadAssets(ctx, slices.Collect(maps.Values(store.Symbols())), bars.Latest)
	if err != nil {
		return nil, err
	}
	loaded := make(map[string]bars.Loaded, len(all))
	for _, l := range all {
		loaded[l.Asset.Symbol] = l
	}
	return loaded, nil
}
