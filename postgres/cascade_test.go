package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"ballast/internal/testenv"
	"ballast/postgres"
	"ballast/program"
)

// Several workers carry out whatever is queued in a graph of models while owners start
// more runs. When the queue is empty, each model's live run has read the results that its
// members serve, in whatever order the publications happened.
func TestCascadeSettles(t *testing.T) {
	t.Parallel()
	db := open(t)
	a := newAccount(t, db, "a").ID
	graph := map[string][]string{} // members by model
	var models []draft
	r := testenv.Random(t, 1, 2)
	for i := range 10 {
		d := create(t, db, a, fmt.Sprintf("M%d", i))
		for _, below := range models {
			if r.IntN(3) == 0 {
				graph[d.model.ID] = append(graph[d.model.ID], below.model.ID)
			}
		}
		models = append(models, d)
		carryOut(t, db, graph, d.run.ID)
	}

	var work sync.WaitGroup
	for worker := range 4 {
		r := testenv.Random(t, 3, uint64(worker))
		work.Go(func() {
			for range 15 {
				d := models[r.IntN(len(models))]
				if r.IntN(3) == 0 { // refused while one is in progress
					_ = rebuild(t, db, d, "")
				} else {
					_ = db.CreateRun(t.Context(), newRun(d.model, sheet(t, db, d.model.ID).BuildID, program.SourceManual), 0)
				}
				for _, id := range waiting(t, db) {
					carryOut(t, db, graph, id)
				}
			}
		})
	}
	work.Wait()
	for rounds := 0; len(waiting(t, db)) > 0; rounds++ {
		if rounds > 1000 {
			t.Fatal("the cascade does not settle")
		}
		for _, id := range waiting(t, db) {
			carryOut(t, db, graph, id)
		}
	}
	for _, d := range models {
		m := sheet(t, db, d.model.ID)
		if m.Status != program.StatusActive || m.InFlight != nil || m.Live.Superseded {
			t.Errorf("%s ends %s, superseded %t", m.Symbol, m.Status, m.Live.Superseded)
		}
		for _, member := range m.Live.Members {
			if now := sheet(t, db, member.ID).LiveRunID; now != member.RunID {
				t.Errorf("%s has read %s of %s, which serves %s", m.Symbol, member.RunID, member.Symbol, now)
			}
		}
		if len(m.Live.Members) != len(graph[m.ID]) {
			t.Errorf("%s has %d members, want %d", m.Symbol, len(m.Live.Members), len(graph[m.ID]))
		}
	}
}

// waiting lists the runs that have not ended, in no particular order.
func waiting(t *testing.T, db *postgres.DB) []string {
	rows, err := db.Pool().Query(context.Background(), "select id from runs where status in ('queued', 'running') order by random()")
	if err != nil {
		t.Error(err)
		return nil
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			t.Error(err)
		}
		out = append(out, id)
	}
	return out
}

// carryOut does what a worker does: start the run, pin the members, publish.
func carryOut(t *testing.T, db *postgres.DB, graph map[string][]string, runID string) {
	ctx := context.Background()
	run, _, model, err := db.StartRun(ctx, runID)
	if err != nil || run == nil {
		if err != nil {
			t.Error(err)
		}
		return
	}
	if run.Source == program.SourceRebuild && run.ID[len(run.ID)-1] < '8' { // some fail
		if err := db.FailRun(ctx, runID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "as told"}}); err != nil {
			t.Error(err)
		}
		return
	}
	var members []program.Member
	for _, id := range graph[model.ID] {
		m, err := db.Sheet(ctx, id)
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

// A cascade has found the models above one that publishes, and waits for their locks.
// Meanwhile the highest of them drops its members. It must not wait for members that it
// no longer holds.
func TestCascadeMeetsAModelThatLetsGo(t *testing.T) {
	t.Parallel()
	db := open(t)
	models := graphOf(t, db, newAccount(t, db, "a").ID, [][]int{{}, {0}, {1}})
	bottom, middle, top := models[0], models[1], models[2]
	must(t, endAll(db))
	tested := testDraft(t, db, top, "without members")
	must(t, tested.err)
	publish(t, db, tested.Run.ID, assetMember("SPY"))
	r := newRun(bottom.model, sheet(t, db, bottom.model.ID).BuildID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), r, 0))

	held, err := db.Pool().Begin(t.Context())
	must(t, err)
	_, err = held.Exec(t.Context(), "select from programs where id = $1 for no key update", middle.model.ID)
	must(t, err)
	published := make(chan error, 1)
	go func() { published <- db.Publish(context.Background(), publication(r.ID, assetMember("SPY"))) }()
	for blocked := false; !blocked; time.Sleep(time.Millisecond) {
		must(t, db.Pool().QueryRow(t.Context(), `select exists (select from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock')`).Scan(&blocked))
	}
	must(t, applyRevision(t.Context(), db, program.Application{ModelID: top.model.ID, RevisionID: tested.id, Identity: &program.Identity{}}))
	must(t, held.Rollback(t.Context()))
	must(t, <-published)
	wantWhole(t, db)
}
