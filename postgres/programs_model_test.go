package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/program"
)

// world is the simplest possible account of the lives of an account's models.
type world struct {
	t       *testing.T
	db      *postgres.DB
	account string
	models  []*simple
	pins    map[string][]string // the runs that each run was computed on
	gone    map[string]bool     // runs that were deleted
}

// simple is a model in that account.
type simple struct {
	draft  draft
	symbol string
	place  string // "", trash or gone
	public bool
	busy   string // the run in flight that publishes, "" without
	next   string // the build that the run in flight makes, "" of a run of an existing build
	of     string // the build of the run in progress
	behind bool   // a member may have moved while the model was in the Trash
	build  string
	live   string
	former []string // runs that were live, or are snapshots or tests, and have ended
	held   []int    // members by position
	tests  []*trial
	key    int // of the latest test
}

// trial is a test of a draft.
type trial struct {
	tested
	status string // "", completed, failed, applied
	base   string // the build that was served
}

// step is one operation: its expected answer, and the changes if it succeeds.
type step struct {
	name string
	do   func(ctx context.Context) error
	want fault.Type
	then func()
}

func newWorld(t *testing.T, db *postgres.DB, name string) *world {
	w := &world{t: t, db: db, account: newAccount(t, db, name).ID, pins: map[string][]string{}, gone: map[string]bool{}}
	for i, held := range [][]int{nil, {0}, {1}, nil} {
		m := &simple{symbol: fmt.Sprint("S", i), held: held}
		w.models = append(w.models, m)
		members := w.members(m)
		m.draft = active(t, db, w.account, m.symbol, members...)
		m.live, m.build = m.draft.run.ID, m.draft.build.ID
		w.pin(m.live, members)
	}
	return w
}

// members pins the live runs of those members of a model that exist.
func (w *world) members(m *simple) []program.Member {
	var members []program.Member
	for _, i := range m.held {
		if w.models[i].place == "" {
			members = append(members, modelMember(w.t, w.db, w.models[i].draft.model.ID))
		}
	}
	return members
}

func (w *world) pin(run string, members []program.Member) {
	for _, m := range members {
		w.pins[run] = append(w.pins[run], m.RunID)
	}
}

// below returns the runs that a run was computed on, at any depth.
func (w *world) below(run string) []string {
	var all []string
	for _, p := range w.pins[run] {
		all = append(append(all, p), w.below(p)...)
	}
	return all
}

// look takes over the runs that a publication, or the end of a run, has queued.
func (w *world) look() {
	for _, m := range w.models {
		if m.place != "" {
			continue
		}
		s := sheet(w.t, w.db, m.draft.model.ID)
		if s.InFlight == nil {
			m.busy, m.next = "", ""
		} else if s.InFlight.ID != m.busy {
			m.busy, m.next, m.of = s.InFlight.ID, "", s.InFlight.BuildID
		}
	}
}

func (w *world) taken(of *simple, symbol string) bool {
	return slices.ContainsFunc(w.models, func(m *simple) bool { return m != of && m.place == "" && m.symbol == symbol })
}

// unlessAway returns kind for a model that exists, and not_found for one in the Trash or purged.
func (m *simple) unlessAway(kind fault.Type) fault.Type {
	if m.place != "" {
		return fault.NotFound
	}
	return kind
}

// conflict is the answer to a request for other work.
func (m *simple) conflict() fault.Type {
	if m.busy != "" {
		return fault.RunConflict
	}
	return ""
}

// serve records that a model serves another run, and another build unless build is "".
func (w *world) serve(m *simple, run, build string) {
	m.former = append(m.former, m.live)
	m.live = run
	if build != "" {
		m.build = build
	}
	m.busy, m.next, m.behind = "", "", false
	w.look()
}

// step draws one of the operations.
func (w *world) step(rt *rapid.T) step {
	m := w.models[rapid.IntRange(0, len(w.models)-1).Draw(rt, "model")]
	s := w.draw(rt, m)
	switch { // models with nothing to do move to the Trash and back
	case s.do == nil && m.place == "":
		return w.trash(m)
	case s.do == nil:
		return w.restore(m)
	}
	return s
}

func (w *world) draw(rt *rapid.T, m *simple) step {
	modelID := m.draft.model.ID
	switch rapid.IntRange(0, 15).Draw(rt, "operation") {
	case 0:
		symbol := fmt.Sprint("S", rapid.IntRange(0, 4).Draw(rt, "symbol"))
		kind := fault.Type("")
		if w.taken(m, symbol) {
			kind = fault.SymbolTaken
		}
		return step{"symbol", func(ctx context.Context) error {
			return w.db.PatchModel(ctx, modelID, program.ModelPatch{Symbol: given(symbol), IsPublic: given(true)})
		}, m.unlessAway(kind), func() { m.symbol, m.public = symbol, true }}
	case 1:
		r := newRun(m.draft.model, m.build, program.SourceManual)
		return step{"run", func(ctx context.Context) error { return w.db.CreateRun(ctx, r, 0) },
			m.unlessAway(m.conflict()), func() { m.busy, m.of = r.ID, r.BuildID }}
	case 2:
		b, r := promotion(m.draft)
		b.ScriptHash, r.ScriptHash = b.ID, b.ID
		return step{"promote", func(ctx context.Context) error { return w.db.Promote(ctx, b, r, m.build) },
			m.unlessAway(m.conflict()), func() { m.busy, m.next = r.ID, b.ID }}
	case 3, 4, 5:
		return w.end(m, rapid.Bool().Draw(rt, "succeeds"))
	case 6:
		return w.rebuild(m)
	case 7:
		return step{"edit", func(ctx context.Context) error { return edit(ctx, w.db, modelID, "# edited") }, m.unlessAway(""), func() {}}
	case 8, 9:
		if s := w.endTest(rt, m); s.do != nil {
			return s
		}
		return w.test(m)
	case 10, 11:
		return w.apply(rt, m)
	case 12:
		return w.trash(m)
	case 13:
		return w.restore(m)
	case 14:
		if rapid.IntRange(0, 3).Draw(rt, "seldom") > 0 {
			return step{}
		}
		return w.purge(m)
	}
	return w.deleteRun(rt, m)
}

