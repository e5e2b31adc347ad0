package simulation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ballast/script"
	"ballast/script/sandbox"
	"ballast/simulate"
	"ballast/timeseries"
)

// Family executes simulations in the sandbox.
var Family = sandbox.Family{Kind: Kind, Execute: Execute}

// missing stands for a number that does not exist.
var missing = math.NaN()

// Execute runs a simulation, or one path of it. A *script.RunError is an error of the
// script or of its data.
func Execute(ctx context.Context, c sandbox.Call) (*script.Answer, error) {
	months, err := simulate.MonthsOf(c.Frame)
	if err != nil {
		return nil, failed(err)
	}
	if months, err = inflated(c, months); err != nil {
		return nil, failed(err)
	}
	if months, err = months.Since(int(c.Inputs.Number(sinceInput))); err != nil {
		return nil, failed(err)
	}
	plan := planOf(c.Caller.Script(), c.Inputs, months)
	if c.Path != nil {
		return onePath(ctx, c, plan)
	}
	var records *records
	var problem error
	r, err := simulate.Run(ctx, plan, func(paths int) simulate.Decider {
		var d simulate.Decider
		d, records, problem = decider(c, plan, 0, paths)
		return d
	}, c.Progress)
	if problem != nil {
		return nil, problem
	}
	if err != nil {
		return nil, failed(err)
	}
	answer := answerOf(plan, r)
	if records != nil {
		if t, ok := records.table(plan.StepMonths); ok {
			answer.Tables = append(answer.Tables, t)
		}
	}
	return answer, nil
}

// inflated adds the inflation of the series that the inputs name, if they name one.
func inflated(c sandbox.Call, months *simulate.Months) (*simulate.Months, error) {
	name := c.Inputs.Text(inflationInput)
	if name == "" {
		return months, nil
	}
	i := slices.IndexFunc(c.Frame.Outside, func(o timeseries.Outside) bool { return strings.EqualFold(o.Key, name) })
	if i < 0 {
		return nil, fmt.Errorf("the frame has no column %s", name)
	}
	o := c.Frame.Outside[i]
	return months.WithInflation(o.Key, o.Dates, o.Values)
}

// onePath runs one path.
func onePath(ctx context.Context, c sandbox.Call, plan *simulate.Plan) (*script.Answer, error) {
	var problem error
	path, err := simulate.Path(ctx, plan, func(paths int) simulate.Decider {
		var d simulate.Decider
		d, _, problem = decider(c, plan, *c.Path, paths)
		return d
	}, *c.Path)
	if problem != nil {
		return nil, problem
	}
	if err != nil {
		return nil, failed(err)
	}
	return pathAnswer(plan, path), nil
}

// decider decides by the script's terms, or by calling it. records is nil for terms.
// After an error the decider fails in each call.
func decider(c sandbox.Call, plan *simulate.Plan, first, paths int) (simulate.Decider, *records, error) {
	if t := trace(c.Caller, c.Inputs, paths); t != nil {
		return t, nil, nil
	}
	s, err := newScripted(c.Caller, plan, c.Inputs, first, paths)
	if err != nil {
		return broken{err}, nil, err
	}
	return s, s.records, nil
}

// broken is a decider that could not be made.
type broken struct{ err error }

// Decide returns the error.
func (b broken) Decide(int, int, *simulate.State) (simulate.Decision, error) {
	return simulate.Decision{}, b.err
}

// failed converts an error of a plan, a decision or the data to that of a run.
func failed(err error) error {
	var invalid *simulate.InvalidError
	var apart *simulate.NoCommonMonthsError
	switch {
	case errors.As(err, &apart):
		return &script.RunError{Type: script.DataError, Message: err.Error()}
	case errors.As(err, &invalid):
		return &script.RunError{Type: script.DataError, Message: err.Error()}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &script.RunError{Type: script.TimeLimit, Message: "the simulation took longer than its time limit"}
	}
	return err
}
