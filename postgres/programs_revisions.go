package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/internal/fault"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// StartTest adds the revision of a test with its build and run, and queues the run.
func (db *DB) StartTest(ctx context.Context, t program.Test) (string, error) {
	build, err := buildRow(t.Build)
	if err != nil {
		return "", err
	}
	v, revisionID := t.Revision, ""
	var stored *program.Revision // nil if an earlier test has the key
	err = db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		stored = nil // set by a try that was rolled back
		audit.Concern(ctx, v.AccountID, v.ModelID, v.ID)
		m, err := lockProgram(ctx, q, v.ModelID)
		if absent(err) || (err == nil && m.AccountID != v.AccountID) {
			return fault.Missing("model", v.ModelID)
		}
		if err != nil {
			return err
		}
		revisionID, err = q.RevisionByKey(ctx, dbsqlc.RevisionByKeyParams{ModelID: m.ID, RequestKey: v.RequestKey})
		if err == nil || !absent(err) {
			return err
		}
		if err := unmoved(ctx, q, v); err != nil {
			return err
		}
		if err := symbolFree(ctx, q, m, t.Symbol); err != nil {
			return err
		}
		w := work{accountID: v.AccountID, runID: t.Run.ID, source: t.Run.Source, seconds: m.RunSeconds}
		if err := db.admitBuild(ctx, q, w, t.Build, 0); err != nil {
			return err
		}
		if err := q.InsertBuild(ctx, build); err != nil {
			return err
		}
		if err := insertRun(ctx, q, t.Run); err != nil {
			return err
		}
		if err := q.InsertRevision(ctx, dbsqlc.InsertRevisionParams{
			ID: v.ID, AccountID: v.AccountID, ModelID: v.ModelID, Kind: string(v.Kind), BuildID: v.BuildID, RunID: &v.RunID,
			BaseHash: v.BaseHash, RequestKey: &v.RequestKey, DraftVersion: int32(v.DraftVersion), CreatedAt: stamp(v.CreatedAt),
		}); err != nil {
			return err
		}
		if stored, err = revision(ctx, q, v.ModelID, v.ID); err != nil {
			return err
		}
		if err := db.hold(ctx, q, w); err != nil {
			return err
		}
		revisionID = v.ID
		return db.enqueueBuild(ctx, tx, t.Build, t.Run.ID)
	})
	if err != nil {
		return "", wrap(err, "test the draft of model %s", v.ModelID)
	}
	if stored != nil {
		*v = *stored
	}
	return revisionID, nil
}

// unmoved returns an error if a draft has changed since it was read for the test.
func unmoved(ctx context.Context, q *dbsqlc.Queries, v *program.Revision) error {
	saved, strategy, err := draftOf(ctx, q, v.ModelID)
	if err != nil {
		return err
	}
	version := 0
	if saved != nil {
		version = saved.Version
	}
	if version != v.DraftVersion || strategy.Hash != v.BaseHash {
		return program.ErrDraftMoved
	}
	return nil
}

// RevisionByKey finds the test with a request key.
func (db *DB) RevisionByKey(ctx context.Context, modelID, key string) (string, error) {
	found, err := db.queries.RevisionByKey(ctx, dbsqlc.RevisionByKeyParams{ModelID: modelID, RequestKey: key})
	if absent(err) {
		return "", nil
	}
	return found, wrap(err, "find the test %q of model %s", key, modelID)
}

// Revision reads a revision of a model.
func (db *DB) Revision(ctx context.Context, modelID, revisionID string) (*program.Revision, error) {
	v, err := revision(ctx, db.queries, modelID, revisionID)
	return v, wrap(err, "read revision %s", revisionID)
}

