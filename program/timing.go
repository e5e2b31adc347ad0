package program

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"ballast/backtest"
	"ballast/internal/fault"
	"ballast/internal/number"
	"ballast/metrics"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// Timing says how much of a result is the luck of its calendar: the same model
// with its schedule moved to each other session of its period.
type Timing struct {
	Schedule    string           `json:"schedule" doc:"The model's own, in words"`
	Start       *timeseries.Date `json:"start" doc:"First date that all offsets have in the window; null where there is none"`
	End         *timeseries.Date `json:"end"`
	Offsets     []Offset         `json:"offsets" doc:"The model's own schedule first, then the others from the first session of the period to the last"`
	CAGR        Spread           `json:"cagr"`
	MaxDrawdown Spread           `json:"max_drawdown"`
}

// Offset is one place of the schedule in its period.
type Offset struct {
	Schedule    string       `json:"schedule"`
	Own         bool         `json:"own" doc:"The schedule of the model itself"`
	CAGR        number.Float `json:"cagr"`
	MaxDrawdown number.Float `json:"max_drawdown"`
	Error       *string      `json:"error" doc:"Why the script gives no result on this schedule"`
}

// Spread is how a figure lies over the offsets.
type Spread struct {
	Lowest  number.Float `json:"lowest"`
	Median  number.Float `json:"median"`
	Highest number.Float `json:"highest"`
	Spread  number.Float `json:"spread" doc:"Highest less lowest"`
}

// Shifted is a run on another schedule.
type Shifted struct {
	Schedule backtest.Schedule
	Own      bool
	Series   timeseries.Series // empty where it failed
	Failure  string
}

// shiftedRuns is what is kept of a report, with the tables of results: one of
// twenty years takes 1 MB of a monthly schedule, and 11 of a yearly one.
type shiftedRuns []Shifted

func (s shiftedRuns) size() (bytes int64) {
	for i := range s {
		bytes += 120 + 8*int64(cap(s[i].Series.Returns))
		if i == 0 || !shared(s[i].Series.Dates, s[0].Series.Dates) {
			bytes += 4 * int64(cap(s[i].Series.Dates))
		}
	}
	return bytes
}

// shared reports whether two lists of dates are one in memory.
func shared(x, y []timeseries.Date) bool {
	return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
}

// Shifts makes runs again on shifted schedules. Nothing of them is stored.
type Shifts struct {
	executor *Executor
	parallel int
	deadline time.Duration
	one      chan struct{} // a report at a time: runs go before
	group    singleflight.Group
}

// NewShifts makes Shifts that use so many sandboxes at a time, for as long as a
// run may take.
func NewShifts(e *Executor, parallel int, deadline time.Duration) *Shifts {
	return &Shifts{executor: e, parallel: max(1, parallel), deadline: deadline, one: make(chan struct{}, 1)}
}

// Of gives a complete run on its own and on every other schedule, from memory
// where they were made before. Callers who ask at the same time get the same
// answer; it is finished although one of them goes away.
func (s *Shifts) Of(ctx context.Context, run *Run) ([]Shifted, error) {
	answer := s.group.DoChan(run.ID, func() (any, error) {
		return remembered(s.executor.results, run, partTiming, func() (shiftedRuns, error) {
			return s.report(context.WithoutCancel(ctx), run)
		})
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case a := <-answer:
		if a.Err != nil {
			return nil, a.Err
		}
		return a.Val.(shiftedRuns), nil
	}
}

// report makes the shifted runs when those of no other run are being made.
func (s *Shifts) report(ctx context.Context, run *Run) (shiftedRuns, error) {
	ctx, cancel := context.WithTimeout(ctx, s.deadline)
	defer cancel()
	select {
	case s.one <- struct{}{}:
		defer func() { <-s.one }()
	case <-ctx.Done():
		return nil, errBusy
	}
	shifted, err := s.make(ctx, run)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, fault.New(fault.Unavailable, "The shifted runs took longer than %s. Ask for a model that runs faster.", s.deadline).Wrap(err)
	}
	return shifted, err
}

var errBusy = fault.New(fault.Unavailable, "Other reports are being made. Ask again in a moment.")

