package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/postgres"
	"ballast/program/jobs"
)

// queues returns the queue of each run's job, and the jobs' ids.
func queues(t *testing.T, db *postgres.DB) (queues map[string]string, ids map[string]int64) {
	t.Helper()
	rows, err := db.Pool().Query(t.Context(), "select id, args ->> 'run_id', queue from river_job where kind = 'run'")
	must(t, err)
	defer rows.Close()
	queues, ids = map[string]string{}, map[string]int64{}
	for rows.Next() {
		var job int64
		var run, queue string
		must(t, rows.Scan(&job, &run, &queue))
		queues[run], ids[run] = queue, job
	}
	must(t, rows.Err())
	return queues, ids
}

// One job of each account is in the account's lane beside the queue; when it leaves, the
// account's next one follows.
func TestLanes(t *testing.T) {
	t.Parallel()
	db := open(t)
	ctx := t.Context()
	first := jobs.FirstLane(jobs.RunQueue)
	var runs []string
	accounts := []string{newAccount(t, db, "a").ID, newAccount(t, db, "b").ID}
	for i, account := range accounts {
		d := active(t, db, account, "M")
		_, err := db.Pool().Exec(ctx, "delete from river_job where args ->> 'account_id' = $1", account)
		must(t, err)
		for range 3 - i {
			r := snapshotOf(d)
			must(t, db.CreateRun(ctx, r, 0))
			runs = append(runs, r.ID)
		}
	}
	want := func(what string, expected ...string) {
		t.Helper()
		got, _ := queues(t, db)
		var places []string
		for _, r := range runs {
			places = append(places, got[r])
		}
		if d := cmp.Diff(expected, places); d != "" {
			t.Errorf("%s: %s", what, d)
		}
	}
	const q = jobs.RunQueue
	want("queued", first, q, q, first, q)
	_, ids := queues(t, db)

	must(t, db.LeaveLane(ctx, 0, accounts[0], q, true))
	want("while the lane is taken", first, q, q, first, q)
	must(t, db.FillLane(ctx, q))
	want("filled while both lanes are taken", first, q, q, first, q)
	must(t, db.LeaveLane(ctx, ids[runs[0]], accounts[0], q, true))
	want("when the first leaves", q, first, q, first, q)
	must(t, db.LeaveLane(ctx, ids[runs[0]], accounts[0], q, true))
	want("when one leaves that is not in it", q, first, q, first, q)

	putOff := func(runs ...string) {
		t.Helper()
		for _, r := range runs {
			_, err := db.Pool().Exec(ctx, "update river_job set scheduled_at = now() + interval '1 minute' where id = $1", ids[r])
			must(t, err)
		}
	}
	putOff(runs[0])
	must(t, db.LeaveLane(ctx, ids[runs[1]], accounts[0], q, false))
	want("what was put off stays", q, q, first, first, q)
	putOff(runs[1])
	must(t, db.LeaveLane(ctx, ids[runs[2]], accounts[0], q, true))
	want("but in a hurry it does not", first, q, q, first, q)
	var due bool
	must(t, db.Pool().QueryRow(ctx, "select scheduled_at <= now() from river_job where id = $1", ids[runs[0]]).Scan(&due))
	if !due {
		t.Error("what was moved to the front is put off still")
	}

	_, err := db.Pool().Exec(ctx, "update river_job set queue = $1", q)
	must(t, err)
	must(t, db.FillLane(ctx, q))
	want("filled where both lanes are empty", first, q, q, first, q)
	_, err = db.Pool().Exec(ctx, "update river_job set queue = $1", q)
	must(t, err)
	putOff(runs[0])
	must(t, db.FillLane(ctx, q))
	want("filled past one that was put off", q, q, first, first, q)
}
