package history

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/metrics"
	"ballast/program"
	"ballast/timeseries"
)

// The bounds of how many runs are compared at once.
const (
	FewestCompared = 2
	MostCompared   = 8
)

// CompareQuery asks for a comparison of runs.
type CompareQuery struct {
	RunIDs    []string // in their current or legacy forms
	RiskFree  float64  // annual fraction
	Benchmark string   // a symbol, or one of the caller's models; "" without
}

// Comparison is runs beside each other.
type Comparison struct {
	Runs []ComparedRun // as they were asked for
	// Inputs are the values, by run, of each input that is not the same in all;
	// a run that does not have the input is left out.
	Inputs map[string]map[string]any
	Start  timeseries.Date // first date with a return of all of them, NoDate where no window is common
	End    timeseries.Date
}

// ComparedRun is one of several runs.
type ComparedRun struct {
	*program.Run
	Metrics *metrics.Block // over the common window
}

// Compare lays complete runs beside each other that the caller may read. Their
// metrics are over the dates that all of them have.
func (s *Service) Compare(ctx context.Context, accountID string, q CompareQuery) (*Comparison, error) {
	runs, err := s.compared(ctx, accountID, q.RunIDs)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Start: timeseries.NoDate, End: timeseries.NoDate}
	if c.Inputs, err = differing(runs); err != nil {
		return nil, err
	}
	start, end := commonWindow(runs)
	if start <= end {
		c.Start, c.End = start, end
	}
	for _, r := range runs {
		h, err := s.read(ctx, accountID, r, Query{
			Metrics: true, Start: start, End: end, RiskFree: q.RiskFree, Benchmark: q.Benchmark,
		})
		if err != nil {
			return nil, err
		}
		c.Runs = append(c.Runs, ComparedRun{Run: r, Metrics: h.Metrics})
	}
	return c, nil
}

// compared reads the runs; each is named once, and has a result.
func (s *Service) compared(ctx context.Context, accountID string, refs []string) ([]*program.Run, error) {
	if len(refs) < FewestCompared || len(refs) > MostCompared {
		return nil, badRunIDs(fmt.Sprintf("names %d runs; from %d to %d are compared", len(refs), FewestCompared, MostCompared))
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

// commonWindow is the first and the last date between which all runs have
// returns; the last is before the first where there are none.
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

// differing are the inputs that some runs have otherwise than others.
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
