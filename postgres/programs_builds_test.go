package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/program"
	"ballast/timeseries"
)

// attempt is a rebuild of a model.
type attempt struct {
	build *program.Build
	run   *program.Run
	err   error
}

// rebuild stores another build of a model.
func rebuild(t testing.TB, db *postgres.DB, d draft, symbol string) attempt {
	t.Helper()
	b := *d.build
	b.ID, b.Kind, b.ScriptHash = id.New(id.Build), "rebuild", "def"
	r := newRun(d.model, b.ID, program.SourceRebuild)
	return attempt{&b, r, rebuildModel(t.Context(), db, &b, r, symbol)}
}

func TestRebuildServesTheFormerUntilItSucceeds(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "RMOM", assetMember("SPY"))
	next := rebuild(t, db, d, "NEW")
	must(t, next.err)
	m := sheet(t, db, d.model.ID)
	if m.Status != program.StatusActive || m.BuildID != d.build.ID || m.LiveRunID != d.run.ID || m.InFlight == nil || m.InFlight.Source != program.SourceRebuild {
		t.Errorf("while it is built: %+v, in flight %+v", m.Model, m.InFlight)
	}
	wantFault(t, rebuild(t, db, d, "").err, fault.RebuildConflict)
	wantFault(t, db.CreateRun(t.Context(), newRun(d.model, d.build.ID, program.SourceManual), 0), fault.RunConflict)

	p := publication(next.run.ID, assetMember("QQQ"))
	p.Causality = &backtest.Causality{Causal: true, Cuts: []backtest.Cut{{Date: timeseries.Date(120), Rows: 21}}}
	p.Identity = &program.Identity{Name: "Renamed", Symbol: "NEW", Description: "now other", Prompt: "other words", StartRule: "first_member"}
	must(t, db.Publish(t.Context(), p))
	m = sheet(t, db, d.model.ID)
	if m.Status != program.StatusActive || m.BuildID != next.build.ID || m.LiveRunID != next.run.ID || m.InFlight != nil ||
		m.Name != "Renamed" || m.Symbol != "NEW" || m.Description != "now other" || m.Prompt != "other words" || m.StartRule != "first_member" {
		t.Errorf("afterwards: %+v", m.Model)
	}
	if diff := cmp.Diff(p.Causality, m.Build.Causality); diff != "" {
		t.Error(diff)
	}
	if r := readRun(t, db, d.run.ID); r.ScriptHash != "abc" || r.BuildID != d.build.ID {
		t.Errorf("the former run has become %+v", r)
	}
}

func TestRebuildThatFails(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	child := active(t, db, a, "CHILD", assetMember("SPY"))
	d := active(t, db, a, "PARENT", modelMember(t, db, child.model.ID))
	next := rebuild(t, db, d, "")
	must(t, next.err)
	// A member publishes meanwhile; the rebuild would have read the new run.
	rerun := newRun(child.model, child.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), rerun, 0))
	publish(t, db, rerun.ID, assetMember("SPY"))

	verdict := &backtest.Causality{Difference: &backtest.Difference{Column: "return", Symbol: "SPY"}}
	must(t, db.FailRun(t.Context(), next.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "peeks"}, Causality: verdict}))
	m := sheet(t, db, d.model.ID)
	if m.BuildID != d.build.ID || m.LiveRunID != d.run.ID || !strings.Contains(m.Warning, "rebuild failed") || !strings.Contains(m.Warning, "peeks") {
		t.Errorf("%+v", m.Model)
	}
	if m.Status != program.StatusUpdating || m.InFlight == nil || m.InFlight.Source != program.SourceCascade || m.InFlight.BuildID != d.build.ID {
		t.Errorf("what the member published was not caught up with: %s, %+v", m.Status, m.InFlight)
	}
	b, err := db.Build(t.Context(), next.build.ID)
	must(t, err)
	if b.Status != program.RunFailed || b.Causality == nil || b.Causality.Difference.Symbol != "SPY" {
		t.Errorf("%+v", b)
	}
	must(t, rebuild(t, db, d, "").err) // a refresh in progress does not prevent it
}

