package postgres_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/billing"
	"ballast/internal/fault"
	"ballast/postgres"
	"ballast/postgres/postgrestest"
	"ballast/program"
)

// metered returns a database with metering and a grant small enough to run out.
func metered(t testing.TB, grant int64) *postgres.DB {
	t.Helper()
	policy := billing.Default()
	for plan, terms := range policy.Plans {
		terms.SignupGrantCents = grant
		policy.Plans[plan] = terms
	}
	policy.Prices.LowCents = 10
	db, err := postgres.Open(t.Context(), postgrestest.NewFrom(t, "migrated", migrate), postgres.Config{
		MaxConns: 8, Now: (&clock{now: morning}).Now, Billing: policy,
	})
	must(t, err)
	t.Cleanup(db.Close)
	return db
}

// wantBalance compares an account's statement with want, and checks the whole ledger.
func wantBalance(t testing.TB, db *postgres.DB, accountID string, want billing.Statement) {
	t.Helper()
	got, err := db.Statement(t.Context(), accountID)
	must(t, err)
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Error(diff)
	}
	wantSound(t, db)
}

func wantSound(t testing.TB, db *postgres.DB) {
	t.Helper()
	found, err := db.CheckLedger(t.Context())
	must(t, err)
	if len(found) > 0 {
		t.Errorf("the ledger: %v", found)
	}
}

// item is the part of a charge that concerns money.
type item struct {
	Kind   billing.Kind
	Cents  int64
	Billed bool
	Cap    int64
}

func charges(t testing.TB, db *postgres.DB, accountID string) []item {
	t.Helper()
	all, total, err := db.Charges(t.Context(), accountID, billing.Filter{Limit: 200})
	must(t, err)
	if total != len(all) {
		t.Errorf("total %d of %d", total, len(all))
	}
	items := []item{}
	for _, c := range all {
		i := item{Kind: c.Kind, Cents: c.AmountCents, Billed: c.Billed}
		if c.Cap != nil {
			i.Cap = c.Cap.Cents
		}
		items = append(items, i)
	}
	return items
}

