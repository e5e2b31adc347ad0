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

// graphOf stores models that serve results. below lists each model's members, by
// position.
func graphOf(t *testing.T, db *postgres.DB, accountID string, below [][]int) []draft {
	t.Helper()
	models := make([]draft, len(below))
	for i, members := range below {
		var pinned []program.Member
		for _, m := range members {
			pinned = append(pinned, modelMember(t, db, models[m].model.ID))
		}
		if len(pinned) == 0 {
			pinned = append(pinned, assetMember("SPY"))
		}
		models[i] = active(t, db, accountID, fmt.Sprintf("M%d", i), pinned...)
	}
	return models
}

// carryAllOut works on the queue with several workers until it is empty, and counts the
// runs by model.
func carryAllOut(t *testing.T, db *postgres.DB, models []draft, below [][]int, workers int) map[string]int {
	t.Helper()
	graph := map[string][]string{}
	for i, members := range below {
		for _, m := range members {
			graph[models[i].model.ID] = append(graph[models[i].model.ID], models[m].model.ID)
		}
	}
	taken, counts := map[string]bool{}, map[string]int{}
	var mu sync.Mutex
	take := func() string {
		list := waiting(t, db)
		mu.Lock()
		defer mu.Unlock()
		for _, id := range list {
			if !taken[id] {
				taken[id] = true
				return id
			}
		}
		return ""
	}
	var work sync.WaitGroup
	for range workers {
		work.Go(func() {
			for idle := 0; idle < 20; {
				id := take()
				if id == "" {
					idle++
					time.Sleep(time.Millisecond)
					continue
				}
				idle = 0
				run, err := db.Run(context.Background(), id)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				counts[run.ProgramID]++
				mu.Unlock()
				carryOut(t, db, graph, id)
			}
		})
	}
	work.Wait()
	return counts
}

// rerun publishes another run of a model.
func rerun(t testing.TB, db *postgres.DB, d draft, members ...program.Member) {
	t.Helper()
	r := newRun(d.model, sheet(t, db, d.model.ID).BuildID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), r, 0))
	publish(t, db, r.ID, members...)
}

func TestCascadeRunsEachOnce(t *testing.T) {
	t.Parallel()
	ladder := [][]int{{}}
	for range 16 { // two holders of the model below, and one that holds both
		top := len(ladder) - 1
		ladder = append(ladder, []int{top}, []int{top}, []int{top + 1, top + 2})
	}
	chain := [][]int{{}}
	for i := range 50 {
		chain = append(chain, []int{i})
	}
	star := [][]int{{}}
	for range 60 {
		star = append(star, []int{0})
	}
	random := [][]int{{}}
	r := testenv.Random(t, 7, 7)
	for i := 1; i < 40; i++ {
		members := []int{0}
		for m := 1; m < i; m++ {
			if r.IntN(6) == 0 {
				members = append(members, m)
			}
		}
		random = append(random, members)
	}
	for name, below := range map[string][][]int{
		"diamond": {{}, {0}, {0}, {1, 2}}, "ladder of diamonds": ladder, "chain of 50": chain, "star": star, "random": random,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			models := graphOf(t, db, newAccount(t, db, "a").ID, below)
			must(t, endAll(db))
			rerun(t, db, models[0], assetMember("SPY"))
			counts := carryAllOut(t, db, models, below, 3)
			for i, d := range models {
				m := sheet(t, db, d.model.ID)
				if want := min(i, 1); counts[m.ID] != want {
					t.Errorf("%s ran %d times, want %d", m.Symbol, counts[m.ID], want)
				}
				if m.Status != program.StatusActive || m.InFlight != nil {
					t.Errorf("%s ends %s", m.Symbol, m.Status)
				}
				for _, member := range m.Live.Members {
					if member.Kind == program.MemberModel && sheet(t, db, member.ID).LiveRunID != member.RunID {
						t.Errorf("%s has not read what %s serves", m.Symbol, member.Symbol)
					}
				}
			}
			if left := count(t, db, "select count(*) from programs where refresh <> ''"); left != 0 {
				t.Errorf("%d models wait on", left)
			}
		})
	}
}

