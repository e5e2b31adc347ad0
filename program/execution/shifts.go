package execution

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/errgroup"

	"ballast/internal/fair"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/program"
	"ballast/program/history"
	"ballast/program/result"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// shiftedRuns is what is kept of a report in the cache of tables. For a result of
// twenty years it takes 1 MB for a monthly schedule, and 11 MB for a yearly one. If a
// report cannot be made, the reason is kept.
type shiftedRuns struct {
	runs    []history.Shifted
	refused *fault.Error
}

func (s shiftedRuns) Size() (bytes int64) {
	bytes = 500
	for i := range s.runs {
		x := &s.runs[i].Series
		bytes += 120 + 8*int64(cap(x.Returns))
		if i == 0 || !shared(x.Dates, s.runs[0].Series.Dates) {
			bytes += 4 * int64(cap(x.Dates))
		}
	}
	return bytes
}

// shared reports whether two lists of dates share memory.
func shared(x, y []timeseries.Date) bool {
	return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
}

// Shifts repeats runs on shifted schedules. Nothing of them is stored except their
// cost.
type Shifts struct {
	c       ShiftsConfig
	flights flights[[]history.Shifted]
	turns   *fair.Shares                    // turns of reports whose bars are in memory
	begun   *lru.Cache[string, shiftedRuns] // reports that ended before they were complete, by run id
}

// ShiftsConfig holds what NewShifts needs.
type ShiftsConfig struct {
	Executor      *Executor
	Reports       program.Reports
	Parallel      int           // sandboxes that one report uses at the same time
	Deadline      time.Duration // time limit of each run, and limit of the processor time of a whole report
	DailyRunLimit int           // the service's limit of manual runs per account and day
	Logger        *slog.Logger
}

const (
	// One account may make two reports at a time. Accounts that are making none may
	// each make one beside them, up to 16 in all.
	reportsOfOne, mostReports = 2, 16
	// begunReports is how many incomplete reports are remembered for the next
	// request.
	begunReports = 16
)

// NewShifts creates a Shifts.
func NewShifts(c ShiftsConfig) (*Shifts, error) {
	c.Parallel = max(1, c.Parallel)
	begun, err := lru.New[string, shiftedRuns](begunReports)
	if err != nil {
		return nil, fmt.Errorf("make the cache of reports: %w", err)
	}
	return &Shifts{c: c, turns: fair.New(fair.Size{Places: reportsOfOne, Most: mostReports}), begun: begun}, nil
}

// Of returns a complete run on its own and on every other schedule. If the report, or
// the reason why it cannot be made, is cached, it costs nothing. Otherwise the
// caller's account pays for the work, which ends when all of its callers have left.
func (s *Shifts) Of(ctx context.Context, callerID string, run *program.Run) ([]history.Shifted, error) {
	return s.flights.do(ctx, callerID+" "+run.ID, func(ctx context.Context) ([]history.Shifted, error) {
		known, err := result.Remembered(s.c.Executor.results, run, result.PartTiming, func() (shiftedRuns, error) {
			return s.report(ctx, callerID, run)
		})
		if err == nil && known.refused != nil {
			err = known.refused
		}
		return known.runs, err
	})
}

// report makes the shifted runs. If they cannot be made, it returns the reason as
// part of the report.
func (s *Shifts) report(ctx context.Context, callerID string, run *program.Run) (shiftedRuns, error) {
	b := &spending{}
	shifted, jobs, err := s.plan(ctx, run)
	if err == nil && len(jobs) > 0 {
		err = s.paid(ctx, callerID, run, len(jobs), b, func(ctx context.Context) error {
			return s.make(ctx, callerID, run, shifted, jobs, b)
		})
	}
	var refused *fault.Error
	switch {
	case errors.As(err, &refused) && refused.Type == fault.InvalidParameter:
		return shiftedRuns{refused: refused}, nil
	case err != nil:
		if len(shifted) > 0 {
			s.begun.Add(run.ID, shiftedRuns{runs: shifted})
		}
		return shiftedRuns{}, err
	}
	s.begun.Remove(run.ID)
	return shiftedRuns{runs: shifted}, nil
}

