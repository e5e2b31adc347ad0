package postgres_test

import (
	"math/rand/v2"
	"testing"

	"github.com/jackc/pgx/v5"

	"ballast/account"
	"ballast/billing"
	"ballast/postgres"
	"ballast/program"
	"ballast/program/jobs"
)

// queueOf is a queue of runs with simulated workers.
type queueOf struct {
	t      *testing.T
	db     *postgres.DB
	slots  int
	random *rand.Rand
	served []string        // the account of each run that has ended, in this order
	of     []program.Class // its class
}

// newQueue opens a database whose fleet has some slots, and whose plans let each account
// execute `most` runs at a time; 0 is no limit.
func newQueue(t *testing.T, slots, most int) *queueOf {
	t.Helper()
	var policy billing.Policy
	if most > 0 {
		policy = billing.Default()
		policy.Plans[account.PlanBusiness] = billing.Terms{Concurrency: most, SignupGrantCents: 1_000_000}
	}
	db := openWith(t, policy)
	must(t, db.Renew(t.Context(), "worker", jobs.Slots{Runs: slots}))
	return &queueOf{t: t, db: db, slots: slots, random: rand.New(rand.NewPCG(1, uint64(slots)))}
}

// queue adds an account with so many runs.
func (q *queueOf) queue(name string, runs int) string {
	q.t.Helper()
	a := newAccount(q.t, q.db, name).ID
	d := active(q.t, q.db, a, "M")
	_, err := q.db.Pool().Exec(q.t.Context(), "delete from river_job where args ->> 'account_id' = $1", a)
	must(q.t, err)
	q.add(d, program.SourceManual, runs)
	return a
}

// add queues runs of a model, all started by the same source.
func (q *queueOf) add(d draft, source program.Source, runs int) {
	q.t.Helper()
	for range runs {
		r := snapshotOf(d)
		r.Source = source
		must(q.t, q.db.CreateRun(q.t.Context(), r, 0))
	}
}

// step starts as many runs as there are workers for, and ends one at random of those that
// have run longest. It reports false when nothing is left.
func (q *queueOf) step() bool {
	q.t.Helper()
	ctx, pool := q.t.Context(), q.db.Pool()
	_, err := pool.Exec(ctx, `update river_job set state = 'running', attempted_at = now(), attempted_by = '{worker}' where id in (
		(select id from river_job where kind = 'run' and state = 'available' and queue = $1 order by priority, scheduled_at, id
			limit $3 - (select count(*) from river_job where state = 'running' and queue = $1))
		union all
		select id from river_job where kind = 'run' and state = 'available' and queue = $2)`, jobs.RunQueue, jobs.FirstLane(jobs.RunQueue), q.slots)
	must(q.t, err)
	rows, err := pool.Query(ctx, `select j.id, r.account_id, r.source, j.queue from river_job j join runs r on r.id = j.args ->> 'run_id'
		where j.kind = 'run' and j.state = 'running' order by j.attempted_at, j.id`)
	must(q.t, err)
	type running struct {
		ID      int64
		Account string
		Source  program.Source
		Queue   string
	}
	now, err := pgx.CollectRows(rows, pgx.RowToStructByPos[running])
	must(q.t, err)
	if len(now) == 0 {
		return false
	}
	ended := now[q.random.IntN(min(len(now), q.slots/2))]
	if ended.Queue != jobs.RunQueue {
		must(q.t, q.db.LeaveLane(ctx, ended.ID, ended.Account, jobs.RunQueue, true))
	}
	// The job is recorded as ended only after its release, as River does it.
	_, err = q.db.Release(ctx, jobs.RunQueue, []int64{ended.ID})
	must(q.t, err)
	_, err = pool.Exec(ctx, "update river_job set state = 'completed', finalized_at = now() where id = $1", ended.ID)
	must(q.t, err)
	q.served, q.of = append(q.served, ended.Account), append(q.of, ended.Source.Class())
	return true
}

// most checks how much the queue holds, and how much of one account. Without a limit on
// accounts, that is how many the queue holds and one in the lane.
func (q *queueOf) most(held, ofAccount int) {
	q.t.Helper()
	var all, one int
	must(q.t, q.db.Pool().QueryRow(q.t.Context(), `select coalesce(sum(n) filter (where queue = $1), 0)::bigint, coalesce(max(total), 0)::bigint from (
		select queue, count(*) as n, sum(count(*)) over (partition by args ->> 'account_id') as total
		from river_job where kind = 'run' and state in ('available', 'running') group by queue, args ->> 'account_id') x`, jobs.RunQueue).Scan(&all, &one))
	if all > held || one > ofAccount {
		q.t.Errorf("the queue holds %d runs, %d of one account; want at most %d and %d", all, one, held, ofAccount)
	}
}

