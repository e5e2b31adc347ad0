package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// PatchModel changes a model.
func (db *DB) PatchModel(ctx context.Context, modelID string, p program.ModelPatch) error {
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		row, err := lockProgram(ctx, q, modelID)
		if absent(err) {
			return fault.Missing("model", modelID)
		}
		if err != nil {
			return err
		}
		m, err := modelOf(row)
		if err != nil {
			return err
		}
		was := *m
		resumed, err := p.Apply(m)
		if err != nil {
			return err
		}
		audit.Concern(ctx, m.AccountID, m.ID)
		audit.Change(ctx, "is_public", was.IsPublic, m.IsPublic)
		audit.Change(ctx, "auto_update", was.AutoUpdate, m.AutoUpdate)
		audit.Change(ctx, "notify_email", was.NotifyEmail, m.NotifyEmail)
		if p.Empty() {
			return nil
		}
		labels, lower := labelColumns(m.Labels)
		if err := q.PatchModel(ctx, dbsqlc.PatchModelParams{
			ID: m.ID, Name: m.Name, Named: p.Name.Given, Symbol: m.Symbol, Symboled: p.Symbol.Given,
			IsFavorite: m.IsFavorite, Labels: labels, LabelsLower: lower, IsPublic: m.IsPublic,
			AutoUpdate: m.AutoUpdate, NotifyEmail: m.NotifyEmail, StartDate: toDate(m.StartDate), StartRule: m.StartRule,
			Status: string(m.Status), Failures: int32(m.Failures), NextRetry: m.NextRetry, Now: stamp(db.now()),
		}); err != nil {
			return err
		}
		if !resumed {
			return nil
		}
		return db.settle(ctx, tx, q, m.ID)
	})
	if violates(err, symbolIndex) {
		return takenSymbol("symbol", p.Symbol.To, "Another of your models has the symbol %s. Choose another.", err)
	}
	return wrap(err, "change model %s", modelID)
}

// symbolIndex keeps symbols unique among the models of an account.
const symbolIndex = "programs_symbol_unique"

func takenSymbol(field, symbol, message string, err error) error {
	return fault.New(fault.SymbolTaken, message, symbol).
		With(fault.Detail{Field: field, Message: fmt.Sprintf("%s is already taken", symbol)}).Wrap(err)
}

// labelColumns returns labels as they are shown, and in the form in which they are
// matched.
func labelColumns(given []string) (labels, lower []string) {
	labels, lower = make([]string, len(given)), make([]string, len(given))
	for i, l := range given {
		labels[i], lower[i] = l, strings.ToLower(l)
	}
	return labels, lower
}

// PatchRun relabels or shares a run.
func (db *DB) PatchRun(ctx context.Context, runID string, p program.RunPatch) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		_, run, err := lockOwned(ctx, q, runID)
		if err != nil {
			return err
		}
		audit.Concern(ctx, run.AccountID, run.ProgramID, run.ID)
		change := dbsqlc.PatchRunParams{ID: run.ID, Label: run.Label, Shared: run.Shared}
		if p.Label.Given {
			change.Label = p.Label.To
		}
		if p.Shared.Given {
			change.Shared = p.Shared.To
			audit.Change(ctx, "shared", run.Shared, change.Shared)
		}
		return q.PatchRun(ctx, change)
	})
	return wrap(err, "change run %s", runID)
}

// DeleteRun deletes a run that has ended. A snapshot run of a simulation may also be
// deleted before its end: its worker then stops.
func (db *DB) DeleteRun(ctx context.Context, runID string) error {
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		// No run may be deleted while a revision computed on it is being applied.
		if err := q.ShareGraphOfRun(ctx, runID); err != nil {
			return err
		}
		model, run, err := lockOwned(ctx, q, runID)
		if err != nil {
			return err
		}
		audit.Concern(ctx, run.AccountID, run.ProgramID, run.ID)
		if !program.RunStatus(run.Status).Ended() {
			return db.cancelRun(ctx, tx, q, run)
		}
		if orEmpty(model.LiveRunID) == run.ID {
			return fault.New(fault.RunLive, "The model serves this run. Delete it once another run is live.")
		}
		above, err := q.RestsOn(ctx, dbsqlc.RestsOnParams{AccountID: run.AccountID, RunID: run.ID})
		if err != nil {
			return err
		}
		if len(above) > 0 {
			return restsOn(above)
		}
		if err := unspliced(ctx, q, run); err != nil {
			return err
		}
		return q.DeleteRun(ctx, run.ID)
	})
	return wrap(err, "delete run %s", runID)
}

// cancelRun deletes a run that is in progress, and charges the time that it took.
func (db *DB) cancelRun(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, run *dbsqlc.Run) error {
	switch kind := program.KindOf(run.ProgramID); {
	case kind == program.KindModel:
		return fault.New(fault.RunInFlight, "The run is %s. Delete it once it has ended.", run.Status)
	case run.Publishes:
		return fault.New(fault.RunInFlight, "The run is %s, and the %s will serve it. Delete the %s to stop the run, or delete the run once another is live.", run.Status, kind, kind)
	}
	found, err := lockUnended(ctx, q, run.ID)
	if err != nil {
		return err
	}
	if found != nil { // otherwise it has just ended
		usage, outcome := program.Usage{}, billing.Broken // what has not begun costs nothing
		if found.Run.StartedAt != nil {
			usage, outcome = program.Metered(db.policy.Prices, db.now().Sub(*found.Run.StartedAt), 0), billing.Done
		}
		if err := db.charge(ctx, tx, q, found, usage, outcome); err != nil {
			return err
		}
		if err := q.NotifyRunEnded(ctx, run.ID); err != nil {
			return err
		}
	}
	return q.DeleteRun(ctx, run.ID)
}

// restsOn returns the error that names the models whose live results were computed on
// a run.
func restsOn(above []dbsqlc.RestsOnRow) error {
	f := fault.New(fault.RunLive, "The results of other models were computed on this run; details name them. Run these models again, then delete this run.")
	for _, m := range above {
		f.Details = append(f.Details, fault.Detail{
			Field: "run_id", Message: fmt.Sprintf("the live run of %s (%s, %s) was computed on it", m.Name, m.Symbol, m.ID),
		})
	}
	return f
}

// lockProgram locks a program that is not in the Trash, and reads its current row.
func lockProgram(ctx context.Context, q *dbsqlc.Queries, programID string) (dbsqlc.WholeProgram, error) {
	if _, err := q.LockProgram(ctx, programID); err != nil {
		return dbsqlc.WholeProgram{}, err
	}
	return q.Program(ctx, programID)
}

// lockOwned locks a run and, before it, its model, which must not be in the Trash.
func lockOwned(ctx context.Context, q *dbsqlc.Queries, runID string) (*dbsqlc.WholeProgram, *dbsqlc.Run, error) {
	programID, err := q.RunProgram(ctx, runID)
	if absent(err) {
		return nil, nil, fault.Missing("run", runID)
	}
	if err != nil {
		return nil, nil, err
	}
	m, err := lockProgram(ctx, q, programID)
	if absent(err) {
		return nil, nil, fault.Missing("run", runID)
	}
	if err != nil {
		return nil, nil, err
	}
	r, err := q.LockRun(ctx, runID)
	if absent(err) {
		return nil, nil, fault.Missing("run", runID)
	}
	return &m, &r, err
}
