package optimizers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/internal/fault"
	"ballast/optimize/optimizer"
	"ballast/script"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// Scripts runs scripts. *sandbox.Pool implements it.
type Scripts interface {
	// Run executes a job; *script.RunError if the script fails. The caller must release
	// the outcome.
	Run(ctx context.Context, job sandbox.Job) (*sandbox.Outcome, error)
}

// defaultLookback is how many bars a script gets in Solve, and solveDeadline how long it
// may take.
const (
	defaultLookback = 252
	solveDeadline   = 10 * time.Second
)

// call lets the script of an optimizer choose the weights, and checks them against the
// optimizer's limits.
func (s *Service) call(ctx context.Context, accountID string, o *Optimizer, f *timeseries.Frame, of *Solved, in optimizer.Input) (*optimizer.Answer, error) {
	if s.scripts == nil {
		return nil, fault.New(fault.NotReady, "This process runs no scripts, so the script of the optimizer %s has no weights here.", o.Name)
	}
	p, problems := script.Kinds{script.Optimizer}.Check(o.Definition.Script, nil)
	if len(problems) > 0 {
		return nil, fmt.Errorf("the stored script of the optimizer %s breaks the contract: %s", o.ID, problems[0].Message)
	}
	inputs, details := p.Bind(o.Definition.Inputs)
	if len(details) > 0 {
		return nil, fmt.Errorf("the stored inputs of the optimizer %s do not fit its script: %s %s", o.ID, details[0].Field, details[0].Message)
	}
	outcome, err := s.scripts.Run(ctx, sandbox.Job{
		Account: accountID, Kind: script.Optimizer.Name, Source: p.Source, Inputs: inputs.Map(),
		Frame: panelOf(f, of), Current: in.Current, Limits: sandbox.Limits{Deadline: solveDeadline},
	})
	var failed *script.RunError
	switch {
	case errors.As(err, &failed) && failed.Type == script.InternalError:
		return nil, err
	case errors.As(err, &failed):
		place := ""
		if failed.Line > 0 {
			place = fmt.Sprintf(" on line %d", failed.Line)
		}
		return nil, refuse("universe", "The script of the optimizer %s failed%s: %s.", o.Name, place, failed.Message)
	case err != nil:
		return nil, err
	}
	defer outcome.Release()
	a := &optimizer.Answer{}
	table := outcome.Table(sandbox.WeightsTable)
	if table == nil || int(table.NumRows()) != len(in.Symbols) {
		return nil, fmt.Errorf("the result of the optimizer %s has no weights", o.ID)
	}
	a.Weights = slices.Clone(table.Column(1).(*array.Float64).Float64Values())
	if a.Residual, a.Active, err = o.Definition.Judge(in, a.Weights); err != nil {
		return nil, err
	}
	return a, nil
}

// panelOf returns the part of a frame that an answer rests on, with the session before
// its first return.
func panelOf(f *timeseries.Frame, of *Solved) *timeseries.Frame {
	end, _ := slices.BinarySearch(f.Axis, of.Last)
	end++
	first := end - of.Bars - 1
	part := &timeseries.Frame{Axis: f.Axis[first:end], BarsPerYear: f.BarsPerYear, Calendar: f.Calendar}
	for i := range f.Members {
		m := &f.Members[i]
		bars := make([]byte, (end-first+7)/8)
		for t := first; t < end; t++ {
			if m.HasBar(t) {
				bars[(t-first)>>3] |= 1 << ((t - first) & 7)
			}
		}
		returns := slices.Clone(m.Returns[first:end])
		returns[0] = 0 // the part begins there
		part.Members = append(part.Members, timeseries.Member{Key: m.Key, Returns: returns, Bars: bars, First: 0, Last: max(min(m.Last, end-1)-first, 0), SevenDay: m.SevenDay})
	}
	return part
}