func TestRefreshOfAFormerImplementation(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "RMOM", assetMember("SPY"))
	refresh := newRun(d.model, d.build.ID, program.SourceRefresh)
	must(t, db.CreateRun(t.Context(), refresh, 0))
	next := rebuild(t, db, d, "")
	must(t, next.err)
	if m := sheet(t, db, d.model.ID); m.Status != program.StatusUpdating || m.InFlight.ID != next.run.ID {
		t.Errorf("%s, %+v", m.Status, m.InFlight)
	}
	publish(t, db, next.run.ID, assetMember("SPY"))
	if m := sheet(t, db, d.model.ID); m.Status != program.StatusUpdating || m.LiveRunID != next.run.ID {
		t.Errorf("%+v", m.Model)
	}
	publish(t, db, refresh.ID, assetMember("SPY"))
	m := sheet(t, db, d.model.ID)
	if m.Status != program.StatusActive || m.LiveRunID != next.run.ID || m.InFlight != nil || m.BuildID != next.build.ID {
		t.Errorf("the former implementation is back: %+v", m.Model)
	}
	if r := readRun(t, db, refresh.ID); !r.Superseded {
		t.Error("the refresh is not superseded")
	}
}

func TestRebuildOfAFailedModel(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := create(t, db, a, "RMOM")
	must(t, db.FailRun(t.Context(), d.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no"}}))
	next := rebuild(t, db, d, "")
	must(t, next.err)
	m := sheet(t, db, d.model.ID)
	if m.Status != program.StatusBuilding || m.Failure != nil || m.BuildID != next.build.ID {
		t.Errorf("%+v", m.Model)
	}
	must(t, db.FailRun(t.Context(), next.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no again"}}))
	if m = sheet(t, db, d.model.ID); m.Status != program.StatusFailed || m.Failure.Message != "no again" {
		t.Errorf("%+v", m.Model)
	}
}

func TestRebuildKeepsSymbolsApart(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "FIRST")
	active(t, db, a, "TAKEN")
	wantFault(t, rebuild(t, db, d, "TAKEN").err, fault.SymbolTaken)
	next := rebuild(t, db, d, "LATE")
	must(t, next.err)
	create(t, db, a, "LATE")
	p := publication(next.run.ID)
	p.Identity = &program.Identity{Symbol: "LATE", StartRule: "all_members"}
	must(t, db.Publish(t.Context(), p))
	if m := sheet(t, db, d.model.ID); m.Symbol != "FIRST" || m.LiveRunID != next.run.ID || !strings.Contains(m.Warning, "LATE") {
		t.Errorf("%+v", m.Model)
	}
	stranger := newDraft(newAccount(t, db, "b").ID, "X")
	stranger.model.ID = d.model.ID
	b := *stranger.build
	b.ProgramID = d.model.ID
	wantFault(t, rebuildModel(t.Context(), db, &b, newRun(stranger.model, b.ID, program.SourceRebuild), ""), fault.NotFound)
}

// Two models are rebuilt to hold each other: whichever publishes second is told that it
// would hold itself.
func TestPublishRefusesACircle(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	first := active(t, db, a, "FIRST", assetMember("SPY"))
	second := active(t, db, a, "SECOND", assetMember("SPY"))
	middle := active(t, db, a, "MIDDLE", modelMember(t, db, first.model.ID))
	one, two := rebuild(t, db, first, ""), rebuild(t, db, second, "")
	must(t, one.err)
	must(t, two.err)
	publish(t, db, two.run.ID, modelMember(t, db, middle.model.ID))
	edges, err := db.Below(t.Context(), []string{second.model.ID})
	must(t, err)
	if len(edges) != 2 {
		t.Errorf("%+v", edges)
	}
	if err := db.Publish(t.Context(), publication(one.run.ID, modelMember(t, db, second.model.ID))); !errors.Is(err, program.ErrCycle) {
		t.Errorf("got %v", err)
	}
	if r := readRun(t, db, one.run.ID); r.Status.Ended() {
		t.Errorf("the refused publication left %s", r.Status)
	}
}

func TestKeepScript(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	active(t, db, a, "TAKEN")
	d := newDraft(a, "PROMPT")
	d.build.Script, d.build.ScriptHash, d.build.Validation, d.run.Inputs, d.run.ScriptHash = "", "", nil, json.RawMessage("{}"), ""
	must(t, store(t.Context(), db, d))
	g := &program.GeneratedScript{
		BuildID: d.build.ID, Script: "def decide(ctx): pass", ScriptHash: "123", InputsSchema: json.RawMessage(`{"z": 1, "a": 2}`),
		Validation: json.RawMessage(`{"valid": true, "errors": []}`), Generator: "anthropic/x", Usage: program.Usage{Tokens: 1234}, Inputs: json.RawMessage(`{"lookback": 5}`),
		Model: program.Identity{Name: "Written", Symbol: "TAKEN", Description: "what it does", StartRule: "first_member"},
	}
	wantFault(t, db.KeepScript(t.Context(), g), fault.SymbolTaken)
	g.Model.Symbol = "WRITTEN"
	must(t, db.KeepScript(t.Context(), g))
	m := sheet(t, db, d.model.ID)
	if m.Name != "Written" || m.Symbol != "WRITTEN" || m.Description != "what it does" || m.StartRule != "first_member" {
		t.Errorf("%+v", m.Model)
	}
	if m.Build.Script != g.Script || m.Build.Generator != g.Generator || m.Build.Usage.Tokens != 1234 || string(m.Build.Validation) != string(g.Validation) {
		t.Errorf("%+v", m.Build)
	}
	if r := readRun(t, db, d.run.ID); r.ScriptHash != "123" || string(r.Inputs) != string(g.Inputs) {
		t.Errorf("%+v", r)
	}
	// If the build is continued after a crash with another script, that script is not
	// stored.
	again := *g
	again.Script, again.Model.Name = "other", "Other"
	must(t, db.KeepScript(t.Context(), &again))
	if m := sheet(t, db, d.model.ID); m.Name != "Written" || m.Build.Script != g.Script {
		t.Errorf("%+v", m.Model)
	}
}

// Two concurrent builds would close a circle: whatever waits in between, one of them is
// refused.
func TestPublishRefusesACircleFromBothSides(t *testing.T) {
	t.Parallel()
	db := open(t)
	account := newAccount(t, db, "a").ID
	for round := range 8 {
		name := func(s string) string { return fmt.Sprintf("%s%d", s, round) }
		a, c := active(t, db, account, name("A"), assetMember("SPY")), active(t, db, account, name("C"), assetMember("SPY"))
		x := active(t, db, account, name("X"), modelMember(t, db, a.model.ID))
		y := active(t, db, account, name("Y"), modelMember(t, db, c.model.ID))
		d := active(t, db, account, name("D"), modelMember(t, db, x.model.ID))
		b := active(t, db, account, name("B"), modelMember(t, db, y.model.ID))
		_, err := db.Pool().Exec(t.Context(), "update programs set refresh = 'waiting' where id = any($1)", []string{x.model.ID, y.model.ID})
		must(t, err)
		one, two := rebuild(t, db, a, ""), rebuild(t, db, c, "")
		must(t, one.err)
		must(t, two.err)
		publications := []*program.Publication{
			publication(one.run.ID, modelMember(t, db, b.model.ID)), publication(two.run.ID, modelMember(t, db, d.model.ID)),
		}
		errs := make(chan error, 2)
		for _, p := range publications {
			go func() { errs <- db.Publish(context.Background(), p) }()
		}
		first, second := <-errs, <-errs
		if errors.Is(first, program.ErrCycle) == errors.Is(second, program.ErrCycle) {
			t.Fatalf("%v and %v", first, second)
		}
	}
}

// If a build's run is superseded, the build continues with the run that replaces it.
func TestSupersededBuildGoesOn(t *testing.T) {
	t.Parallel()
	db := open(t)
	account := newAccount(t, db, "a").ID
	child := active(t, db, account, "CHILD", assetMember("SPY"))
	d := active(t, db, account, "PARENT", assetMember("SPY"))
	next := rebuild(t, db, d, "")
	must(t, next.err)
	p := publication(next.run.ID, modelMember(t, db, child.model.ID))
	p.Causality = &backtest.Causality{Causal: true}
	rerun(t, db, child, assetMember("SPY"))
	must(t, db.Publish(t.Context(), p))
	b, err := db.Build(t.Context(), next.build.ID)
	must(t, err)
	if b.Status != program.RunRunning || b.FinishedAt != nil || b.Causality == nil {
		t.Errorf("%+v", b)
	}
	again := sheet(t, db, d.model.ID).InFlight
	must(t, db.FailRun(t.Context(), again.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no"}}))
	if b, err = db.Build(t.Context(), next.build.ID); err != nil || b.Status != program.RunFailed {
		t.Errorf("%+v, %v", b, err)
	}
	if m := sheet(t, db, d.model.ID); !strings.Contains(m.Warning, "rebuild failed") || m.LiveRunID != d.run.ID {
		t.Errorf("%+v", m.Model)
	}
}
