package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/program"
	"ballast/timeseries"
)

func containsText(err error, text string) bool {
	return err != nil && strings.Contains(err.Error(), text)
}

func TestPatchModel(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "X")
	other := active(t, db, a, "TAKEN")
	yes := true
	day := timeseries.NewDate(2024, time.March, 8)
	before := sheet(t, db, d.model.ID).Model
	for _, test := range []struct {
		name  string
		patch program.ModelPatch
		want  func(m *program.Model)
	}{
		{"nothing", program.ModelPatch{}, func(*program.Model) {}},
		{"name", program.ModelPatch{Name: given("Ünicode")}, func(m *program.Model) { m.Name, m.OwnName = "Ünicode", true }},
		{"symbol", program.ModelPatch{Symbol: given("Y")}, func(m *program.Model) { m.Symbol, m.OwnSymbol = "Y", true }},
		{"favourite", program.ModelPatch{IsFavorite: given(&yes)}, func(m *program.Model) { m.IsFavorite = &yes }},
		{"no favourite", program.ModelPatch{IsFavorite: given[*bool](nil)}, func(m *program.Model) { m.IsFavorite = nil }},
		{"labels", program.ModelPatch{Labels: given([]string{"Größe"})}, func(m *program.Model) { m.Labels = []string{"Größe"} }},
		{"no labels", program.ModelPatch{Labels: given[[]string](nil)}, func(m *program.Model) { m.Labels = nil }},
		{"public", program.ModelPatch{IsPublic: given(true)}, func(m *program.Model) { m.IsPublic = true }},
		{"no recurring work", program.ModelPatch{AutoUpdate: given(false), NotifyEmail: given(false)}, func(m *program.Model) { m.AutoUpdate, m.NotifyEmail = false, false }},
		{"start date", program.ModelPatch{StartDate: given(day)}, func(m *program.Model) { m.StartDate = day }},
		{"start rule", program.ModelPatch{StartRule: given("date")}, func(m *program.Model) { m.StartRule = "date" }},
		{"no start date", program.ModelPatch{StartDate: given(timeseries.NoDate), StartRule: given("two_members")}, func(m *program.Model) { m.StartDate, m.StartRule = timeseries.NoDate, "two_members" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			must(t, db.PatchModel(t.Context(), d.model.ID, test.patch))
			got := sheet(t, db, d.model.ID).Model
			want := before
			test.want(&want)
			if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(program.Model{}, "UpdatedAt")); diff != "" {
				t.Error(diff)
			}
			if !test.patch.Empty() != got.UpdatedAt.After(before.UpdatedAt) {
				t.Errorf("updated at %v, before at %v", got.UpdatedAt, before.UpdatedAt)
			}
			before = got
		})
	}
	err := db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{Symbol: given("TAKEN")})
	wantFault(t, err, fault.SymbolTaken)
	wantFault(t, db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{StartRule: given("date")}), fault.InvalidBody)
	wantFault(t, db.PatchModel(t.Context(), id.New(id.Model), program.ModelPatch{Name: given("X")}), fault.NotFound)
	trash(t, db, other)
	must(t, db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{Symbol: given("TAKEN")}))
	found, _, err := db.Models(t.Context(), a, program.ModelFilter{Limit: 5, Labels: []string{"größe"}})
	must(t, err)
	if len(found) != 0 {
		t.Error("an old label still finds it")
	}
}

func TestOwnNamesStay(t *testing.T) {
	t.Parallel()
	db := open(t)
	d := newDraft(newAccount(t, db, "a").ID, "PROMPT")
	d.build.Script = ""
	must(t, store(t.Context(), db, d))
	must(t, db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{Name: given("Mine")}))
	must(t, db.KeepScript(t.Context(), &program.GeneratedScript{
		BuildID: d.build.ID, Script: "x", ScriptHash: "h", InputsSchema: []byte(`{}`), Validation: []byte(`{}`), Generator: "g", Inputs: []byte(`{}`),
		Model: program.Identity{Name: "Its", Symbol: "ITS", StartRule: "all_members"},
	}))
	if m := sheet(t, db, d.model.ID); m.Name != "Mine" || m.Symbol != "ITS" {
		t.Errorf("%s, %s", m.Name, m.Symbol)
	}
}

