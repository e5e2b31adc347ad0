package simulate

import (
	"math"
	"slices"
	"testing"

	"ballast/timeseries"
)

// flat makes n months with the same return.
func flat(monthly float64, n int) *Months {
	m := &Months{Keys: []string{"A"}, Returns: [][]float64{slices.Repeat([]float64{monthly}, n)}, Base: timeseries.NewDate(1990, 12, 31)}
	for i := range n {
		m.Ends = append(m.Ends, timeseries.NewDate(1991, 1, 31)+timeseries.Date(30*i))
	}
	return m
}

// Calculators of retirement plans have deflated where they should inflate, left fees
// out or taken them of the wrong value, paid after the return, and counted past starts
// whose last years are cut off by the end of the data. These are plans whose numbers
// are known by hand.
func TestFaultsOfCalculators(t *testing.T) {
	t.Parallel()
	plan := func(monthly float64, months int) *Plan {
		p := planOf(flat(monthly, months))
		p.Paths, p.Years, p.Inflation, p.StartValue = MinPaths, 2, 0, 100_000
		return p
	}

	t.Run("prices rise", func(t *testing.T) {
		t.Parallel()
		p := plan(0, 60)
		p.Inflation = 0.1
		r := run(t, p, Fixed{Amount: 1200})
		if first, second := r.Spending[0].Mean, r.Spending[12].Mean; !nearly(first, 100) || !nearly(second, 110) {
			t.Errorf("a month costs %v in the first year and %v in the second, not 100 and 110", first, second)
		}
		if real := r.RealSpending[12].Mean; !nearly(real, 100) {
			t.Errorf("the first month of the second year costs %v in prices of the start, not 100", real)
		}
		if final, real := r.Bands[24].Mean, r.RealBands[24].Mean; !nearly(final, 100_000-12*100-12*110) || !nearly(real, final/1.21) {
			t.Errorf("%v is left, %v in prices of the start", final, real)
		}
	})
	t.Run("a fee is taken of the value after the return", func(t *testing.T) {
		t.Parallel()
		p := plan(0.01, 60)
		p.Fee = 0.012
		r := run(t, p, Fixed{})
		if want := 100_000 * math.Pow(1.01*0.999, 24); !nearly(r.Bands[24].Mean, want) {
			t.Errorf("%v is left, not %v", r.Bands[24].Mean, want)
		}
	})
	t.Run("payments come before the return", func(t *testing.T) {
		t.Parallel()
		out, in := run(t, plan(0.01, 60), Fixed{Amount: 12_000}), run(t, plan(0.01, 60), Contribute{Amount: 12_000})
		if a, b := out.Bands[1].Mean, in.Bands[1].Mean; !nearly(a, 99_000*1.01) || !nearly(b, 101_000*1.01) {
			t.Errorf("after a month %v and %v, not %v and %v", a, b, 99_000*1.01, 101_000*1.01)
		}
	})
	t.Run("past starts are whole", func(t *testing.T) {
		t.Parallel()
		m := flat(0, 60)
		for i := range m.Returns[0] {
			m.Returns[0][i] = float64(i) / 10_000
		}
		p := planOf(m)
		p.Source, p.Years, p.Inflation = History, 2, 0
		r := run(t, p, Fixed{})
		if n := len(r.Outcomes); n != 60-24+1 {
			t.Fatalf("%d past starts of two years in five years, not 37", n)
		}
		for start, o := range r.Outcomes {
			want := 1_000_000.0
			for i := start; i < start+24; i++ {
				want *= 1 + m.Returns[0][i]
			}
			if !nearly(o.Final, want) || o.Start != m.Ends[start] {
				t.Errorf("start %d (%s) ends at %v, not %v", start, o.Start, o.Final, want)
			}
		}
	})
}
