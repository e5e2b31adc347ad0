package backfill_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ballast/catalog/backfill"
	"ballast/timeseries"
)

// drawSeries draws a series on some of the days from 2020 on, including its base.
func drawSeries(t *rapid.T, label string) timeseries.Series {
	day := timeseries.NewDate(2020, time.January, 1) + timeseries.Date(rapid.IntRange(0, 60).Draw(t, label+" begins"))
	s := timeseries.Series{Base: day}
	for range rapid.IntRange(0, 80).Draw(t, label+" returns") {
		day += timeseries.Date(rapid.IntRange(1, 3).Draw(t, label+" gap"))
		s.Dates = append(s.Dates, day)
		s.Returns = append(s.Returns, rapid.Float64Range(-0.4, 0.5).Draw(t, label+" return"))
	}
	return s
}

// plainJoin is Join with a map of days, one proxy after the other.
func plainJoin(own timeseries.Series, proxies []backfill.Proxy) timeseries.Series {
	returns := map[timeseries.Date]float64{}
	base := own.Base
	for i, d := range own.Dates {
		returns[d] = own.Returns[i]
	}
	for _, p := range proxies {
		last := timeseries.NoDate
		for _, d := range p.Series.Dates {
			if d <= base {
				last = d
			}
		}
		if last == timeseries.NoDate || base-last > backfill.Reach {
			continue
		}
		join, ruined := base, false
		for i := len(p.Series.Dates) - 1; i >= 0 && !ruined; i-- {
			d := p.Series.Dates[i]
			if d > join {
				continue
			}
			r := float64(p.Terms.Scale*p.Series.Returns[i]) - p.Terms.Drag
			if r <= -1 {
				ruined = true
				break
			}
			returns[d] = r
			base = p.Series.Base
			if i > 0 {
				base = p.Series.Dates[i-1]
			}
		}
		if _, ok := returns[join]; !ok && base < join {
			returns[join] = 0
		}
		if ruined {
			break
		}
	}
	out := timeseries.Series{Base: base}
	for d := base + 1; len(out.Dates) < len(returns); d++ {
		if r, ok := returns[d]; ok {
			out.Dates, out.Returns = append(out.Dates, d), append(out.Returns, r)
		}
	}
	return out
}

func TestJoinIsThePlainOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		own := drawSeries(t, "own")
		proxies := make([]backfill.Proxy, rapid.IntRange(0, 3).Draw(t, "proxies"))
		for i := range proxies {
			proxies[i] = backfill.Proxy{Series: drawSeries(t, "proxy"), Terms: backfill.Terms{
				Scale: rapid.Float64Range(-3, 3).Draw(t, "scale"), Drag: rapid.Float64Range(-.001, .001).Draw(t, "drag"),
			}}
		}
		got, stretches := backfill.Join(own, proxies)
		want := plainJoin(own, proxies)
		same(t, want, got)
		if err := got.Check(); err != nil {
			t.Fatal(err)
		}
		n := len(got.Dates) - len(own.Dates)
		if !equal(got.Returns[n:], own.Returns) {
			t.Fatal("a return of its own has changed")
		}
		for _, r := range got.Returns[:n] {
			if !(r > -1) || math.IsInf(r, 0) {
				t.Fatalf("return %v", r)
			}
		}
		// Stretches cover the days before the first bar without gaps or overlaps.
		if (len(stretches) > 0) != (n > 0) {
			t.Fatalf("%d stretches of %d days", len(stretches), n)
		}
		from := 0
		for _, s := range stretches {
			if got.Dates[from] != s.Start {
				t.Fatalf("stretch %v begins beside %s", s, got.Dates[from])
			}
			from = timeseries.Through(got.Dates, s.End)
		}
		if from != n && n > 0 {
			t.Fatalf("stretches end at %d of %d days", from, n)
		}
	})
}

// The earlier part of a series, joined before its later part, gives the whole.
func TestRawBeforeACutIsTheWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		whole := drawSeries(t, "whole")
		cut := rapid.IntRange(0, len(whole.Dates)).Draw(t, "cut")
		own := timeseries.Series{Base: whole.Base, Dates: whole.Dates[cut:], Returns: whole.Returns[cut:]}
		if cut > 0 {
			own.Base = whole.Dates[cut-1]
		}
		got, _ := backfill.Join(own, []backfill.Proxy{{Series: whole, Terms: backfill.NewTerms(1, backfill.Costs{Financing: .05}, 252)}})
		same(t, whole, got)
	})
}

// The overlap compounds to the growth of each series between the first and the last
// common day.
func TestCommonLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawSeries(t, "a"), drawSeries(t, "b")
		o := backfill.Common(a, b)
		days := map[timeseries.Date]int{a.Base: 1}
		for _, d := range a.Dates {
			days[d]++
		}
		var both []timeseries.Date
		for _, d := range append([]timeseries.Date{b.Base}, b.Dates...) {
			if days[d] > 0 {
				both = append(both, d)
			}
		}
		if want := max(0, len(both)-1); o.Sessions() != want || len(o.Proxy) != want {
			t.Fatalf("%d and %d returns between %d days", len(o.Own), len(o.Proxy), len(both))
		}
		if len(both) < 2 {
			return
		}
		if o.Start != both[1] || o.End != both[len(both)-1] {
			t.Fatalf("%s to %s of %v", o.Start, o.End, both)
		}
		for _, x := range []struct {
			s    timeseries.Series
			made []float64
		}{{a, o.Own}, {b, o.Proxy}} {
			want, got := 1.0, 1.0
			for i, d := range x.s.Dates {
				if d > both[0] && d <= o.End {
					want *= 1 + x.s.Returns[i]
				}
			}
			for _, r := range x.made {
				got *= 1 + r
			}
			if math.Abs(got/want-1) > 1e-9 {
				t.Fatalf("made %v, not %v", got, want)
			}
		}
	})
}

func same(t *rapid.T, want, got timeseries.Series) {
	t.Helper()
	if want.Base != got.Base || len(want.Dates) != len(got.Dates) {
		t.Fatalf("want %v\ngot  %v", want, got)
	}
	for i := range want.Dates {
		if want.Dates[i] != got.Dates[i] || want.Returns[i] != got.Returns[i] {
			t.Fatalf("%s: want %v, got %s %v", want.Dates[i], want.Returns[i], got.Dates[i], got.Returns[i])
		}
	}
}

func equal(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}
