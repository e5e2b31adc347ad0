package history

import (
	"ballast/catalog/series"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/metrics"
	"ballast/program"
	"ballast/script"
	"ballast/timeseries"
)

// Bounds of how many runs are compared at once.
const (
	FewestCompared = 2
	MostCompared   = 8
)

// CompareQuery asks for a comparison of runs.
type CompareQuery struct {
	RunIDs    []string // in their current or legacy forms
	RiskFree  series.Riskless
	Benchmark string // symbol of an asset, or one of the caller's models; "" for none
}

// Comparison shows runs beside each other.
type Comparison struct {
	Kind string        // of the runs' programs
	Runs []ComparedRun // in the order that was asked for
	// Inputs holds, for each input that is not the same in all runs, its value by
	// run. A run without the input is left out.
	Inputs map[string]map[string]any
	Start  timeseries.Date // first date on which all have a return; NoDate if they have no common window
	End    timeseries.Date
}

// ComparedRun is one of the compared runs.
type ComparedRun struct {
	*program.Run
	Metrics *metrics.Block // of a model's run, over the common window
}

// Compare compares complete runs that the caller may read. The metrics are over the
// dates that all of them have in common.
func (s *Service) Compare(ctx context.Context, accountID string, q CompareQuery) (*Comparison, error) {
	runs, err := s.compared(ctx, accountID, q.RunIDs)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Kind: program.KindOf(runs[0].ProgramID), Start: timeseries.NoDate, End: timeseries.NoDate}
	if c.Inputs, err = differing(runs); err != nil {
		return nil, err
	}
	if c.Kind != program.KindModel { // their numbers are in their answers
		for _, run := range runs {
			c.Runs = append(c.Runs, ComparedRun{Run: run})
		}
		return c, nil
	}
	start, end := commonWindow(runs)
	if start <= end {
		c.Start, c.End = start, end
	}
	one := Query{Metrics: true, RiskFree: q.RiskFree, Benchmark: q.Benchmark}
	window := func(int) (_, _ timeseries.Date) { return start, end }
	err = s.readEach(ctx, accountID, runs, one, window, func(i int, h *History) error {
		c.Runs = append(c.Runs, ComparedRun{Run: runs[i], Metrics: h.Metrics})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// readEach reads the same blocks of several runs, each over a window of its own.
func (s *Service) readEach(ctx context.Context, accountID string, runs []*program.Run, q Query, window func(int) (start, end timeseries.Date), take func(int, *History) error) error {
	for i, run := range runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		q.Start, q.End = window(i)
		h, err := s.read(ctx, accountID, run, q)
		if err == nil {
			err = take(i, h)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compared reads the runs. Each must be named once and have a result.
func (s *Service) compared(ctx context.Context, accountID string, refs []string) ([]*program.Run, error) {
	if len(refs) < FewestCompared || len(refs) > MostCompared {
		return nil, badRunIDs(fmt.Sprintf("names %d runs; %d to %d are accepted", len(refs), FewestCompared, MostCompared))
	}
	seen := map[string]bool{}
	runs := make([]*program.Run, len(refs))
	for i, ref := range refs {
		runID, ok := id.Parse(id.Run, ref)
		if ok && seen[runID] {
			return nil, badRunIDs(fmt.Sprintf("names the run %s twice", runID))
		}
		seen[runID] = true
		var err error
		if runs[i], err = s.c.Runs.Run(ctx, accountID, ref); err != nil {
			return nil, err
		}
	}
	for _, r := range runs[1:] {
		if a, b := program.KindOf(runs[0].ProgramID), program.KindOf(r.ProgramID); a != b {
			return nil, badRunIDs(fmt.Sprintf("names runs of different kinds: %s is a run of %s, %s of %s", runs[0].ID, script.WithArticle(a), r.ID, script.WithArticle(b)))
		}
	}
	var details []fault.Detail
	for _, r := range runs {
		if r.Status != program.RunComplete {
			details = append(details, fault.Detail{Field: "run_ids", Message: fmt.Sprintf("the run %s is %s", r.ID, r.Status)})
		}
	}
	if len(details) > 0 {
		return nil, fault.New(fault.RunIncomplete, "Only complete runs are compared; details name the others.").With(details...)
	}
	return runs, nil
}

func badRunIDs(problem string) error {
	return fault.New(fault.InvalidParameter, "The runs cannot be compared: run_ids %s.", problem).
		With(fault.Detail{Field: "run_ids", Message: problem})
}

// commonWindow returns the first and the last date between which all runs have
// returns. end is before start if there are none.
func commonWindow(runs []*program.Run) (start, end timeseries.Date) {
	start, end = runs[0].Base+1, runs[0].Last
	for _, r := range runs {
		if r.First == timeseries.NoDate {
			return r.Base + 1, r.Base
		}
		start, end = max(start, r.First), min(end, r.Last)
	}
	return start, end
}

// differing returns the inputs whose values differ between the runs.
func differing(runs []*program.Run) (map[string]map[string]any, error) {
	byKey := map[string]map[string]any{}
	for _, r := range runs {
		var inputs map[string]any
		if err := json.Unmarshal(r.Inputs, &inputs); err != nil {
			return nil, fmt.Errorf("decode inputs of run %s: %w", r.ID, err)
		}
		for key, value := range inputs {
			if byKey[key] == nil {
				byKey[key] = map[string]any{}
			}
			byKey[key][r.ID] = value
		}
	}
	for key, values := range byKey {
		first, same := values[runs[0].ID], len(values) == len(runs)
		for _, v := range values {
			same = same && reflect.DeepEqual(v, first)
		}
		if same {
			delete(byKey, key)
		}
	}
	return byKey, nil
}
