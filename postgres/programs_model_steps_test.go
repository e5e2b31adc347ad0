package postgres_test

import (
	"context"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"ballast/internal/fault"
	"ballast/program"
)

var broken = program.Ending{Failure: program.Failure{Type: "script_error", Message: "x"}}

// end ends the run in progress.
func (w *world) end(m *simple, succeeds bool) step {
	if m.busy == "" {
		return step{}
	}
	run, build := m.busy, m.next
	if !succeeds {
		return step{"fail", func(ctx context.Context) error { return w.db.FailRun(ctx, run, broken) }, "", func() {
			m.former = append(m.former, run)
			w.look()
		}}
	}
	members := w.members(m)
	if build == "" && m.of != m.build {
		// The run was queued before another build was served: its result is kept, but
		// never served.
		return step{"supersede", func(ctx context.Context) error { return w.db.Publish(ctx, publication(run, members...)) }, "", func() {
			w.pin(run, members)
			m.former = append(m.former, run)
			w.look()
		}}
	}
	return step{"publish", func(ctx context.Context) error { return w.db.Publish(ctx, publication(run, members...)) }, "", func() {
		w.pin(run, members)
		w.serve(m, run, build)
	}}
}

// rebuild begins a build if no run of the served build is in progress.
func (w *world) rebuild(m *simple) step {
	if m.busy != "" && m.next == "" {
		return step{}
	}
	kind := fault.Type("")
	if m.busy != "" {
		kind = fault.RebuildConflict
	}
	b, r := newBuild(m.draft, "rebuild", program.SourceRebuild)
	return step{"rebuild", func(ctx context.Context) error { return rebuildModel(ctx, w.db, b, r, "") },
		m.unlessAway(kind), func() { m.busy, m.next = r.ID, b.ID }}
}

// test begins a test of the draft.
func (w *world) test(m *simple) step {
	m.key++
	v := freeze(context.Background(), w.db, m.draft, fmt.Sprint("key ", m.key))
	return step{"test", func(ctx context.Context) error {
		_, err := w.db.StartTest(ctx, v)
		return err
	}, m.unlessAway(""), func() {
		m.tests = append(m.tests, &trial{tested: tested{Test: v, id: v.Revision.ID}, base: m.build})
	}}
}

// endTest ends a test that has not ended.
func (w *world) endTest(rt *rapid.T, m *simple) step {
	i := slices.IndexFunc(m.tests, func(v *trial) bool { return v.status == "" })
	if i < 0 || m.place != "" {
		return step{}
	}
	v := m.tests[i]
	if rapid.IntRange(0, 3).Draw(rt, "fails") == 0 {
		return step{"fail test", func(ctx context.Context) error { return w.db.FailRun(ctx, v.Run.ID, broken) }, "", func() {
			v.status = "failed"
			m.former = append(m.former, v.Run.ID)
		}}
	}
	members := w.members(m)
	return step{"succeed", func(ctx context.Context) error { return w.db.Publish(ctx, publication(v.Run.ID, members...)) }, "", func() {
		v.status = "completed"
		w.pin(v.Run.ID, members)
		m.former = append(m.former, v.Run.ID)
	}}
}

// apply applies one of the tests.
func (w *world) apply(rt *rapid.T, m *simple) step {
	if len(m.tests) == 0 {
		return step{}
	}
	v := m.tests[rapid.IntRange(0, len(m.tests)-1).Draw(rt, "test")]
	kind, current := w.applicable(m, v)
	return step{"apply", func(ctx context.Context) error {
		return applyRevision(ctx, w.db, program.Application{ModelID: m.draft.model.ID, RevisionID: v.id, Identity: &program.Identity{}})
	}, m.unlessAway(kind), func() {
		if current {
			return
		}
		v.status = "applied"
		m.former = slices.DeleteFunc(m.former, func(r string) bool { return r == v.Run.ID })
		w.serve(m, v.Run.ID, v.Build.ID)
	}}
}

// applicable returns what applying a test answers, and whether the test is served
// already.
func (w *world) applicable(m *simple, v *trial) (kind fault.Type, current bool) {
	reads := w.below(v.Run.ID)
	switch {
	case v.status == "applied" && m.build == v.Build.ID:
		return "", true
	case v.status == "applied":
		return fault.BaseChanged, false
	case v.status != "completed" || w.gone[v.Run.ID]:
		return fault.NotApplicable, false
	case v.base != m.build:
		return fault.BaseChanged, false
	case m.busy != "" && m.next != "":
		return fault.RebuildConflict, false
	case m.busy != "":
		return fault.RunConflict, false
	case slices.ContainsFunc(reads, func(r string) bool { return w.gone[r] }):
		return fault.NotApplicable, false
	}
	return "", false
}

// trash moves a model to the Trash. Its tests that have not begun fail.
func (w *world) trash(m *simple) step {
	kind := fault.Type("")
	switch {
	case m.busy != "":
		kind = fault.ModelBusy
	case slices.ContainsFunc(w.models, func(h *simple) bool {
		return h.place == "" && slices.ContainsFunc(h.held, func(i int) bool { return w.models[i] == m })
	}):
		kind = fault.ModelHeld
	}
	return step{"trash", func(ctx context.Context) error {
		return w.db.DeleteModel(ctx, deletion(w.account, m.draft.model.ID), unbegun)
	}, m.unlessAway(kind), func() {
		m.place, m.public = "trash", false
		for _, v := range m.tests {
			if v.status == "" {
				v.status = "failed"
				m.former = append(m.former, v.Run.ID)
			}
		}
	}}
}

func (w *world) restore(m *simple) step {
	kind := fault.Type("")
	switch {
	case m.place != "trash":
		kind = fault.NotFound
	case slices.ContainsFunc(m.held, func(i int) bool { return w.models[i].place == "trash" }):
		kind = fault.TrashDependencies
	case w.taken(m, m.symbol):
		kind = fault.SymbolTaken
	}
	return step{"restore", func(ctx context.Context) error {
		return w.db.RestoreModel(ctx, w.account, m.draft.model.ID, trashed)
	}, kind, func() { m.place, m.behind = "", true }}
}

// purge removes a model and its runs for good.
func (w *world) purge(m *simple) step {
	kind := fault.NotFound
	if m.place == "trash" {
		kind = ""
	}
	return step{"purge", func(ctx context.Context) error {
		return w.db.PurgeModel(ctx, deletion(w.account, m.draft.model.ID))
	}, kind, func() {
		m.place = "gone"
		for _, r := range append([]string{m.live}, m.former...) {
			w.gone[r] = true
		}
	}}
}

// deleteRun deletes a run of a model.
func (w *world) deleteRun(rt *rapid.T, m *simple) step {
	runs := append([]string{m.live}, m.former...)
	if m.busy != "" {
		runs = append(runs, m.busy)
	}
	run := rapid.SampledFrom(runs).Draw(rt, "run")
	kind := fault.Type("")
	switch {
	case run == m.busy:
		kind = fault.RunInFlight
	case run == m.live, slices.ContainsFunc(w.models, func(h *simple) bool {
		return h.place != "gone" && slices.Contains(w.below(h.live), run)
	}):
		kind = fault.RunLive
	}
	return step{"delete run", func(ctx context.Context) error { return w.db.DeleteRun(ctx, run) }, m.unlessAway(kind), func() {
		w.gone[run] = true
		m.former = slices.DeleteFunc(m.former, func(r string) bool { return r == run })
	}}
}
