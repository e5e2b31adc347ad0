package postgres_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"ballast/internal/id"
	"ballast/internal/testenv"
	"ballast/postgres"
	"ballast/program"
)

// dying is a context that ends after it has been checked a given number of times: at some
// statement of a transaction, whose connection is closed there, as when the process is
// killed.
type dying struct {
	context.Context
	left  atomic.Int64
	ended chan struct{}
}

func dieAfter(ctx context.Context, looks int) *dying {
	d := &dying{Context: ctx, ended: make(chan struct{})}
	close(d.ended)
	d.left.Store(int64(looks))
	return d
}

func (d *dying) Done() <-chan struct{} {
	if d.left.Add(-1) < 0 {
		return d.ended
	}
	return nil
}

func (d *dying) Err() error {
	if d.left.Load() < 0 {
		return context.Canceled
	}
	return nil
}

// everyStep interrupts do at each of its steps (at every third in make test), one after
// another, and checks that it has happened whole or not at all. Then it runs do again to
// its end.
func everyStep(t *testing.T, db *postgres.DB, happened func() bool, do func(context.Context) error) {
	t.Helper()
	before := dump(t, db)
	stride := 1
	if testenv.Brief() {
		stride = 3
	}
	for step := 0; ; step += stride {
		if step > 2000 {
			t.Fatal("it never comes to its end")
		}
		err := do(dieAfter(t.Context(), step))
		switch now := dump(t, db); {
		case now == before && err == nil:
			t.Fatalf("step %d: no error, and nothing has happened", step)
		case now == before:
			continue
		case !happened():
			t.Fatalf("step %d: half of it has happened (%v)", step, err)
		}
		if step < 5 {
			t.Errorf("it came to its end at step %d", step)
		}
		t.Logf("cut off at %d steps", step)
		after := dump(t, db)
		if err := do(t.Context()); err != nil || dump(t, db) != after {
			t.Errorf("done again: %v", err)
		}
		return
	}
}

func TestPromotionsAreWholeWhateverIsKilledWhen(t *testing.T) {
	t.Parallel()
	for _, test := range testenv.Some(t, 3, []struct {
		name string
		do   func(t *testing.T, db *postgres.DB, d draft, member program.Member)
	}{
		{"queued", func(t *testing.T, db *postgres.DB, d draft, _ program.Member) {
			b, r := promotion(d)
			queued := func() bool {
				m := sheet(t, db, d.model.ID)
				return m.Status == program.StatusUpdating && m.InFlight != nil && m.InFlight.ID == r.ID && m.BuildID == d.build.ID && len(queued(t, db)) > 0
			}
			everyStep(t, db, queued, func(ctx context.Context) error {
				if queued() { // the repeated request is refused
					return nil
				}
				return db.Promote(ctx, b, r, d.build.ID)
			})
		}},
		{"published", func(t *testing.T, db *postgres.DB, d draft, member program.Member) {
			next := promote(t, db, d, d.build.ID)
			must(t, next.err)
			p := publication(next.run.ID, member)
			p.Identity = &program.Identity{Description: "other"}
			everyStep(t, db, func() bool {
				m := sheet(t, db, d.model.ID)
				edges, err := db.Below(t.Context(), []string{d.model.ID})
				must(t, err)
				return m.Status == program.StatusActive && m.BuildID == next.build.ID && m.LiveRunID == next.run.ID && m.Depth == 1 && m.Description == "other" &&
					m.Build.Status == program.RunComplete && len(edges) == 1 && inFlight(t, db, m.HeldBy[0].ID, program.SourceCascade) != nil
			}, func(ctx context.Context) error { return db.Publish(ctx, p) })
		}},
		{"superseded", func(t *testing.T, db *postgres.DB, d draft, member program.Member) {
			next := promote(t, db, d, d.build.ID)
			must(t, next.err)
			member.RunID = id.New(id.Run) // the member has moved on
			everyStep(t, db, func() bool {
				m := sheet(t, db, d.model.ID)
				fresh := inFlight(t, db, d.model.ID, program.SourcePromote)
				return m.BuildID == d.build.ID && m.LiveRunID == d.run.ID && readRun(t, db, next.run.ID).Superseded && fresh != nil && fresh.BuildID == next.build.ID
			}, func(ctx context.Context) error { return db.Publish(ctx, publication(next.run.ID, member)) })
		}},
		{"failed", func(t *testing.T, db *postgres.DB, d draft, _ program.Member) {
			next := promote(t, db, d, d.build.ID)
			must(t, next.err)
			everyStep(t, db, func() bool {
				m := sheet(t, db, d.model.ID)
				return m.Status == program.StatusActive && m.BuildID == d.build.ID && m.LiveRunID == d.run.ID && m.Warning != "" && readRun(t, db, next.run.ID).Status == program.RunFailed
			}, func(ctx context.Context) error {
				return db.FailRun(ctx, next.run.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no"}})
			})
		}},
	}) {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			a := newAccount(t, db, fmt.Sprint("a ", test.name)).ID
			member := active(t, db, a, "MEMBER", assetMember("SPY"))
			d := active(t, db, a, "X", assetMember("SPY"))
			active(t, db, a, "HOLDER", modelMember(t, db, d.model.ID))
			test.do(t, db, d, modelMember(t, db, member.model.ID))
			wantWhole(t, db)
		})
	}
}
