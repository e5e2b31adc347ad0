package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/storage/postgres/internal/dbsqlc"
	"ballast/timeseries"
)

// CreateRun adds a run and queues it. A dailyLimit of 0 or less is none.
func (db *DB) CreateRun(ctx context.Context, r *program.Run, dailyLimit int) error {
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		if r.Source == program.SourceManual {
			if err := db.admit(ctx, q, r.AccountID, dailyLimit); err != nil {
				return err
			}
		}
		m, err := q.LockModel(ctx, r.ProgramID)
		if absent(err) || (err == nil && m.AccountID != r.AccountID) {
			return notFound("model", r.ProgramID)
		}
		if err != nil {
			return err
		}
		if r.Intent != "test" {
			busy, err := q.HasRunInFlight(ctx, m.ID)
			if err != nil {
				return err
			}
			if busy {
				return fault.New(fault.RunConflict, "A default run or a build of the model is in progress. Wait until the model's run is null, or use intent=test.")
			}
		}
		if m.LiveRunID == nil {
			return fault.New(fault.NotReady, "The model has no finished build yet, so there is nothing to run.")
		}
		if err := q.InsertRun(ctx, runRow(r)); err != nil {
			return err
		}
		if r.Publishes {
			if err := q.SetModelUpdating(ctx, dbsqlc.SetModelUpdatingParams{Ids: []string{m.ID}, Now: stamp(db.now())}); err != nil {
				return err
			}
		}
		if err := db.hold(ctx, q, work{accountID: r.AccountID, runID: r.ID, source: r.Source, seconds: m.RunSeconds}); err != nil {
			return err
		}
		return db.enqueue(ctx, tx, r.ID)
	})
	return wrap(err, "create run %s", r.ID)
}

// admit counts the account's manual runs of the day, one request at a time. Runs
// that were deleted count, too.
func (db *DB) admit(ctx context.Context, q *dbsqlc.Queries, accountID string, limit int) error {
	today := timeseries.FromTime(db.now().UTC())
	n, err := q.CountManualRun(ctx, dbsqlc.CountManualRunParams{AccountID: accountID, Day: toDate(today)})
	if err != nil {
		return err
	}
	if limit > 0 && int(n) > limit {
		return fault.New(fault.DailyRunLimit, "The account has started its %d manual runs of the day. The next are possible from midnight UTC.", limit)
	}
	return nil
}

// StartRun sets a run running.
func (db *DB) StartRun(ctx context.Context, runID string) (*program.Run, *program.Build, *program.Model, error) {
	var run *program.Run
	var build *program.Build
	var model *program.Model
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		// A start that a crash forgets is made again with the job: it need not wait
		// for the disk.
		if _, err := tx.Exec(ctx, "set local synchronous_commit = off"); err != nil {
			return err
		}
		now := stamp(db.now())
		r, err := q.StartRun(ctx, dbsqlc.StartRunParams{ID: runID, Now: &now})
		if absent(err) {
			run, build, model = nil, nil, nil
			return nil
		}
		if err != nil {
			return err
		}
		b, err := q.StartBuild(ctx, r.BuildID)
		if err != nil {
			return err
		}
		m, err := q.Model(ctx, r.ProgramID)
		if err != nil {
			return err
		}
		if model, err = modelOf(m); err != nil {
			return err
		}
		if build, err = buildOf(b); err != nil {
			return err
		}
		// What the service has queued of itself takes its hold when it begins.
		if r.HoldCents == nil {
			if err := db.hold(ctx, q, work{accountID: r.AccountID, runID: r.ID, source: program.Source(r.Source), seconds: m.RunSeconds}); err != nil {
				return err
			}
		}
		run, err = joinedRunOf(dbsqlc.RunsByIDRow{
			Run: r, ProgramName: m.Name, InputsSchema: b.InputsSchema, Live: orEmpty(m.LiveRunID) == r.ID,
		})
		return err
	})
	if err != nil {
		return nil, nil, nil, wrap(err, "start run %s", runID)
	}
	return run, build, model, nil
}

// SetProgress notes how far a run is; of one that has ended it notes nothing.
func (db *DB) SetProgress(ctx context.Context, runID string, p program.Progress) error {
	err := db.queries.SetRunProgress(ctx, dbsqlc.SetRunProgressParams{
		ID: runID, Step: p.Step, Done: int32(p.Done), Total: int32(p.Total),
	})
	return wrap(err, "note progress of run %s", runID)
}
