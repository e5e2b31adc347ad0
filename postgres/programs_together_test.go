package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"ballast/internal/fault"
	"ballast/internal/testenv"
	"ballast/postgres"
	"ballast/program"
)

// documented are the faults that callers of the same models may cause each other.
var documented = []fault.Type{
	fault.NotFound, fault.NotReady, fault.RunConflict, fault.RebuildConflict, fault.ModelBusy, fault.ModelHeld,
	fault.TrashDependencies, fault.RunLive, fault.RunInFlight, fault.SymbolTaken, fault.DraftConflict, fault.BaseChanged, fault.NotApplicable,
}

// Twenty callers change, delete, restore, run and purge the same few models, which hold
// each other, while workers carry out what they queue. Every answer is a documented one,
// and no change is left half done.
func TestCallersTogether(t *testing.T) {
	testenv.NotInTest(t)
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	graph := map[string][]string{}
	var models []draft
	for i := range 6 {
		d := create(t, db, a, fmt.Sprintf("M%d", i))
		if i > 0 {
			graph[d.model.ID] = []string{models[(i-1)/2].model.ID}
		}
		models = append(models, d)
		carryOut(t, db, graph, d.run.ID)
	}
	ctx := t.Context()
	var callers, workers sync.WaitGroup
	done := make(chan struct{})
	var mu sync.Mutex
	succeeded := map[string]int{}
	for range 2 {
		workers.Go(func() {
			for {
				for _, id := range waiting(t, db) {
					carryOutIfThere(t, db, graph, id)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for caller := range 20 {
		r := testenv.Random(t, 11, uint64(caller))
		callers.Go(func() {
			for range 25 {
				d := models[r.IntN(len(models))]
				name, err := anything(ctx, db, r, d)
				if err != nil && !slices.Contains(documented, fault.TypeOf(err)) {
					t.Errorf("%s: %v", name, err)
				}
				if err == nil {
					mu.Lock()
					succeeded[name]++
					mu.Unlock()
				}
			}
		})
	}
	callers.Wait()
	close(done)
	workers.Wait()
	for rounds := 0; len(waiting(t, db)) > 0; rounds++ {
		if rounds > 1000 {
			t.Fatal("the work does not settle")
		}
		for _, id := range waiting(t, db) {
			carryOutIfThere(t, db, graph, id)
		}
	}
	wantWhole(t, db)
	for _, name := range []string{"rename", "symbol", "recur", "delete", "restore", "run", "promote", "snapshot", "edit", "test", "apply", "share run", "delete run"} {
		if succeeded[name] == 0 {
			t.Errorf("%s has never succeeded", name)
		}
	}
}

// anything does one thing with a model, and says what.
func anything(ctx context.Context, db *postgres.DB, r *rand.Rand, d draft) (string, error) {
	m, id := d.model, d.model.ID
	switch r.IntN(16) {
	case 0:
		return "rename", db.PatchModel(ctx, id, program.ModelPatch{Name: given(fmt.Sprint("Name ", r.IntN(9)))})
	case 1:
		return "symbol", db.PatchModel(ctx, id, program.ModelPatch{Symbol: given(fmt.Sprint("M", r.IntN(9)))})
	case 2:
		return "recur", db.PatchModel(ctx, id, program.ModelPatch{AutoUpdate: given(r.IntN(2) == 0), IsPublic: given(true)})
	case 3, 4:
		return "delete", db.DeleteModel(ctx, deletion(m.AccountID, id), unbegun)
	case 5, 6, 7:
		return "restore", db.RestoreModel(ctx, m.AccountID, id, trashed)
	case 8:
		s, err := db.Sheet(ctx, id)
		if err != nil {
			return "read", err
		}
		return "run", db.CreateRun(ctx, newRun(m, s.BuildID, program.SourceManual), 0)
	case 9:
		s, err := db.Sheet(ctx, id)
		if err != nil {
			return "read", err
		}
		b, run := promotion(d)
		err = db.Promote(ctx, b, run, s.BuildID)
		if errors.Is(err, program.ErrBuildMoved) { // the promotion starts again
			err = nil
		}
		return "promote", err
	case 10:
		s := snapshotOf(d)
		return "snapshot", db.CreateRun(ctx, s, 0)
	case 11:
		return "edit", edit(ctx, db, id, fmt.Sprint("# ", r.IntN(9)))
	case 12:
		_, err := db.StartTest(ctx, freeze(ctx, db, d, fmt.Sprint(r.IntN(99))))
		if errors.Is(err, program.ErrDraftMoved) { // the test freezes it again
			err = nil
		}
		return "test", err
	case 13, 14:
		return "apply", tryOut(ctx, db, r, d)
	}
	runs, _, err := db.Runs(ctx, id, program.RunFilter{Limit: 20})
	if err != nil || len(runs) == 0 {
		return "list", err
	}
	run := runs[r.IntN(len(runs))].ID
	if r.IntN(2) == 0 {
		return "share run", db.PatchRun(ctx, run, program.RunPatch{Shared: given(true), Label: given("l")})
	}
	return "delete run", db.DeleteRun(ctx, run)
}

// tryOut tests a draft, carries the test out, and applies it or another.
func tryOut(ctx context.Context, db *postgres.DB, r *rand.Rand, d draft) error {
	f := freeze(ctx, db, d, fmt.Sprint("tried ", r.IntN(99)))
	if _, err := db.StartTest(ctx, f); err == nil {
		if run, _, _, err := db.StartRun(ctx, f.Run.ID); err != nil || run == nil {
			return err
		}
		if err := db.Publish(ctx, publication(f.Run.ID)); err != nil {
			return err
		}
	}
	found, _, err := db.Revisions(ctx, d.model.ID, program.RevisionFilter{Event: "tests", Limit: 2})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fault.New(fault.NotFound, "there is no test")
	}
	v := found[r.IntN(len(found))]
	return applyRevision(ctx, db, program.Application{ModelID: d.model.ID, RevisionID: v.ID, Identity: &program.Identity{}})
}

// carryOutIfThere does what a worker does with a run whose model and members may be in
// the Trash by now.
func carryOutIfThere(t *testing.T, db *postgres.DB, graph map[string][]string, runID string) {
	ctx := context.Background()
	run, _, model, err := db.StartRun(ctx, runID)
	if err != nil || run == nil {
		if err != nil {
			t.Error(err)
		}
		return
	}
	var members []program.Member
	for _, id := range graph[model.ID] {
		m, err := db.Sheet(ctx, id)
		if fault.TypeOf(err) == fault.NotFound && err != nil {
			err = db.FailRun(ctx, runID, program.Ending{Failure: program.Failure{Type: "data_error", Message: "a member is gone"}})
			if err != nil {
				t.Error(err)
			}
			return
		}
		if err != nil {
			t.Error(err)
			return
		}
		members = append(members, program.Member{Key: m.Symbol, Kind: program.MemberModel, ID: m.ID, Symbol: m.Symbol, RunID: m.LiveRunID, Depth: m.Depth})
	}
	if err := db.Publish(ctx, publication(runID, members...)); err != nil {
		t.Error(err)
	}
}

// wantWhole checks what is true of models, runs and the ledger at any time.
func wantWhole(t testing.TB, db *postgres.DB) {
	t.Helper()
	findings, err := db.CheckLives(t.Context())
	must(t, err)
	for _, f := range findings {
		t.Errorf("%s %s", f.ID, f.Message)
	}
	var idle []string
	must(t, db.Pool().QueryRow(t.Context(), `select coalesce(array_agg(r.id), '{}') from runs r where r.status in ('queued', 'running')
		and not exists (select from river_job j where j.args ->> 'run_id' = r.id)`).Scan(&idle))
	if len(idle) > 0 {
		t.Errorf("runs wait without a job: %v", idle)
	}
	wantSound(t, db)
}
