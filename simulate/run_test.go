package simulate

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"math"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ballast/internal/testenv"
	"ballast/timeseries"
)

func background() context.Context { return context.Background() }

func run(t testing.TB, p *Plan, rule Rule) *Result {
	t.Helper()
	r, err := Run(t.Context(), p, ruled(rule), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The same seed gives the same bits with one worker and with two, and more paths
// keep the earlier ones.
func TestWorkersAndPathsChangeNothing(t *testing.T) {
	for i, source := range slices.Concat(Sources, Sources) {
		p := planOf(months(3, 3, 150))
		p.Years, p.Paths, p.Source = 8, 1000, source
		if i >= len(Sources) { // again, with inflation that is drawn
			p.Months.Inflation = months(4, 1, 150).Returns[0]
		}
		many := run(t, p, GuytonKlinger{0.05, 0.2, 0.1})
		before := runtime.GOMAXPROCS(1)
		one := run(t, p, GuytonKlinger{0.05, 0.2, 0.1})
		runtime.GOMAXPROCS(before)
		if !reflect.DeepEqual(bitsOf(many), bitsOf(one)) {
			t.Errorf("%s: another result with one worker", source)
		}
		if source == History {
			continue
		}
		p.Paths = 2000
		if more := run(t, p, GuytonKlinger{0.05, 0.2, 0.1}); !reflect.DeepEqual(more.Outcomes[:1000], many.Outcomes) {
			t.Errorf("%s: other paths where there are more", source)
		}
		p.Seed++
		if other := run(t, p, GuytonKlinger{0.05, 0.2, 0.1}); reflect.DeepEqual(other.Outcomes[:1000], many.Outcomes) {
			t.Errorf("%s: the same paths of another seed", source)
		}
	}
}

// bitsOf has all numbers of a result, so that those which are not numbers are equal, too.
func bitsOf(r *Result) []uint64 {
	var out []uint64
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Float64:
			out = append(out, math.Float64bits(v.Float()))
		case reflect.Int, reflect.Int32:
			out = append(out, uint64(v.Int()))
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(*r))
	return out
}

// Constant returns make a withdrawal plan an annuity: the closed forms, to the cent.
func TestConstantReturnsAreAnAnnuity(t *testing.T) {
	const monthly = 0.004
	m := flat(monthly, 400)
	for _, source := range Sources {
		p := planOf(m)
		p.Source, p.Paths, p.Inflation = source, MinPaths, 0
		v := 1 / (1 + monthly)
		due := (1 - math.Pow(v, 360)) / (1 - v) // present value of 360 payments of 1, the first at once
		payment := 1_000_000 / due
		r := run(t, p, Fixed{Amount: 12 * payment})
		if final := r.Bands[360].Quantiles[3]; math.Abs(final) > 0.01 || r.Success != 1 {
			t.Errorf("%s: %v is left, success %v", source, final, r.Success)
		}
		if math.Abs(r.SafeRate-12/due) > 1e-12 || !nearly(r.Bands[120].Mean, payment*(1-math.Pow(v, 240))/(1-v)) {
			t.Errorf("%s: safe rate %v, value after ten years %v", source, r.SafeRate, r.Bands[120].Mean)
		}
		if r = run(t, p, Fixed{Amount: 12 * payment * 1.001}); r.Success != 0 || r.Outcomes[0].Depleted < 358 {
			t.Errorf("%s: success %v where a thousandth more is spent, depleted in month %d", source, r.Success, r.Outcomes[0].Depleted)
		}
		p.Inflation = math.Pow(1+monthly, 12) - 1 // no real return: what is there is spent in equal real parts
		p.StepMonths = 1
		if r = run(t, p, Fixed{Rate: 1.0 / 30}); r.Success != 1 || math.Abs(r.Bands[360].Mean) > 0.01 || math.Abs(r.PerpetualRate) > 1e-12 {
			t.Errorf("%s: success %v, %v is left, perpetual rate %v", source, r.Success, r.Bands[360].Mean, r.PerpetualRate)
		}
	}
}

// The mean of independent draws is (1+μ)^H, and its error falls with the root of the
// number of paths.
func TestMonteCarloError(t *testing.T) {
	t.Parallel()
	p := planOf(months(5, 1, 200))
	p.Years, p.Source, p.Inflation, p.StartValue = 5, Independent, 0, 1
	mean := 0.0
	for _, r := range p.Months.Returns[0] {
		mean += r / 200
	}
	want := math.Pow(1+mean, 60)
	spread := func(paths int) float64 {
		p.Paths = paths
		sum := 0.0
		for seed := range 30 {
			p.Seed = uint64(seed)
			miss := run(t, p, Percentage{0}).Bands[60].Mean - want
			sum += miss * miss
		}
		return math.Sqrt(sum / 30)
	}
	few, many := spread(400), spread(6400)
	if ratio := few / many; ratio < 2.2 || ratio > 7.5 {
		t.Errorf("the error is %v with 400 paths and %v with 16 times as many: the ratio is %.2f, not about 4", few, many, ratio)
	}
	if many > 0.02*want {
		t.Errorf("error %v of %v", many, want)
	}
}

// A fitted distribution has the months' moments, and a Student t its tails.
func TestFittedDistributions(t *testing.T) {
	t.Parallel()
	p := planOf(months(9, 2, 300))
	p.Years, p.Inflation, p.StartValue, p.Paths = 1, 0, 1, 40_000
	own := p.ownMonths()
	mean, variance := 0.0, 0.0
	for _, r := range own {
		mean += r / 300
	}
	for _, r := range own {
		variance += (r - mean) * (r - mean) / 299
	}
	for _, source := range []Source{Normal, StudentT} {
		p.Source = source
		r := run(t, p, Percentage{0})
		if got, want := r.Bands[12].Mean, math.Pow(1+mean, 12); math.Abs(got-want) > 0.004 {
			t.Errorf("%s: mean %v, not %v", source, got, want)
		}
		first, q := r.Bands[1], math.Sqrt(variance)
		if got, want := first.Quantiles[6]-first.Quantiles[0], 2*1.6448536*q; source == Normal && math.Abs(got-want) > 0.03*want {
			t.Errorf("%s: from the 5th to the 95th percentile %v, not %v", source, got, want)
		}
	}
}

// readMonths reads the months that symbols have in common from a file of real bars.
func readMonths(t *testing.T, path string, symbols ...string) *Months {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(unpacked).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	sources := make([]timeseries.Source, len(symbols))
	last := map[string]float64{}
	for _, row := range rows[1:] {
		i := slices.Index(symbols, row[0])
		if i < 0 {
			continue
		}
		d, err := timeseries.ParseDate(row[1])
		if err != nil {
			t.Fatal(err)
		}
		price, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		s := &sources[i]
		s.Key = row[0]
		if before, ok := last[row[0]]; ok {
			s.Series.Dates, s.Series.Returns = append(s.Series.Dates, d), append(s.Series.Returns, price/before-1)
		} else {
			s.Series.Base = d
		}
		last[row[0]] = price
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	m, err := MonthsOf(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Reference figures on real bars: block lengths by arch 8.0.0, the withdrawal rates
// of every past start in closed form.
func TestRealMonths(t *testing.T) {
	m := readMonths(t, testenv.Data(t, "bars/etf21_yahoo_2025.csv.gz"), "SPY", "AGG")
	if m.Len() != 264 {
		t.Fatalf("%d months from %s", m.Len(), m.Base)
	}
	p := planOf(m)
	p.Weights, p.Years, p.Source, p.StepMonths, p.StartValue = []float64{0.6, 0.4}, 10, History, 1, 1
	r := run(t, p, Fixed{Rate: 0.1029660280296509})
	highest := 0.0
	worst := 0
	for i, o := range r.Outcomes {
		if o.Final < r.Outcomes[worst].Final {
			worst = i
		}
		highest = max(highest, o.Final)
	}
	if len(r.Outcomes) != 145 || math.Abs(r.SafeRate-0.1029660280296509) > 1e-12 || r.Success != 1 {
		t.Errorf("%d paths, safe rate %.16g, success %v", len(r.Outcomes), r.SafeRate, r.Success)
	}
	if o := r.Outcomes[worst]; o.Start.String() != "2007-11-30" || math.Abs(o.Final) > 1e-12 {
		t.Errorf("the worst start is %s and ends at %v", o.Start, o.Final)
	}
	for symbol, want := range map[string][2]float64{"SPY": {0.5306532509547295, 0.6074463342251064}, "AGG": {1.0713620001568975, 1.2264033405100254}} {
		stationary, circular := BlockLengths(m.Returns[slices.Index(m.Keys, symbol)])
		if math.Abs(stationary-want[0]) > 1e-9 || math.Abs(circular-want[1]) > 1e-9 {
			t.Errorf("%s: block lengths %.16g and %.16g, not %v", symbol, stationary, circular, want)
		}
	}
}

// A rule that begins after years of saving starts with the value of that time, in its
// prices, and not with what another rule has left.
func TestRulesBeginWhenTheyAreFirstUsed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, rule Rule
		first, later float64 // yearly, at the beginning and where the value is 3 million and the price level 2.2
	}{
		"floor and ceiling":  {Ratchet{0.5, 0.1, 1.1}, FloorCeiling{0.05, 0.9, 1.1}, 100_000, 0.05 * 2_000_000 / 2 * 2.2 * 1.1},
		"Guyton and Klinger": {FloorCeiling{0.5, 1, 1}, GuytonKlinger{0.05, 0.2, 0.1}, 100_000, 110_000 * 1.1},
		"ratchet":            {GuytonKlinger{0.3, 0.2, 0.1}, Ratchet{0.05, 0.1, 1.1}, 100_000, 110_000 * 1.1},
	} {
		var m Memory
		c.before.Pay(&State{Month: 24, StepMonths: 12, Horizon: 480, StartValue: 1, Value: 1, Price: 1, YearGrowth: 1}, &m)
		s := State{Month: 120, StepMonths: 12, Horizon: 480, StartValue: 1, Value: 2_000_000, Price: 2, YearGrowth: 1.1}
		if got := c.rule.Pay(&s, &m); !nearly(got, c.first) {
			t.Errorf("%s begins with %v, not %v", name, got, c.first)
		}
		s.Month, s.Value, s.Price = 132, 3_000_000, 2.2
		if got := c.rule.Pay(&s, &m); !nearly(got, c.later) {
			t.Errorf("%s goes on with %v, not %v", name, got, c.later)
		}
	}
}

// Months before a calendar year are left out: the first is that January.
func TestMonthsSinceAYear(t *testing.T) {
	t.Parallel()
	m := &Months{Keys: []string{"A"}, Returns: [][]float64{make([]float64, 36)}, Base: timeseries.NewDate(1999, 6, 30)}
	for i := range 36 {
		m.Ends = append(m.Ends, timeseries.NewDate(1999, time.Month(8+i), 1)-1)
		m.Returns[0][i] = float64(i)
	}
	for year, want := range map[int]struct {
		base  string
		first float64
		n     int
	}{0: {"1999-06-30", 0, 36}, 1999: {"1999-06-30", 0, 36}, 2000: {"1999-12-31", 6, 30}, 2002: {"2001-12-31", 30, 6}} {
		got, err := m.Since(year)
		if err != nil || got.Base.String() != want.base || got.Returns[0][0] != want.first || got.Len() != want.n || len(got.Returns[0]) != want.n {
			t.Errorf("since %d: %+v, %v", year, got, err)
		}
	}
	if _, err := m.Since(2003); err == nil || !strings.Contains(err.Error(), "2002-06-30") {
		t.Errorf("%v", err)
	}
}
