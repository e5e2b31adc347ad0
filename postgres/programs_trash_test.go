package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/program"
)

func TestDeleteModel(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "X", assetMember("SPY"))
	must(t, db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{IsPublic: given(true)}))
	must(t, db.PatchRun(t.Context(), d.run.ID, program.RunPatch{Shared: given(true)}))
	pause(t, db, d)
	waits := snapshotOf(d)
	must(t, db.CreateRun(t.Context(), waits, 0))
	ended, err := db.Finished(t.Context(), waits.ID)
	must(t, err)
	trash(t, db, d)
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		t.Error("the caller that waits for the queued run got no announcement")
	}
	if run, _, _, err := db.StartRun(t.Context(), waits.ID); run != nil || err != nil {
		t.Errorf("the queued run starts: %v, %v", run, err)
	}
	found, err := db.RunsByID(t.Context(), []string{waits.ID})
	must(t, err)
	if r := found[waits.ID]; r == nil || r.Status != program.RunFailed || r.Failure == nil || r.Failure.Message != unbegun.Message {
		t.Errorf("the queued run ended so: %+v", r)
	}
	for _, ref := range []string{d.model.ID, d.model.Slug, d.model.Symbol, d.model.Name} {
		_, err := db.ProgramID(t.Context(), program.KindModel, a, ref)
		wantFault(t, err, fault.NotFound)
	}
	keyed, err := db.ModelsByKey(t.Context(), a, []string{d.model.ID, "X", d.model.Name})
	must(t, err)
	models, total, err := db.Models(t.Context(), a, program.ModelFilter{Limit: 10})
	must(t, err)
	used, err := db.SymbolsInUse(t.Context(), a, []string{"X"})
	must(t, err)
	if len(keyed)+len(models)+total+len(used) != 0 {
		t.Errorf("found by key %v, listed %v of %d, symbols %v", keyed, models, total, used)
	}
	account, err := db.Account(t.Context(), a)
	must(t, err)
	if c := account.Collections; c.Models != 0 || c.Runs != 0 || c.Trash != 1 {
		t.Errorf("%+v", c)
	}
	objects, err := db.ResultObjects(t.Context(), []string{d.run.ID})
	must(t, err)
	if len(objects) != 2 {
		t.Error("its result is an orphan")
	}

	must(t, db.RestoreModel(t.Context(), a, d.model.ID, trashed))
	m := sheet(t, db, d.model.ID)
	if m.Status != program.StatusActive || m.IsPublic || m.AutoUpdate || m.Failures != 0 || m.Waits || m.LiveRunID != d.run.ID || m.InFlight != nil || m.Live.Shared {
		t.Errorf("%+v", m.Model)
	}
	_, err = db.ProgramID(t.Context(), program.KindModel, newAccount(t, db, "b").ID, m.Slug)
	wantFault(t, err, fault.NotFound)
}

func TestTrashIsLeftAlone(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	moved := assetMember("MOVED")
	moveBars(t, db, moved.ID, moved.BarsVersion)
	below := active(t, db, a, "BELOW", moved)
	holder := active(t, db, a, "HOLDER", modelMember(t, db, below.model.ID))
	trash(t, db, holder)
	rerun(t, db, below, moved) // cascades to no model
	moveBars(t, db, moved.ID, moved.BarsVersion+1)
	got, err := db.Refresh(t.Context(), program.Refresh{Session: 1000, Now: morning, Force: true})
	must(t, err)
	if diff := cmp.Diff(program.Refreshed{Due: 1}, got); diff != "" {
		t.Error(diff)
	}
	if m := sheet(t, db, below.model.ID); len(m.HeldBy) != 0 {
		t.Errorf("held by %v", m.HeldBy)
	}
	edges, err := db.Below(t.Context(), []string{holder.model.ID})
	must(t, err)
	if len(edges) != 1 {
		t.Errorf("%v", edges)
	}
	flight := sheet(t, db, below.model.ID).InFlight
	publish(t, db, flight.ID, moved)
	trash(t, db, below) // held only by a model in the Trash

	wantFault(t, db.RestoreModel(t.Context(), a, holder.model.ID, trashed), fault.TrashDependencies)
	must(t, db.RestoreModel(t.Context(), a, below.model.ID, trashed))
	must(t, db.RestoreModel(t.Context(), a, holder.model.ID, trashed))
	wantFault(t, db.DeleteModel(t.Context(), deletion(a, below.model.ID), unbegun), fault.ModelHeld)
	rerun(t, db, below, moved) // and now it cascades again
	if m := sheet(t, db, holder.model.ID); m.InFlight == nil || m.InFlight.Source != program.SourceCascade {
		t.Errorf("%+v", m.InFlight)
	}
}

