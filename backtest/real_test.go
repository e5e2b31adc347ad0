package backtest_test

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"ballast/backtest"
	"ballast/internal/testenv"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// readBars reads symbol, date and adj_close from a gzipped CSV as total-return series.
func readBars(t testing.TB, path string) map[string]timeseries.Series {
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
	r := csv.NewReader(unpacked)
	header, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	symbol, date, price := slices.Index(header, "symbol"), slices.Index(header, "date"), slices.Index(header, "adj_close")
	all := make(map[string]timeseries.Series)
	last := make(map[string]float64)
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		d, err := timeseries.ParseDate(row[date])
		if err != nil {
			t.Fatal(err)
		}
		p, err := strconv.ParseFloat(row[price], 64)
		if err != nil {
			t.Fatal(err)
		}
		s, there := all[row[symbol]]
		if !there {
			s.Base = d
		} else {
			s.Dates = append(s.Dates, d)
			s.Returns = append(s.Returns, p/last[row[symbol]]-1)
		}
		all[row[symbol]], last[row[symbol]] = s, p
	}
}

func alignBars(t testing.TB, bars map[string]timeseries.Series, keys ...string) *timeseries.Frame {
	t.Helper()
	var sources []timeseries.Source
	for _, k := range keys {
		sources = append(sources, timeseries.Source{Key: k, Series: bars[k]})
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// fixed always returns the same weights.
func fixed(weights ...float64) backtest.Decider {
	return backtest.DeciderFunc(func(_ *backtest.Session, target []float64) (bool, error) {
		copy(target, weights)
		return true, nil
	})
}

func drawdown(r *backtest.Result) (depth float64, valley timeseries.Date) {
	high := 0.0
	for t, v := range r.Equity {
		high = max(high, v)
		if d := v/high - 1; d < depth {
			depth, valley = d, r.Dates[t]
		}
	}
	return depth, valley
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

func TestSixtyForty(t *testing.T) {
	bars := readBars(t, testenv.Data(t, "bars/etf21_yahoo_2025.csv.gz"))
	f := alignBars(t, bars, "SPY", "AGG")
	run := func(every string, fill backtest.Fill) *backtest.Result {
		r, err := backtest.Run(context.Background(), f, backtest.Spec{
			Schedule: backtest.Schedule{Every: every, Session: -1}, Fill: fill, Start: backtest.StartAllMembers,
			StartDate: timeseries.NoDate, InitialCash: 10000,
		}, fixed(0.6, 0.4), backtest.Everything)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}

	// Reference values, computed outside this project on the same bars.
	r := run("monthly", backtest.FillClose)
	s := r.Summary
	if s.Base.String() != "2003-09-29" || s.EndDate.String() != "2025-09-26" || s.Sessions != 5534 || s.Decisions.Count != 265 {
		t.Errorf("base %s, end %s, %d sessions, %d decisions", s.Base, s.EndDate, s.Sessions, s.Decisions.Count)
	}
	near(t, "total return", s.FinalValue/10000-1, 4.469587148628, 1e-9)
	depth, valley := drawdown(r)
	near(t, "maximum drawdown", depth, -0.357660521680, 1e-9)
	if valley.String() != "2009-03-09" {
		t.Errorf("valley on %s", valley)
	}
	near(t, "last weight of SPY", r.Weights[0][len(r.Dates)-1], 0.60455763, 5e-9)
	if p := s.Decisions.PeriodPosition["M"]; p.Last != -1 {
		t.Errorf("monthly decisions fall on %v of the month", p)
	}

	r = run("quarterly", backtest.FillClose)
	near(t, "quarterly total return", r.Summary.FinalValue/10000-1, 4.573175444022, 1e-9)
	if n := r.Summary.Decisions.Count; n != 89 {
		t.Errorf("%d quarterly decisions", n)
	}
	near(t, "total return at the next close", run("monthly", backtest.FillNextClose).Summary.FinalValue/10000-1, 4.587546740800, 1e-9)
}

func TestPlannedSessionsAreBars(t *testing.T) {
	bars := readBars(t, testenv.Data(t, "bars/etf21_yahoo_2025.csv.gz"))
	spy := bars["SPY"]
	axis := append([]timeseries.Date{spy.Base}, spy.Dates...)
	cal := calendar.XNYS()
	var missing []string
	at := 0
	for d := spy.Base; d <= spy.Last(); d++ {
		bar := axis[at] == d
		if bar {
			at++
		}
		switch planned := calendar.IsSession(cal, d); {
		case planned && !bar:
			missing = append(missing, d.String())
		case bar && !planned:
			t.Errorf("%s has a bar but is not planned", d)
		}
	}
	unannounced := []string{"2001-09-11", "2001-09-12", "2001-09-13", "2001-09-14", "2012-10-29", "2012-10-30"}
	if !slices.Equal(missing, unannounced) {
		t.Errorf("planned sessions without a bar: %v, want %v", missing, unannounced)
	}
}
