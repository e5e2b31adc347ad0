package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"ballast/internal/id"
	"ballast/program"
	"ballast/storage/postgres/internal/dbsqlc"
)

// Publish makes a result visible. It locks models along the graph, members
// before what holds them: the members that were pinned, then the model, then its
// holders. A member's publication and its holder's thus never both believe
// themselves the last; whichever commits second sees the other.
func (db *DB) Publish(ctx context.Context, p *program.Publication) error {
	complete, usage, err := completion(p)
	if err != nil {
		return err
	}
	held := heldModels(p.Members)
	err = db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		members, err := q.LockMembers(ctx, held)
		if err != nil {
			return err
		}
		_, run, err := lockUnended(ctx, q, p.RunID)
		if err != nil || run == nil {
			return err
		}
		complete.Superseded = run.Publishes && movedOn(p.Members, members)
		if err := q.CompleteRun(ctx, complete); err != nil {
			return err
		}
		if err := q.EndBuild(ctx, dbsqlc.EndBuildParams{
			ID: run.BuildID, Status: string(program.RunComplete), Usage: usage, Now: complete.FinishedAt,
		}); err != nil {
			return err
		}
		switch {
		case complete.Superseded:
			err = db.repeat(ctx, tx, q, []string{run.ID}, repeatSource(run.Source))
		case run.Publishes:
			err = db.serve(ctx, tx, q, run, p.Depth, held)
		}
		if err != nil {
			return err
		}
		return q.NotifyRunEnded(ctx, run.ID)
	})
	return wrap(err, "publish run %s", p.RunID)
}

// completion gives what a publication writes into its run, and its usage.
func completion(p *program.Publication) (dbsqlc.CompleteRunParams, []byte, error) {
	memberList := p.Members
	if memberList == nil {
		memberList = []program.Member{}
	}
	members, merr := encode(&memberList)
	summary, serr := encode(p.Summary)
	usage, uerr := encode(&p.Usage)
	finished := stamp(p.FinishedAt)
	return dbsqlc.CompleteRunParams{
		ID: p.RunID, DataVersion: p.DataVersion, Members: members, Summary: summary, Usage: usage,
		ResultHash: p.ResultHash, DailyObject: p.Result.Daily, LedgerObject: p.Result.Ledger,
		DailyBytes: p.Result.DailyBytes, LedgerBytes: p.Result.LedgerBytes,
		Base: toDate(p.Base), FirstDate: toDate(p.First), LastDate: toDate(p.Last), FinishedAt: &finished,
	}, usage, errors.Join(merr, serr, uerr)
}

