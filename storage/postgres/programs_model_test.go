package postgres_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ballast/internal/fault"
	"ballast/program"
)

// simple is what a model is to the simplest reckoning of its life.
type simple struct {
	draft  draft
	symbol string
	place  string // "", trash or gone
	public bool
	busy   string // the run in flight that publishes, "" without
	live   string
	former []string // runs that were live, or are snapshots, and have ended
	held   []int    // members by position
}

// Any sequence of operations answers what the simple reckoning answers, and
// leaves models as it has them.
func TestLivesAgainstSimpleOnes(t *testing.T) {
	t.Parallel()
	db := open(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		a := newAccount(t, db, fmt.Sprint("a", n)).ID
		models := make([]*simple, 4)
		for i, held := range [][]int{nil, {0}, {1}, nil} {
			var members []program.Member
			for _, m := range held {
				members = append(members, modelMember(t, db, models[m].draft.model.ID))
			}
			d := active(t, db, a, fmt.Sprint("S", i), members...)
			models[i] = &simple{draft: d, symbol: d.model.Symbol, live: d.run.ID, held: held}
		}
		pick := func(rt *rapid.T) *simple { return models[rapid.IntRange(0, 3).Draw(rt, "model")] }
		want := func(rt *rapid.T, err error, kind fault.Type) bool {
			if (err == nil) != (kind == "") || err != nil && fault.TypeOf(err) != kind {
				rt.Fatalf("%v, want %q", err, kind)
			}
			return err == nil
		}
		taken := func(of *simple, symbol string) bool {
			return slices.ContainsFunc(models, func(m *simple) bool { return m != of && m.place == "" && m.symbol == symbol })
		}
		rt.Repeat(map[string]func(*rapid.T){
			"symbol": func(rt *rapid.T) {
				m, symbol := pick(rt), fmt.Sprint("S", rapid.IntRange(0, 4).Draw(rt, "symbol"))
				kind := fault.Type("")
				switch {
				case m.place != "":
					kind = fault.NotFound
				case taken(m, symbol):
					kind = fault.SymbolTaken
				}
				if want(rt, db.PatchModel(t.Context(), m.draft.model.ID, program.ModelPatch{Symbol: given(symbol), IsPublic: given(true)}), kind) {
					m.symbol, m.public = symbol, true
				}
			},
			"run": func(rt *rapid.T) {
				m := pick(rt)
				kind := fault.Type("")
				switch {
				case m.place != "":
					kind = fault.NotFound
				case m.busy != "":
					kind = fault.RunConflict
				}
				r := newRun(m.draft.model, m.draft.build.ID, program.SourceManual)
				if want(rt, db.CreateRun(t.Context(), r, 0), kind) {
					m.busy = r.ID
				}
			},
			"promote": func(rt *rapid.T) {
				m := pick(rt)
				kind := fault.Type("")
				switch {
				case m.place != "":
					kind = fault.NotFound
				case m.busy != "":
					kind = fault.RunConflict
				}
				if next := promote(t, db, m.draft, m.draft.build.ID); want(rt, next.err, kind) {
					m.busy = next.run.ID
				}
			},
			"fail the run": func(rt *rapid.T) {
				m := pick(rt)
				if m.busy == "" {
					return
				}
				must(t, db.FailRun(t.Context(), m.busy, program.Ending{Failure: program.Failure{Type: "script_error", Message: "x"}}))
				m.former, m.busy = append(m.former, m.busy), ""
			},
			"delete": func(rt *rapid.T) {
				m := pick(rt)
				kind := fault.Type("")
				switch {
				case m.place != "":
					kind = fault.NotFound
				case m.busy != "":
					kind = fault.ModelBusy
				case slices.ContainsFunc(models, func(h *simple) bool {
					return h.place == "" && slices.ContainsFunc(h.held, func(i int) bool { return models[i] == m })
				}):
					kind = fault.ModelHeld
				}
				if want(rt, db.DeleteModel(t.Context(), deletion(a, m.draft.model.ID), unbegun), kind) {
					m.place, m.public = "trash", false
				}
			},
			"restore": func(rt *rapid.T) {
				m := pick(rt)
				kind := fault.Type("")
				switch {
				case m.place != "trash":
					kind = fault.NotFound
				case slices.ContainsFunc(m.held, func(i int) bool { return models[i].place == "trash" }):
					kind = fault.TrashDependencies
				case taken(m, m.symbol):
					kind = fault.SymbolTaken
				}
				if want(rt, db.RestoreModel(t.Context(), a, m.draft.model.ID, trashed), kind) {
					m.place = ""
				}
			},
			"purge": func(rt *rapid.T) {
				m := pick(rt)
				if rapid.IntRange(0, 3).Draw(rt, "seldom") > 0 {
					return
				}
				kind := fault.NotFound
				if m.place == "trash" {
					kind = ""
				}
				if want(rt, db.PurgeModel(t.Context(), deletion(a, m.draft.model.ID)), kind) {
					m.place = "gone"
				}
			},
			"delete run": func(rt *rapid.T) {
				m := pick(rt)
				runs := append([]string{m.live, m.busy}, m.former...)
				run := rapid.SampledFrom(runs).Draw(rt, "run")
				if run == "" {
					return
				}
				kind := fault.Type("")
				switch {
				case m.place != "":
					kind = fault.NotFound
				case run == m.busy:
					kind = fault.RunInFlight
				case run == m.live:
					kind = fault.RunLive
				}
				if want(rt, db.DeleteRun(t.Context(), run), kind) {
					m.former = slices.DeleteFunc(m.former, func(r string) bool { return r == run })
				}
			},
			"": func(rt *rapid.T) {
				found, total, err := db.Models(t.Context(), a, program.ModelFilter{Limit: 10})
				must(t, err)
				var active, trash int
				for _, m := range models {
					switch m.place {
					case "trash":
						trash++
						continue
					case "gone":
						continue
					}
					active++
					i := slices.IndexFunc(found, func(s *program.Sheet) bool { return s.ID == m.draft.model.ID })
					if i < 0 {
						rt.Fatalf("%+v is not listed", m)
					}
					s := found[i]
					if s.Symbol != m.symbol || s.IsPublic != m.public || s.LiveRunID != m.live || (s.InFlight != nil) != (m.busy != "") {
						rt.Fatalf("%+v, want %+v", s.Model, m)
					}
				}
				_, trashTotal, err := db.Trash(t.Context(), a, trashed, 1, 0)
				must(t, err)
				if total != active || trashTotal != trash {
					rt.Fatalf("%d models and %d in the trash, want %d and %d", total, trashTotal, active, trash)
				}
			},
		})
	})
	wantWhole(t, db)
}
