package history

import (
	"context"
	"math"
	"slices"

	"ballast/backtest"
	"ballast/internal/fault"
	"ballast/internal/number"
	"ballast/metrics"
	"ballast/program"
	"ballast/program/result"
	"ballast/timeseries"
)

// Timing says how much of a result is the luck of its calendar: the same model
// with its schedule moved to each other session of its period.
type Timing struct {
	Schedule    string           `json:"schedule"` // the model's own, in words
	Start       *timeseries.Date `json:"start"`    // first date that all offsets have in the window; null where there is none
	End         *timeseries.Date `json:"end"`
	Offsets     []Offset         `json:"offsets"` // the model's own schedule first, then the others from the first session of the period to the last
	CAGR        Spread           `json:"cagr"`
	MaxDrawdown Spread           `json:"max_drawdown"`
}

// Offset is one place of the schedule in its period.
type Offset struct {
	Schedule    string       `json:"schedule"`
	Own         bool         `json:"own"` // the schedule of the model itself
	CAGR        number.Float `json:"cagr"`
	MaxDrawdown number.Float `json:"max_drawdown"`
	Error       *string      `json:"error"` // why the script gives no result on this schedule
}

// Spread is how a figure lies over the offsets.
type Spread struct {
	Lowest  number.Float `json:"lowest"`
	Median  number.Float `json:"median"`
	Highest number.Float `json:"highest"`
	Spread  number.Float `json:"spread"` // highest less lowest
}

// Shifter makes runs on shifted schedules. Shifts is one.
type Shifter interface {
	// Of gives a complete run on its own and on every other schedule. Work that this
	// takes is the caller's: fault.InsufficientFunds, fault.DailyRunLimit.
	Of(ctx context.Context, callerID string, run *program.Run) ([]Shifted, error)
}

// timing reports on a window as far as all offsets have returns: a script that waits
// for history may begin later on some.
func (s *Service) timing(ctx context.Context, w *window) (*Timing, error) {
	if s.c.Shifts == nil {
		return nil, fault.New(fault.Unavailable, "This process has no sandbox to run the shifted schedules in.")
	}
	run, err := s.c.Runs.Stored(ctx, w.run) // the caller may see less of it
	if err != nil {
		return nil, err
	}
	shifted, err := s.c.Shifts.Of(ctx, w.reader.AccountID, run)
	if err != nil {
		return nil, err
	}
	d := w.daily
	base, end := d.Dates[w.from], d.Dates[w.to-1]
	for _, x := range shifted {
		base = max(base, x.Series.Base) // NoDate is the least
	}
	t := &Timing{Schedule: shifted[0].Schedule.String(), Offsets: []Offset{}}
	if i, j := program.Window(d.Dates, base+1, end); j-i > 1 {
		t.Start, t.End = &d.Dates[i+1], &d.Dates[j-1]
	}
	var growth, depth []float64
	for _, x := range shifted {
		o := Offset{Schedule: x.Schedule.String(), Own: x.Own, CAGR: number.NaN(), MaxDrawdown: number.NaN()}
		if x.Failure != "" {
			o.Error = &x.Failure
		} else {
			o.CAGR, o.MaxDrawdown = judged(x.Series, base, end)
			growth, depth = append(growth, float64(o.CAGR)), append(depth, float64(o.MaxDrawdown))
		}
		t.Offsets = append(t.Offsets, o)
	}
	t.CAGR, t.MaxDrawdown = spreadOf(growth), spreadOf(depth)
	return t, nil
}

// judged is the growth and the deepest drawdown of a series after base, up to end.
func judged(s timeseries.Series, base, end timeseries.Date) (cagr, drawdown number.Float) {
	whole := result.Daily{Dates: append([]timeseries.Date{s.Base}, s.Dates...)}
	from, to := program.Window(whole.Dates, base+1, end)
	equity := metrics.Equity(nil, s.Returns[from:to-1])
	last := equity[len(equity)-1]
	if len(equity) == 1 || math.IsInf(last, 0) || math.IsNaN(last) {
		return number.NaN(), number.NaN()
	}
	for _, spell := range metrics.Drawdowns(equity) {
		drawdown = min(drawdown, number.Float(spell.Depth))
	}
	return number.Float(metrics.CAGR(last, int(whole.Dates[to-1]-whole.Dates[from]))), drawdown
}

// spreadOf describes values; null where there is none, or one is not a number.
func spreadOf(x []float64) Spread {
	if len(x) == 0 || slices.ContainsFunc(x, func(v float64) bool { return v != v }) {
		return Spread{number.NaN(), number.NaN(), number.NaN(), number.NaN()}
	}
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return Spread{
		Lowest: number.Float(x[0]), Median: number.Float((x[(n-1)/2] + x[n/2]) / 2),
		Highest: number.Float(x[n-1]), Spread: number.Float(x[n-1] - x[0]),
	}
}

// Shifted is a run on another schedule.
type Shifted struct {
	Schedule backtest.Schedule
	Own      bool
	Series   timeseries.Series // empty where it failed
	Failure  string

	Done bool
}
