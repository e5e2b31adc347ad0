package postgres_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/metrics"
	"ballast/program"
	"ballast/timeseries"
)

// TestFiguresArePublished checks that the figures of runs are stored when they are
// published and deleted with them, that live figures are marked, and that missing ones
// are filled in.
func TestFiguresArePublished(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := create(t, db, newAccount(t, db, "a").ID, "RMOM")
	p := publication(d.run.ID, assetMember("SPY"))
	p.Figures = figures(1.0 / 3)
	p.Figures.Values[1] = 5e-324
	p.Figures.Start, p.Figures.End, p.Figures.Peak = 101, 200, 150
	must(t, db.Publish(t.Context(), p))
	same := func(what, runID string, want *metrics.Figures) {
		t.Helper()
		found, err := db.FiguresOf(t.Context(), []string{runID, "run_none"})
		must(t, err)
		if diff := cmp.Diff(want, found[runID], cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	same("a published run", d.run.ID, p.Figures)

	live := func(want ...string) {
		t.Helper()
		rows, err := db.Pool().Query(t.Context(), "select run_id from figures where live and program_id = $1", d.model.ID)
		must(t, err)
		var got []string
		for rows.Next() {
			var runID string
			must(t, rows.Scan(&runID))
			got = append(got, runID)
		}
		must(t, rows.Err())
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	live(d.run.ID)
	snapshot := snapshotOf(d)
	must(t, db.CreateRun(t.Context(), snapshot, 0))
	publish(t, db, snapshot.ID)
	live(d.run.ID)
	again := newRun(d.model, d.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), again, 0))
	publish(t, db, again.ID)
	live(again.ID)

	missing := func(want ...string) {
		t.Helper()
		got, err := db.RunsWithoutFigures(t.Context(), "", 10)
		must(t, err)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
			t.Error(diff)
		}
	}
	missing()
	_, err := db.Pool().Exec(t.Context(), "delete from figures where run_id = $1", again.ID)
	must(t, err)
	_, err = db.Pool().Exec(t.Context(), "update figures set version = 0, sharpe = 9 where run_id = $1", d.run.ID)
	must(t, err)
	missing(again.ID, d.run.ID)
	other := figures(2)
	other.Start, other.End, other.Peak, other.Valley, other.Recovery = timeseries.NoDate, timeseries.NoDate, timeseries.NoDate, timeseries.NoDate, timeseries.NoDate
	for _, runID := range []string{again.ID, d.run.ID} {
		must(t, db.KeepFigures(t.Context(), runID, other))
		same("a filled run", runID, other)
	}
	must(t, db.KeepFigures(t.Context(), "run_none", other))
	missing()
	live(again.ID)
	trash(t, db, d)
	live()
	must(t, db.RestoreModel(t.Context(), d.model.AccountID, d.model.ID, trashed))
	live(again.ID)
	must(t, db.DeleteRun(t.Context(), snapshot.ID))
	same("a deleted run", snapshot.ID, nil)
}

// TestFigureColumnsAreTheFigures compares the table's columns with the list of figures.
func TestFigureColumnsAreTheFigures(t *testing.T) {
	t.Parallel()
	db := open(t)
	rows, err := db.Pool().Query(t.Context(), "select attname::text from pg_attribute where attrelid = 'figures'::regclass and attnum > 0 and not attisdropped order by attnum")
	must(t, err)
	var got []string
	for rows.Next() {
		var column string
		must(t, rows.Scan(&column))
		got = append(got, column)
	}
	must(t, rows.Err())
	want := append([]string{
		"run_id", "program_id", "account_id", "live", "version", "created_at",
		"start_date", "end_date", "max_drawdown_peak", "max_drawdown_valley", "max_drawdown_recovery",
	}, metrics.FigureNames...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if math.IsNaN(figures(1).Figure("sharpe")) {
		t.Error("the figure that was given is not kept")
	}
}
