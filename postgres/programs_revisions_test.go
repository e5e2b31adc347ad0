package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/program"
)

// tested is a test of a draft.
type tested struct {
	program.Test
	id  string
	err error
}

// freeze returns a test of a model's draft as it is now.
func freeze(ctx context.Context, db *postgres.DB, d draft, key string) program.Test {
	b := *d.build
	b.ID, b.Kind, b.Script, b.ScriptHash = id.New(id.Build), "revision", "# "+key, "hash of "+key
	r := newRun(d.model, b.ID, program.SourceDraftTest)
	r.Publishes, r.Inputs, r.ScriptHash = false, json.RawMessage(`{"universe": ["QQQ"]}`), b.ScriptHash
	v := &program.Revision{
		ID: id.New(id.Revision), AccountID: d.model.AccountID, ModelID: d.model.ID, Kind: program.RevisionScript, RequestKey: key,
		RunID: r.ID, BuildID: b.ID, CreatedAt: morning,
	}
	saved, strategy, err := db.Draft(ctx, d.model.ID)
	if err == nil {
		v.BaseHash = strategy.Hash
	}
	if saved != nil {
		v.DraftVersion = saved.Version
	}
	return program.Test{Revision: v, Build: &b, Run: r}
}

// testDraft stores a test of a draft.
func testDraft(t testing.TB, db *postgres.DB, d draft, key string) tested {
	t.Helper()
	f := freeze(t.Context(), db, d, key)
	revisionID, err := db.StartTest(t.Context(), f)
	return tested{f, revisionID, err}
}

// completed stores a test and completes it.
func completed(t testing.TB, db *postgres.DB, d draft, key string, members ...program.Member) tested {
	t.Helper()
	v := testDraft(t, db, d, key)
	must(t, v.err)
	publish(t, db, v.Run.ID, members...)
	return v
}

func (v tested) apply(t testing.TB, db *postgres.DB) error {
	return applyRevision(t.Context(), db, program.Application{ModelID: v.Revision.ModelID, RevisionID: v.id, Identity: &program.Identity{Description: "tested"}})
}

func readRevision(t testing.TB, db *postgres.DB, v tested) *program.Revision {
	t.Helper()
	r, err := db.Revision(t.Context(), v.Revision.ModelID, v.id)
	must(t, err)
	return r
}

// edit saves a draft, whatever its version.
func edit(ctx context.Context, db *postgres.DB, modelID, script string) error {
	e := program.DraftEdit{ModelID: modelID, Script: &script}
	saved, strategy, err := db.Draft(ctx, modelID)
	if err == nil {
		e.BaseHash = strategy.Hash
	}
	if saved != nil {
		e.ExpectedVersion = saved.Version
	}
	return db.SaveDraft(ctx, e)
}

func TestBuildsThatAreServedAreRevisions(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := create(t, db, newAccount(t, db, "a").ID, "X")
	list := func(event string) []*program.Revision {
		t.Helper()
		found, total, err := db.Revisions(t.Context(), d.model.ID, program.RevisionFilter{Event: event, Limit: 10})
		must(t, err)
		if total != len(found) {
			t.Errorf("%d of %d", len(found), total)
		}
		return found
	}
	if len(list("")) != 0 {
		t.Error("a build is a revision before it is served")
	}
	publish(t, db, d.run.ID)
	first := list("changes")
	if len(first) != 1 || first[0].Number != 1 || !first[0].Current || first[0].Tested || first[0].BaseHash != "" || first[0].RunID != d.run.ID ||
		first[0].Status != program.RunComplete || first[0].AppliedAt == nil || sheet(t, db, d.model.ID).RevisionID != first[0].ID {
		t.Fatalf("%+v", first)
	}
	failed := rebuild(t, db, d, "")
	must(t, failed.err)
	must(t, db.FailRun(t.Context(), failed.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "x"}}))
	rerun(t, db, d)
	if len(list("")) != 1 {
		t.Error("a failed rebuild or a default run is a revision")
	}
	again := rebuild(t, db, d, "")
	must(t, again.err)
	publish(t, db, again.run.ID)
	next := promote(t, db, d, again.build.ID)
	must(t, next.err)
	publish(t, db, next.run.ID)
	all := list("changes")
	var told []string
	for _, v := range all {
		told = append(told, fmt.Sprint(v.Number, " ", v.Kind, " on ", v.BaseHash, " current ", v.Current))
	}
	want := []string{"3 inputs on def current true", "2 script on abc current false", "1 script on  current false"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
	if len(list("tests")) != 0 {
		t.Error("they are tests")
	}
}

