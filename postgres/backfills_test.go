package postgres_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/catalog/backfill"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/program"
	"ballast/program/backfills"
)

// newBackfill returns a backfill of an asset from the sources.
func newBackfill(accountID, assetID string, sources ...backfills.Source) *backfills.Backfill {
	return &backfills.Backfill{
		ID: id.New(id.Backfill), AccountID: accountID, AssetID: assetID, Version: 1, Sources: sources,
		Spliced: []backfill.Splice{{Symbol: "PROXY", Start: 1, End: 5, Method: backfill.Raw}}, CreatedAt: morning, UpdatedAt: morning,
	}
}

func assetSource(m program.Member) backfills.Source {
	return backfills.Source{Kind: program.MemberAsset, ID: m.ID, Symbol: m.Symbol, Method: backfill.Raw, Scale: 1, Basis: backfill.One}
}

func anyGraph(backfills.Graph) error { return nil }

// with returns the member as a run that reads it through a version of a backfill pins it.
func with(m program.Member, b *backfills.Backfill, bars ...program.PinnedBars) program.Member {
	m.Backfill = &program.BackfillUse{ID: b.ID, Version: b.Version, Spliced: b.Spliced, Bars: append([]program.PinnedBars{}, bars...)}
	return m
}

func flightOf(t *testing.T, db *postgres.DB, modelID string) string {
	t.Helper()
	flight := sheet(t, db, modelID).InFlight
	if flight == nil {
		t.Fatal("nothing is in flight")
	}
	return flight.ID
}

func TestBackfillsAreFollowed(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	young, proxy := assetMember("YOUNG"), assetMember("PROXY")
	moveBars(t, db, young.ID, young.BarsVersion)
	moveBars(t, db, proxy.ID, proxy.BarsVersion)
	model, other := active(t, db, a, "HOLDS", young).model.ID, active(t, db, b, "HOLDS", young).model.ID

	rule := newBackfill(a, young.ID, assetSource(proxy))
	must(t, db.CreateBackfill(t.Context(), rule, anyGraph))
	if err := db.CreateBackfill(t.Context(), newBackfill(a, young.ID, assetSource(proxy)), anyGraph); fault.TypeOf(err) != fault.SymbolTaken {
		t.Error(err)
	}
	must(t, db.CreateBackfill(t.Context(), newBackfill(b, proxy.ID, assetSource(young)), anyGraph))
	if m := sheet(t, db, other); m.InFlight != nil {
		t.Error("another account's model follows")
	}

	// A run that read the old version is superseded, and a fresh one is queued.
	stale := flightOf(t, db, model)
	publish(t, db, stale, young)
	if r := readRun(t, db, stale); !r.Superseded || r.Live {
		t.Errorf("superseded %v, live %v", r.Superseded, r.Live)
	}
	pinned := with(young, rule, program.PinnedBars{ID: proxy.ID, BarsVersion: proxy.BarsVersion})
	publish(t, db, flightOf(t, db, model), pinned)
	if m := sheet(t, db, model); m.InFlight != nil || m.Waits {
		t.Errorf("%+v", m.Model)
	}

	// The same happens when the proxy's bars are restated, and with a new version.
	moveBars(t, db, proxy.ID, proxy.BarsVersion+1)
	found, err := db.RefreshHolders(t.Context(), proxy.ID, 0)
	must(t, err)
	if found.Due != 1 {
		t.Errorf("%d follow the proxy", found.Due)
	}
	publish(t, db, flightOf(t, db, model), with(young, rule, program.PinnedBars{ID: proxy.ID, BarsVersion: proxy.BarsVersion + 1}))
	must(t, db.ReviseBackfill(t.Context(), rule, anyGraph))
	if rule.Version != 2 {
		t.Errorf("version %d", rule.Version)
	}
	publish(t, db, flightOf(t, db, model), with(young, rule, program.PinnedBars{ID: proxy.ID, BarsVersion: proxy.BarsVersion + 1}))
	must(t, db.DeleteBackfill(t.Context(), a, rule.ID))
	publish(t, db, flightOf(t, db, model), young)
	if m := sheet(t, db, model); m.InFlight != nil || m.Live.Members[0].Backfill != nil {
		t.Errorf("%+v", m.Live)
	}

	// Only runs that have pinned a deleted backfill can still read it.
	for version := 1; version <= 2; version++ {
		kept, err := db.BackfillVersion(t.Context(), rule.ID, version)
		must(t, err)
		if d := cmp.Diff(rule.Sources, kept.Sources, cmpopts.EquateNaNs()); d != "" || kept.Version != version {
			t.Error(d, kept.Version)
		}
	}
	in, err := db.BackfillsOf(t.Context(), a, []string{young.ID})
	must(t, err)
	if list, total, err := db.Backfills(t.Context(), a, 10, 0); err != nil || total != 0 || len(list) != 0 || len(in) != 0 {
		t.Error(list, total, in, err)
	}
	if err := db.DeleteBackfill(t.Context(), a, rule.ID); fault.TypeOf(err) != fault.NotFound {
		t.Error(err)
	}
}

func TestModelsThatBackfillsReadStay(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	young, old := assetMember("YOUNG"), assetMember("OLD")
	moveBars(t, db, young.ID, young.BarsVersion)
	moveBars(t, db, old.ID, old.BarsVersion)
	inner := active(t, db, a, "INNER", young)
	proxy := active(t, db, a, "PROXY", modelMember(t, db, inner.model.ID), old)
	read := modelMember(t, db, proxy.model.ID)
	source := backfills.Source{Kind: program.MemberModel, ID: read.ID, RunID: read.RunID, Symbol: "PROXY", Method: backfill.Raw, Scale: 1}

	// The graph finds a path back to the asset at any depth.
	refused := errors.New("a circle")
	err := db.CreateBackfill(t.Context(), newBackfill(a, young.ID, source), func(g backfills.Graph) error {
		if len(g[proxy.model.ID]) != 2 || len(g[inner.model.ID]) != 1 || g[inner.model.ID][0].ID != young.ID {
			t.Errorf("%v", g)
		}
		return refused
	})
	if !errors.Is(err, refused) {
		t.Error(err)
	}
	third := assetMember("THIRD")
	moveBars(t, db, third.ID, third.BarsVersion)
	rule := newBackfill(a, third.ID, source)
	must(t, db.CreateBackfill(t.Context(), rule, anyGraph))

	drop := program.Deletion{AccountID: a, ModelID: proxy.model.ID, At: morning, PurgeAt: morning}
	if err := db.DeleteModel(t.Context(), drop, program.Failure{}); fault.TypeOf(err) != fault.ModelBackfills {
		t.Error(err)
	}
	moved := newRun(proxy.model, proxy.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), moved, 100))
	publish(t, db, moved.ID, modelMember(t, db, inner.model.ID), old)
	if err := db.DeleteRun(t.Context(), read.RunID); fault.TypeOf(err) != fault.RunLive {
		t.Error(err)
	}
	if err := db.ReviseBackfill(t.Context(), rule, anyGraph); fault.TypeOf(err) != fault.NotReady {
		t.Errorf("a run that is no longer live was pinned: %v", err)
	}
	must(t, db.DeleteBackfill(t.Context(), a, rule.ID))
	must(t, db.DeleteRun(t.Context(), read.RunID))
	must(t, db.DeleteModel(t.Context(), drop, program.Failure{}))
	if err := db.CreateBackfill(t.Context(), newBackfill(a, third.ID, source), anyGraph); fault.TypeOf(err) != fault.NotReady {
		t.Errorf("a model in the Trash was read: %v", err)
	}
}
