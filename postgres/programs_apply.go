package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"ballast/audit"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
	"ballast/program"
)

// ApplyRevision makes a model serve a tested revision. It locks in the same order as
// Publish: the graph, the members that the test has read, the model, its holders.
func (db *DB) ApplyRevision(ctx context.Context, a program.Application) (*program.Revision, error) {
	var applied *program.Revision
	err := db.transact(ctx, func(tx pgx.Tx, q *dbsqlc.Queries) error {
		v, err := revision(ctx, q, a.ModelID, a.RevisionID)
		if err != nil {
			return err
		}
		audit.Concern(ctx, v.AccountID, a.ModelID, a.RevisionID)
		if err := q.LockAccountGraph(ctx, v.AccountID); err != nil {
			return err
		}
		pinned, err := pinnedBy(ctx, q, v.RunID)
		if err != nil {
			return err
		}
		held := heldModels(pinned)
		members, err := q.LockMembers(ctx, held)
		if err != nil {
			return err
		}
		model, err := lockProgram(ctx, q, a.ModelID)
		if absent(err) {
			return fault.Missing("model", a.ModelID)
		}
		if err != nil {
			return err
		}
		audit.Change(ctx, "build_id", model.BuildID, v.BuildID)
		if v, err = revision(ctx, q, a.ModelID, a.RevisionID); err != nil {
			return err
		}
		if f := v.Unappliable(); f != nil {
			return f
		}
		if v.Current {
			applied = v
			return nil
		}
		if err := free(ctx, q, model.ID); err != nil {
			return err
		}
		run, err := q.LockRun(ctx, v.RunID)
		if err != nil {
			return err
		}
		if err := standing(ctx, q, &run, held, members); err != nil {
			return err
		}
		if err := db.apply(ctx, tx, q, &model, &run, v, a.Identity, pinned, members); err != nil {
			return err
		}
		applied, err = revision(ctx, q, a.ModelID, a.RevisionID)
		return err
	})
	if err != nil {
		return nil, wrap(err, "apply revision %s", a.RevisionID)
	}
	return applied, nil
}

// pinnedBy returns the members that a run has read.
func pinnedBy(ctx context.Context, q *dbsqlc.Queries, runID string) ([]program.Member, error) {
	runs, err := runsByID(ctx, q, []string{runID})
	if err != nil || runs[runID] == nil {
		return nil, err
	}
	return runs[runID].Members, nil
}

// free returns an error while work on the model's live result is in progress.
func free(ctx context.Context, q *dbsqlc.Queries, modelID string) error {
	building, err := q.HasBuildInFlight(ctx, modelID)
	if err != nil {
		return err
	}
	if building {
		return fault.New(fault.RebuildConflict, "A build of the model is in progress. Wait until the model's run is null, then apply the revision.")
	}
	busy, err := q.HasRunInFlight(ctx, modelID)
	if err != nil {
		return err
	}
	if busy {
		return fault.New(fault.RunConflict, "A default run of the model is in progress. Wait until the model's run is null, then apply the revision.")
	}
	return nil
}

// standing rejects a test whose data or members no longer exist, or whose members now
// hold the tested model.
func standing(ctx context.Context, q *dbsqlc.Queries, run *dbsqlc.Run, held []string, members []dbsqlc.LockMembersRow) error {
	missing, err := q.MissingPins(ctx, run.ID)
	if err != nil {
		return err
	}
	if len(missing) > 0 || len(members) < len(held) {
		f := fault.New(fault.NotApplicable, "Data that the test was computed on has been deleted. Test the draft again.")
		for _, id := range missing {
			f.Details = append(f.Details, fault.Detail{Field: "revision_id", Message: fmt.Sprintf("was computed on the run %s, which was deleted", id)})
		}
		there := map[string]bool{}
		for _, m := range members {
			there[m.ID] = true
		}
		for _, id := range held {
			if !there[id] {
				f.Details = append(f.Details, fault.Detail{Field: "revision_id", Message: fmt.Sprintf("holds the model %s, which was deleted or is in the Trash", id)})
			}
		}
		return f
	}
	circle, err := holds(ctx, q, held, run.ProgramID)
	if err != nil {
		return err
	}
	if circle {
		return fault.New(fault.ReferenceCycle, "Since the test, a member of the revision has started to hold this model, so this model cannot hold that member. Name another member.")
	}
	return nil
}

