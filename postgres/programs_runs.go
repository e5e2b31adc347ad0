package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/program/jobs"
	"ballast/timeseries"
)

// CreateRun adds a run and queues it. A dailyLimit of 0 or less means no limit.
func (db *DB) CreateRun(ctx context.Context, r *program.Run, dailyLimit int) error {
	var stored *program.Run
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, r.AccountID, r.ProgramID, r.ID)
		if err := db.admit(ctx, q, r.AccountID, dailyLimit); err != nil {
			return err
		}
		m, err := lockProgram(ctx, q, r.ProgramID)
		if absent(err) || (err == nil && m.AccountID != r.AccountID) {
			return fault.Missing("model", r.ProgramID)
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
		w := work{accountID: r.AccountID, runID: r.ID, source: r.Source, seconds: m.RunSeconds}
		if err := db.affordable(ctx, q, w); err != nil {
			return err
		}
		if err := db.checkQuotas(ctx, q, r.AccountID, 2*rowBytes+len(r.Inputs)); err != nil {
			return err
		}
		if err := insertRun(ctx, q, r); err != nil {
			return err
		}
		if r.Publishes {
			if err := q.SetModelUpdating(ctx, dbsqlc.SetModelUpdatingParams{Ids: []string{m.ID}, Now: stamp(db.now())}); err != nil {
				return err
			}
		}
		if stored, err = runByID(ctx, q, r.ID); err != nil {
			return err
		}
		if err := db.hold(ctx, q, w); err != nil {
			return err
		}
		return db.enqueue(ctx, tx, jobs.RunQueue, r.ID)
	})
	if err != nil {
		return wrap(err, "create run %s", r.ID)
	}
	*r = *stored
	return nil
}

// admit counts the account's manual runs of the day, one request at a time. Deleted
// runs count too.
func (db *DB) admit(ctx context.Context, q *dbsqlc.Queries, accountID string, limit int) error {
	today := timeseries.FromTime(db.now().UTC())
	n, err := q.CountManualRun(ctx, dbsqlc.CountManualRunParams{AccountID: accountID, Day: toDate(today)})
	if err != nil {
		return err
	}
	if limit > 0 && int(n) > limit {
		return fault.New(fault.DailyRunLimit, "The account has used its %d manual runs for today. Wait until midnight UTC.", limit)
	}
	return nil
}

// RunWith returns the newest run of a build with these inputs that has not failed.
func (db *DB) RunWith(ctx context.Context, buildID string, inputs json.RawMessage) (string, error) {
	runID, err := db.queries.RunWith(ctx, dbsqlc.RunWithParams{BuildID: buildID, Inputs: inputs})
	if absent(err) {
		return "", nil
	}
	return runID, wrap(err, "read a run of build %s", buildID)
}

// StartRun marks a run as running.
func (db *DB) StartRun(ctx context.Context, runID string) (*program.Run, *program.Build, *program.Model, error) {
	row, err := db.start(ctx, runID)
	if absent(err) {
		return nil, nil, nil, nil
	}
	if err != nil {
		return nil, nil, nil, wrap(err, "start run %s", runID)
	}
	if row.Build.Status == string(program.RunQueued) {
		row.Build.Status = string(program.RunRunning) // the statement returns the row from before its update
	}
	run, err := joinedRunOf(dbsqlc.RunsByIDRow{
		Run: row.Run, ProgramName: row.WholeProgram.Name, InputsSchema: row.Build.InputsSchema,
		Live: orEmpty(row.WholeProgram.LiveRunID) == row.Run.ID,
	})
	build, berr := buildOf(row.Build)
	model, merr := modelOf(row.WholeProgram)
	if err := errors.Join(err, berr, merr); err != nil {
		return nil, nil, nil, wrap(err, "start run %s", runID)
	}
	return run, build, model, nil
}

// start executes StartRun's statement. Its lock lets the runs of an account start one
// at a time, so that no more run than the plan allows. It also takes the hold for runs
// that the service has queued by itself.
func (db *DB) start(ctx context.Context, runID string) (row dbsqlc.StartRunRow, err error) {
	now := stamp(db.now())
	params := dbsqlc.StartRunParams{ID: runID, Now: &now}
	params.Plans, params.Most = db.concurrency()
	if !db.policy.Metered && len(params.Plans) == 0 {
		return db.queries.StartRun(ctx, params)
	}
	// Runs of an account start one at a time anyway. Waiting here takes no connection,
	// and does not wake the server for each of them.
	if err := db.starts.Acquire(ctx, 1); err != nil {
		return row, err
	}
	defer db.starts.Release(1)
	var missing bool
	err = db.pipelined(ctx, func(tx *pipeline, q *dbsqlc.Queries) error {
		missing = false
		if err := q.LockStarts(ctx, runID); err != nil {
			return err
		}
		row, err = q.StartRun(ctx, params)
		if absent(err) {
			if waits, werr := q.RunWaits(ctx, runID); waits || werr != nil {
				return cmp.Or(werr, program.ErrAccountBusy)
			}
		}
		if err != nil || !db.policy.Metered || row.Run.HoldCents != nil {
			return err
		}
		tx.last = true
		_, err := q.HoldFunds(ctx, db.holding(workOf(&row)))
		if absent(err) {
			missing, err = true, nil
		}
		return err
	})
	if err != nil || !missing {
		return row, err
	}
	// The account has no balance yet, or too little. If the process dies here, the run
	// is started again and the hold is taken then.
	err = db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error { return db.hold(ctx, q, workOf(&row)) })
	if err != nil {
		err = errors.Join(err, db.queries.YieldRun(ctx, runID))
	}
	return row, err
}

func workOf(r *dbsqlc.StartRunRow) work {
	return work{accountID: r.Run.AccountID, runID: r.Run.ID, source: program.Source(r.Run.Source), seconds: r.WholeProgram.RunSeconds}
}

// YieldRun returns a running run to the queue.
func (db *DB) YieldRun(ctx context.Context, runID string) error {
	return wrap(db.queries.YieldRun(ctx, runID), "let run %s wait", runID)
}

// SetProgress records a run's progress. It changes nothing if the run has ended or was
// deleted, and then returns false.
func (db *DB) SetProgress(ctx context.Context, runID string, p program.Progress) (wanted bool, err error) {
	rows, err := db.queries.SetRunProgress(ctx, dbsqlc.SetRunProgressParams{
		ID: runID, Step: p.Step, Done: int32(p.Done), Total: int32(p.Total),
	})
	return rows > 0, wrap(err, "save the progress of run %s", runID)
}
