package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/program"
)

// promotion returns a build of a model at other defaults, not stored yet, and its run.
func promotion(d draft) (*program.Build, *program.Run) {
	b := *d.build
	b.ID, b.Kind, b.Script, b.ScriptHash = id.New(id.Build), "revision", "# other defaults", "def"
	r := newRun(d.model, b.ID, program.SourcePromote)
	r.Inputs, r.ScriptHash = json.RawMessage(`{"universe": ["QQQ"]}`), "def"
	return &b, r
}

// promote stores a promotion.
func promote(t testing.TB, db *postgres.DB, d draft, base string) attempt {
	t.Helper()
	b, r := promotion(d)
	return attempt{b, r, db.Promote(t.Context(), b, r, base)}
}

func TestPromotionInstallsItsDefaultsAtOnce(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	member := active(t, db, a, "MEMBER", assetMember("SPY"))
	d := active(t, db, a, "X", assetMember("SPY"))
	holder := active(t, db, a, "HOLDER", modelMember(t, db, d.model.ID))
	next := promote(t, db, d, d.build.ID)
	must(t, next.err)
	m := sheet(t, db, d.model.ID)
	if m.Status != program.StatusUpdating || m.BuildID != d.build.ID || m.LiveRunID != d.run.ID || m.Depth != 0 ||
		m.InFlight == nil || m.InFlight.ID != next.run.ID || m.InFlight.Source != program.SourcePromote {
		t.Errorf("meanwhile: %+v, in flight %+v", m.Model, m.InFlight)
	}
	if got := queued(t, db); got[len(got)-1] != next.run.ID {
		t.Errorf("queued %v", got)
	}
	p := publication(next.run.ID, modelMember(t, db, member.model.ID))
	p.Identity = &program.Identity{Description: "holds things"}
	must(t, db.Publish(t.Context(), p))
	m = sheet(t, db, d.model.ID)
	if m.Status != program.StatusActive || m.BuildID != next.build.ID || m.LiveRunID != next.run.ID || m.Depth != 1 || m.InFlight != nil ||
		m.Build.Kind != "revision" || m.Build.Status != program.RunComplete || m.Prompt != "hold things" || m.Name != d.model.Name || m.Symbol != "X" {
		t.Errorf("afterwards: %+v, build %+v", m.Model, m.Build)
	}
	edges, err := db.Below(t.Context(), []string{d.model.ID})
	must(t, err)
	if len(edges) != 1 || edges[0].MemberID != member.model.ID {
		t.Errorf("members %v", edges)
	}
	if h := sheet(t, db, holder.model.ID); h.InFlight == nil || h.InFlight.Source != program.SourceCascade {
		t.Errorf("its holder does not follow: %+v", h.InFlight)
	}
	must(t, db.Publish(t.Context(), p)) // repeated, as after a crash: nothing changes
	if again := sheet(t, db, d.model.ID); again.LiveRunID != next.run.ID {
		t.Errorf("%+v", again.Model)
	}
}