func revision(ctx context.Context, q *dbsqlc.Queries, modelID, revisionID string) (*program.Revision, error) {
	row, err := q.Revision(ctx, dbsqlc.RevisionParams{ModelID: modelID, ID: revisionID})
	if absent(err) {
		return nil, fault.Missing("revision", revisionID)
	}
	if err != nil {
		return nil, err
	}
	return revisionOf(dbsqlc.RevisionsRow(row))
}

// Revisions lists a model's revisions, newest first.
func (db *DB) Revisions(ctx context.Context, modelID string, f program.RevisionFilter) ([]*program.Revision, int, error) {
	out := []*program.Revision{}
	var total int64
	err := db.read(ctx, func(q *dbsqlc.Queries) error {
		var err error
		if total, err = q.CountRevisions(ctx, dbsqlc.CountRevisionsParams{ModelID: modelID, Event: f.Event}); err != nil {
			return err
		}
		rows, err := q.Revisions(ctx, dbsqlc.RevisionsParams{ModelID: modelID, Event: f.Event, Most: int32(f.Limit), Skip: skip(f.Offset)})
		if err != nil {
			return err
		}
		for _, row := range rows {
			v, err := revisionOf(row)
			if err != nil {
				return err
			}
			out = append(out, v)
		}
		return nil
	})
	return out, int(total), wrap(err, "list the revisions of model %s", modelID)
}

// revisionOf converts a row, including the columns of its build and run. If the run
// was deleted, it counts as a run with the default inputs.
func revisionOf(r dbsqlc.RevisionsRow) (*program.Revision, error) {
	failure, ferr := decode[program.Failure](r.Failure)
	usage, uerr := decode[program.Usage](r.Usage)
	runUsage, rerr := decode[program.Usage](r.RunUsage)
	if err := errors.Join(ferr, uerr, rerr); err != nil {
		return nil, err
	}
	if runUsage != nil {
		usage = runUsage
	}
	v := &program.Revision{
		ID: r.Revision.ID, AccountID: r.Revision.AccountID, ModelID: r.Revision.ModelID, Number: int(r.Revision.Number),
		Label: r.Revision.Label, Kind: program.RevisionKind(r.Revision.Kind), Status: program.RunStatus(r.BuildStatus),
		Current: r.Current, Tested: r.Revision.RequestKey != nil, Inputs: r.RunInputs, InputsSchema: r.InputsSchema,
		ScriptHash: r.ScriptHash, BaseHash: r.Revision.BaseHash, Strategy: r.StrategyHash, DraftVersion: int(r.Revision.DraftVersion),
		RequestKey: orEmpty(r.Revision.RequestKey), RunID: orEmpty(r.Revision.RunID), BuildID: r.Revision.BuildID,
		Warning: r.Revision.Warning, Failure: failure, Usage: usage,
		CreatedAt: r.Revision.CreatedAt.UTC(), FinishedAt: utc(r.FinishedAt), AppliedAt: utc(r.Revision.AppliedAt),
		Progress: program.Progress{Step: "done", Done: 1, Total: 1},
	}
	if r.ProgressStep != nil && r.ProgressDone != nil && r.ProgressTotal != nil {
		v.Progress = program.Progress{Step: *r.ProgressStep, Done: int(*r.ProgressDone), Total: int(*r.ProgressTotal)}
	}
	return v, nil
}

// LabelRevision labels a test that has ended.
func (db *DB) LabelRevision(ctx context.Context, modelID, revisionID, label string) error {
	err := db.transact(ctx, func(_ pgx.Tx, q *dbsqlc.Queries) error {
		if _, err := lockProgram(ctx, q, modelID); absent(err) {
			return fault.Missing("model", modelID)
		} else if err != nil {
			return err
		}
		v, err := revision(ctx, q, modelID, revisionID)
		if err != nil {
			return err
		}
		if f := v.Unnameable(); f != nil {
			return f
		}
		return q.LabelRevision(ctx, dbsqlc.LabelRevisionParams{ID: v.ID, Label: label})
	})
	return wrap(err, "label revision %s", revisionID)
}