// Ten accounts that queue the same get the same, whatever the order in which they came
// and how long their runs take; nothing is left over.
func TestEqualAccountsGetEqualShares(t *testing.T) {
	t.Parallel()
	const accounts, runs, slots = 10, 20, 8
	q := newQueue(t, slots, 0)
	// The first account has the queue for itself while the others come. What it holds by
	// then ends first, and comes on top of its share.
	q.queue("a", runs+slots+slots/2)
	for i := 1; i < accounts; i++ {
		q.queue(string(rune('a'+i)), runs)
	}
	for q.step() {
		if len(q.served)%8 == 0 {
			q.most(slots+slots/2, slots+slots/2+1)
		}
	}
	if want := accounts*runs + slots + slots/2; len(q.served) != want {
		t.Errorf("%d runs ended of %d", len(q.served), want)
	}
	const begin, end = accounts * runs / 5, accounts * runs * 7 / 10
	counts := map[string]float64{}
	for _, a := range q.served[begin:end] {
		counts[a]++
	}
	sum, squares := 0.0, 0.0
	for _, n := range counts {
		sum += n
		squares += n * n
	}
	if jain := sum * sum / (accounts * squares); jain < 0.98 {
		t.Errorf("Jain's index %.3f while all had runs waiting, want 0.98: %v", jain, counts)
	}
}

// An account that comes when another has queued a great many gets every second turn at
// once.
func TestASmallAccountPassesALongQueue(t *testing.T) {
	t.Parallel()
	const slots, few = 8, 12
	q := newQueue(t, slots, 0)
	q.queue("long", 150)
	for range 20 {
		q.step()
	}
	small, before := q.queue("small", few), len(q.served)
	for n := 0; n < few && q.step(); {
		if q.served[len(q.served)-1] == small {
			n++
		}
	}
	// What the queue held before, as many turns of the other, and what the simulation
	// ends by chance before the last one.
	if others := len(q.served) - before - few; others > slots+slots/2+few+2*slots {
		t.Errorf("%d runs of the other account ended before %d of the small one", others, few)
	}
}

// An account gets no more of the queue than its plan executes at a time, so its runs do
// not have to be put off.
func TestThePlanBoundsWhatIsReleased(t *testing.T) {
	t.Parallel()
	q := newQueue(t, 8, 2)
	q.queue("a", 15)
	q.queue("b", 5)
	for q.step() {
		q.most(4, 2)
	}
	if len(q.served) != 20 {
		t.Errorf("%d runs ended of 20", len(q.served))
	}
}

// While runs of all classes wait, each class ends as many as its weight says, and none is
// left over.
func TestClassesGetTurnsByTheirWeight(t *testing.T) {
	t.Parallel()
	const slots, rounds = 8, 12 // a round is 8 + 4 + 2 + 1 runs
	q := newQueue(t, slots, 0)
	a := newAccount(t, q.db, "a").ID
	d := active(t, q.db, a, "M")
	_, err := q.db.Pool().Exec(t.Context(), "delete from river_job where args ->> 'account_id' = $1", a)
	must(t, err)
	// The least urgent come first, so the queue is full of them.
	of := map[program.Class]program.Source{
		program.ClassNightly: program.SourceRefresh, program.ClassCascade: program.SourceCascade,
		program.ClassBuild: program.SourceRebuild, program.ClassInteractive: program.SourceManual,
	}
	all := slots + slots/2 + 1
	q.add(d, program.SourceRefresh, all)
	before := all
	for i := len(program.Classes) - 1; i >= 0; i-- {
		n := rounds * int(program.Classes[i].Weight())
		q.add(d, of[program.Classes[i]], n)
		all += n
	}
	for q.step() {
	}
	if len(q.of) != all {
		t.Fatalf("%d runs ended of %d", len(q.of), all)
	}
	counts := map[program.Class]int{}
	for _, class := range q.of[2*before : 2*before+6*15] { // six rounds
		counts[class]++
	}
	for _, class := range program.Classes {
		if want := 6 * int(class.Weight()); counts[class] < want*3/4-1 || counts[class] > want*5/4+1 {
			t.Errorf("%s: %d runs ended, want about %d: %v", class, counts[class], want, counts)
		}
	}
}

// A run that somebody waits for passes an account's own backlog of refreshes.
func TestAnInteractiveRunPassesTheAccountsRefreshes(t *testing.T) {
	t.Parallel()
	const slots = 8
	q := newQueue(t, slots, 0)
	a := newAccount(t, q.db, "a").ID
	d := active(t, q.db, a, "M")
	q.add(d, program.SourceRefresh, 100)
	for range 20 {
		q.step()
	}
	before := len(q.of)
	q.add(d, program.SourceManual, 1)
	for q.step() && q.of[len(q.of)-1] != program.ClassInteractive {
	}
	// What the queue held, and what the simulation ends by chance before it.
	if n := len(q.of) - before; n > 3*slots {
		t.Errorf("%d refreshes ended before the run", n)
	}
}
