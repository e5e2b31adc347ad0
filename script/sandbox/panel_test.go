package sandbox

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"ballast/backtest"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

func monthly() backtest.Spec {
	return backtest.Spec{
		Schedule: backtest.Schedule{Every: "monthly", Session: -1}, Fill: backtest.FillClose,
		Start: backtest.StartAllMembers, StartDate: timeseries.NoDate, InitialCash: 10000,
	}
}

// panel returns a frame of random returns without gaps.
func panel(tb testing.TB, members, sessions int) *timeseries.Frame {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	cal := calendar.XNYS()
	first := cal.Count(timeseries.NewDate(2000, time.January, 1))
	sources := make([]timeseries.Source, members)
	for i := range sources {
		s := timeseries.Series{Base: cal.Session(first)}
		for t := 1; t < sessions; t++ {
			s.Dates = append(s.Dates, cal.Session(first+t))
			s.Returns = append(s.Returns, 0.0003+0.01*rng.NormFloat64())
		}
		sources[i] = timeseries.Source{Key: fmt.Sprintf("A%03d", i), Series: s}
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func equalWeight(s *backtest.Session, target []float64) (bool, error) {
	for i := range target {
		target[i] = 1 / float64(len(target))
	}
	s.Record("breadth", float64(s.T))
	return true, nil
}