func TestApplyInstallsTheTestAtOnce(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	member := active(t, db, a, "MEMBER", assetMember("SPY"))
	d := active(t, db, a, "X", assetMember("SPY"))
	holder := active(t, db, a, "HOLDER", modelMember(t, db, d.model.ID))
	must(t, edit(t.Context(), db, d.model.ID, "# edited"))
	before := sheet(t, db, d.model.ID)
	v := testDraft(t, db, d, "one")
	must(t, v.err)
	p := publication(v.Run.ID, modelMember(t, db, member.model.ID))
	p.Warning = "nothing is left"
	must(t, db.Publish(t.Context(), p))
	if diff := cmp.Diff(before, sheet(t, db, d.model.ID)); diff != "" {
		t.Errorf("a test changes what is served: %s", diff)
	}
	jobs := len(queued(t, db))
	must(t, v.apply(t, db))

	m := sheet(t, db, d.model.ID)
	if m.Status != program.StatusActive || m.BuildID != v.Build.ID || m.LiveRunID != v.Run.ID || m.RevisionID != v.id || m.Depth != 1 ||
		m.Warning != p.Warning || m.Description != "tested" || m.InFlight != nil || !m.Live.Publishes || m.Build.Status != program.RunComplete {
		t.Errorf("%+v\n%+v", m.Model, m.Live)
	}
	edges, err := db.Below(t.Context(), []string{d.model.ID})
	must(t, err)
	if len(edges) != 1 || edges[0].MemberID != member.model.ID {
		t.Errorf("%+v", edges)
	}
	if h := sheet(t, db, holder.model.ID); h.InFlight == nil || h.InFlight.Source != program.SourceCascade || len(queued(t, db)) != jobs+1 {
		t.Errorf("the holder's refresh is %+v of %d jobs", h.InFlight, len(queued(t, db))-jobs)
	}
	saved, strategy, err := db.Draft(t.Context(), d.model.ID)
	must(t, err)
	if saved.Version != 2 || saved.Script != nil || saved.Prompt != nil || strategy.Hash != v.Build.ScriptHash {
		t.Errorf("%+v over %+v", saved, strategy)
	}
	got := readRevision(t, db, v)
	if !got.Current || got.AppliedAt == nil || got.Number != 2 || got.BaseHash != "abc" || got.Usage == nil || string(got.Inputs) != `{"universe": ["QQQ"]}` {
		t.Errorf("%+v", got)
	}
	after := dump(t, db)
	must(t, v.apply(t, db))
	if diff := cmp.Diff(after, dump(t, db)); diff != "" {
		t.Errorf("applied twice: %s", diff)
	}
	wantWhole(t, db)
}

func TestADraftThatWasEditedSinceItsTestStays(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "X")
	must(t, edit(t.Context(), db, d.model.ID, "# one"))
	v := completed(t, db, d, "one")
	must(t, edit(t.Context(), db, d.model.ID, "# two"))
	must(t, v.apply(t, db))
	saved, _, err := db.Draft(t.Context(), d.model.ID)
	must(t, err)
	if saved.Version != 2 || saved.Script == nil || *saved.Script != "# two" || saved.BaseHash != "abc" {
		t.Errorf("%+v", saved)
	}
}

func TestApplyNamesTheModelAsARebuildDoes(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "X")
	active(t, db, a, "TAKEN")
	for i, test := range []struct{ symbol, want, warning string }{{"Y", "Y", ""}, {"TAKEN", "Y", "The script's SYMBOL TAKEN was taken"}} {
		v := completed(t, db, d, fmt.Sprint(i))
		must(t, applyRevision(t.Context(), db, program.Application{
			ModelID: d.model.ID, RevisionID: v.id, Identity: &program.Identity{Name: "Named", Symbol: test.symbol, Prompt: "words"},
		}))
		m := sheet(t, db, d.model.ID)
		if m.Name != "Named" || m.Symbol != test.want || m.Prompt != "words" || (m.Warning == "") != (test.warning == "") {
			t.Errorf("%+v", m.Model)
		}
	}
	f := freeze(t.Context(), db, d, "taken")
	f.Symbol = "TAKEN"
	_, err := db.StartTest(t.Context(), f)
	wantFault(t, err, fault.SymbolTaken)
}

func TestFiftyCallersOfOneKeyGetOneTest(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "X")
	must(t, edit(t.Context(), db, d.model.ID, "# edited"))
	jobs := len(queued(t, db))
	var mu sync.Mutex
	found := map[string]int{}
	var callers sync.WaitGroup
	for range 50 {
		f := freeze(t.Context(), db, d, "one")
		callers.Go(func() {
			revisionID, err := db.StartTest(t.Context(), f)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			found[revisionID]++
			mu.Unlock()
		})
	}
	callers.Wait()
	_, total, err := db.Revisions(t.Context(), d.model.ID, program.RevisionFilter{Event: "tests", Limit: 1})
	must(t, err)
	builds, _, err := db.Builds(t.Context(), d.model.ID, 10, 0)
	must(t, err)
	if len(found) != 1 || total != 1 || len(queued(t, db)) != jobs+1 || len(builds) != 2 {
		t.Errorf("revisions %v, %d stored, %d jobs, %d builds", found, total, len(queued(t, db))-jobs, len(builds))
	}
	// If a draft changed before a test with another key, it is frozen again.
	f := freeze(t.Context(), db, d, "two")
	must(t, edit(t.Context(), db, d.model.ID, "# again"))
	if _, err := db.StartTest(t.Context(), f); !errors.Is(err, program.ErrDraftMoved) {
		t.Errorf("%v", err)
	}
	again := testDraft(t, db, d, "one")
	if must(t, again.err); found[again.id] != 50 {
		t.Error("the same key gives another test of a changed draft")
	}
}

func TestDraftGuards(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "X")
	var saved sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for i := range 10 { // all editors have read version 0
		text := fmt.Sprint("# ", i)
		saved.Go(func() {
			err := db.SaveDraft(t.Context(), program.DraftEdit{ModelID: d.model.ID, BaseHash: "abc", Script: &text})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if fault.TypeOf(err) != fault.DraftConflict {
				t.Error(err)
			}
		})
	}
	saved.Wait()
	if won != 1 {
		t.Errorf("%d editors have won", won)
	}
	wantFault(t, db.SaveDraft(t.Context(), program.DraftEdit{ModelID: d.model.ID, ExpectedVersion: 1, BaseHash: "other", Reset: true}), fault.DraftConflict)
	must(t, db.SaveDraft(t.Context(), program.DraftEdit{ModelID: d.model.ID, ExpectedVersion: 1, BaseHash: "abc", Reset: true}))
	wantFault(t, db.SaveDraft(t.Context(), program.DraftEdit{ModelID: id.New(id.Model)}), fault.NotFound)
}
