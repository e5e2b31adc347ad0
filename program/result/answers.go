package result

import (
	"context"
	"maps"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/internal/fault"
	"ballast/internal/nearest"
	"ballast/program"
	"ballast/script/sandbox"
)

// Answers reads the results of programs other than models: tables, scalars and figures.
type Answers struct {
	Programs *program.Models
	Runs     *program.Runs
	Results  *Store
	Paths    Paths // nil: single paths are refused
}

// Paths computes single paths of simulations.
type Paths interface {
	// Path computes one path of a complete run, from 0. The caller releases the
	// outcome.
	Path(ctx context.Context, callerID string, run *program.Run, path int) (*sandbox.Outcome, error)
}

// AnswerQuery selects a part of a result.
type AnswerQuery struct {
	RunID  string   // "" is the live run
	Tables []string // nil are all tables
	Path   *int     // one path of a simulation instead of the stored tables
}

// Found is a result, or a part of it.
type Found struct {
	Run    *program.Run
	Tables []sandbox.Table
}

// Release releases the tables.
func (f *Found) Release() {
	for _, t := range f.Tables {
		t.Record.Release()
	}
}

// Read returns a result that the caller may see. The caller releases it.
func (a *Answers) Read(ctx context.Context, accountID, ref string, q AnswerQuery) (*Found, error) {
	run, err := a.run(ctx, accountID, ref, q.RunID)
	if err != nil {
		return nil, err
	}
	if q.Path != nil {
		return a.path(ctx, accountID, run, *q.Path)
	}
	return a.tables(ctx, run, q.Tables)
}

// tables reads tables of a run, all of them if names is nil.
func (a *Answers) tables(ctx context.Context, run *program.Run, names []string) (*Found, error) {
	known := slices.Sorted(maps.Keys(run.Tables))
	if names == nil {
		names = known
	}
	found := &Found{Run: run}
	for _, name := range names {
		if !slices.Contains(known, name) {
			found.Release()
			return nil, fault.New(fault.InvalidParameter, "The result has no table %q.", name).
				With(fault.Detail{Field: "tables", Message: "is not a table of the result", Accepted: known, Suggestion: nearest.Match(name, known)})
		}
		record, err := a.Results.Table(ctx, run, name)
		if err != nil {
			found.Release()
			return nil, err
		}
		found.Tables = append(found.Tables, sandbox.Table{Name: name, Record: record})
	}
	return found, nil
}

// ReadRun returns tables of a complete run that the caller may see, all of them without
// names. The caller releases it.
func (a *Answers) ReadRun(ctx context.Context, run *program.Run, names ...string) (*Found, error) {
	return a.tables(ctx, run, names)
}

// run returns the complete run that is asked for.
func (a *Answers) run(ctx context.Context, accountID, ref, runID string) (*program.Run, error) {
	sheet, err := a.Programs.Sheet(ctx, accountID, ref)
	if err != nil {
		return nil, err
	}
	if runID == "" {
		if sheet.Live == nil {
			return nil, fault.New(fault.NotReady, "There is no result yet: the first run has not completed. Read run and error of the fact sheet.")
		}
		return sheet.Live, nil
	}
	run, err := a.Runs.Run(ctx, accountID, runID)
	if err != nil {
		return nil, err
	}
	if run.ProgramID != sheet.ID {
		return nil, fault.Missing("run", runID)
	}
	if run.Status != program.RunComplete {
		return nil, fault.New(fault.RunIncomplete, "The run is %s, so it has no result.", run.Status)
	}
	return run, nil
}

func (a *Answers) path(ctx context.Context, accountID string, run *program.Run, path int) (*Found, error) {
	if a.Paths == nil {
		return nil, fault.New(fault.Unavailable, "This server does not compute single paths.")
	}
	whole, err := a.Runs.Stored(ctx, run)
	if err != nil {
		return nil, err
	}
	outcome, err := a.Paths.Path(ctx, accountID, whole, path)
	if err != nil {
		return nil, err
	}
	return &Found{Run: run, Tables: outcome.Tables}, nil
}

// Record returns the only table of a result.
func (f *Found) Record() (arrow.RecordBatch, bool) {
	if len(f.Tables) != 1 {
		return nil, false
	}
	return f.Tables[0].Record, true
}