// endAll ends the runs that were queued while the graph was created. There are none if
// each model was created after its members.
func endAll(db *postgres.DB) error {
	_, err := db.Pool().Exec(context.Background(), "delete from river_job")
	return err
}

func count(t testing.TB, db *postgres.DB, query string) int {
	t.Helper()
	var n int
	must(t, db.Pool().QueryRow(t.Context(), query).Scan(&n))
	return n
}

// One side of a diamond fails: the top is refreshed once with what the other side
// published, and again when the failed side has recovered.
func TestCascadePassesFailures(t *testing.T) {
	t.Parallel()
	db := open(t)
	models := graphOf(t, db, newAccount(t, db, "a").ID, [][]int{{}, {0}, {0}, {1, 2}, {3}})
	bottom, left, right, top, crown := models[0], models[1], models[2], models[3], models[4]
	rerun(t, db, bottom, assetMember("SPY"))
	inFlight := func(d draft) *program.Run { return sheet(t, db, d.model.ID).InFlight }
	fail := func(d draft) {
		t.Helper()
		must(t, db.FailRun(t.Context(), inFlight(d).ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "divides by zero"}}))
	}
	publish(t, db, inFlight(right).ID, modelMember(t, db, bottom.model.ID))
	if inFlight(top) != nil {
		t.Fatal("the top runs before all its members have settled")
	}
	fail(left)
	m := sheet(t, db, left.model.ID)
	if m.Status != program.StatusActive || m.LiveRunID != left.run.ID || m.Failures != 1 || m.Warning == "" {
		t.Errorf("%+v", m.Model)
	}
	publish(t, db, inFlight(top).ID, modelMember(t, db, left.model.ID), modelMember(t, db, right.model.ID))
	publish(t, db, inFlight(crown).ID, modelMember(t, db, top.model.ID))
	if blocked := sheet(t, db, crown.model.ID).Blocked; len(blocked) != 1 || blocked[0].Symbol != "M1" || blocked[0].Message != "divides by zero" {
		t.Errorf("%+v", blocked)
	}

	// If no other member has moved, the models above a failure have nothing to wait for.
	rerun(t, db, bottom, assetMember("SPY"))
	fail(left)
	fail(right)
	for _, d := range []draft{top, crown} {
		if m := sheet(t, db, d.model.ID); m.InFlight != nil || m.Waits || m.Status != program.StatusActive || m.LastOutcome != "unchanged" {
			t.Errorf("%s: %+v", m.Symbol, m.Model)
		}
	}
	// The failed model recovers by itself when a member moves.
	rerun(t, db, bottom, assetMember("SPY"))
	publish(t, db, inFlight(left).ID, modelMember(t, db, bottom.model.ID))
	publish(t, db, inFlight(right).ID, modelMember(t, db, bottom.model.ID))
	if m := sheet(t, db, left.model.ID); m.Failures != 0 || m.Warning != "" {
		t.Errorf("%+v", m.Model)
	}
	publish(t, db, inFlight(top).ID, modelMember(t, db, left.model.ID), modelMember(t, db, right.model.ID))
}

func TestFiveFailedRefreshesPause(t *testing.T) {
	t.Parallel()
	db := open(t)
	models := graphOf(t, db, newAccount(t, db, "a").ID, [][]int{{}, {0}})
	for n := 1; n <= 5; n++ {
		rerun(t, db, models[0], assetMember("SPY"))
		flight := sheet(t, db, models[1].model.ID).InFlight
		must(t, db.FailRun(t.Context(), flight.ID, program.Ending{Failure: program.Failure{Type: "script_error", Message: "no"}}))
		m := sheet(t, db, models[1].model.ID)
		if paused := n == 5; (m.Status == program.StatusPaused) != paused || m.AutoUpdate == paused || m.Failures != n {
			t.Errorf("after %d failures: %+v", n, m.Model)
		}
	}
	rerun(t, db, models[0], assetMember("SPY"))
	if m := sheet(t, db, models[1].model.ID); m.InFlight != nil {
		t.Error("a paused model is refreshed")
	}
	rerun(t, db, models[1], modelMember(t, db, models[0].model.ID)) // by hand
	if m := sheet(t, db, models[1].model.ID); m.Status != program.StatusActive || m.Failures != 0 || m.AutoUpdate {
		t.Errorf("%+v", m.Model)
	}
}
