package postgres_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/internal/fault"
	"ballast/program"
)

// TestTrials compares the count of trials with what was tried, whatever happens to the
// runs.
func TestTrials(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d, other := create(t, db, a, "MODEL"), create(t, db, a, "OTHER")
	minute := 0
	try := func(r *program.Run, strategy string, sharpe float64) {
		t.Helper()
		p := publication(r.ID, assetMember("SPY"))
		minute++
		p.Strategy, p.Figures, p.FinishedAt = strategy, figures(sharpe), morning.Add(time.Duration(minute)*time.Minute)
		must(t, db.Publish(t.Context(), p))
	}
	snapshot := func(inputs string) *program.Run {
		t.Helper()
		r := snapshotOf(d)
		r.Inputs = json.RawMessage(inputs)
		must(t, db.CreateRun(t.Context(), r, 0))
		return r
	}
	tried := func(want ...float64) {
		t.Helper()
		got, err := db.Trials(t.Context(), d.model.ID)
		must(t, err)
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.SortSlices(less)); diff != "" {
			t.Error(diff)
		}
	}
	try(d.run, "s", 0.5)
	try(other.run, "s", 9)
	tried(0.5)

	second := snapshot(`{"lookback": 200}`)
	try(second, "s", 0.75)
	richer := snapshot(`{"lookback": 200, "initial_cash": 5000}`)
	try(richer, "s", 0.75)
	tried(0.5, 0.75) // cash does not count as a choice
	nothing := snapshot(`{"lookback": 1}`)
	try(nothing, "s", math.NaN())
	tried(0.5, 0.75, math.NaN())

	failed := snapshot(`{"lookback": 2}`)
	must(t, db.FailRun(t.Context(), failed.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no"}}))
	refreshed := newRun(d.model, d.build.ID, program.SourceRefresh)
	must(t, db.CreateRun(t.Context(), refreshed, 0))
	try(refreshed, "s", 0.6)
	tried(0.5, 0.75, math.NaN())

	// Deleting bad results does not improve the rest.
	must(t, db.DeleteRun(t.Context(), second.ID))
	must(t, db.DeleteRun(t.Context(), nothing.ID))
	last := snapshot(`{"lookback": 3}`)
	try(last, "s", 1)
	tried(0.5, 0.75, math.NaN(), 1)
	another := snapshot(`{"lookback": 3}`)
	try(another, "another", 2)
	tried(0.5, 0.75, math.NaN(), 1, 2)
}

// less orders NaN last.
func less(a, b float64) bool { return a < b || math.IsNaN(b) && !math.IsNaN(a) }

// TestTrialsOfRunsBeforeThem checks that old trials, recorded by the whole script, count
// once.
func TestTrialsOfRunsBeforeThem(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "MODEL", assetMember("SPY"))
	_, err := db.Pool().Exec(t.Context(), "update trials set strategy = $1, sharpe = null", d.run.ScriptHash)
	must(t, err)
	again := newRun(d.model, d.build.ID, program.SourceRefresh)
	must(t, db.CreateRun(t.Context(), again, 0))
	p := publication(again.ID, assetMember("SPY"))
	p.Strategy = "s"
	must(t, db.Publish(t.Context(), p))
	got, err := db.Trials(t.Context(), d.model.ID)
	must(t, err)
	if len(got) != 1 || !math.IsNaN(got[0]) {
		t.Errorf("trials %v", got)
	}
	if n := count(t, db, "select count(*) from trials"); n != 1 {
		t.Errorf("%d trials", n)
	}
}

func TestServed(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := create(t, db, newAccount(t, db, "a").ID, "MODEL")
	for _, live := range []string{"", d.run.ID} {
		if live != "" {
			publish(t, db, d.run.ID, assetMember("SPY"))
		}
		got, err := db.Served(t.Context(), d.model.ID)
		must(t, err)
		want := sheet(t, db, d.model.ID)
		if (live == "") != (got.Live == nil) || got.Live != nil && got.Live.ID != live {
			t.Errorf("serves %+v, want %q", got.Live, live)
		}
		if diff := cmp.Diff(want.Model, got.Model); diff != "" {
			t.Error(diff)
		}
	}
	trash(t, db, d)
	_, err := db.Served(t.Context(), d.model.ID)
	wantFault(t, err, fault.NotFound)
}
