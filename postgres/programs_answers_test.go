package postgres_test

import (
	"testing"

	"ballast/internal/id"
	"ballast/program"
)

// Operations that start work return the rows that their transaction has stored, with
// everything that a response shows.
func TestStoredAnswers(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := newDraft(newAccount(t, db, "a").ID, "ANSWERS")
	created, err := db.CreateModel(t.Context(), d.model, d.build, d.run)
	must(t, err)
	if created.Status != program.StatusBuilding || created.InFlight == nil || created.InFlight.ID != d.run.ID || created.Build.ID != d.build.ID {
		t.Errorf("a created model is %+v", created)
	}
	publish(t, db, d.run.ID)

	shown := func(what string, r *program.Run) {
		t.Helper()
		if r.Status != program.RunQueued || r.ProgramName != d.model.Name || len(r.InputsSchema) == 0 {
			t.Errorf("%s is %+v", what, r)
		}
	}
	snapshot := snapshotOf(d)
	must(t, db.CreateRun(t.Context(), snapshot, 0))
	shown("a run", snapshot)
	publish(t, db, snapshot.ID)

	b := *d.build
	b.ID, b.Kind = id.New(id.Build), "revision"
	promoted := newRun(d.model, b.ID, program.SourcePromote)
	must(t, db.Promote(t.Context(), &b, promoted, d.build.ID))
	shown("a promotion", promoted)
	publish(t, db, promoted.ID)

	again := b
	again.ID, again.Kind = id.New(id.Build), "rebuild"
	rebuilt, err := db.Rebuild(t.Context(), &again, newRun(d.model, again.ID, program.SourceRebuild), "")
	must(t, err)
	if rebuilt.InFlight == nil || rebuilt.InFlight.Source != program.SourceRebuild || rebuilt.Live == nil {
		t.Errorf("a rebuilt model is %+v", rebuilt)
	}
	publish(t, db, rebuilt.InFlight.ID)

	tested := testDraft(t, db, d, "first")
	must(t, tested.err)
	if v := tested.Revision; v.Number == 0 || v.Status != program.RunQueued {
		t.Errorf("a test is %+v", v)
	}
	publish(t, db, tested.Run.ID)
	applied, err := db.ApplyRevision(t.Context(), program.Application{ModelID: d.model.ID, RevisionID: tested.id, Identity: &program.Identity{}})
	must(t, err)
	if !applied.Current || applied.AppliedAt == nil {
		t.Errorf("an applied revision is %+v", applied)
	}
}