func TestRecurringWorkTakenUpAgain(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "X", assetMember("SPY"))
	above := active(t, db, a, "ABOVE", modelMember(t, db, d.model.ID))
	pause(t, db, d)
	if m := sheet(t, db, d.model.ID); m.Status != program.StatusPaused || m.AutoUpdate || !m.Waits {
		t.Fatalf("%+v", m.Model)
	}
	must(t, db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{AutoUpdate: given(true)}))
	m := sheet(t, db, d.model.ID)
	if m.Status != program.StatusUpdating || !m.AutoUpdate || m.Failures != 0 || m.NextRetry != nil || m.InFlight == nil || m.InFlight.Source != program.SourceRefresh {
		t.Fatalf("%+v, in flight %+v", m.Model, m.InFlight)
	}
	must(t, db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{AutoUpdate: given(true)})) // on already
	publish(t, db, m.InFlight.ID, assetMember("SPY"))
	if m := sheet(t, db, d.model.ID); m.Status != program.StatusActive || m.Waits {
		t.Errorf("%+v", m.Model)
	}
	if m := sheet(t, db, above.model.ID); m.InFlight == nil || m.InFlight.Source != program.SourceCascade {
		t.Errorf("%+v", m.InFlight)
	}
	// If it is switched off and on without a failure, nothing is queued.
	idle := active(t, db, a, "IDLE")
	for _, on := range []bool{false, true} {
		must(t, db.PatchModel(t.Context(), idle.model.ID, program.ModelPatch{AutoUpdate: given(on)}))
	}
	if m := sheet(t, db, idle.model.ID); m.InFlight != nil || m.Status != program.StatusActive {
		t.Errorf("%+v", m.Model)
	}
}

func TestReferences(t *testing.T) {
	t.Parallel()
	db := open(t)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	d := active(t, db, a, "X")
	// The symbol of one model is the name of the other: symbols win.
	named := active(t, db, a, "Y")
	must(t, db.PatchModel(t.Context(), named.model.ID, program.ModelPatch{Name: given("X")}))
	legacy := "m-" + strings.TrimPrefix(d.model.ID, "model_")
	for _, ref := range []string{d.model.ID, legacy, d.model.Slug, "X", d.model.Name} {
		if got, err := db.ProgramID(t.Context(), program.KindModel, a, ref); got != d.model.ID || err != nil {
			t.Errorf("%s is %s, %v", ref, got, err)
		}
		_, err := db.ProgramID(t.Context(), program.KindModel, b, ref)
		wantFault(t, err, fault.NotFound)
	}
	must(t, db.PatchModel(t.Context(), d.model.ID, program.ModelPatch{IsPublic: given(true)}))
	for _, ref := range []string{d.model.ID, legacy, "X", d.model.Name} {
		_, err := db.ProgramID(t.Context(), program.KindModel, b, ref)
		wantFault(t, err, fault.NotFound)
	}
	if got, err := db.ProgramID(t.Context(), program.KindModel, b, d.model.Slug); got != d.model.ID || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	must(t, db.PatchModel(t.Context(), named.model.ID, program.ModelPatch{Name: given(d.model.Name)}))
	_, err := db.ProgramID(t.Context(), program.KindModel, a, d.model.Name)
	wantFault(t, err, fault.InvalidParameter)
	if !containsText(err, "Several of your models") {
		t.Error(err)
	}
	trash(t, db, named)
	if got, err := db.ProgramID(t.Context(), program.KindModel, a, d.model.Name); got != d.model.ID || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}
