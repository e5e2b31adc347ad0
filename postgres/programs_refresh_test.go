package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/postgres"
	"ballast/program"
	"ballast/timeseries"
)

// moveBars sets the version of the bars of an asset, as an import does.
func moveBars(t testing.TB, db *postgres.DB, id string, version int64) {
	t.Helper()
	_, err := db.Pool().Exec(t.Context(), `insert into assets (id, symbol, name, name_words, type, bars_version)
		values ($1, upper(right($1, 8)), 'An asset', to_tsvector('simple', 'an asset'), 'etf', $2)
		on conflict (id) do update set bars_version = excluded.bars_version`, id, version)
	must(t, err)
}

func TestRefreshFollowsWhatMoved(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	moved, still := assetMember("MOVED"), assetMember("STILL")
	moveBars(t, db, moved.ID, moved.BarsVersion)
	moveBars(t, db, still.ID, still.BarsVersion)
	follows := active(t, db, a, "FOLLOWS", moved, still)
	stays := active(t, db, a, "STAYS", still)
	above := active(t, db, a, "ABOVE", modelMember(t, db, follows.model.ID), modelMember(t, db, stays.model.ID))
	byHand := active(t, db, a, "BYHAND", moved)
	_, err := db.Pool().Exec(t.Context(), "update programs set auto_update = false where id = $1", byHand.model.ID)
	must(t, err)

	session := timeseries.NewDate(2024, time.March, 8)
	refresh := program.Refresh{Session: session, Now: morning.Add(time.Hour)}
	begin := func(want program.Refreshed) {
		t.Helper()
		got, err := db.Refresh(t.Context(), refresh)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	begin(program.Refreshed{Unchanged: 3})
	if m := sheet(t, db, stays.model.ID); m.LastOutcome != "unchanged" || m.LastRunAt == nil || m.RequestedSession != session || m.InFlight != nil {
		t.Errorf("%+v", m.Model)
	}

	moveBars(t, db, moved.ID, moved.BarsVersion+1)
	begin(program.Refreshed{Due: 1, Waiting: 1, Unchanged: 1})
	flight := sheet(t, db, follows.model.ID).InFlight
	if flight == nil || flight.Source != program.SourceRefresh {
		t.Fatalf("in flight %+v", flight)
	}
	if m := sheet(t, db, above.model.ID); m.InFlight != nil || !m.Waits {
		t.Errorf("what holds it does not wait for it: %+v", m.Model)
	}
	begin(program.Refreshed{Due: 1, Waiting: 1, Unchanged: 1}) // again, while it runs
	moved.BarsVersion++
	publish(t, db, flight.ID, moved, still)
	if m := sheet(t, db, follows.model.ID); m.LastOutcome != "updated" || m.Waits {
		t.Errorf("%+v", m.Model)
	}
	top := sheet(t, db, above.model.ID).InFlight
	if top == nil || top.Source != program.SourceCascade {
		t.Fatalf("in flight %+v", top)
	}
	publish(t, db, top.ID, modelMember(t, db, follows.model.ID), modelMember(t, db, stays.model.ID))
	begin(program.Refreshed{Unchanged: 3})
	if m := sheet(t, db, byHand.model.ID); m.InFlight != nil || m.LastRunAt != nil {
		t.Errorf("%+v", m.Model)
	}

	// A failed refresh is tried again when its time has come.
	moveBars(t, db, still.ID, still.BarsVersion+1)
	begin(program.Refreshed{Due: 2, Waiting: 1})
	later := refresh.Now.Add(24 * time.Hour)
	must(t, db.FailRun(t.Context(), sheet(t, db, stays.model.ID).InFlight.ID, program.Ending{
		Failure: program.Failure{Type: "script_error", Message: "no"}, NextRetry: &later,
	}))
	if m := sheet(t, db, stays.model.ID); m.NextRetry == nil || !m.NextRetry.Equal(later) || m.LastOutcome != "failed" || m.LastError != "no" {
		t.Errorf("%+v", m.Model)
	}
}
