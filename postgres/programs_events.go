package postgres

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"ballast/notify/webhook"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/timeseries/bars"
)

// tellComplete stores the events of a completed run. model is the row from before the
// publication; served says whether the model now serves the run.
func (db *DB) tellComplete(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, completed *dbsqlc.UnendedRow, p *program.Publication, served, superseded bool) error {
	model, run := &completed.WholeProgram, &completed.Run
	now, source := db.now(), program.Source(run.Source)
	ended := ranOf(eventModel(model), run, program.RunComplete)
	ended.Live, ended.Superseded = served, superseded
	if s := p.Summary; s != nil {
		ended.StartDate, ended.EndDate, ended.FinalValue = s.StartDate, &s.EndDate, &s.FinalValue
	}
	events := []webhook.Event{webhook.NewEvent(model.AccountID, webhook.RunComplete, model.ID, now, ended)}
	if source == program.SourceDraftTest {
		e, err := db.revisionEvent(ctx, q, model, run, "completed", nil)
		if err != nil {
			return err
		}
		events = append(events, e)
	}
	if served {
		more, err := db.servedEvents(ctx, tx, q, model, run, p.Identity, source.Builds())
		if err != nil {
			return err
		}
		events = append(events, more...)
	}
	if !completed.Listened {
		return nil
	}
	return db.emit(ctx, tx, q, events...)
}

// tellApplied stores the events of a tested revision that a model now serves.
func (db *DB) tellApplied(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, run *dbsqlc.Run, i *program.Identity) error {
	events, err := db.servedEvents(ctx, tx, q, model, run, i, true)
	if err != nil {
		return err
	}
	return db.emit(ctx, tx, q, events...)
}

// servedEvents returns the events of a run that a model now serves. A build's run
// makes the model active. Any run may change the allocation, and a mail about that is
// queued too.
func (db *DB) servedEvents(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, run *dbsqlc.Run, i *program.Identity, built bool) ([]webhook.Event, error) {
	now, named := db.now(), eventModel(model)
	var events []webhook.Event
	if model.Kind != program.KindModel { // only models have an allocation
		return nil, nil
	}
	if built {
		if i != nil && i.Name != "" {
			named.Name = i.Name
		}
		events = append(events, webhook.NewEvent(model.AccountID, webhook.ModelActive, model.ID, now, builtOf(named, run)))
	}
	former := orEmpty(model.LiveRunID)
	if former == "" {
		return events, nil
	}
	changed := webhook.NewEvent(model.AccountID, webhook.AllocationChanged, model.ID, now, nil)
	changed.RunID, changed.FormerRunID = run.ID, former
	return append(events, changed), db.notify(ctx, tx, q, model.AccountID, model.ID, former, run.ID)
}

// tellFailed stores the events of a failed run.
func (db *DB) tellFailed(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, run *dbsqlc.Run, f program.Failure) error {
	now, source := db.now(), program.Source(run.Source)
	problem := &webhook.Problem{Type: f.Type, Message: f.Message}
	ended := ranOf(eventModel(model), run, program.RunFailed)
	ended.Error = problem
	events := []webhook.Event{webhook.NewEvent(model.AccountID, webhook.RunFailed, model.ID, now, ended)}
	switch {
	case source == program.SourceDraftTest:
		e, err := db.revisionEvent(ctx, q, model, run, "failed", problem)
		if err != nil {
			return err
		}
		events = append(events, e)
	case run.Publishes && source.Builds():
		built := builtOf(eventModel(model), run)
		built.Error = problem
		events = append(events, webhook.NewEvent(model.AccountID, webhook.ModelFailed, model.ID, now, built))
	}
	return db.emit(ctx, tx, q, events...)
}

// tellRestated stores the events of assets whose stored history has changed, for each
// account whose models hold them.
func (db *DB) tellRestated(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, version bars.Version, restated []bars.Restatement) error {
	if len(restated) == 0 {
		return nil
	}
	ids := make([]string, len(restated))
	for i, r := range restated {
		ids[i] = r.AssetID
	}
	holders, err := q.HoldersToTell(ctx, dbsqlc.HoldersToTellParams{AssetIds: ids, Kind: string(webhook.AssetRestated)})
	if err != nil {
		return err
	}
	told := map[string]map[string][]webhook.Model{} // by account, then by asset
	for _, h := range holders {
		if told[h.AccountID] == nil {
			told[h.AccountID] = map[string][]webhook.Model{}
		}
		told[h.AccountID][h.AssetID] = append(told[h.AccountID][h.AssetID], webhook.Model{ID: h.ID, Name: h.Name, Symbol: h.Symbol})
	}
	for _, accountID := range slices.Sorted(maps.Keys(told)) {
		var events []webhook.Event
		for _, r := range restated {
			if models := told[accountID][r.AssetID]; len(models) > 0 {
				events = append(events, webhook.NewEvent(accountID, webhook.AssetRestated, "", db.now(), webhook.Restated{
					AssetID: r.AssetID, Symbol: r.Symbol, From: r.From.String(), DataVersion: version, Models: models,
				}))
			}
		}
		if err := db.emit(ctx, tx, q, events...); err != nil {
			return err
		}
	}
	return nil
}

// revisionEvent returns the event of a test that has ended.
func (db *DB) revisionEvent(ctx context.Context, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, run *dbsqlc.Run, status string, problem *webhook.Problem) (webhook.Event, error) {
	revisionID, err := q.RevisionOfRun(ctx, run.ID)
	return webhook.NewEvent(model.AccountID, webhook.RevisionCompleted, model.ID, db.now(), webhook.RevisionEnded{
		Model: eventModel(model), RevisionID: revisionID, RunID: run.ID, Status: status, Error: problem,
	}), err
}

func eventModel(m *dbsqlc.WholeProgram) webhook.Model {
	return webhook.Model{ID: m.ID, Name: m.Name, Symbol: m.Symbol}
}

func ranOf(m webhook.Model, r *dbsqlc.Run, s program.RunStatus) webhook.RunEnded {
	return webhook.RunEnded{Model: m, RunID: r.ID, Source: r.Source, Label: orNil(r.Label), Status: string(s)}
}

// builtOf describes a build in an event. Its kind follows from the run's source:
// create, rebuild, or otherwise revision.
func builtOf(m webhook.Model, r *dbsqlc.Run) webhook.ModelBuilt {
	kind := "revision"
	if s := program.Source(r.Source); s == program.SourceCreate || s == program.SourceRebuild {
		kind = r.Source
	}
	return webhook.ModelBuilt{Model: m, BuildID: r.BuildID, Kind: kind, RunID: r.ID}
}