// lockUnended locks a run after its model; the run is nil where it has ended or
// is gone.
func lockUnended(ctx context.Context, q *dbsqlc.Queries, runID string) (*dbsqlc.Model, *dbsqlc.Run, error) {
	programID, err := q.RunProgram(ctx, runID)
	if absent(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	m, err := q.LockModel(ctx, programID)
	if absent(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	r, err := q.LockRun(ctx, runID)
	if absent(err) || (err == nil && program.RunStatus(r.Status).Ended()) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	return &m, &r, nil
}

// heldModels lists the models among members, each once.
func heldModels(members []program.Member) []string {
	seen := map[string]bool{}
	ids := []string{}
	for _, m := range members {
		if m.Kind == program.MemberModel && !seen[m.ID] {
			seen[m.ID] = true
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// movedOn reports whether a member model serves another run than was read.
func movedOn(pinned []program.Member, now []dbsqlc.LockMembersRow) bool {
	live := make(map[string]string, len(now))
	for _, r := range now {
		live[r.ID] = orEmpty(r.LiveRunID)
	}
	for _, m := range pinned {
		if m.Kind == program.MemberModel && live[m.ID] != m.RunID {
			return true
		}
	}
	return false
}

// serve makes the run what its model serves, and queues the refreshes of the
// models that hold it.
func (db *DB) serve(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, run *dbsqlc.Run, depth int, held []string) error {
	if err := q.ServeRun(ctx, dbsqlc.ServeRunParams{
		ID: run.ProgramID, Depth: int32(depth), BuildID: run.BuildID, LiveRunID: &run.ID, Now: stamp(db.now()),
	}); err != nil {
		return err
	}
	if err := q.DeleteMemberships(ctx, run.ProgramID); err != nil {
		return err
	}
	if len(held) > 0 {
		if err := q.InsertMemberships(ctx, dbsqlc.InsertMembershipsParams{HolderID: run.ProgramID, MemberIds: held}); err != nil {
			return err
		}
	}
	holders, err := q.LockHolders(ctx, run.ProgramID)
	if err != nil || len(holders) == 0 {
		return err
	}
	// One with a run in flight reads this result, or is superseded for it.
	idle, err := q.IdleModels(ctx, holders)
	if err != nil || len(idle) == 0 {
		return err
	}
	var holderIDs, liveIDs []string
	for _, h := range idle {
		holderIDs = append(holderIDs, h.ID)
		liveIDs = append(liveIDs, orEmpty(h.LiveRunID))
	}
	if err := q.SetModelUpdating(ctx, dbsqlc.SetModelUpdatingParams{Ids: holderIDs, Now: stamp(db.now())}); err != nil {
		return err
	}
	return db.repeat(ctx, tx, q, liveIDs, program.SourceCascade)
}

// repeat queues fresh runs with the builds and inputs of others.
func (db *DB) repeat(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, runIDs []string, source program.Source) error {
	fresh := make([]string, len(runIDs))
	for i := range fresh {
		fresh[i] = id.New(id.Run)
	}
	if err := q.RepeatRuns(ctx, dbsqlc.RepeatRunsParams{
		Ids: fresh, RunIds: runIDs, Source: string(source), Now: stamp(db.now()),
	}); err != nil {
		return err
	}
	return db.enqueue(ctx, tx, fresh...)
}

// repeatSource is the source of the run that follows a superseded one: what the
// owner started goes on under its name, a rerun of what is served is a cascade.
func repeatSource(superseded string) program.Source {
	switch source := program.Source(superseded); source {
	case program.SourceCreate, program.SourceRebuild, program.SourcePromote, program.SourceApply:
		return source
	default:
		return program.SourceCascade
	}
}

// FailRun ends a run, and its build and model where they depend on it. A model
// that serves a result goes on serving it, with a warning.
func (db *DB) FailRun(ctx context.Context, runID string, f program.Failure, u program.Usage) error {
	failure, ferr := encode(&f)
	usage, uerr := encode(&u)
	if err := errors.Join(ferr, uerr); err != nil {
		return err
	}
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		model, run, err := lockUnended(ctx, q, runID)
		if err != nil || run == nil {
			return err
		}
		now := stamp(db.now())
		if err := q.FailRun(ctx, dbsqlc.FailRunParams{ID: run.ID, Failure: failure, Usage: usage, Now: &now}); err != nil {
			return err
		}
		if err := q.EndBuild(ctx, dbsqlc.EndBuildParams{
			ID: run.BuildID, Status: string(program.RunFailed), Failure: failure, Usage: usage, Now: &now,
		}); err != nil {
			return err
		}
		if run.Publishes {
			end := dbsqlc.EndModelWorkParams{ID: model.ID, Now: now}
			if model.LiveRunID == nil {
				end.Status, end.Failure = string(program.StatusFailed), failure
			} else {
				end.Status = string(program.StatusActive)
				end.Warning = storable("The last default run failed, and the result before it is served: " + f.Message)
			}
			if err := q.EndModelWork(ctx, end); err != nil {
				return err
			}
		}
		return q.NotifyRunEnded(ctx, run.ID)
	})
	return wrap(err, "fail run %s", runID)
}
