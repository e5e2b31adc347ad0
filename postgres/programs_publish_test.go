package postgres_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/internal/id"
	"ballast/program"
)

func TestPublishMakesTheResultVisible(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := create(t, db, newAccount(t, db, "a").ID, "RMOM")
	_, _, _, err := db.StartRun(t.Context(), d.run.ID)
	must(t, err)
	p := publication(d.run.ID, assetMember("SPY"), assetMember("AGG"))
	must(t, db.Publish(t.Context(), p))

	m := sheet(t, db, d.model.ID)
	if m.Status != program.StatusActive || m.LiveRunID != d.run.ID || m.InFlight != nil || m.Build.Status != program.RunComplete {
		t.Errorf("%+v", m)
	}
	want := *d.run
	want.Status, want.Live, want.ProgramName, want.InputsSchema = program.RunComplete, true, d.model.Name, d.build.InputsSchema
	want.HarnessVersion = p.HarnessVersion // the worker's, whatever version the run was queued with
	want.DataVersion, want.Members, want.Summary, want.Usage = p.DataVersion, p.Members, p.Summary, &p.Usage
	want.ResultHash, want.Tables, want.Base, want.First, want.Last = p.ResultHash, p.Tables, p.Base, p.First, p.Last
	want.FinishedAt, want.Progress = &p.FinishedAt, program.Progress{Step: "done", Done: 1, Total: 1}
	if diff := cmp.Diff(&want, m.Live, sameJSON, cmpopts.IgnoreFields(program.Run{}, "StartedAt")); diff != "" {
		t.Error(diff)
	}
	objects, err := db.ResultObjects(t.Context(), []string{d.run.ID, "run_" + strings.Repeat("0", 32), ""})
	must(t, err)
	if diff := cmp.Diff(map[string]bool{p.Tables["daily"].Key: true, p.Tables["ledger"].Key: true}, objects); diff != "" {
		t.Error(diff)
	}
}

func TestPublishingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "CHILD", assetMember("SPY"))
	active(t, db, a, "PARENT", modelMember(t, db, d.model.ID))
	before := dump(t, db)
	again := publication(d.run.ID, assetMember("QQQ"))
	again.ResultHash, again.DataVersion = "other", "v9"
	must(t, db.Publish(t.Context(), again))
	must(t, db.FailRun(t.Context(), d.run.ID, program.Ending{Failure: program.Failure{Type: "internal", Message: "late"}}))
	must(t, db.Publish(t.Context(), publication(id.New(id.Run))))
	if diff := cmp.Diff(before, dump(t, db)); diff != "" {
		t.Error(diff)
	}
}

func TestPublishTogether(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := create(t, db, newAccount(t, db, "a").ID, "RMOM")
	errs := make(chan error)
	for i := range 4 {
		p := publication(d.run.ID)
		p.ResultHash = fmt.Sprint(i)
		go func() { errs <- db.Publish(context.Background(), p) }()
	}
	for range 4 {
		must(t, <-errs)
	}
	if n := len(queued(t, db)); n != 1 {
		t.Errorf("%d jobs", n)
	}
}

func TestPublishCascades(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	child := active(t, db, a, "CHILD", assetMember("SPY"))
	parent := active(t, db, a, "PARENT", modelMember(t, db, child.model.ID), assetMember("AGG"))
	bystander := active(t, db, a, "OTHER", assetMember("SPY"))
	if m := sheet(t, db, parent.model.ID); m.Depth != 1 {
		t.Errorf("depth %d", m.Depth)
	}
	held := sheet(t, db, child.model.ID).HeldBy
	if diff := cmp.Diff([]program.Reference{{ID: parent.model.ID, Name: parent.model.Name, Symbol: "PARENT"}}, held); diff != "" {
		t.Error(diff)
	}
	before := len(queued(t, db))

	rerun := newRun(child.model, child.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), rerun, 0))
	if m := sheet(t, db, child.model.ID); m.Status != program.StatusUpdating || m.InFlight.ID != rerun.ID || m.LiveRunID != child.run.ID {
		t.Errorf("%+v", m.Model)
	}
	publish(t, db, rerun.ID, assetMember("SPY"))

	m := sheet(t, db, parent.model.ID)
	if m.Status != program.StatusUpdating || m.InFlight == nil {
		t.Fatalf("the holder is not refreshed: %+v", m.Model)
	}
	fresh := m.InFlight
	if fresh.Source != program.SourceCascade || !fresh.Publishes || string(fresh.Inputs) != string(m.Live.Inputs) || fresh.BuildID != parent.build.ID {
		t.Errorf("%+v", fresh)
	}
	jobs := queued(t, db)
	if len(jobs) != before+2 || jobs[len(jobs)-1] != fresh.ID {
		t.Errorf("jobs %v, want one more for %s", jobs[before:], fresh.ID)
	}
	if m := sheet(t, db, bystander.model.ID); m.Status != program.StatusActive || m.InFlight != nil {
		t.Errorf("a model that holds nothing of it: %+v", m.Model)
	}

	// A second publication while that refresh waits queues no other.
	second := newRun(child.model, child.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), second, 0))
	publish(t, db, second.ID, assetMember("SPY"))
	if m := sheet(t, db, parent.model.ID); m.InFlight.ID != fresh.ID {
		t.Errorf("in flight %s, want %s", m.InFlight.ID, fresh.ID)
	}
	publish(t, db, fresh.ID, modelMember(t, db, child.model.ID))
	if m := sheet(t, db, parent.model.ID); m.Status != program.StatusActive || m.LiveRunID != fresh.ID || m.Live.Superseded {
		t.Errorf("%+v", m.Model)
	}
}

