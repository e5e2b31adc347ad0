package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"ballast/account"
	"ballast/billing"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres"
	"ballast/program"
)

// capped makes a key with a daily cap, and a context in which it starts work.
func capped(t *testing.T, db *postgres.DB, accountID string, cents int64) context.Context {
	t.Helper()
	secret := account.NewKey()
	k := &account.Key{
		ID: id.New(id.Key), AccountID: accountID, Prefix: account.Prefix(secret), CreatedAt: morning,
		Scopes: []account.Scope{account.ScopeRead, account.ScopeRun}, DailyCapCents: &cents,
	}
	must(t, db.CreateKey(t.Context(), k, account.Hash(secret)))
	i, err := db.Authenticate(t.Context(), account.Hash(secret))
	must(t, err)
	if i.DailyCapCents == nil || *i.DailyCapCents != cents || len(i.Scopes) != 2 {
		t.Fatalf("%+v", i)
	}
	return billing.BySpender(t.Context(), billing.Spender{KeyID: k.ID, CapCents: cents})
}

// TestDailyCap starts more runs at the same time than the cap of a key allows: a run holds
// 5 cents, so that 23 cents are enough for four.
func TestDailyCap(t *testing.T) {
	t.Parallel()
	db := metered(t, 10_000)
	a := newAccount(t, db, "a").ID
	d := active(t, db, a, "M")
	ctx := capped(t, db, a, 23)
	start := func(ctx context.Context) (string, error) {
		r := snapshotOf(d)
		return r.ID, db.CreateRun(ctx, r, 0)
	}
	var mu sync.Mutex
	var started []string
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			runID, err := start(ctx)
			mu.Lock()
			defer mu.Unlock()
			var f *fault.Error
			switch {
			case err == nil:
				started = append(started, runID)
			case !errors.As(err, &f) || f.Type != fault.InsufficientFunds || !strings.Contains(f.Message, "daily cap of 23 cents"):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(started) != 4 {
		t.Fatalf("%d runs were started with 23 cents, want 4", len(started))
	}
	if _, err := start(t.Context()); err != nil {
		t.Errorf("the cap of a key stopped another: %v", err)
	}
	// Two runs end for nothing and one for 2 cents: 13 cents are free again.
	for _, runID := range started[:2] {
		must(t, db.FailRun(t.Context(), runID, program.Ending{Failure: program.Failure{Type: program.FailureInternal, Message: "x"}, Usage: program.Usage{Units: 3}}))
	}
	publish(t, db, started[2])
	for i, want := range []bool{true, true, false} {
		if _, err := start(ctx); (err == nil) != want {
			t.Errorf("run %d after holds were released: %v", i, err)
		}
	}
	wantSound(t, db)
}

// TestDailyCapOfStatements charges statements at the same time, at most the cap together.
func TestDailyCapOfStatements(t *testing.T) {
	t.Parallel()
	db := metered(t, 10_000)
	a := newAccount(t, db, "a").ID
	_, err := db.Statement(t.Context(), a)
	must(t, err)
	ctx := capped(t, db, a, 10)
	must(t, db.AdmitQuery(ctx, a))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := db.ChargeQuery(ctx, a, 3); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s, err := db.Statement(t.Context(), a); err != nil || s.SpentCents != 10 {
		t.Errorf("%+v, %v: want 10 cents spent", s, err)
	}
	if err := db.AdmitQuery(ctx, a); fault.TypeOf(err) != fault.InsufficientFunds {
		t.Errorf("a statement beyond the cap: %v", err)
	}
	must(t, db.AdmitQuery(t.Context(), a))
	wantSound(t, db)
}
