package execution

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/program/result"
	"ballast/script"
	"ballast/script/sandbox"
)

// The pace of a sweep.
const (
	mostSweepTime = 30 * time.Minute       // of processors, for all sweeps of one run
	sweepSlice    = 300 * time.Millisecond // for which a child gets points at a time, so that accounts take turns
	mostAtOnce    = 256                    // points that a child gets at a time
	surveyed      = 20                     // points after which the time of all is estimated
	mostChildren  = 4                      // of one sweep
)

// sweep computes the points of a sweep that an analysis has asked for: runs of a member
// model as the analysis has pinned it, on the bars and the members' runs that the pinned
// run has read, with other inputs. spent is the processor time of the run's earlier
// sweeps.
func (e *Executor) sweep(ctx context.Context, run *program.Run, c *computation, wanted *script.Sweep, progress *progressWriter, parts *result.Parts, spent time.Duration) (*swept, error) {
	i := slices.IndexFunc(c.members.pinned, func(m program.Member) bool { return m.Key == wanted.Model })
	if i < 0 || c.members.pinned[i].Kind != program.MemberModel {
		return nil, program.DataError("%s is not a model, so it has no inputs to vary. Name one of your models.", wanted.Model)
	}
	pinned, err := e.programs.Run(ctx, c.members.pinned[i].RunID)
	if err != nil {
		return nil, fmt.Errorf("read the run of member %s: %w", wanted.Model, err)
	}
	build, err := e.programs.Build(ctx, pinned.BuildID)
	if err != nil {
		return nil, err
	}
	checked, err := program.CheckedScript(e.kinds, build)
	if err != nil {
		return nil, err
	}
	inputs, err := pointInputs(checked, pinned, wanted)
	if err != nil {
		return nil, err
	}
	job, err := e.repeatedJob(ctx, pinned)
	if err != nil {
		return nil, err
	}
	if sessions := len(job.Frame.Axis); len(wanted.Points)*sessions > script.MaxSweptReturns {
		return nil, program.DataError("%d points over %d sessions are %d daily returns; a sweep has up to %d. Sweep up to %d points of this model, or a sample of them.",
			len(wanted.Points), sessions, len(wanted.Points)*sessions, script.MaxSweptReturns, script.MaxSweptReturns/sessions)
	}
	job.Account, job.Slice = run.AccountID, sweepSlice
	work, err := workOf(&job, wanted)
	if err != nil {
		return nil, err
	}
	s := &sweeping{
		executor: e, job: job, wanted: wanted, progress: progress, spent: spent, earlier: spent,
		results: make([]sandbox.Point, len(wanted.Points)), saving: saving{parts: parts, work: work, last: time.Now()},
	}
	if err := s.restore(ctx); err != nil {
		return nil, err
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	return s.swept(pinned, checked, inputs), nil
}

// withSweeps computes what an analysis lacks, and carries it out again, until it lacks
// nothing. The outcome has the processor time of all.
func (e *Executor) withSweeps(ctx context.Context, run *program.Run, c *computation, job sandbox.Job, outcome *sandbox.Outcome, progress *progressWriter, parts *result.Parts) (*sandbox.Outcome, error) {
	var sweeps time.Duration
	scripts := outcome.CPU
	for outcome.Wants != nil {
		if len(job.Swept) == script.MaxSweeps {
			return nil, fmt.Errorf("run %s asks for more than %d sweeps", run.ID, script.MaxSweeps)
		}
		s, err := e.sweep(ctx, run, c, outcome.Wants, progress, parts, sweeps)
		if err != nil {
			return nil, err
		}
		sweeps += s.cpu
		job.Swept = append(job.Swept, s.Swept)
		c.trials = append(c.trials, s.trials...)
		progress.set("compute", 0, len(c.frame.Axis))
		if outcome, err = e.sandbox.Run(ctx, job); err != nil {
			var failed *script.RunError
			if errors.As(err, &failed) {
				failed.CPU += scripts + sweeps
			}
			return nil, err
		}
		scripts += outcome.CPU
	}
	c.swept = job.Swept
	outcome.CPU = scripts + sweeps
	return outcome, nil
}

// pointInputs binds the inputs of each point. A problem names the first point that has it.
func pointInputs(checked *script.Script, pinned *program.Run, wanted *script.Sweep) ([]script.Inputs, error) {
	base, err := program.BoundInputs(checked, pinned)
	if err != nil {
		return nil, err
	}
	inputs := make([]script.Inputs, len(wanted.Points))
	for i := range wanted.Points {
		values := base.Map()
		maps.Copy(values, wanted.Values(i))
		var details []fault.Detail
		if inputs[i], details = checked.Bind(values); len(details) > 0 {
			return nil, program.DataError("Point %d of the sweep does not fit the inputs of %s: %s.", i+1, wanted.Model, described(details[0]))
		}
		if !slices.Equal(inputs[i].Universe(), base.Universe()) || !reflect.DeepEqual(checked.Series(inputs[i]), checked.Series(base)) {
			return nil, program.DataError("Point %d of the sweep reads other members or series than %s does. Vary inputs that name neither.", i+1, wanted.Model)
		}
	}
	return inputs, nil
}

// described writes a detail as part of a sentence.
func described(d fault.Detail) string {
	text := d.Field + " " + d.Message
	if len(d.Accepted) > 0 {
		text += "; accepted: " + strings.Join(d.Accepted, ", ")
	}
	if d.Suggestion != "" {
		text += "; did you mean " + d.Suggestion + "?"
	}
	return text
}

// span is the points from from up to, but not including, to.
type span struct{ from, to int }

// sweeping computes points in several children at a time. How they are divided changes
// no result, because each point is a run of its own.
type sweeping struct {
	executor *Executor
	job      sandbox.Job
	wanted   *script.Sweep
	progress *progressWriter

	mu      sync.Mutex
	pending []span
	results []sandbox.Point
	saving  saving
	done    int
	spent   time.Duration // processor time of the run's sweeps so far
	earlier time.Duration // of those before this one
}

func (s *sweeping) run(ctx context.Context) error {
	s.progress.set("points", s.done, len(s.results))
	g, ctx := errgroup.WithContext(ctx)
	for range min(runtime.GOMAXPROCS(0), mostChildren, len(s.results)) {
		g.Go(func() error {
			for {
				next, ok := s.take()
				if !ok {
					return nil
				}
				if err := s.compute(ctx, next); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

// take returns points that nobody computes.
func (s *sweeping) take() (span, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.pending) == 0 {
		return span{}, false
	}
	next := s.pending[0]
	if n := s.share(); next.to-next.from > n {
		s.pending[0].from += n
		next.to = next.from + n
	} else {
		s.pending = s.pending[1:]
	}
	return next, true
}

// share is how many points a child gets: about as many as it can compute in a slice.
func (s *sweeping) share() int {
	if s.done == 0 {
		return 4
	}
	each := (s.spent - s.earlier) / time.Duration(s.done)
	return min(max(1, int(sweepSlice/max(each, 1))), mostAtOnce)
}

// compute carries out points, as many as fit into one slice, and puts the others back.
func (s *sweeping) compute(ctx context.Context, points span) error {
	job := s.job
	for i := points.from; i < points.to; i++ {
		job.Points = append(job.Points, s.wanted.Values(i))
	}
	outcome, err := s.executor.sandbox.Run(ctx, job)
	if errors.Is(err, sandbox.ErrDisplaced) {
		job.Long = true
		outcome, err = s.executor.sandbox.Run(ctx, job)
	}
	var failed *script.RunError
	switch {
	case err == nil:
		return s.record(ctx, points, outcome.Points, outcome.CPU)
	case !errors.As(err, &failed) || failed.Type == script.InternalError:
		return err
	case points.to-points.from == 1:
		return s.record(ctx, points, []sandbox.Point{{Failure: failed}}, failed.CPU)
	}
	// The child was stopped. Alone, each point has the limits for itself.
	s.mu.Lock()
	s.spent, s.saving.spent = s.spent+failed.CPU, s.saving.spent+failed.CPU
	s.mu.Unlock()
	for i := points.from; i < points.to; i++ {
		if err := s.compute(ctx, span{i, i + 1}); err != nil {
			return err
		}
	}
	return nil
}

// record keeps the results of the first points of a span and puts the others back.
func (s *sweeping) record(ctx context.Context, points span, results []sandbox.Point, cpu time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	copy(s.results[points.from:points.to], results)
	for i := range results {
		s.saving.due = append(s.saving.due, points.from+i)
	}
	s.done += len(results)
	s.spent, s.saving.spent = s.spent+cpu, s.saving.spent+cpu
	if rest := (span{points.from + len(results), points.to}); rest.from < rest.to {
		s.pending = append(s.pending, rest)
	}
	s.progress.set("points", s.done, len(s.results))
	if err := s.affordable(); err != nil {
		return err
	}
	return s.save(ctx)
}

// affordable stops a sweep that takes too long, as soon as that can be told.
func (s *sweeping) affordable() error {
	left := len(s.results) - s.done
	if left == 0 || s.spent <= mostSweepTime && s.done < surveyed {
		return nil
	}
	whole := s.spent
	if s.done > 0 {
		whole += (s.spent - s.earlier) / time.Duration(s.done) * time.Duration(left)
	}
	if whole <= mostSweepTime {
		return nil
	}
	return &script.RunError{
		Type: script.TimeLimit, CPU: s.spent - s.earlier,
		Message: fmt.Sprintf("the %d points would take about %s of a processor, and the sweeps of one run may take %s: sweep fewer points, or a sample of them", len(s.results), whole.Round(time.Minute), mostSweepTime),
	}
}

// swept is a computed sweep.
type swept struct {
	script.Swept
	trials []program.Trial // of the model
	cpu    time.Duration
}

// swept puts the results together.
func (s *sweeping) swept(pinned *program.Run, checked *script.Script, inputs []script.Inputs) *swept {
	axis := s.job.Frame.Axis
	out := &swept{cpu: s.spent - s.earlier}
	out.Sweep, out.BarsPerYear = *s.wanted, s.job.Frame.BarsPerYear
	for i, p := range s.results {
		if p.Failure != nil {
			out.Points = append(out.Points, script.SweptPoint{Error: p.Failure.Error()})
			continue
		}
		out.Points = append(out.Points, script.SweptPoint{Base: axis[p.First], Dates: axis[p.First+1:], Returns: p.Returns, Figures: p.Figures})
		out.trials = append(out.trials, program.Trial{
			ProgramID: pinned.ProgramID, Strategy: checked.Strategy(), ScriptHash: checked.Hash, Inputs: inputs[i].JSON(), Sharpe: p.Figures.Sharpe,
		})
	}
	return out
}
