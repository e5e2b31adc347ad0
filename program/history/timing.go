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

// Timing measures how much of a result is due to the luck of its calendar: it compares
// the same model with its schedule moved to every other session of its period.
type Timing struct {
	Schedule    string           `json:"schedule"` // the model's own, in words
	Start       *timeseries.Date `json:"start"`    // first date in the window that all offsets have; null if there is none
	End         *timeseries.Date `json:"end"`
	Offsets     []Offset         `json:"offsets"` // the model's own schedule first, then the others from the first to the last session of the period
	CAGR        Spread           `json:"cagr"`
	MaxDrawdown Spread           `json:"max_drawdown"`
}

// Offset is the model on one position of the schedule in its period.
type Offset struct {
	Schedule    string       `json:"schedule"`
	Own         bool         `json:"own"` // this is the model's own schedule
	CAGR        number.Float `json:"cagr"`
	MaxDrawdown number.Float `json:"max_drawdown"`
	Error       *string      `json:"error"` // why the script has no result on this schedule
}

// Spread is the distribution of a figure over the offsets.
type Spread struct {
	Lowest  number.Float `json:"lowest"`
	Median  number.Float `json:"median"`
	Highest number.Float `json:"highest"`
	Spread  number.Float `json:"spread"` // highest minus lowest
}

// Shifter repeats runs on shifted schedules. *execution.Shifts implements it.
type Shifter interface {
	// Of returns a complete run on its own and on every other schedule. The caller
	// pays for the work: fault.InsufficientFunds, fault.DailyRunLimit.
	Of(ctx context.Context, callerID string, run *program.Run) ([]Shifted, error)
}

// timing reports on the part of a window in which all offsets have returns. A script
// that waits for history may start later on some schedules.
func (s *Service) timing(ctx context.Context, w *window) (*Timing, error) {
	if s.c.Shifts == nil {
		return nil, fault.New(fault.Unavailable, "This process has no sandbox to run the shifted schedules in.")
	}
	run, err := s.c.Runs.Stored(ctx, w.run) // the run may have been reduced to what the caller may see
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
		base = max(base, x.Series.Base) // NoDate is less than every date
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

// judged returns the growth and the deepest drawdown of a series after base, up to
// end.
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

// spreadOf describes values. It is all NaN if there are none, or if one is NaN.
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
	Series   timeseries.Series // empty if it failed
	Failure  string

	Done bool
}
