package postgres_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/program"
)

func TestSymbolsAreAnAccountsOwn(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	rmom := create(t, db, a, "RMOM").model.ID
	d := newDraft(a, "RMOM")
	wantFault(t, store(t.Context(), db, d), fault.SymbolTaken)
	if n := len(queued(t, db)); n != 1 {
		t.Errorf("%d jobs after a refused model", n)
	}
	create(t, db, b, "RMOM")
	used, err := db.SymbolsInUse(t.Context(), a, []string{"RMOM", "OTHER"})
	must(t, err)
	if diff := cmp.Diff(map[string]string{"RMOM": rmom}, used); diff != "" {
		t.Error(diff)
	}
}

func TestCreateModelsTogether(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	errs := make(chan error)
	const racers = 6
	for range racers {
		d := newDraft(a, "SAME")
		go func() { errs <- store(t.Context(), db, d) }()
	}
	won := 0
	for range racers {
		if err := <-errs; err == nil {
			won++
		} else {
			wantFault(t, err, fault.SymbolTaken)
		}
	}
	if won != 1 {
		t.Errorf("%d models of one symbol", won)
	}
}

func TestModelID(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	first, second, foreign := newDraft(a, "FIRST"), newDraft(a, "SECOND"), newDraft(b, "FOREIGN")
	second.model.Name = "FIRST" // a symbol comes before a name
	foreign.model.IsPublic = true
	for _, d := range []draft{first, second, foreign} {
		must(t, store(t.Context(), db, d))
	}
	tests := []struct {
		name, account, ref, want string
	}{
		{"id", a, first.model.ID, first.model.ID},
		{"legacy id", a, "m-" + first.model.ID[len("model_"):], first.model.ID},
		{"slug", a, first.model.Slug, first.model.ID},
		{"symbol before name", a, "FIRST", first.model.ID},
		{"name", a, "Model FIRST", first.model.ID},
		{"public slug of another", a, foreign.model.Slug, foreign.model.ID},
		{"own public slug", b, foreign.model.Slug, foreign.model.ID},
		{"id of another's public one", a, foreign.model.ID, ""},
		{"symbol of another's", a, "FOREIGN", ""},
		{"private slug of another", b, first.model.Slug, ""},
		{"unknown", a, "NONE", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := db.ProgramID(t.Context(), program.KindModel, test.account, test.ref)
			if test.want == "" {
				wantFault(t, err, fault.NotFound)
				return
			}
			if got != test.want || err != nil {
				t.Errorf("%s, %v; want %s", got, err, test.want)
			}
		})
	}
	_, err := db.Sheet(t.Context(), id.New(id.Model))
	wantFault(t, err, fault.NotFound)
	_, err = db.Run(t.Context(), id.New(id.Run))
	wantFault(t, err, fault.NotFound)
	_, err = db.Build(t.Context(), id.New(id.Build))
	wantFault(t, err, fault.NotFound)
}

func TestModelsByKey(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	one, two := newDraft(a, "ONE"), newDraft(a, "TWO")
	two.model.Name = "ONE"
	for _, d := range []draft{one, two} {
		must(t, store(t.Context(), db, d))
	}
	publish(t, db, one.run.ID)
	foreign := create(t, db, b, "THREE")
	got, err := db.ModelsByKey(t.Context(), a, []string{"ONE", "Model ONE", two.model.ID, "THREE", foreign.model.ID})
	must(t, err)
	names := map[string]string{}
	for key, m := range got {
		names[key] = m.ID
	}
	want := map[string]string{"ONE": one.model.ID, "Model ONE": one.model.ID, two.model.ID: two.model.ID}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	if got["ONE"].Live == nil || got["ONE"].Live.ID != one.run.ID || got[two.model.ID].Live != nil {
		t.Error("what they serve is not there")
	}
	// A name that two models share finds neither. A symbol that equals such a name finds
	// its model.
	again := newDraft(a, "FOUR")
	again.model.Name = "Model ONE"
	must(t, store(t.Context(), db, again))
	got, err = db.ModelsByKey(t.Context(), a, []string{"Model ONE", "ONE", "FOUR", one.model.ID})
	must(t, err)
	if diff := cmp.Diff([]string{one.model.ID, again.model.ID}, got["Model ONE"].Namesakes); diff != "" {
		t.Error(diff)
	}
	for _, key := range []string{"ONE", "FOUR", one.model.ID} {
		if got[key].Namesakes != nil {
			t.Errorf("%s means several: %v", key, got[key].Namesakes)
		}
	}
	if got, err := db.ModelsByKey(t.Context(), a, nil); len(got) != 0 || err != nil {
		t.Errorf("of nothing: %v, %v", got, err)
	}
}