func TestTrashListsAndExpires(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	var want []string
	var drafts []draft
	for i, symbol := range []string{"ONE", "TWO", "THREE"} {
		d := active(t, db, a, symbol)
		drafts = append(drafts, d)
		at := deletion(a, d.model.ID)
		at.At, at.PurgeAt = at.At.Add(time.Duration(i)*time.Hour), at.PurgeAt.Add(time.Duration(i)*time.Hour)
		must(t, db.DeleteModel(t.Context(), at, unbegun))
		want = append([]string{d.model.ID}, want...)
	}
	list := func(now time.Time, limit, offset int) ([]string, int) {
		t.Helper()
		found, total, err := db.Trash(t.Context(), program.KindModel, a, now, limit, offset)
		must(t, err)
		return ids(found, func(m *program.Trashed) string { return m.ID }), total
	}
	for _, test := range []struct {
		name          string
		now           time.Time
		limit, offset int
		want          []string
		total         int
	}{
		{"all", trashed, 50, 0, want, 3},
		{"page", trashed, 1, 1, want[1:2], 3},
		{"after the end", trashed, 5, 9, []string{}, 3},
		{"one has expired", purged, 50, 0, want[:2], 2},
		{"two have", purged.Add(time.Hour), 50, 0, want[:1], 1},
	} {
		got, total := list(test.now, test.limit, test.offset)
		if diff := cmp.Diff(test.want, got); diff != "" || total != test.total {
			t.Errorf("%s: total %d; %s", test.name, total, diff)
		}
	}
	// An expired model cannot be restored, even before it is swept.
	wantFault(t, db.RestoreModel(t.Context(), a, drafts[0].model.ID, purged), fault.NotFound)

	sweep := func(now time.Time, n int) []string {
		t.Helper()
		gone, err := db.PurgeExpired(t.Context(), now, now.Add(program.Retention), n)
		must(t, err)
		return gone
	}
	if diff := cmp.Diff([]string{drafts[0].model.ID}, sweep(purged.Add(time.Hour), 1)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{drafts[1].model.ID}, sweep(purged.Add(time.Hour), 10)); diff != "" {
		t.Error(diff)
	}
	objects, err := db.ResultObjects(t.Context(), []string{drafts[0].run.ID, drafts[2].run.ID})
	must(t, err)
	if len(objects) != 2 {
		t.Errorf("objects %v", objects)
	}
	var left, receipts int
	count := func() {
		t.Helper()
		must(t, db.Pool().QueryRow(t.Context(), `select (select count(*) from programs) + (select count(*) from builds) + (select count(*) from runs),
			(select count(*) from deletion_receipts)`).Scan(&left, &receipts))
	}
	if count(); left != 3 || receipts != 2 {
		t.Errorf("%d rows, %d receipts are left", left, receipts)
	}
	err = db.RestoreModel(t.Context(), a, drafts[0].model.ID, purged.Add(2*time.Hour))
	wantFault(t, err, fault.NotFound)
	if err == nil || !cmp.Equal(true, containsText(err, "was purged")) {
		t.Errorf("%v", err)
	}
	if len(sweep(purged.Add(program.Retention+3*time.Hour), 10)) != 1 {
		t.Error("the last one stays")
	}
	if count(); left != 0 || receipts != 1 {
		t.Errorf("%d rows, %d receipts are left", left, receipts)
	}
}

func TestPurgedMembersLeaveTheirHolders(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	member := active(t, db, a, "MEMBER", assetMember("SPY"))
	holder := active(t, db, a, "HOLDER", modelMember(t, db, member.model.ID))
	trash(t, db, holder)
	trash(t, db, member)
	must(t, db.PurgeModel(t.Context(), deletion(a, member.model.ID)))
	must(t, db.RestoreModel(t.Context(), a, holder.model.ID, trashed))
	m := sheet(t, db, holder.model.ID)
	if m.Status != program.StatusActive || m.Live == nil || len(m.Live.Members) != 1 {
		t.Errorf("%+v", m.Model)
	}
	edges, err := db.Below(t.Context(), []string{holder.model.ID})
	must(t, err)
	if len(edges) != 0 {
		t.Errorf("%v", edges)
	}
}

func TestRunsThatOthersRestOnStay(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	bottom := active(t, db, a, "BOTTOM", assetMember("SPY"))
	middle := active(t, db, a, "MIDDLE", modelMember(t, db, bottom.model.ID))
	top := active(t, db, a, "TOP", modelMember(t, db, middle.model.ID))
	rerun(t, db, bottom, assetMember("SPY")) // the cascade waits in the queue
	err := db.DeleteRun(t.Context(), bottom.run.ID)
	wantFault(t, err, fault.RunLive)
	if !containsText(err, "details name them") {
		t.Errorf("%v", err)
	}
	publish(t, db, sheet(t, db, middle.model.ID).InFlight.ID, modelMember(t, db, bottom.model.ID))
	wantFault(t, db.DeleteRun(t.Context(), bottom.run.ID), fault.RunLive) // TOP has read it through MIDDLE's former run
	wantFault(t, db.DeleteRun(t.Context(), middle.run.ID), fault.RunLive)
	publish(t, db, sheet(t, db, top.model.ID).InFlight.ID, modelMember(t, db, middle.model.ID))
	must(t, db.DeleteRun(t.Context(), bottom.run.ID))
	must(t, db.DeleteRun(t.Context(), middle.run.ID))
	wantFault(t, db.DeleteRun(t.Context(), middle.run.ID), fault.NotFound)
	objects, err := db.ResultObjects(t.Context(), []string{bottom.run.ID})
	must(t, err)
	if len(objects) != 0 {
		t.Error("the deleted run's result is named")
	}
	wantFault(t, db.DeleteRun(t.Context(), id.New(id.Run)), fault.NotFound)
}

func TestDeletedRunsCount(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "X")
	for range 2 {
		r := snapshotOf(d)
		must(t, db.CreateRun(t.Context(), r, 2))
		publish(t, db, r.ID)
		must(t, db.DeleteRun(t.Context(), r.ID))
	}
	wantFault(t, db.CreateRun(t.Context(), snapshotOf(d), 2), fault.DailyRunLimit)
	_, err := db.Pool().Exec(t.Context(), "update manual_runs set day = day - 1")
	must(t, err)
	must(t, db.CreateRun(t.Context(), snapshotOf(d), 2))
}