// apply publishes a complete run in the way that Publish publishes a build's run.
func (db *DB) apply(ctx context.Context, tx pgx.Tx, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, run *dbsqlc.Run, v *program.Revision,
	identity *program.Identity, pinned []program.Member, members []dbsqlc.LockMembersRow,
) error {
	if err := q.PublishTest(ctx, run.ID); err != nil {
		return err
	}
	p := &program.Publication{RunID: run.ID, Members: pinned, Identity: identity, Warning: v.Warning}
	if v.Usage != nil {
		p.Usage = *v.Usage
	}
	for _, m := range members {
		p.Depth = max(p.Depth, int(m.Depth)+1)
	}
	if err := db.install(ctx, q, model, run, p); err != nil {
		return err
	}
	now := stamp(db.now())
	if err := q.MarkApplied(ctx, dbsqlc.MarkAppliedParams{ID: v.ID, Now: &now}); err != nil {
		return err
	}
	if err := q.ApproveRevision(ctx, dbsqlc.ApproveRevisionParams{ModelID: model.ID, RevisionID: v.ID}); err != nil {
		return err
	}
	if err := q.EmptyDraft(ctx, dbsqlc.EmptyDraftParams{ModelID: model.ID, Version: int32(v.DraftVersion), BaseHash: run.ScriptHash, Now: now}); err != nil {
		return err
	}
	if err := db.tellApplied(ctx, tx, q, model, run, identity); err != nil {
		return err
	}
	moved, err := q.BarsMoved(ctx, run.ID)
	if err != nil {
		return err
	}
	if moved = moved || movedOn(pinned, members); moved {
		// Mark it before its holders are settled, so that they wait for the new run.
		if err := q.MarkDue(ctx, []string{model.ID}); err != nil {
			return err
		}
	}
	if err := db.cascade(ctx, tx, q, model.ID); err != nil || !moved {
		return err
	}
	return db.settle(ctx, tx, q, model.ID)
}

// approve records the build that a model now serves as its next revision.
func approve(ctx context.Context, q *dbsqlc.Queries, model *dbsqlc.WholeProgram, run *dbsqlc.Run, p *program.Publication) error {
	before := ""
	if model.LiveRunID != nil {
		s, err := q.Strategy(ctx, model.ID)
		if err != nil {
			return err
		}
		before = s.ScriptHash
	}
	build, err := q.BuildsByID(ctx, []string{run.BuildID})
	if err != nil {
		return err
	}
	revisionID := id.New(id.Revision)
	if err := q.InsertRevision(ctx, dbsqlc.InsertRevisionParams{
		ID: revisionID, AccountID: model.AccountID, ModelID: model.ID, Kind: string(kindOf(program.Source(run.Source), build[0].Generator)),
		BuildID: run.BuildID, RunID: &run.ID, BaseHash: before, CreatedAt: stamp(p.FinishedAt),
	}); err != nil {
		return err
	}
	now := stamp(p.FinishedAt)
	if err := q.MarkApplied(ctx, dbsqlc.MarkAppliedParams{ID: revisionID, Now: &now}); err != nil {
		return err
	}
	return q.ApproveRevision(ctx, dbsqlc.ApproveRevisionParams{ModelID: model.ID, RevisionID: revisionID})
}

// kindOf returns what a build changed.
func kindOf(source program.Source, generator string) program.RevisionKind {
	switch {
	case source == program.SourcePromote:
		return program.RevisionInputs
	case generator != "":
		return program.RevisionPrompt
	}
	return program.RevisionScript
}