// The live run of a model is read as it is stored, also if a run of the model was read
// before and the model has been renamed, run again, or both since.
func TestServedRunsFollowTheirModel(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "ONE")
	serves := func(runID string) {
		t.Helper()
		for range 2 { // the second time it was read before
			got, err := db.ModelsByKey(t.Context(), a, []string{"ONE"})
			must(t, err)
			if diff := cmp.Diff(readRun(t, db, runID), got["ONE"].Live); diff != "" {
				t.Fatalf("(-stored +served):\n%s", diff)
			}
			got["ONE"].Live.ResultHash = "changed by a caller"
		}
	}
	serves(d.run.ID)
	must(t, db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{Name: given("Renamed")}))
	serves(d.run.ID)
	next := newRun(d.model, d.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), next, 0))
	publish(t, db, next.ID)
	serves(next.ID)
}

func TestModelsList(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	var all []string // newest first, and by id if created at the same moment
	for i := range 5 {
		d := newDraft(a, fmt.Sprintf("M%d", i))
		d.model.Labels = nil
		switch i {
		case 1:
			d.model.IsFavorite, d.model.Labels = ptr(true), []string{"Core", "Income"}
		case 2:
			d.model.IsFavorite, d.model.Labels = ptr(false), []string{"ÜBER"}
		}
		must(t, store(t.Context(), db, d))
		all = append([]string{d.model.ID}, all...)
		if i == 3 {
			publish(t, db, d.run.ID)
		}
	}
	create(t, db, b, "M0")
	tests := []struct {
		name   string
		filter program.ModelFilter
		want   []string
		total  int
	}{
		{"all", program.ModelFilter{Limit: 50}, all, 5},
		{"page", program.ModelFilter{Limit: 2, Offset: 1}, all[1:3], 5},
		{"after the end", program.ModelFilter{Limit: 2, Offset: 7}, []string{}, 5},
		{"far after the end", program.ModelFilter{Limit: 2, Offset: 1 << 40}, []string{}, 5},
		{"status", program.ModelFilter{Limit: 50, Status: program.StatusActive}, all[1:2], 1},
		{"filter before paging", program.ModelFilter{Limit: 1, Offset: 1, Status: program.StatusBuilding}, all[2:3], 4},
		{"favorite", program.ModelFilter{Limit: 50, Favorite: ptr(true)}, all[3:4], 1},
		{"not favorite", program.ModelFilter{Limit: 50, Favorite: ptr(false)}, []string{all[0], all[1], all[2], all[4]}, 4},
		{"label, case ignored", program.ModelFilter{Limit: 50, Labels: []string{"cORE"}}, all[3:4], 1},
		{"any label", program.ModelFilter{Limit: 50, Labels: []string{"income", "über", "none"}}, all[2:4], 2},
		{"no such label", program.ModelFilter{Limit: 50, Labels: []string{"none"}}, []string{}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, total, err := db.Models(t.Context(), a, test.filter)
			must(t, err)
			if diff := cmp.Diff(test.want, ids(got, sheetID)); diff != "" || total != test.total {
				t.Errorf("total %d, want %d; %s", total, test.total, diff)
			}
		})
	}
}

func TestRunsAndBuildsLists(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	child := active(t, db, a, "CHILD", assetMember("SPY"))
	parent := active(t, db, a, "PARENT", modelMember(t, db, child.model.ID))
	rerun := newRun(child.model, child.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), rerun, 0))
	publish(t, db, rerun.ID, assetMember("SPY"))
	cascade := sheet(t, db, parent.model.ID).InFlight

	runs, total, err := db.Runs(t.Context(), parent.model.ID, program.RunFilter{Limit: 50})
	must(t, err)
	if diff := cmp.Diff([]string{cascade.ID, parent.run.ID}, ids(runs, runID)); diff != "" || total != 2 {
		t.Errorf("total %d; %s", total, diff)
	}
	if runs[0].Live || !runs[1].Live || runs[1].ProgramName != parent.model.Name {
		t.Errorf("%+v", runs)
	}
	runs, total, err = db.Runs(t.Context(), parent.model.ID, program.RunFilter{Limit: 50, UpdatesOnly: true})
	must(t, err)
	if diff := cmp.Diff([]string{cascade.ID}, ids(runs, runID)); diff != "" || total != 1 {
		t.Errorf("updates: total %d; %s", total, diff)
	}
	runs, total, err = db.Runs(t.Context(), parent.model.ID, program.RunFilter{Limit: 1, Offset: 1})
	must(t, err)
	if diff := cmp.Diff([]string{parent.run.ID}, ids(runs, runID)); diff != "" || total != 2 {
		t.Errorf("page: total %d; %s", total, diff)
	}
	found, err := db.RunsByID(t.Context(), []string{cascade.ID, rerun.ID, id.New(id.Run)})
	must(t, err)
	if len(found) != 2 || found[rerun.ID] == nil || !found[rerun.ID].Live {
		t.Errorf("%v", found)
	}

	builds, total, err := db.Builds(t.Context(), parent.model.ID, 50, 0)
	must(t, err)
	if diff := cmp.Diff([]string{parent.build.ID}, ids(builds, buildID)); diff != "" || total != 1 || builds[0].Script != "" {
		t.Errorf("total %d, script %q; %s", total, builds[0].Script, diff)
	}
	build, err := db.Build(t.Context(), parent.build.ID)
	must(t, err)
	if build.Script != parent.build.Script || build.Status != program.RunComplete {
		t.Errorf("%+v", build)
	}
}

