package analyze_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"ballast/analyze"

	"pgregory.net/rapid"
)

// moved returns scale·c + shift.
func moved(c analyze.Column, scale, shift float64) analyze.Column {
	out := analyze.Column{Name: c.Name}
	for _, v := range c.Values {
		out.Values = append(out.Values, scale*v+shift)
	}
	return out
}

// Losses of scale·c + shift are scale·loss − shift, by each method.
func TestTailsMoveWithReturns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := column(t, "c", rapid.IntRange(0, 400).Draw(t, "n"))
		scale, shift := rapid.Float64Range(0.1, 10).Draw(t, "scale"), rapid.Float64Range(-0.1, 0.1).Draw(t, "shift")
		level := rapid.Float64Range(0.91, 0.99).Draw(t, "level")
		before, err := analyze.Tails(c, level)
		if err != nil {
			t.Fatal(err)
		}
		after, err := analyze.Tails(moved(c, scale, shift), level)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range before {
			near(t, b.Method, after[i].ValueAtRisk, scale*b.ValueAtRisk-shift, 1e-9)
			near(t, b.Method+" shortfall", after[i].ExpectedShortfall, scale*b.ExpectedShortfall-shift, 1e-9)
			if b.ExpectedShortfall < b.ValueAtRisk-1e-12 {
				t.Errorf("%s: the mean loss beyond %v is %v", b.Method, b.ValueAtRisk, b.ExpectedShortfall)
			}
		}
	})
}

// A negative scale turns the signs of a series' correlations, a shift changes nothing, and
// neither does the order of the series or the number of processors.
func TestCorrelationsShiftScaleAndPermute(t *testing.T) {
	const rows = 61
	rapid.Check(t, func(t *rapid.T) {
		var columns []analyze.Column
		for i := range rapid.IntRange(2, 9).Draw(t, "columns") {
			columns = append(columns, column(t, string(rune('a'+i)), rows))
		}
		method := rapid.SampledFrom([]analyze.Method{analyze.Pearson, analyze.Spearman}).Draw(t, "method")
		before, err := analyze.Correlate(columns, method)
		if err != nil {
			t.Fatal(err)
		}
		changed := slices.Clone(columns)
		changed[0] = moved(columns[0], -3, 0.5)
		slices.Reverse(changed)
		after, err := analyze.Correlate(changed, method)
		if err != nil {
			t.Fatal(err)
		}
		n := len(columns)
		for i := range n {
			for j := range n {
				want := before.Values[n-1-i][n-1-j]
				if (i == n-1) != (j == n-1) {
					want = -want
				}
				near(t, "correlation", after.Values[i][j], want, 1e-12)
			}
		}
		processors := runtime.GOMAXPROCS(1)
		alone, err := analyze.Correlate(columns, method)
		runtime.GOMAXPROCS(processors)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if !slices.Equal(alone.Values[i], before.Values[i]) {
				t.Errorf("row %d is %v on one processor and %v on %d", i, alone.Values[i], before.Values[i], processors)
			}
		}
	})
}

// A constant in the series changes no style, one scale for all series changes none, and
// the weights follow the order of the indices.
func TestStyleShiftsScalesAndPermutes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		y := column(t, "y", 60)
		var x, changed []analyze.Column
		for j := range 4 {
			x = append(x, column(t, string(rune('a'+j)), 60))
			changed = append(changed, moved(x[j], 5, 0))
		}
		slices.Reverse(changed)
		before, err := analyze.Style(y, x)
		if err != nil {
			t.Skip(err) // two indices of one seed
		}
		after, err := analyze.Style(moved(y, 5, 0.25), changed)
		if err != nil {
			t.Fatal(err)
		}
		for j, w := range before.Weights {
			near(t, "weight", after.Weights[3-j], w, 1e-9)
		}
		near(t, "R²", after.RSquared, before.RSquared, 1e-11)
	})
}

// Exchanging portfolio and benchmark turns the sign of what there is to explain.
func TestAttributionTurnsItsSign(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var periods, turned [][]analyze.Segment
		for range rapid.IntRange(1, 12).Draw(t, "periods") {
			w, b := rapid.Float64Range(0, 1).Draw(t, "w"), rapid.Float64Range(0, 1).Draw(t, "b")
			r, s := rapid.Float64Range(-0.2, 0.2).Draw(t, "r"), rapid.Float64Range(-0.2, 0.2).Draw(t, "s")
			segments := []analyze.Segment{{Weight: w, BenchmarkWeight: b, Return: r, BenchmarkReturn: r}, {Weight: 1 - w, BenchmarkWeight: 1 - b, Return: s, BenchmarkReturn: s}}
			other := slices.Clone(segments)
			for i, x := range segments {
				other[i].Weight, other[i].BenchmarkWeight = x.BenchmarkWeight, x.Weight
			}
			periods, turned = append(periods, segments), append(turned, other)
		}
		one, err := analyze.Attribute([]string{"A", "B"}, periods)
		if err != nil {
			t.Fatal(err)
		}
		two, err := analyze.Attribute([]string{"A", "B"}, turned)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "sum", one.Effects[0].Total()+one.Effects[1].Total(), -two.Effects[0].Total()-two.Effects[1].Total(), 1e-12)
		for _, e := range one.Effects {
			near(t, "selection of holdings with equal returns", e.Selection, 0, 0)
		}
	})
}

// Series that are too short have no figures, and never 0 instead.
func TestShortSeries(t *testing.T) {
	t.Parallel()
	for n := range 4 {
		y, x := noise("Y", n, 1), noise("X", n, 2)
		if _, err := analyze.Regress(y, []analyze.Column{x}, 0); (err != nil) != (n < 3) {
			t.Errorf("a regression on %d rows: %v", n, err)
		}
		if _, err := analyze.Style(y, []analyze.Column{x}); (err != nil) != (n < 2) {
			t.Errorf("a style of %d rows: %v", n, err)
		}
		if _, err := analyze.Components([]analyze.Column{y, x}); (err != nil) != (n < 3) {
			t.Errorf("components of %d rows: %v", n, err)
		}
		c, err := analyze.Correlate([]analyze.Column{y, x}, analyze.Pearson)
		if err != nil || math.IsNaN(c.Values[0][1]) != (n < 3) {
			t.Errorf("a correlation of %d rows: %v, %v", n, c, err)
		}
		if r, err := analyze.RollingPerformance(y, &x, 4, 252); err != nil || len(r.Last) > 0 {
			t.Errorf("windows of 4 in %d rows: %v, %v", n, r, err)
		}
	}
}