func TestPromotionThatFailsOrIsOvertaken(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	member := active(t, db, a, "MEMBER", assetMember("SPY"))
	d := active(t, db, a, "X", modelMember(t, db, member.model.ID))
	wantErr := promote(t, db, d, id.New(id.Build)).err
	if !errors.Is(wantErr, program.ErrBuildMoved) {
		t.Errorf("from a build that is not served: %v", wantErr)
	}

	// Its member publishes while it runs: the result that it has read is no longer
	// served.
	next := promote(t, db, d, d.build.ID)
	must(t, next.err)
	stale := publication(next.run.ID, modelMember(t, db, member.model.ID))
	rerun(t, db, member, assetMember("SPY"))
	must(t, db.Publish(t.Context(), stale))
	m := sheet(t, db, d.model.ID)
	if m.LiveRunID != d.run.ID || m.BuildID != d.build.ID || !readRun(t, db, next.run.ID).Superseded {
		t.Errorf("the former allocation is gone: %+v", m.Model)
	}
	fresh := inFlight(t, db, d.model.ID, program.SourcePromote)
	if fresh == nil || fresh.ID == next.run.ID || fresh.BuildID != next.build.ID || string(fresh.Inputs) != string(readRun(t, db, next.run.ID).Inputs) {
		t.Fatalf("no fresh run follows: %+v", fresh)
	}

	// The fresh run fails: defaults and result stay, and the refresh for the member
	// follows.
	must(t, db.FailRun(t.Context(), fresh.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "breaks"}}))
	m = sheet(t, db, d.model.ID)
	if m.LiveRunID != d.run.ID || m.BuildID != d.build.ID || m.Failures != 0 ||
		!strings.Contains(m.Warning, "last promotion failed") || !strings.Contains(m.Warning, "breaks") {
		t.Errorf("%+v", m.Model)
	}
	if b, err := db.Build(t.Context(), next.build.ID); err != nil || b.Status != program.RunFailed || b.Failure.Message != "breaks" {
		t.Errorf("%+v, %v", b, err)
	}
	if r := inFlight(t, db, d.model.ID, program.SourceCascade); r == nil || r.BuildID != d.build.ID {
		t.Error("the model does not follow its member")
	}
}

// inFlight returns a model's publishing run of a source, or nil.
func inFlight(t testing.TB, db *postgres.DB, modelID string, source program.Source) *program.Run {
	t.Helper()
	runs, _, err := db.Runs(t.Context(), modelID, program.RunFilter{Limit: 50})
	must(t, err)
	for _, r := range runs {
		if r.Publishes && r.Source == source && !r.Status.Ended() {
			return r
		}
	}
	return nil
}

