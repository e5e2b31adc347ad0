package postgres_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/program"
)

// If all tests of one strategy are applied at once, one succeeds. The others tested a
// strategy that is no longer served.
func TestAppliesTogether(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "X", assetMember("SPY"))
	tests := make([]tested, 8)
	for i := range tests {
		tests[i] = completed(t, db, d, fmt.Sprint(i), assetMember("SPY"))
	}
	var callers sync.WaitGroup
	var mu sync.Mutex
	won := map[string]int{}
	for i := range 24 {
		v := tests[i%len(tests)]
		callers.Go(func() {
			err := v.apply(t, db)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won[v.id]++
			} else if fault.TypeOf(err) != fault.BaseChanged {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	if len(won) != 1 || won[sheet(t, db, d.model.ID).RevisionID] != 3 {
		t.Errorf("won %v", won)
	}
	wantWhole(t, db)
}

// If a member has moved on since the test read it, the test's result is served, and a
// fresh run is queued, which the models above wait for.
func TestApplyOfWhatHasMovedOn(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	member := active(t, db, a, "MEMBER", assetMember("SPY"))
	d := active(t, db, a, "X", assetMember("SPY"))
	holder := active(t, db, a, "HOLDER", modelMember(t, db, d.model.ID))
	v := completed(t, db, d, "one", modelMember(t, db, member.model.ID))
	rerun(t, db, member, assetMember("SPY"))
	must(t, v.apply(t, db))
	m := sheet(t, db, d.model.ID)
	if m.LiveRunID != v.Run.ID || m.Status != program.StatusUpdating || m.InFlight == nil || m.InFlight.Source != program.SourceRefresh || m.InFlight.BuildID != v.Build.ID {
		t.Fatalf("%+v\n%+v", m.Model, m.InFlight)
	}
	if h := sheet(t, db, holder.model.ID); h.InFlight != nil || !h.Waits {
		t.Errorf("the holder does not wait: %+v", h.Model)
	}
	publish(t, db, m.InFlight.ID, modelMember(t, db, member.model.ID))
	if h := sheet(t, db, holder.model.ID); h.InFlight == nil {
		t.Errorf("the holder does not follow: %+v", h.Model)
	}

	// If a member is moving at this moment, the fresh run waits for it.
	v = completed(t, db, d, "two", modelMember(t, db, member.model.ID))
	publish(t, db, sheet(t, db, holder.model.ID).InFlight.ID, modelMember(t, db, d.model.ID))
	rerun(t, db, member, assetMember("SPY"))
	publish(t, db, sheet(t, db, d.model.ID).InFlight.ID, modelMember(t, db, member.model.ID))
	next := newRun(member.model, member.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), next, 0))
	must(t, v.apply(t, db))
	if m := sheet(t, db, d.model.ID); m.LiveRunID != v.Run.ID || m.InFlight != nil || !m.Waits {
		t.Errorf("%+v", m.Model)
	}
	publish(t, db, next.ID, assetMember("SPY"))
	if m := sheet(t, db, d.model.ID); m.InFlight == nil {
		t.Errorf("%+v", m.Model)
	}
}

func TestApplyAfterBarsHaveMoved(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "X", assetMember("SPY"))
	moved := assetMember("MOVED")
	moveBars(t, db, moved.ID, moved.BarsVersion)
	same := completed(t, db, d, "same", moved)
	must(t, same.apply(t, db))
	if m := sheet(t, db, d.model.ID); m.InFlight != nil || m.Waits {
		t.Errorf("nothing has moved: %+v", m.Model)
	}
	stale := completed(t, db, d, "stale", moved)
	moveBars(t, db, moved.ID, moved.BarsVersion+1)
	must(t, stale.apply(t, db))
	if m := sheet(t, db, d.model.ID); m.LiveRunID != stale.Run.ID || m.InFlight == nil || m.InFlight.Source != program.SourceRefresh {
		t.Errorf("%+v", m.Model)
	}
}

func TestApplyRefusesWhatIsGoneOrHoldsTheModel(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	bottom := active(t, db, a, "BOTTOM", assetMember("SPY"))
	member := active(t, db, a, "MEMBER", modelMember(t, db, bottom.model.ID))
	d := active(t, db, a, "X", assetMember("SPY"))
	v := completed(t, db, d, "one", modelMember(t, db, member.model.ID))

	// A run far below it is deleted once no served result depends on it.
	rerun(t, db, bottom, assetMember("SPY"))
	publish(t, db, sheet(t, db, member.model.ID).InFlight.ID, modelMember(t, db, bottom.model.ID))
	must(t, db.DeleteRun(t.Context(), bottom.run.ID))
	err := v.apply(t, db)
	wantFault(t, err, fault.NotApplicable)
	if !containsText(err, "has been deleted") {
		t.Errorf("%v", err)
	}

	trashedMember := completed(t, db, d, "trashed", modelMember(t, db, member.model.ID))
	trash(t, db, member)
	wantFault(t, trashedMember.apply(t, db), fault.NotApplicable)
	must(t, db.RestoreModel(t.Context(), a, member.model.ID, trashed))

	circle := completed(t, db, d, "circle", modelMember(t, db, member.model.ID))
	next := rebuild(t, db, member, "")
	must(t, next.err)
	publish(t, db, next.run.ID, modelMember(t, db, d.model.ID))
	before := dump(t, db)
	wantFault(t, circle.apply(t, db), fault.ReferenceCycle)
	if diff := cmp.Diff(before, dump(t, db)); diff != "" {
		t.Errorf("a refusal changes: %s", diff)
	}
	wantWhole(t, db)
}

// If an apply fails at any of its writes, nothing of it is stored.
func TestApplyIsOneTransaction(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	member := active(t, db, a, "MEMBER", assetMember("SPY"))
	former := active(t, db, a, "FORMER", assetMember("SPY"))
	d := active(t, db, a, "X", modelMember(t, db, former.model.ID))
	active(t, db, a, "HOLDER", modelMember(t, db, d.model.ID))
	must(t, edit(t.Context(), db, d.model.ID, "# edited"))
	v := completed(t, db, d, "one", modelMember(t, db, member.model.ID))
	exec := func(sql string) {
		t.Helper()
		_, err := db.Pool().Exec(t.Context(), sql)
		must(t, err)
	}
	exec(`create function break() returns trigger language plpgsql as $$ begin raise exception 'broken here'; end $$`)
	before := dump(t, db)
	for _, at := range []string{
		"update on runs", "update of build_id on programs", "delete on memberships", "insert on memberships", "update on revisions",
		"update of approved_revision_id on models", "update on drafts", "update of refresh on programs", "insert on runs", "insert on river_job",
	} {
		table := at[strings.LastIndexByte(at, ' ')+1:]
		exec(fmt.Sprintf("create trigger broken after %s for each row execute function break()", at))
		if err := v.apply(t, db); err == nil || !containsText(err, "broken here") {
			t.Fatalf("%s: %v", at, err)
		}
		exec("drop trigger broken on " + table)
		if diff := cmp.Diff(before, dump(t, db)); diff != "" {
			t.Errorf("broken at %s: %s", at, diff)
		}
	}
	must(t, v.apply(t, db))
	wantWhole(t, db)
}