func TestHoldsAndCharges(t *testing.T) {
	t.Parallel()
	failed := func(kind string, units int) program.Ending {
		return program.Ending{Failure: program.Failure{Type: kind, Message: "x"}, Usage: program.Usage{Units: units, Base: 1}}
	}
	tests := []struct {
		name string
		end  func(t *testing.T, db *postgres.DB, d draft, r *program.Run)
		want billing.Statement // of 100 cents, after a build for 2
		item *item
	}{
		{"published", func(t *testing.T, db *postgres.DB, _ draft, r *program.Run) { publish(t, db, r.ID) },
			billing.Statement{RemainingCents: 96, SpentCents: 4, SignupGrantCents: 100}, &item{Kind: billing.KindRun, Cents: 2, Billed: true}},
		{"published twice", func(t *testing.T, db *postgres.DB, _ draft, r *program.Run) {
			publish(t, db, r.ID)
			publish(t, db, r.ID)
			must(t, db.FailRun(t.Context(), r.ID, failed("script_error", 3)))
		}, billing.Statement{RemainingCents: 96, SpentCents: 4, SignupGrantCents: 100}, &item{Kind: billing.KindRun, Cents: 2, Billed: true}},
		{"started again after a crash", func(t *testing.T, db *postgres.DB, _ draft, r *program.Run) {
			for range 3 {
				_, _, _, err := db.StartRun(t.Context(), r.ID)
				must(t, err)
			}
			publish(t, db, r.ID)
		}, billing.Statement{RemainingCents: 96, SpentCents: 4, SignupGrantCents: 100}, &item{Kind: billing.KindRun, Cents: 2, Billed: true}},
		{"dearer than its hold", func(t *testing.T, db *postgres.DB, _ draft, r *program.Run) {
			p := publication(r.ID)
			p.Usage = program.Usage{Units: 31, Base: 1, Seconds: 30}
			must(t, db.Publish(t.Context(), p))
		}, billing.Statement{RemainingCents: 93, SpentCents: 7, SignupGrantCents: 100}, &item{Kind: billing.KindRun, Cents: 5, Billed: true, Cap: 5}},
		{"failed by its script", func(t *testing.T, db *postgres.DB, _ draft, r *program.Run) {
			must(t, db.FailRun(t.Context(), r.ID, failed("time_limit", 3)))
			must(t, db.FailRun(t.Context(), r.ID, failed("time_limit", 3)))
		}, billing.Statement{RemainingCents: 95, SpentCents: 5, SignupGrantCents: 100}, &item{Kind: billing.KindRun, Cents: 3, Billed: true}},
		{"failed before it used anything", func(t *testing.T, db *postgres.DB, _ draft, r *program.Run) {
			must(t, db.FailRun(t.Context(), r.ID, failed("data_error", 0)))
		}, billing.Statement{RemainingCents: 98, SpentCents: 2, SignupGrantCents: 100}, nil},
		{"failed by the service", func(t *testing.T, db *postgres.DB, _ draft, r *program.Run) {
			must(t, db.FailRun(t.Context(), r.ID, failed(program.FailureInternal, 3)))
		}, billing.Statement{RemainingCents: 98, SpentCents: 2, SignupGrantCents: 100}, nil},
		{"trashed while queued", func(t *testing.T, db *postgres.DB, d draft, _ *program.Run) { trash(t, db, d) },
			billing.Statement{RemainingCents: 98, SpentCents: 2, SignupGrantCents: 100}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			db := metered(t, 100)
			a := newAccount(t, db, "a").ID
			d := create(t, db, a, "M")
			wantBalance(t, db, a, billing.Statement{RemainingCents: 80, HeldCents: 20, SignupGrantCents: 100})
			publish(t, db, d.run.ID)
			wantBalance(t, db, a, billing.Statement{RemainingCents: 98, SpentCents: 2, SignupGrantCents: 100})

			r := snapshotOf(d)
			must(t, db.CreateRun(t.Context(), r, 0))
			wantBalance(t, db, a, billing.Statement{RemainingCents: 93, HeldCents: 5, SpentCents: 2, SignupGrantCents: 100})
			test.end(t, db, d, r)
			wantBalance(t, db, a, test.want)
			want := []item{{Kind: billing.KindBuild, Cents: 2, Billed: true}, {Kind: billing.KindCredit, Cents: -100, Billed: true}}
			if test.item != nil {
				want = append([]item{*test.item}, want...)
			}
			if diff := cmp.Diff(want, charges(t, db, a)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRefusedBeforeAnythingStarts(t *testing.T) {
	t.Parallel()
	db := metered(t, 24)
	a := newAccount(t, db, "a").ID
	d := create(t, db, a, "M")
	publish(t, db, d.run.ID) // 22 remain
	other := create(t, db, a, "O")
	before := dump(t, db)
	for name, err := range map[string]error{
		"create":  createDraft(t, db, newDraft(a, "N")),
		"run":     db.CreateRun(t.Context(), newRun(d.model, d.build.ID, program.SourceManual), 500),
		"refresh": db.CreateRun(t.Context(), newRun(d.model, d.build.ID, program.SourceRefresh), 500),
		"rebuild": rebuild(t, db, d, "").err,
		"promote": promote(t, db, d, d.build.ID).err,
	} {
		if fault.TypeOf(err) != fault.InsufficientFunds {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := dump(t, db); after != before {
		t.Error("something has started: " + cmp.Diff(before, after))
	}
	must(t, db.FailRun(t.Context(), other.run.ID, program.Ending{Failure: program.Failure{Type: program.FailureInternal}}))
	must(t, db.CreateRun(t.Context(), newRun(d.model, d.build.ID, program.SourceManual), 500))
	wantSound(t, db)
}

func createDraft(t testing.TB, db *postgres.DB, d draft) error {
	return store(t.Context(), db, d)
}

// A hundred concurrent first reads open one balance.
func TestFirstReadsTogether(t *testing.T) {
	t.Parallel()
	db := metered(t, 1_000)
	a := newAccount(t, db, "a").ID
	var wait sync.WaitGroup
	for range 100 {
		wait.Go(func() {
			s, err := db.Statement(t.Context(), a)
			if err != nil || s.RemainingCents != 1_000 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
	wait.Wait()
	wantBalance(t, db, a, billing.Statement{RemainingCents: 1_000, SignupGrantCents: 1_000})
	if got := charges(t, db, a); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// Concurrent pieces of work, all the first of their account, are all accepted.
func TestFirstWorkTogether(t *testing.T) {
	t.Parallel()
	for range 5 {
		db := metered(t, 1_000)
		a := newAccount(t, db, "a").ID
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				if err := createDraft(t, db, newDraft(a, fmt.Sprintf("M%d", i))); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		wantSound(t, db)
	}
}
