package postgres_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ballast/account"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/postgres"
	"ballast/postgres/postgrestest"
	"ballast/program"
)

// openWith returns a database with a policy.
func openWith(t testing.TB, policy billing.Policy) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgrestest.NewFrom(t, "migrated", migrate), postgres.Config{
		MaxConns: 8, Now: (&clock{now: morning}).Now, Billing: policy,
	})
	must(t, err)
	t.Cleanup(db.Close)
	return db
}

// A refresh takes its hold when it begins. If the account cannot pay for it, the refresh
// fails, its model continues to serve its result, and no number of such failures pauses
// it.
func TestRefreshesThatCannotBePaidFor(t *testing.T) {
	t.Parallel()
	db := metered(t, 46)
	a := newAccount(t, db, "a").ID
	child := active(t, db, a, "CHILD", assetMember("SPY"))
	holder := active(t, db, a, "HOLDER", modelMember(t, db, child.model.ID))
	wantBalance(t, db, a, billing.Statement{RemainingCents: 42, SpentCents: 4, SignupGrantCents: 46})
	rerun(t, db, child)
	_, err := db.Credit(t.Context(), a, billing.Credit{Cents: -36})
	must(t, err) // 4 remain
	for range 7 {
		flight := sheet(t, db, holder.model.ID).InFlight
		if flight == nil || flight.Source.Builds() {
			t.Fatalf("in flight %+v", flight)
		}
		_, _, _, err := db.StartRun(t.Context(), flight.ID)
		wantFault(t, err, fault.InsufficientFunds)
		if got := readRun(t, db, flight.ID); got.Status != program.RunQueued {
			t.Errorf("started: %s", got.Status)
		}
		must(t, db.FailRun(t.Context(), flight.ID, program.Ending{Failure: program.Failure{Type: program.FailureUnfunded, Message: "too little remains"}}))
		m := sheet(t, db, holder.model.ID)
		if m.Status != program.StatusActive || !m.AutoUpdate || m.Failures != 1 || m.LastError != "too little remains" {
			t.Fatalf("%+v", m.Model)
		}
		_, err = db.Refresh(t.Context(), program.Refresh{Session: 100, Now: morning.Add(24 * time.Hour), Force: true})
		must(t, err)
	}
	wantBalance(t, db, a, billing.Statement{RemainingCents: 4, SpentCents: 6, SignupGrantCents: 46})
	_, err = db.Credit(t.Context(), a, billing.Credit{Cents: 6})
	must(t, err)
	_, _, _, err = db.StartRun(t.Context(), sheet(t, db, holder.model.ID).InFlight.ID)
	must(t, err)
	wantBalance(t, db, a, billing.Statement{RemainingCents: 5, HeldCents: 5, SpentCents: 6, SignupGrantCents: 46})
}

// A run that was superseded while it ran is announced, and the run that replaces it is
// charged.
func TestSupersededRunIsNotCharged(t *testing.T) {
	t.Parallel()
	db := metered(t, 200)
	a := newAccount(t, db, "a").ID
	child := active(t, db, a, "CHILD", assetMember("SPY"))
	pinned := modelMember(t, db, child.model.ID)
	holder := create(t, db, a, "HOLDER")
	rerun(t, db, child)
	publish(t, db, holder.run.ID, pinned)
	repeated := sheet(t, db, holder.model.ID).InFlight
	_, _, _, err := db.StartRun(t.Context(), repeated.ID)
	must(t, err)
	publish(t, db, repeated.ID, modelMember(t, db, child.model.ID))
	wantBalance(t, db, a, billing.Statement{RemainingCents: 194, SpentCents: 6, SignupGrantCents: 200})
	want := []item{
		{Kind: billing.KindBuild, Cents: 2, Billed: true}, {Kind: billing.KindBuild}, {Kind: billing.KindRun, Cents: 2, Billed: true},
		{Kind: billing.KindBuild, Cents: 2, Billed: true}, {Kind: billing.KindCredit, Cents: -200, Billed: true},
	}
	if diff := cmp.Diff(want, charges(t, db, a)); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutMeteringUsageIsToldOf(t *testing.T) {
	t.Parallel()
	policy := billing.Default()
	policy.Metered = false
	db := openWith(t, policy)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "M")
	must(t, db.CreateRun(t.Context(), snapshotOf(d), 0))
	want := []item{{Kind: billing.KindBuild}}
	if diff := cmp.Diff(want, charges(t, db, a)); diff != "" {
		t.Error(diff)
	}
	wantSound(t, db)
}

// The hold of a run grows with the cost of the model's live run.
func TestHoldsFollowTheLiveRun(t *testing.T) {
	t.Parallel()
	db := metered(t, 1_000)
	a := newAccount(t, db, "a").ID
	d := create(t, db, a, "M")
	p := publication(d.run.ID)
	p.Usage = program.Usage{Units: 13, Base: 1, Seconds: 12}
	must(t, db.Publish(t.Context(), p))
	must(t, db.CreateRun(t.Context(), snapshotOf(d), 0))
	wantBalance(t, db, a, billing.Statement{RemainingCents: 1_000 - 13 - 25, HeldCents: 25, SpentCents: 13, SignupGrantCents: 1_000})
}

