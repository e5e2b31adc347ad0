package history

import (
	"cmp"
	"context"
	"math"
	"slices"

	"ballast/program"
	"ballast/program/result"
	"ballast/timeseries"
)

// AllocationChange compares the target allocations of two results of a model: their
// last decisions, resolved through the member models.
type AllocationChange struct {
	Model       program.Reference
	RunID       string
	FormerRunID string
	AsOf        timeseries.Date // the result's last session
	Decided     timeseries.Date
	Rows        []ChangedWeight // largest change first, including rows without a change
}

// ChangedWeight is the target of one ticker, or of CASH, in two results, as fractions
// of equity.
type ChangedWeight struct {
	Key    string
	Name   string
	Before float64
	After  float64
}

// leastChange is the smallest difference of a target that counts as a change: a
// hundredth of a basis point.
const leastChange = 1e-6

// Changes compares the allocations of runs.
type Changes struct {
	Store   program.Sharing
	Results *result.Store
}

// AllocationChange compares the targets of two results of a model. It returns nil if
// none has changed, or if one of the runs no longer exists.
func (c Changes) AllocationChange(ctx context.Context, formerRunID, runID string) (*AllocationChange, error) {
	runs, err := c.Store.RunsByID(ctx, []string{formerRunID, runID})
	if err != nil {
		return nil, err
	}
	former, run := runs[formerRunID], runs[runID]
	if former == nil || run == nil || former.Status != program.RunComplete || run.Status != program.RunComplete {
		return nil, nil
	}
	before, names, err := c.targets(ctx, former)
	if err != nil {
		return nil, err
	}
	after, now, err := c.targets(ctx, run)
	if err != nil {
		return nil, err
	}
	d, err := c.Results.Daily(ctx, run)
	if err != nil {
		return nil, err
	}
	change := &AllocationChange{
		Model: program.Reference{ID: run.ProgramID, Name: run.ProgramName}, RunID: run.ID, FormerRunID: former.ID,
		AsOf: d.Dates[len(d.Dates)-1], Decided: d.Decision.Date, Rows: compared(before, after),
	}
	if s := run.Summary; s != nil {
		change.Model.Symbol = s.ModelSymbol
	}
	named := map[string]string{}
	for _, l := range slices.Concat(names.labels, now.labels) {
		named[l.Key] = l.Name
	}
	for i := range change.Rows {
		change.Rows[i].Name = named[change.Rows[i].Key]
	}
	if len(change.Rows) == 0 || change.Rows[0].moved() <= leastChange {
		return nil, nil
	}
	return change, nil
}

// targets returns the last decision of a run by ticker.
func (c Changes) targets(ctx context.Context, run *program.Run) (Weights, *names, error) {
	n := namesOf(run)
	runs, err := memberRuns(ctx, program.Reader{Store: c.Store, AccountID: run.AccountID}, run)
	if err != nil {
		return nil, nil, err
	}
	w, err := newExpansion(c.Results, runs, n).target(ctx, run)
	return w, n, err
}

// compared joins two allocations, largest change first.
func compared(before, after Weights) []ChangedWeight {
	rows := make([]ChangedWeight, 0, len(before)+len(after))
	at := map[string]int{}
	for _, w := range before {
		at[w.Key] = len(rows)
		rows = append(rows, ChangedWeight{Key: w.Key, Before: w.Value})
	}
	for _, w := range after {
		i, held := at[w.Key]
		if !held {
			i = len(rows)
			rows = append(rows, ChangedWeight{Key: w.Key})
		}
		rows[i].After = w.Value
	}
	rows = slices.DeleteFunc(rows, func(c ChangedWeight) bool { return c.Before == 0 && c.After == 0 })
	slices.SortStableFunc(rows, func(a, b ChangedWeight) int { return cmp.Compare(b.moved(), a.moved()) })
	return rows
}

func (c ChangedWeight) moved() float64 { return math.Abs(c.After - c.Before) }
