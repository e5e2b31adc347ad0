package postgres_test

import (
	"context"
	"fmt"
	"testing"

	"ballast/internal/fault"
	"ballast/internal/testenv"
	"ballast/postgres"
	"ballast/program"
)

// Every change of a model's state happens whole or not at all, at whatever step of its
// transaction the process is killed, and a repeated request completes it.
func TestLivesAreWholeWhateverIsKilledWhen(t *testing.T) {
	t.Parallel()
	for _, test := range testenv.Some(t, 4, []struct {
		name string
		do   func(t *testing.T, db *postgres.DB, d draft, member program.Member) (happened func() bool, do func(context.Context) error)
	}{
		{"published", func(t *testing.T, db *postgres.DB, d draft, member program.Member) (func() bool, func(context.Context) error) {
			r := newRun(d.model, d.build.ID, program.SourceManual)
			must(t, db.CreateRun(t.Context(), r, 0))
			return func() bool {
				m := sheet(t, db, d.model.ID)
				return m.LiveRunID == r.ID && m.Status == program.StatusActive && inFlight(t, db, m.HeldBy[0].ID, program.SourceCascade) != nil
			}, func(ctx context.Context) error { return db.Publish(ctx, publication(r.ID, member)) }
		}},
		{"rebuilt", func(t *testing.T, db *postgres.DB, d draft, _ program.Member) (func() bool, func(context.Context) error) {
			b, r := newBuild(d, "rebuild", program.SourceRebuild)
			return func() bool {
				m := sheet(t, db, d.model.ID)
				return m.InFlight != nil && m.InFlight.ID == r.ID && m.LiveRunID == d.run.ID
			}, func(ctx context.Context) error { return rebuildModel(ctx, db, b, r, "") }
		}},
		{"tested", func(t *testing.T, db *postgres.DB, d draft, _ program.Member) (func() bool, func(context.Context) error) {
			v := freeze(t.Context(), db, d, "one")
			return func() bool {
				found, _, err := db.Revisions(t.Context(), d.model.ID, program.RevisionFilter{Event: "tests", Limit: 5})
				must(t, err)
				return len(found) == 1 && readRun(t, db, v.Run.ID).Status == program.RunQueued
			}, func(ctx context.Context) error { _, err := db.StartTest(ctx, v); return err }
		}},
		{"applied", func(t *testing.T, db *postgres.DB, d draft, member program.Member) (func() bool, func(context.Context) error) {
			v := completed(t, db, d, "one", member)
			return func() bool {
					m := sheet(t, db, d.model.ID)
					return m.LiveRunID == v.Run.ID && m.RevisionID == v.id && m.BuildID == v.Build.ID && m.Depth == 1 && inFlight(t, db, m.HeldBy[0].ID, program.SourceCascade) != nil
				}, func(ctx context.Context) error {
					return applyRevision(ctx, db, program.Application{ModelID: d.model.ID, RevisionID: v.id, Identity: &program.Identity{}})
				}
		}},
		{"trashed", func(t *testing.T, db *postgres.DB, d draft, _ program.Member) (func() bool, func(context.Context) error) {
			holder := sheet(t, db, d.model.ID).HeldBy[0].ID
			s := snapshotOf(draft{model: &sheet(t, db, holder).Model, build: d.build})
			must(t, db.CreateRun(t.Context(), s, 0))
			return func() bool {
					return readTrashedRun(t, db, s.ID).Status == program.RunFailed && inTrash(t, db, d, holder)
				},
				func(ctx context.Context) error {
					return db.DeleteModel(ctx, deletion(d.model.AccountID, holder), unbegun)
				}
		}},
		{"restored", func(t *testing.T, db *postgres.DB, d draft, _ program.Member) (func() bool, func(context.Context) error) {
			holder := sheet(t, db, d.model.ID).HeldBy[0].ID
			must(t, db.DeleteModel(t.Context(), deletion(d.model.AccountID, holder), unbegun))
			return func() bool { return len(sheet(t, db, d.model.ID).HeldBy) == 1 && !inTrash(t, db, d, holder) },
				func(ctx context.Context) error { return db.RestoreModel(ctx, d.model.AccountID, holder, trashed) }
		}},
		{"purged", func(t *testing.T, db *postgres.DB, d draft, _ program.Member) (func() bool, func(context.Context) error) {
			holder := sheet(t, db, d.model.ID).HeldBy[0].ID
			live := sheet(t, db, holder).LiveRunID
			must(t, db.DeleteModel(t.Context(), deletion(d.model.AccountID, holder), unbegun))
			return func() bool {
					found, err := db.RunsByID(t.Context(), []string{live})
					must(t, err)
					return len(found) == 0 && !inTrash(t, db, d, holder)
				}, func(ctx context.Context) error {
					return db.PurgeModel(ctx, deletion(d.model.AccountID, holder))
				}
		}},
	}) {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			a := newAccount(t, db, fmt.Sprint("a ", test.name)).ID
			member := active(t, db, a, "MEMBER", assetMember("SPY"))
			d := active(t, db, a, "X", assetMember("SPY"))
			active(t, db, a, "HOLDER", modelMember(t, db, d.model.ID))
			happened, do := test.do(t, db, d, modelMember(t, db, member.model.ID))
			everyStep(t, db, happened, func(ctx context.Context) error {
				err := do(ctx)
				switch fault.TypeOf(err) { // the repeated request, if the first had succeeded
				case fault.NotFound, fault.RebuildConflict:
					if happened() {
						return nil
					}
				}
				return err
			})
			wantWhole(t, db)
		})
	}
}

func inTrash(t *testing.T, db *postgres.DB, d draft, modelID string) bool {
	t.Helper()
	found, _, err := db.Trash(t.Context(), program.KindModel, d.model.AccountID, trashed, 10, 0)
	must(t, err)
	return len(found) == 1 && found[0].ID == modelID
}

// readTrashedRun reads a run whose model may be in the Trash.
func readTrashedRun(t *testing.T, db *postgres.DB, runID string) *program.Run {
	t.Helper()
	found, err := db.RunsByID(t.Context(), []string{runID})
	must(t, err)
	return found[runID]
}
