package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
	"ballast/program/jobs"
)

// Promote adds a build with other defaults and its run to a model, and queues the run.
func (db *DB) Promote(ctx context.Context, b *program.Build, r *program.Run, base string) error {
	build, err := buildRow(b)
	if err != nil {
		return err
	}
	var stored *program.Run
	err = db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		audit.Concern(ctx, b.AccountID, b.ProgramID, r.ID)
		m, err := lockProgram(ctx, q, b.ProgramID)
		if absent(err) || (err == nil && m.AccountID != b.AccountID) {
			return fault.Missing("model", b.ProgramID)
		}
		if err != nil {
			return err
		}
		busy, err := q.HasRunInFlight(ctx, m.ID)
		if err != nil {
			return err
		}
		switch {
		case busy:
			return program.PromotionConflict()
		case m.LiveRunID == nil:
			return fault.New(fault.NotReady, "The model has no result yet, so its defaults cannot be changed. Rebuild it first.")
		case m.BuildID != base:
			return program.ErrBuildMoved
		}
		audit.Change(ctx, "build_id", m.BuildID, b.ID)
		w := work{accountID: r.AccountID, runID: r.ID, source: r.Source, seconds: m.RunSeconds}
		if err := db.admitBuild(ctx, q, w, b, 0); err != nil {
			return err
		}
		if err := q.InsertBuild(ctx, build); err != nil {
			return err
		}
		if err := insertRun(ctx, q, r); err != nil {
			return err
		}
		if err := q.SetModelUpdating(ctx, dbsqlc.SetModelUpdatingParams{Ids: []string{m.ID}, Now: stamp(db.now())}); err != nil {
			return err
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
		return wrap(err, "promote to run %s", r.ID)
	}
	*r = *stored
	return nil
}

// Moving reports whether one of the models is about to serve another run.
func (db *DB) Moving(ctx context.Context, modelIDs []string) (bool, error) {
	move, err := db.queries.Moving(ctx, modelIDs)
	return move, wrap(err, "find whether members are being refreshed")
}
