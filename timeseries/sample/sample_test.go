package sample_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ballast/timeseries"
	"ballast/timeseries/calendar"
	"ballast/timeseries/sample"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"
)

// checksum is the SHA-256 of the bars. It changes only if the market does, and is the
// same on every machine.
const checksum = "d4cb429868a002ec26e5d305694b40a4e8a2a3e3075ecd9c8a4fcd4252c4dfb7"

type row struct {
	date                              timeseries.Date
	close, adjusted, dividend, factor float64
}

// read returns the bars by symbol, in the order of the file, and the symbols.
func read(t testing.TB) (bars map[string][]row, symbols []string) {
	t.Helper()
	var file bytes.Buffer
	if err := sample.WriteBars(&file); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"symbol", "date", "close", "adj_close", "dividend", "split"}, lines[0]); diff != "" {
		t.Fatalf("header (-want +got):\n%s", diff)
	}
	bars = map[string][]row{}
	for _, line := range lines[1:] {
		date, err := timeseries.ParseDate(line[1])
		if err != nil {
			t.Fatal(err)
		}
		numbers := [4]float64{}
		for i, text := range line[2:] {
			if numbers[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(symbols); n == 0 || symbols[n-1] != line[0] {
			symbols = append(symbols, line[0])
		}
		bars[line[0]] = append(bars[line[0]], row{date, numbers[0], numbers[1], numbers[2], numbers[3]})
	}
	return bars, symbols
}

// returns computes total returns from the adjusted close, on the dates after the first.
func returns(rows []row) []float64 {
	out := make([]float64, len(rows)-1)
	for i := range out {
		out[i] = rows[i+1].adjusted/rows[i].adjusted - 1
	}
	return out
}

func TestBarsAreTheSameEverywhere(t *testing.T) {
	hash := sha256.New()
	if err := sample.WriteBars(hash); err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != checksum {
		t.Errorf("checksum of the bars is %s, want %s", got, checksum)
	}
}

func TestShape(t *testing.T) {
	bars, symbols := read(t)
	assets := sample.Assets()
	var listed []string
	for _, a := range assets {
		listed = append(listed, a.Symbol)
	}
	if diff := cmp.Diff(listed, symbols); diff != "" {
		t.Errorf("symbols of the bars against those of the assets (-want +got):\n%s", diff)
	}
	if !slices.IsSorted(symbols) {
		t.Errorf("symbols are not sorted: %v", symbols)
	}
	classes, starts := map[string]bool{}, map[timeseries.Date]bool{}
	xnys := calendar.XNYS()
	last := timeseries.NewDate(2024, time.December, 31)
	for _, a := range assets {
		classes[a.AssetClass] = true
		rows := bars[a.Symbol]
		starts[rows[0].date] = true
		if got := rows[len(rows)-1].date; got != last {
			t.Errorf("%s ends on %s, want %s", a.Symbol, got, last)
		}
		weekend := 0
		for i, r := range rows {
			if i > 0 && r.date <= rows[i-1].date {
				t.Fatalf("%s: %s after %s", a.Symbol, r.date, rows[i-1].date)
			}
			if w := r.date.Weekday(); w == time.Saturday || w == time.Sunday {
				weekend++
			}
			if !a.SevenDay && !calendar.IsSession(xnys, r.date) {
				t.Errorf("%s has a bar on %s, a closed day", a.Symbol, r.date)
			}
			if r.close <= 0 || r.adjusted <= 0 || r.dividend < 0 || r.factor <= 0 {
				t.Errorf("%s on %s: %+v", a.Symbol, r.date, r)
			}
		}
		days := int(last-rows[0].date) + 1
		want := xnys.Count(last) - xnys.Count(rows[0].date-1)
		if a.SevenDay {
			want = days
		}
		if len(rows) != want {
			t.Errorf("%s has %d bars, want %d", a.Symbol, len(rows), want)
		}
		if a.SevenDay != (weekend > 0) {
			t.Errorf("%s has %d bars at weekends, SevenDay is %v", a.Symbol, weekend, a.SevenDay)
		}
	}
	if len(assets) < 12 || len(classes) < 5 || len(starts) < 8 {
		t.Errorf("%d assets of %d classes with %d first days", len(assets), len(classes), len(starts))
	}
}

func TestSampleMarketIsLabelledSynthetic(t *testing.T) {
	for _, a := range sample.Assets() {
		if !strings.HasPrefix(a.Symbol, "SYN-") || !strings.HasSuffix(a.Name, " (synthetic)") {
			t.Errorf("%s %q does not say that it is synthetic", a.Symbol, a.Name)
		}
		for _, tag := range a.Tags {
			if dimension, value, ok := strings.Cut(tag, ":"); !ok || dimension == "" || value == "" {
				t.Errorf("%s: tag %q is not dimension:value", a.Symbol, tag)
			}
		}
	}
}

func TestAdjustedCloseKeepsTheVendorsConvention(t *testing.T) {
	bars, _ := read(t)
	dividends, splits := 0, 0
	for symbol, rows := range bars {
		for i := 1; i < len(rows); i++ {
			before, now := rows[i-1], rows[i]
			want := now.close * now.factor / (before.close - now.dividend)
			// Either adjusted close is rounded to six decimals.
			tolerance := 1e-6 * want * (1/before.adjusted + 1/now.adjusted)
			if got := now.adjusted / before.adjusted; math.Abs(got-want) > tolerance {
				t.Errorf("%s on %s: adjusted close grows by %.9f, close, dividend and split say %.9f", symbol, now.date, got, want)
			}
			if math.Abs(want-1) > 0.4 {
				t.Errorf("%s on %s moves by %.0f %%", symbol, now.date, 100*(want-1))
			}
			if now.dividend > 0 {
				dividends++
			}
			if now.factor != 1 {
				splits++
			}
		}
		if last := rows[len(rows)-1]; last.adjusted != last.close {
			t.Errorf("%s ends with close %v and adjusted close %v", symbol, last.close, last.adjusted)
		}
	}
	if splits != 3 || dividends < 2500 {
		t.Errorf("%d splits and %d dividends", splits, dividends)
	}
}

func TestDividendsAYear(t *testing.T) {
	bars, _ := read(t)
	for symbol, want := range map[string]int{"SYN-BOND": 12, "SYN-WORLD": 4, "SYN-GOLD": 0, "SYN-COIN1": 0} {
		got := 0
		for _, r := range bars[symbol] {
			if year, _, _ := r.date.YMD(); year == 2015 && r.dividend > 0 {
				got++
			}
		}
		if got != want {
			t.Errorf("%s pays %d dividends in 2015, want %d", symbol, got, want)
		}
	}
}

func TestLongRunFigures(t *testing.T) {
	bars, _ := read(t)
	for _, c := range []struct {
		symbol                 string
		barsPerYear            float64
		growth, volatility     [2]float64 // per year
		tails                  float64    // least excess kurtosis
		deepest, deepestAtMost float64
	}{
		{"SYN-WORLD", 252, [2]float64{0.06, 0.09}, [2]float64{0.15, 0.17}, 3, -0.60, -0.35},
		{"SYN-SMALL", 252, [2]float64{0.06, 0.10}, [2]float64{0.19, 0.23}, 3, -0.75, -0.40},
		{"SYN-BOND", 252, [2]float64{0.03, 0.05}, [2]float64{0.05, 0.06}, 3, -0.25, -0.08},
		{"SYN-BILLS", 252, [2]float64{0.015, 0.025}, [2]float64{0.001, 0.003}, 1, -0.01, 0},
		{"SYN-LONG", 252, [2]float64{0.04, 0.06}, [2]float64{0.12, 0.14}, 3, -0.60, -0.20},
		{"SYN-YIELD", 252, [2]float64{0.04, 0.07}, [2]float64{0.08, 0.10}, 3, -0.55, -0.20},
		{"SYN-GOLD", 252, [2]float64{0.05, 0.09}, [2]float64{0.15, 0.18}, 3, -0.55, -0.20},
		{"SYN-LEV2", 252, [2]float64{0.03, 0.12}, [2]float64{0.30, 0.38}, 3, -0.90, -0.60},
		{"SYN-COIN1", 365, [2]float64{0.20, 0.60}, [2]float64{0.55, 0.70}, 3, -0.95, -0.50},
		{"SYN-COIN2", 365, [2]float64{0.20, 0.60}, [2]float64{0.70, 0.85}, 3, -0.95, -0.50},
	} {
		t.Run(c.symbol, func(t *testing.T) {
			r := returns(bars[c.symbol])
			value, high, deepest := 1.0, 1.0, 0.0
			for _, x := range r {
				value *= 1 + x
				high = max(high, value)
				deepest = min(deepest, value/high-1)
			}
			growth := math.Pow(value, c.barsPerYear/float64(len(r))) - 1
			volatility := stat.StdDev(r, nil) * math.Sqrt(c.barsPerYear)
			within(t, "growth", growth, c.growth[0], c.growth[1])
			within(t, "volatility", volatility, c.volatility[0], c.volatility[1])
			within(t, "maximum drawdown", deepest, c.deepest, c.deepestAtMost)
			within(t, "excess kurtosis", stat.ExKurtosis(r, nil), c.tails, 30)
		})
	}
}

func TestCorrelations(t *testing.T) {
	bars, _ := read(t)
	for _, c := range []struct {
		a, b      string
		low, high float64
	}{
		{"SYN-WORLD", "SYN-LARGE", 0.93, 0.995},
		{"SYN-WORLD", "SYN-EMERG", 0.6, 0.9},
		{"SYN-WORLD", "SYN-REAL", 0.5, 0.85},
		{"SYN-WORLD", "SYN-BOND", -0.3, 0.1},
		{"SYN-WORLD", "SYN-YIELD", 0.4, 0.7},
		{"SYN-WORLD", "SYN-GOLD", -0.15, 0.2},
		{"SYN-BOND", "SYN-LONG", 0.85, 0.99},
		{"SYN-BOND", "SYN-CREDIT", 0.6, 0.95},
		{"SYN-LARGE", "SYN-LEV2", 0.99, 1},
		{"SYN-ALFA", "SYN-BETA", 0.15, 0.5},
		{"SYN-COIN1", "SYN-COIN2", 0.5, 0.9},
		{"SYN-COIN1", "SYN-WORLD", 0.05, 0.4},
	} {
		x, y := overlapping(bars[c.a], bars[c.b], timeseries.NoDate, 1<<30)
		within(t, c.a+" with "+c.b, stat.Correlation(x, y, nil), c.low, c.high)
	}
	// In the credit crisis, all assets fall together.
	from, to := timeseries.NewDate(2008, time.September, 2), timeseries.NewDate(2009, time.March, 31)
	x, y := overlapping(bars["SYN-WORLD"], bars["SYN-ALFA"], from, to)
	crisis := stat.Correlation(x, y, nil)
	x, y = overlapping(bars["SYN-WORLD"], bars["SYN-ALFA"], timeseries.NoDate, from-1)
	if calm := stat.Correlation(x, y, nil); crisis <= calm {
		t.Errorf("a stock's correlation with the market is %.2f in the crisis and %.2f before", crisis, calm)
	}
}

// overlapping returns the returns of two assets on their common dates between from and
// to.
func overlapping(a, b []row, from, to timeseries.Date) (x, y []float64) {
	first := map[timeseries.Date]float64{}
	for i, r := range returns(a) {
		first[a[i+1].date] = r
	}
	for i, r := range returns(b) {
		date := b[i+1].date
		if v, ok := first[date]; ok && date >= from && date <= to {
			x, y = append(x, v), append(y, r)
		}
	}
	return x, y
}

func within(t *testing.T, name string, got, low, high float64) {
	t.Helper()
	if !(got >= low && got <= high) {
		t.Errorf("%s = %.4f, want %v to %v", name, got, low, high)
	}
}

func TestCatalog(t *testing.T) {
	var file bytes.Buffer
	if err := sample.WriteCatalog(&file); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"symbol", "name", "type", "exchange", "currency", "asset_class"}, lines[0]); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"SYN-BOND", "Broad Bonds (synthetic)", "fund", "SYNX", "USD", "fixed_income"}, lines[5]); diff != "" {
		t.Errorf("broad bonds (-want +got):\n%s", diff)
	}
	if got, want := len(lines)-1, len(sample.Assets()); got != want {
		t.Errorf("%d rows, want %d", got, want)
	}
}

type broken struct{}

var errBroken = errors.New("the disk is full")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrorsAreReturned(t *testing.T) {
	if err := sample.WriteBars(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("bars: %v", err)
	}
	if err := sample.WriteCatalog(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("catalog: %v", err)
	}
}

func BenchmarkWriteBars(b *testing.B) {
	var file bytes.Buffer
	for b.Loop() {
		file.Reset()
		if err := sample.WriteBars(&file); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(file.Len()))
}