// TestLivesAgainstSimpleOnes runs random sequences of operations of two accounts at once.
// Each answers what the simple model answers, finds nothing of the other account, and
// leaves the stored models as the simple ones.
func TestLivesAgainstSimpleOnes(t *testing.T) {
	t.Parallel()
	db := metered(t, 1_000_000)
	n := 0
	done := map[string]int{}
	rapid.Check(t, func(rt *rapid.T) {
		n++
		worlds := []*world{newWorld(t, db, fmt.Sprint("a", n)), newWorld(t, db, fmt.Sprint("b", n))}
		rt.Repeat(map[string]func(*rapid.T){
			"both": func(rt *rapid.T) {
				steps := []step{worlds[0].step(rt), worlds[1].step(rt)}
				errs := make([]error, len(steps))
				var both sync.WaitGroup
				for i, s := range steps {
					if s.do != nil {
						both.Go(func() { errs[i] = s.do(t.Context()) })
					}
				}
				both.Wait()
				for i, s := range steps {
					if errs[i] == nil != (s.want == "") || errs[i] != nil && fault.TypeOf(errs[i]) != s.want {
						rt.Fatalf("%s: %v, want %q", s.name, errs[i], s.want)
					}
					if s.do != nil && s.want == "" {
						s.then()
					}
					done[s.name+" "+string(s.want)]++
				}
			},
			"stranger": func(rt *rapid.T) {
				m := worlds[0].models[rapid.IntRange(0, 3).Draw(rt, "model")]
				r := newRun(m.draft.model, m.build, program.SourceManual)
				r.AccountID = worlds[1].account
				for name, err := range map[string]error{
					"run":     db.CreateRun(t.Context(), r, 0),
					"delete":  db.DeleteModel(t.Context(), deletion(worlds[1].account, m.draft.model.ID), unbegun),
					"restore": db.RestoreModel(t.Context(), worlds[1].account, m.draft.model.ID, trashed),
					"purge":   db.PurgeModel(t.Context(), deletion(worlds[1].account, m.draft.model.ID)),
				} {
					if err == nil || fault.TypeOf(err) != fault.NotFound {
						rt.Fatalf("a stranger's %s: %v", name, err)
					}
				}
			},
			"": func(rt *rapid.T) {
				for _, w := range worlds {
					w.agree(rt)
				}
				findings, err := db.CheckLives(t.Context())
				must(t, err)
				unsound, err := db.CheckLedger(t.Context())
				must(t, err)
				if len(findings)+len(unsound) > 0 {
					rt.Fatalf("%v %v", findings, unsound)
				}
			},
		})
	})
	t.Logf("%v", done)
	wantWhole(t, db)
}

// agree compares the stored models with the simple ones.
func (w *world) agree(rt *rapid.T) {
	found, total, err := w.db.Models(context.Background(), w.account, program.ModelFilter{Limit: 10})
	must(w.t, err)
	var there, trash int
	for _, m := range w.models {
		switch m.place {
		case "trash":
			trash++
			continue
		case "gone":
			continue
		}
		there++
		i := slices.IndexFunc(found, func(s *program.Sheet) bool { return s.ID == m.draft.model.ID })
		if i < 0 {
			rt.Fatalf("%+v is not listed", m)
		}
		s, inFlight := found[i], ""
		if s.InFlight != nil {
			inFlight = s.InFlight.ID
		}
		if s.Symbol != m.symbol || s.IsPublic != m.public || s.LiveRunID != m.live || s.BuildID != m.build || inFlight != m.busy {
			rt.Fatalf("%+v with %q in flight, want %+v", s.Model, inFlight, m)
		}
		if !s.Waits && inFlight == "" && !m.behind {
			for _, member := range s.Live.Members {
				if now := sheet(w.t, w.db, member.ID).LiveRunID; member.Kind == program.MemberModel && now != member.RunID {
					rt.Fatalf("%s rests on %s of %s, which serves %s", s.Symbol, member.RunID, member.Symbol, now)
				}
			}
		}
	}
	_, trashTotal, err := w.db.Trash(context.Background(), program.KindModel, w.account, trashed, 1, 0)
	must(w.t, err)
	if total != there || trashTotal != trash {
		rt.Fatalf("%d models and %d in the trash, want %d and %d", total, trashTotal, there, trash)
	}
}

// newBuild returns a build of another script, with its run.
func newBuild(d draft, kind string, source program.Source) (*program.Build, *program.Run) {
	b := *d.build
	b.ID, b.Kind = id.New(id.Build), kind
	b.ScriptHash = b.ID
	r := newRun(d.model, b.ID, source)
	r.ScriptHash = b.ID
	return &b, r
}
