package postgres_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/id"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/syncing"
)

func TestLoadsTakeTurns(t *testing.T) {
	t.Parallel()
	db := open(t)
	ctx := t.Context()
	a := bars.Asset{ID: id.New(id.Asset), Symbol: "SPY", Convention: bars.Adjusted, First: 10, Last: 19, Rows: 10}
	_, err := db.Commit(ctx, bars.Change{Record: record("x.csv"), Assets: []bars.Asset{a}, Added: []bars.Segment{segment(a, "x", 0)}})
	must(t, err)

	var granted atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, ok, err := db.BeginLoad(ctx, a.ID, id.New(""), time.Minute, false); err != nil {
				t.Error(err)
			} else if ok {
				granted.Add(1)
			}
		})
	}
	all.Wait()
	if granted.Load() != 1 {
		t.Fatalf("%d leases", granted.Load())
	}
	// Only the holder can renew or end a load, and a forced load waits as well.
	kept, err := db.RenewLoad(ctx, a.ID, "another", time.Minute)
	must(t, err)
	must(t, db.EndLoad(ctx, a.ID, "another", syncing.End{Outcome: syncing.Brought}))
	state, ok, err := db.BeginLoad(ctx, a.ID, "another", time.Minute, true)
	must(t, err)
	if kept || ok || !state.Leased {
		t.Errorf("kept %v, granted %v, %+v", kept, ok, state)
	}

	b := a
	b.ID, b.Symbol = id.New(id.Asset), "AGG"
	_, err = db.Commit(ctx, bars.Change{Base: 1, Record: record("y.csv"), Assets: []bars.Asset{b}, Added: []bars.Segment{segment(b, "y", 0)}})
	must(t, err)
	// Anybody can take over an expired lease, and its former holder loses it.
	_, ok, err = db.BeginLoad(ctx, b.ID, "killed", time.Nanosecond, false)
	must(t, err)
	_, again, err := db.BeginLoad(ctx, b.ID, "next", time.Minute, false)
	must(t, err)
	kept, err = db.RenewLoad(ctx, b.ID, "killed", time.Minute)
	must(t, err)
	if !ok || !again || kept {
		t.Errorf("%v %v %v", ok, again, kept)
	}
	must(t, db.EndLoad(ctx, b.ID, "next", syncing.End{Outcome: syncing.Failed, Message: "Down.", Quiet: 3, Wait: time.Hour, Provider: "tiingo", Whole: true}))
	state, ok, err = db.BeginLoad(ctx, b.ID, "early", time.Minute, false)
	must(t, err)
	if ok || state.AskIn < 59*time.Minute {
		t.Errorf("granted %v, ask in %v", ok, state.AskIn)
	}
	state, ok, err = db.BeginLoad(ctx, b.ID, "forced", time.Minute, true)
	must(t, err)
	state.WholeAge = state.WholeAge.Truncate(time.Minute)
	if d := cmp.Diff(syncing.State{Provider: "tiingo", Outcome: syncing.Failed, Message: "Down.", Quiet: 3}, state); !ok || d != "" {
		t.Errorf("granted %v: %s", ok, d)
	}
}

// After a restart, symbols that no provider knew are requested at once; other waits stay.
func TestUnknownIsForgotten(t *testing.T) {
	t.Parallel()
	db := open(t)
	ctx := t.Context()
	for i, outcome := range []syncing.Outcome{syncing.NotKnown, syncing.Failed} {
		a := bars.Asset{ID: id.New(id.Asset), Symbol: string(outcome[:1]), Convention: bars.Adjusted, First: 10, Last: 19, Rows: 10}
		_, err := db.Commit(ctx, bars.Change{Base: int64(i), Record: record(a.Symbol), Assets: []bars.Asset{a}, Added: []bars.Segment{segment(a, a.Symbol, 0)}})
		must(t, err)
		_, ok, err := db.BeginLoad(ctx, a.ID, "me", time.Minute, false)
		must(t, err)
		must(t, db.EndLoad(ctx, a.ID, "me", syncing.End{Outcome: outcome, Wait: time.Hour}))
		_, early, err := db.BeginLoad(ctx, a.ID, "me", time.Minute, false)
		must(t, err)
		must(t, db.ForgetUnknown(ctx))
		_, again, err := db.BeginLoad(ctx, a.ID, "me", time.Minute, false)
		must(t, err)
		if !ok || early || again != (outcome == syncing.NotKnown) {
			t.Errorf("%s: first %v, too early %v, after a restart %v", outcome, ok, early, again)
		}
	}
}