// An account starts as many runs as its plan allows. Other accounts' runs do not wait for
// them, and a run that cannot start lets the next one go first.
func TestAccountsTakeTurns(t *testing.T) {
	t.Parallel()
	policy := billing.Default()
	policy.Plans[account.PlanBusiness] = billing.Terms{Concurrency: 2, NightlyRefresh: true, SignupGrantCents: 1_000}
	db := openWith(t, policy)
	a, b := newAccount(t, db, "a").ID, newAccount(t, db, "b").ID
	d, other := active(t, db, a, "M"), active(t, db, b, "M")
	begin := func(d draft) string {
		t.Helper()
		r := snapshotOf(d)
		must(t, db.CreateRun(t.Context(), r, 0))
		return r.ID
	}
	start := func(runID string, want error) {
		t.Helper()
		if _, _, _, err := db.StartRun(t.Context(), runID); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	first, second, third := begin(d), begin(d), begin(d)
	start(first, nil)
	start(second, nil)
	start(third, program.ErrAccountBusy)
	start(first, nil) // again, after a crash
	start(begin(other), nil)
	must(t, db.YieldRun(t.Context(), first))
	start(third, nil)
	start(first, program.ErrAccountBusy)
	publish(t, db, second)
	start(first, nil)

	// Of many runs that begin at once, no more than the limit start.
	publish(t, db, first)
	publish(t, db, third)
	var ids []string
	for range 12 {
		ids = append(ids, begin(d))
	}
	errs := make(chan error, len(ids))
	for _, id := range ids {
		go func() {
			_, _, _, err := db.StartRun(t.Context(), id)
			errs <- err
		}()
	}
	started := 0
	for range ids {
		switch err := <-errs; {
		case err == nil:
			started++
		case !errors.Is(err, program.ErrAccountBusy):
			t.Error(err)
		}
	}
	if started != 2 {
		t.Errorf("%d started", started)
	}
}

func TestCredit(t *testing.T) {
	t.Parallel()
	db := metered(t, 10)
	a := newAccount(t, db, "a").ID
	give := func(c billing.Credit, want int64) {
		t.Helper()
		s, err := db.Credit(t.Context(), a, c)
		must(t, err)
		if s.RemainingCents != want {
			t.Errorf("%+v: %d remain, want %d", c, s.RemainingCents, want)
		}
	}
	give(billing.Credit{Cents: 50, Note: "Invoice 1", Key: "1"}, 60)
	give(billing.Credit{Cents: 50, Note: "Invoice 1", Key: "1"}, 60)
	give(billing.Credit{Cents: 5}, 65)
	give(billing.Credit{Cents: -60}, 5)
	_, err := db.Credit(t.Context(), a, billing.Credit{Cents: -6})
	wantFault(t, err, fault.InvalidBody)
	_, err = db.Credit(t.Context(), "account_00000000000070008000000000000000", billing.Credit{Cents: 5})
	wantFault(t, err, fault.NotFound)
	want := []item{
		{Kind: billing.KindAdjustment, Cents: 60, Billed: true}, {Kind: billing.KindCredit, Cents: -5, Billed: true},
		{Kind: billing.KindCredit, Cents: -50, Billed: true}, {Kind: billing.KindCredit, Cents: -10, Billed: true},
	}
	if diff := cmp.Diff(want, charges(t, db, a)); diff != "" {
		t.Error(diff)
	}
	wantSound(t, db)
}

func TestChargesOfAWindow(t *testing.T) {
	t.Parallel()
	db := metered(t, 0)
	a := newAccount(t, db, "a").ID
	for range 5 {
		_, err := db.Credit(t.Context(), a, billing.Credit{Cents: 1})
		must(t, err)
	}
	all, _, err := db.Charges(t.Context(), a, billing.Filter{Limit: 10})
	must(t, err)
	if len(all) != 5 || all[0].At.Before(all[4].At) {
		t.Fatalf("%+v", all)
	}
	got, total, err := db.Charges(t.Context(), a, billing.Filter{Start: &all[3].At, End: &all[0].At, Limit: 1, Offset: 1})
	must(t, err)
	if total != 3 || len(got) != 1 || got[0].ID != all[2].ID {
		t.Errorf("%d of %d: %+v", len(got), total, got)
	}
	none, total, err := db.Charges(t.Context(), newAccount(t, db, "b").ID, billing.Filter{Limit: 10})
	if err != nil || total != 0 || len(none) != 0 {
		t.Errorf("another's: %v, %d, %v", none, total, err)
	}
}

func TestCloseAccount(t *testing.T) {
	t.Parallel()
	db := metered(t, 200)
	a := newAccount(t, db, "acme")
	_, secret := newKey(t, db, a.ID, "key")
	child := active(t, db, a.ID, "CHILD", assetMember("SPY"))
	holder := active(t, db, a.ID, "HOLDER", modelMember(t, db, child.model.ID))
	r := newRun(child.model, child.build.ID, program.SourceManual)
	must(t, db.CreateRun(t.Context(), r, 0))
	_, _, _, err := db.StartRun(t.Context(), r.ID)
	must(t, err)
	building := create(t, db, a.ID, "BUILDING")
	bystander := active(t, db, newAccount(t, db, "other").ID, "M")

	for range 2 {
		must(t, db.CloseAccount(t.Context(), a.ID, purged))
	}
	wantBalance(t, db, a.ID, billing.Statement{RemainingCents: 196, SpentCents: 4, SignupGrantCents: 200})
	publish(t, db, r.ID) // its worker had continued
	publish(t, db, building.run.ID)
	wantBalance(t, db, a.ID, billing.Statement{RemainingCents: 196, SpentCents: 4, SignupGrantCents: 200})
	if _, err := db.Authenticate(t.Context(), account.Hash(secret)); fault.TypeOf(err) != fault.Unauthenticated {
		t.Errorf("its key opens: %v", err)
	}
	if trash, total, err := db.Trash(t.Context(), program.KindModel, a.ID, trashed, 10, 0); err != nil || total != 3 {
		t.Errorf("%d in the Trash, %v, %v", total, trash, err)
	}
	if _, err := db.AccountByName(t.Context(), "acme"); fault.TypeOf(err) != fault.NotFound {
		t.Errorf("found by name: %v", err)
	}
	newAccount(t, db, "acme") // the name is free
	if m := sheet(t, db, bystander.model.ID); m.Status != program.StatusActive {
		t.Errorf("another's model is %s", m.Status)
	}
	gone, err := db.PurgeExpired(t.Context(), purged.Add(time.Second), purged, 10)
	must(t, err)
	if len(gone) != 3 {
		t.Errorf("purged %v of %s and others", gone, holder.model.ID)
	}
	wantSound(t, db)
	if got := charges(t, db, a.ID); len(got) != 3 {
		t.Errorf("its history is %v", got)
	}
	wantFault(t, db.CloseAccount(t.Context(), "account_00000000000070008000000000000000", purged), fault.NotFound)
	wantFault(t, db.SetPlan(t.Context(), a.ID, account.PlanPro), fault.NotFound)
	must(t, db.SetPlan(t.Context(), bystander.model.AccountID, account.PlanPro))
}

func TestPlansWithoutRefreshes(t *testing.T) {
	t.Parallel()
	policy := billing.Default()
	policy.Plans[account.PlanBusiness] = billing.Terms{Concurrency: 2, SignupGrantCents: 1_000}
	db := openWith(t, policy)
	spy := assetMember("SPY")
	moveBars(t, db, spy.ID, spy.BarsVersion)
	d := active(t, db, newAccount(t, db, "a").ID, "M", spy)
	moveBars(t, db, spy.ID, spy.BarsVersion+1)
	refresh := program.Refresh{Session: 100, Now: morning.Add(time.Hour)}
	if got, err := db.Refresh(t.Context(), refresh); err != nil || got.Due != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	must(t, db.SetPlan(t.Context(), d.model.AccountID, account.PlanPro))
	if got, err := db.Refresh(t.Context(), refresh); err != nil || got.Due != 1 {
		t.Errorf("on a plan with refreshes: %+v, %v", got, err)
	}
}

func TestRetention(t *testing.T) {
	t.Parallel()
	policy := billing.Default()
	policy.Plans[account.PlanBusiness] = billing.Terms{Concurrency: 2, SignupGrantCents: 1_000, RetentionDays: 3}
	db := openWith(t, policy)
	d := active(t, db, newAccount(t, db, "a").ID, "M")
	ended := func(daysAgo int) string {
		t.Helper()
		r := snapshotOf(d)
		must(t, db.CreateRun(t.Context(), r, 0))
		p := publication(r.ID)
		p.FinishedAt = morning.AddDate(0, 0, -daysAgo)
		must(t, db.Publish(t.Context(), p))
		return r.ID
	}
	young, old := ended(2), ended(4)
	_, err := db.Pool().Exec(t.Context(), "update runs set finished_at = finished_at - interval '1 year' where id = $1", d.run.ID)
	must(t, err)
	must(t, postgres.Retention{DB: db}.Sweep(t.Context()))
	if _, err := db.Run(t.Context(), old); fault.TypeOf(err) != fault.NotFound {
		t.Errorf("the old snapshot is there: %v", err)
	}
	for _, id := range []string{young, d.run.ID} {
		readRun(t, db, id)
	}
	wantSound(t, db)
}