func TestPausedModelsStayPausedWhenAPromotionFails(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "X")
	pause(t, db, d)
	next := promote(t, db, d, d.build.ID)
	must(t, next.err)
	must(t, db.FailRun(t.Context(), next.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no"}}))
	if m := sheet(t, db, d.model.ID); m.Status != program.StatusPaused || m.AutoUpdate {
		t.Errorf("%+v", m.Model)
	}
	again := promote(t, db, d, d.build.ID)
	must(t, again.err)
	publish(t, db, again.run.ID)
	if m := sheet(t, db, d.model.ID); m.Status != program.StatusActive || m.Failures != 0 || m.AutoUpdate {
		t.Errorf("%+v", m.Model)
	}
}

func TestMoving(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	bottom := active(t, db, a, "BOTTOM")
	middle := active(t, db, a, "MIDDLE", modelMember(t, db, bottom.model.ID))
	moving := func(d draft) bool {
		t.Helper()
		move, err := db.Moving(t.Context(), []string{d.model.ID})
		must(t, err)
		return move
	}
	if moving(bottom) || moving(middle) {
		t.Error("they are at rest")
	}
	r := newRun(bottom.model, bottom.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), r, 0))
	if !moving(bottom) || moving(middle) {
		t.Error("the lower one is run")
	}
	publish(t, db, r.ID)
	if moving(bottom) || !moving(middle) {
		t.Error("the upper one follows")
	}
	fail := sheet(t, db, middle.model.ID).InFlight
	must(t, db.FailRun(t.Context(), fail.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no"}}))
	if moving(middle) {
		t.Error("one that fails holds up nobody")
	}
	snapshot := snapshotOf(bottom)
	must(t, db.CreateRun(t.Context(), snapshot, 0))
	if moving(bottom) {
		t.Error("a snapshot publishes nothing")
	}
}

// Of many concurrent promotions one succeeds, and the others get an error.
func TestPromotionsTogether(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := active(t, db, newAccount(t, db, "a").ID, "X")
	var callers sync.WaitGroup
	answers := make([]string, 50)
	for i := range answers {
		callers.Go(func() {
			b, r := promotion(d)
			if err := db.Promote(context.WithoutCancel(t.Context()), b, r, d.build.ID); err == nil {
				answers[i] = "queued"
			} else {
				answers[i] = fmt.Sprint(fault.TypeOf(err))
			}
		})
	}
	callers.Wait()
	slices.Sort(answers)
	if diff := cmp.Diff([]string{"queued", "run_conflict"}, slices.Compact(slices.Clone(answers))); diff != "" || answers[1] == "queued" {
		t.Errorf("%v", answers)
	}
	runs, total, err := db.Runs(t.Context(), d.model.ID, program.RunFilter{Limit: 10})
	must(t, err)
	builds, totalBuilds, err := db.Builds(t.Context(), d.model.ID, 10, 0)
	must(t, err)
	if total != 2 || totalBuilds != 2 {
		t.Errorf("runs %v, builds %v", runs, builds)
	}
}

// A refresh that was queued during a promotion belongs to the former build. It is
// superseded; the promotion stays live, and a run of the promoted build follows for
// whatever the refresh was queued for.
func TestRefreshQueuedBesideAPromotion(t *testing.T) {
	t.Parallel()
	for name, newer := range map[string]int64{"the promotion has read the bars, too": 0, "the refresh alone has read newer bars": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			a := newAccount(t, db, "a").ID
			member := active(t, db, a, "MEMBER", assetMember("SPY"))
			d := active(t, db, a, "X", modelMember(t, db, member.model.ID))
			next := promote(t, db, d, d.build.ID)
			must(t, next.err)
			rerun(t, db, member, assetMember("SPY"))
			refresh := inFlight(t, db, d.model.ID, program.SourceCascade)
			if refresh == nil || refresh.BuildID != d.build.ID {
				t.Fatalf("the former build does not follow its member: %+v", refresh)
			}

			promoted := publication(next.run.ID, modelMember(t, db, member.model.ID))
			promoted.Warning = "a warning of the promoted build"
			must(t, db.Publish(t.Context(), promoted))
			if m := sheet(t, db, d.model.ID); m.LiveRunID != next.run.ID || m.InFlight == nil || m.InFlight.ID != refresh.ID {
				t.Fatalf("%+v, in flight %+v", m.Model, m.InFlight)
			}
			late := publication(refresh.ID, modelMember(t, db, member.model.ID))
			late.DataVersion = fmt.Sprint("v", program.BarsVersion(promoted.DataVersion)+newer)
			must(t, db.Publish(t.Context(), late))

			m := sheet(t, db, d.model.ID)
			if m.LiveRunID != next.run.ID || m.BuildID != next.build.ID || m.Warning != promoted.Warning || !readRun(t, db, refresh.ID).Superseded {
				t.Errorf("the promotion is not what is served: %+v", m.Model)
			}
			if now := sheet(t, db, member.model.ID).LiveRunID; m.Live.Members[0].RunID != now {
				t.Errorf("it reads %s of its member, which serves %s", m.Live.Members[0].RunID, now)
			}
			switch {
			case newer == 0 && (m.InFlight != nil || m.Status != program.StatusActive):
				t.Errorf("nothing has to follow: %s, %+v", m.Status, m.InFlight)
			case newer > 0 && (m.InFlight == nil || m.InFlight.BuildID != next.build.ID):
				t.Errorf("the newer bars are not followed: %+v", m.InFlight)
			}
		})
	}
}

// If a refresh of a build that is no longer served fails, the failure does not count
// against the served build: a run of that one follows.
func TestRefreshBesideAPromotionFails(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	member := active(t, db, a, "MEMBER", assetMember("SPY"))
	d := active(t, db, a, "X", modelMember(t, db, member.model.ID))
	next := promote(t, db, d, d.build.ID)
	must(t, next.err)
	rerun(t, db, member, assetMember("SPY"))
	refresh := inFlight(t, db, d.model.ID, program.SourceCascade)
	publish(t, db, next.run.ID, modelMember(t, db, member.model.ID))
	must(t, db.FailRun(t.Context(), refresh.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no"}}))
	m := sheet(t, db, d.model.ID)
	if m.LiveRunID != next.run.ID || m.Warning != "" || m.Failures != 0 || m.InFlight == nil || m.InFlight.BuildID != next.build.ID {
		t.Errorf("%+v, in flight %+v", m.Model, m.InFlight)
	}
}