func TestCreateRunRefusals(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	building, served := create(t, db, a, "BUILDING"), active(t, db, a, "SERVED")
	failed := create(t, db, a, "FAILED")
	must(t, db.FailRun(t.Context(), failed.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "x"}}))
	busy := active(t, db, a, "BUSY")
	must(t, db.CreateRun(t.Context(), newRun(busy.model, busy.build.ID, program.SourceManual), 0))

	snapshot := func(d draft, intent string) *program.Run {
		r := newRun(d.model, d.build.ID, program.SourceManual)
		r.Publishes, r.Intent = false, intent
		return r
	}
	foreign := newRun(served.model, served.build.ID, program.SourceManual)
	foreign.AccountID = b
	nul := snapshot(served, "")
	nul.Label = "a\x00b"
	inputs := snapshot(served, "")
	inputs.Inputs = []byte(`{"universe": ["\u0000"]}`)
	tests := []struct {
		name string
		run  *program.Run
		want fault.Type
	}{
		{"default run while building", newRun(building.model, building.build.ID, program.SourceManual), fault.RunConflict},
		{"test while building", snapshot(building, "test"), fault.NotReady},
		{"default run of a failed model", newRun(failed.model, failed.build.ID, program.SourceManual), fault.NotReady},
		{"default run beside another", newRun(busy.model, busy.build.ID, program.SourceManual), fault.RunConflict},
		{"snapshot beside a default run", snapshot(busy, ""), fault.RunConflict},
		{"another's model", foreign, fault.NotFound},
		{"NUL in a label", nul, fault.InvalidBody},
		{"NUL in the inputs", inputs, fault.InvalidBody},
		{"limit reached", newRun(served.model, served.build.ID, program.SourceManual), fault.DailyRunLimit},
		{"limit reached by a refresh", newRun(served.model, served.build.ID, program.SourceRefresh), fault.DailyRunLimit},
	}
	before := dump(t, db)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			limit := 0
			if test.want == fault.DailyRunLimit {
				limit = 1
			}
			wantFault(t, db.CreateRun(t.Context(), test.run, limit), test.want)
			if diff := cmp.Diff(before, dump(t, db)); diff != "" {
				t.Error(diff)
			}
		})
	}
	must(t, db.CreateRun(t.Context(), snapshot(busy, "test"), 0))
	must(t, db.CreateRun(t.Context(), snapshot(served, ""), 500))
}

func TestCreateRunsTogether(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d, e := active(t, db, a, "ONE"), active(t, db, a, "TWO")
	errs := make(chan error)
	const racers = 6
	for i := range racers {
		of := d
		if i%2 == 1 {
			of = e
		}
		go func() {
			errs <- db.CreateRun(t.Context(), newRun(of.model, of.build.ID, program.SourceManual), 500)
		}()
	}
	won := 0
	for range racers {
		if err := <-errs; err == nil {
			won++
		} else {
			wantFault(t, err, fault.RunConflict)
		}
	}
	if won != 2 {
		t.Errorf("%d default runs of two models at once", won)
	}
}

func TestDailyLimitUnderRace(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	var models []draft
	for i := range 5 {
		models = append(models, active(t, db, a, fmt.Sprintf("M%d", i)))
	}
	errs := make(chan error)
	for _, d := range models {
		go func() {
			errs <- db.CreateRun(t.Context(), newRun(d.model, d.build.ID, program.SourceManual), 3)
		}()
	}
	won := 0
	for range models {
		if err := <-errs; err == nil {
			won++
		} else {
			wantFault(t, err, fault.DailyRunLimit)
		}
	}
	if won != 3 {
		t.Errorf("%d runs past a limit of 3", won)
	}
}