// plan lists the schedules, the run's own first, with what is known from an
// incomplete report, and the remaining jobs by their position in the list.
func (s *Shifts) plan(ctx context.Context, run *program.Run) ([]history.Shifted, map[int]sandbox.Job, error) {
	e := s.c.Executor
	build, err := e.programs.Build(ctx, run.BuildID)
	if err != nil {
		return nil, nil, err
	}
	p, err := program.CheckedScript(e.kinds, build)
	if err != nil {
		return nil, nil, err
	}
	inputs, err := program.BoundInputs(p, run)
	if err != nil {
		return nil, nil, err
	}
	own, _, err := e.results.Series(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	definitions, err := e.usedRules(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	shifted := []history.Shifted{{Schedule: p.Schedule, Own: true, Series: own, Done: true}}
	if known, ok := s.begun.Get(run.ID); ok {
		shifted = slices.Clone(known.runs)
	} else {
		for _, schedule := range offsets(p.Schedule, run.Summary.Alignment.BarsPerYear) {
			shifted = append(shifted, history.Shifted{Schedule: schedule})
		}
	}
	jobs := map[int]sandbox.Job{}
	for i, x := range shifted {
		if x.Done {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		source, err := reschedule(p, x.Schedule)
		if err != nil {
			return nil, nil, err
		}
		jobs[i] = sandbox.Job{Source: source, Inputs: inputs.Map(), Optimizers: definitions}
	}
	return shifted, jobs, nil
}

// paid meters work: it takes a hold before, and charges what was used afterwards,
// unless the service failed.
func (s *Shifts) paid(ctx context.Context, callerID string, run *program.Run, jobs int, b *spending, work func(context.Context) error) error {
	e := s.c.Executor
	r := &program.Report{ID: id.New(id.Report), AccountID: callerID, Run: run, Seconds: jobs}
	if run.Usage != nil {
		r.Seconds = jobs * max(1, run.Usage.Seconds)
	}
	r.Seconds = min(r.Seconds, max(1, int(s.c.Deadline.Seconds())/2)) // a hold covers twice as many seconds
	if err := s.c.Reports.BeginReport(ctx, r, s.c.DailyRunLimit); err != nil {
		return err
	}
	err := work(ctx)
	var usage program.Usage
	if spent := b.sum(); spent > 0 && (err == nil || ctx.Err() != nil || fault.TypeOf(err) == fault.InvalidParameter) {
		usage = program.Metered(e.prices, spent, 0)
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), program.EndPatience)
	defer cancel()
	if failed := s.c.Reports.EndReport(ending, r.ID, usage); failed != nil {
		s.c.Logger.ErrorContext(ctx, "timing report not charged", "report_id", r.ID, "account_id", callerID, "error", failed)
	}
	return err
}

// make runs the jobs over the run's own bars when it is the account's turn.
func (s *Shifts) make(ctx context.Context, callerID string, run *program.Run, shifted []history.Shifted, jobs map[int]sandbox.Job, b *spending) error {
	turn, err := s.turns.Take(ctx, fair.Claim{Account: callerID})
	if err != nil {
		return err
	}
	defer turn.Give()
	frame, err := s.c.Executor.pinnedFrame(ctx, run, script.Model)
	if err != nil {
		return err
	}
	g, working := errgroup.WithContext(ctx)
	g.SetLimit(s.c.Parallel)
	for i := range shifted {
		job, ok := jobs[i]
		if !ok {
			continue
		}
		job.Account, job.Frame, job.Limits = callerID, frame, s.c.Executor.limits
		g.Go(func() error { return s.shift(working, job, &shifted[i], b) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	own := shifted[0].Series
	for i := range shifted[1:] { // most start on the same day and can share the dates
		if x := &shifted[i+1].Series; slices.Equal(x.Dates, own.Dates) {
			x.Dates = own.Dates
		}
	}
	return nil
}

// shift makes one run. A script that fails on a schedule is part of the report; one
// that exceeds the time limit ends the report.
func (s *Shifts) shift(ctx context.Context, job sandbox.Job, x *history.Shifted, b *spending) error {
	if b.sum() >= s.c.Deadline {
		return s.tooLong()
	}
	outcome, err := s.c.Executor.sandbox.Run(ctx, job)
	if errors.Is(err, sandbox.ErrDisplaced) {
		job.Long = true
		outcome, err = s.c.Executor.sandbox.Run(ctx, job)
	}
	var failed *script.RunError
	var stopped *sandbox.Stopped
	switch {
	case errors.As(err, &failed):
		b.add(failed.CPU)
		if failed.Type == script.TimeLimit {
			return s.tooLong()
		}
		if failed.Type == script.InternalError {
			return err
		}
		x.Failure, x.Series.Base, x.Done = failed.Message, timeseries.NoDate, true
		return nil
	case errors.As(err, &stopped):
		b.add(stopped.CPU)
		return err
	case err != nil:
		return err
	}
	b.add(outcome.CPU)
	defer outcome.Release()
	dates, returns, err := result.DateAndFloats(outcome.Daily(), 0, 1)
	if err != nil {
		return err
	}
	x.Series, x.Done = timeseries.Series{Base: dates[0], Dates: dates[1:], Returns: returns[1:]}, true
	return nil
}

// tooLong is the reason why a report cannot be made, which is cached.
func (s *Shifts) tooLong() error {
	return fault.New(fault.InvalidParameter, "The shifted runs together take longer than %s, so there is no timing report for this run. Leave timing out, or use a model that runs faster.", s.c.Deadline).
		With(fault.Detail{Field: "include", Message: "timing is not available for this run"})
}

// spending adds up the processor time of a report.
type spending struct{ spent atomic.Int64 }

func (b *spending) add(d time.Duration) { b.spent.Add(int64(d)) }
func (b *spending) sum() time.Duration  { return time.Duration(b.spent.Load()) }