func (s *Shifts) make(ctx context.Context, run *Run) (shiftedRuns, error) {
	e := s.executor
	build, err := e.store.Build(ctx, run.BuildID)
	if err != nil {
		return nil, err
	}
	p, err := checkedScript(build)
	if err != nil {
		return nil, err
	}
	inputs, err := bound(p, run)
	if err != nil {
		return nil, err
	}
	own, _, err := e.results.Series(ctx, run)
	if err != nil {
		return nil, err
	}
	shifted := shiftedRuns{{Schedule: p.Schedule, Own: true, Series: own}}
	for _, schedule := range offsets(p.Schedule, run.Summary.Alignment.BarsPerYear) {
		shifted = append(shifted, Shifted{Schedule: schedule})
	}
	if len(shifted) == 1 {
		return shifted, nil
	}
	sources, err := e.pinned(ctx, run)
	if err != nil {
		return nil, err
	}
	frame, err := timeseries.Align(sources)
	if err != nil {
		return nil, fmt.Errorf("align the members of run %s: %w", run.ID, err)
	}
	job := sandbox.Job{Account: run.AccountID, Inputs: inputs.Map(), Frame: frame, Limits: e.limits}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(s.parallel)
	for i := range shifted[1:] {
		x := &shifted[i+1]
		moved := job
		if moved.Source, err = reschedule(p, x.Schedule); err != nil {
			return nil, errors.Join(err, g.Wait())
		}
		g.Go(func() error { return s.shift(ctx, moved, x) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i := range shifted[1:] { // most begin on the same day
		if x := &shifted[i+1].Series; slices.Equal(x.Dates, own.Dates) {
			x.Dates = own.Dates
		}
	}
	return shifted, nil
}

// shift makes one run; a script that fails on a schedule is a part of the report.
func (s *Shifts) shift(ctx context.Context, job sandbox.Job, x *Shifted) error {
	outcome, err := s.executor.sandbox.Run(ctx, job)
	var failed *script.RunError
	if errors.As(err, &failed) {
		x.Failure, x.Series.Base = failed.Message, timeseries.NoDate
		return nil
	}
	if err != nil {
		return err
	}
	defer outcome.Daily.Release()
	defer outcome.Ledger.Release()
	dates, returns, err := dateAndFloats(outcome.Daily, 0, 1)
	if err != nil {
		return err
	}
	x.Series = timeseries.Series{Base: dates[0], Dates: dates[1:], Returns: returns[1:]}
	return nil
}

// Shifter makes runs on shifted schedules. Shifts is one.
type Shifter interface {
	Of(ctx context.Context, run *Run) ([]Shifted, error)
}

// timing reports on the rows from to to of a run, as far as all offsets have
// returns: a script that waits for history may begin later on some.
func (s *Service) timing(ctx context.Context, run *Run, d *daily, from, to int) (*Timing, error) {
	if s.shifts == nil {
		return nil, fault.New(fault.Unavailable, "This process has no sandbox to run the shifted schedules in.")
	}
	shifted, err := s.shifts.Of(ctx, run)
	if err != nil {
		return nil, err
	}
	base, end := d.dates[from], d.dates[to-1]
	for _, x := range shifted {
		base = max(base, x.Series.Base) // NoDate is the least
	}
	t := &Timing{Schedule: shifted[0].Schedule.String(), Offsets: []Offset{}}
	if i, j := d.window(base+1, end); j-i > 1 {
		t.Start, t.End = &d.dates[i+1], &d.dates[j-1]
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
	t.CAGR, t.MaxDrawdown = spread(growth), spread(depth)
	return t, nil
}

// judged is the growth and the deepest drawdown of a series after base, up to end.
func judged(s timeseries.Series, base, end timeseries.Date) (cagr, drawdown number.Float) {
	whole := daily{dates: append([]timeseries.Date{s.Base}, s.Dates...)}
	from, to := whole.window(base+1, end)
	equity := metrics.Equity(nil, s.Returns[from:to-1])
	last := equity[len(equity)-1]
	if len(equity) == 1 || math.IsInf(last, 0) || math.IsNaN(last) {
		return number.NaN(), number.NaN()
	}
	for _, spell := range metrics.Drawdowns(equity) {
		drawdown = min(drawdown, number.Float(spell.Depth))
	}
	return number.Float(metrics.CAGR(last, int(whole.dates[to-1]-whole.dates[from]))), drawdown
}

// spread describes values; null where there is none, or one is not a number.
func spread(x []float64) Spread {
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