func TestSupersededRunIsRepeated(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	child := active(t, db, a, "CHILD", assetMember("SPY"))
	parent := create(t, db, a, "PARENT")
	stale := modelMember(t, db, child.model.ID)
	rerun := newRun(child.model, child.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), rerun, 0))
	publish(t, db, rerun.ID, assetMember("SPY"))

	publish(t, db, parent.run.ID, stale)
	m := sheet(t, db, parent.model.ID)
	if m.Status != program.StatusBuilding || m.LiveRunID != "" || m.InFlight == nil || m.InFlight.Source != program.SourceCreate {
		t.Fatalf("%+v", m.Model)
	}
	if r := readRun(t, db, parent.run.ID); !r.Superseded || r.Status != program.RunComplete || r.Live {
		t.Errorf("%+v", r)
	}
	if jobs := queued(t, db); jobs[len(jobs)-1] != m.InFlight.ID {
		t.Errorf("jobs %v", jobs)
	}
	publish(t, db, m.InFlight.ID, modelMember(t, db, child.model.ID))
	if m := sheet(t, db, parent.model.ID); m.Status != program.StatusActive || m.Live.Superseded {
		t.Errorf("%+v", m.Model)
	}
}

// Whichever of a member's and its holder's publications commits second sees the other:
// either the holder's run is superseded, or a refresh is queued after it.
func TestPublishRaces(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	child := active(t, db, a, "CHILD", assetMember("SPY"))
	parent := active(t, db, a, "PARENT", modelMember(t, db, child.model.ID))
	for range 20 {
		below, above := newRun(child.model, child.build.ID, program.SourceManual), newRun(parent.model, parent.build.ID, program.SourceManual)
		must(t, db.CreateRun(t.Context(), below, 0))
		must(t, db.CreateRun(t.Context(), above, 0))
		pinned := modelMember(t, db, child.model.ID)
		errs := make(chan error)
		go func() { errs <- db.Publish(context.Background(), publication(below.ID, assetMember("SPY"))) }()
		go func() { errs <- db.Publish(context.Background(), publication(above.ID, pinned)) }()
		must(t, <-errs)
		must(t, <-errs)
		m := sheet(t, db, parent.model.ID)
		if m.InFlight == nil {
			t.Fatalf("the holder serves %s with a member of before, and no run is queued", m.LiveRunID)
		}
		publish(t, db, m.InFlight.ID, modelMember(t, db, child.model.ID))
	}
}

func TestFailRun(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	failure := program.Failure{Type: "script_error", Message: "went \x00 wrong", Line: ptr(3)}
	usage := program.Usage{Units: 1, Base: 1}

	first := create(t, db, a, "FIRST")
	must(t, db.FailRun(t.Context(), first.run.ID, program.Ending{Failure: failure, Usage: usage}))
	m := sheet(t, db, first.model.ID)
	if m.Status != program.StatusFailed || m.Failure == nil || m.Failure.Message != "went \ufffd wrong" || *m.Failure.Line != 3 || m.InFlight != nil {
		t.Errorf("%+v", m.Model)
	}
	if m.Build.Status != program.RunFailed || m.Build.Failure == nil || m.Build.FinishedAt == nil || *m.Build.Usage != usage {
		t.Errorf("%+v", m.Build)
	}
	if r := readRun(t, db, first.run.ID); r.Status != program.RunFailed || r.Failure == nil || *r.Usage != usage {
		t.Errorf("%+v", r)
	}

	second := active(t, db, a, "SECOND")
	rerun := newRun(second.model, second.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), rerun, 0))
	must(t, db.FailRun(t.Context(), rerun.ID, program.Ending{Failure: failure, Usage: usage}))
	m = sheet(t, db, second.model.ID)
	if m.Status != program.StatusActive || m.LiveRunID != second.run.ID || m.Warning == "" || m.Build.Status != program.RunComplete {
		t.Errorf("%+v", m.Model)
	}
	next := newRun(second.model, second.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), next, 0))
	publish(t, db, next.ID)
	if m := sheet(t, db, second.model.ID); m.Warning != "" || m.LiveRunID != next.ID {
		t.Errorf("%+v", m.Model)
	}
}

func TestSnapshotsChangeNothingServed(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "RMOM")
	before := sheet(t, db, d.model.ID)
	for _, end := range []func(*program.Run) error{
		func(r *program.Run) error { return db.Publish(t.Context(), publication(r.ID, assetMember("QQQ"))) },
		func(r *program.Run) error {
			return db.FailRun(t.Context(), r.ID, program.Ending{Failure: program.Failure{Type: "data_error", Message: "none"}})
		},
	} {
		r := newRun(d.model, d.build.ID, program.SourceManual)
		r.Publishes, r.Label = false, "what if"
		must(t, db.CreateRun(t.Context(), r, 0))
		must(t, end(r))
		if diff := cmp.Diff(before, sheet(t, db, d.model.ID)); diff != "" {
			t.Error(diff)
		}
		if got := readRun(t, db, r.ID); got.Live || got.Label != "what if" || !got.Status.Ended() {
			t.Errorf("%+v", got)
		}
	}
}
