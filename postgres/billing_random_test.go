package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"ballast/billing"
	"ballast/internal/fault"
	"ballast/internal/testenv"
	"ballast/postgres"
	"ballast/program"
)

// Callers of one account with little credit start, rebuild, trash and credit while
// workers end the runs in every way. Any of them may be cut off in the middle of a
// transaction. The ledger is sound on every snapshot, and in the end no cent has been
// spent twice or lost.
func TestNoCentIsLost(t *testing.T) {
	testenv.NotInTest(t)
	t.Parallel()
	const grant, rounds = 60, 40
	db := metered(t, grant)
	a := newAccount(t, db, "a").ID
	models := []draft{active(t, db, a, "M0"), active(t, db, a, "M1"), active(t, db, a, "M2")}
	var callers, others sync.WaitGroup
	var mu sync.Mutex
	refused, credited := 0, int64(0)
	done := make(chan struct{})
	until := func(f func()) {
		others.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					f()
				}
			}
		})
	}
	for worker := range 3 {
		r := testenv.Random(t, 5, uint64(worker))
		until(func() {
			for _, runID := range waiting(t, db) {
				endSomehow(t, db, r, runID)
			}
		})
	}
	until(func() { wantSound(t, db) })
	for caller := range 6 {
		r := testenv.Random(t, 7, uint64(caller))
		callers.Go(func() {
			for i := range rounds {
				ctx, cancel := perhapsKilled(t.Context(), r)
				d := models[r.IntN(len(models))]
				err := spend(ctx, db, r, d, fmt.Sprintf("%d-%d", caller, i))
				cancel()
				mu.Lock()
				if fault.TypeOf(err) == fault.InsufficientFunds && err != nil {
					refused++
				}
				mu.Unlock()
				if err != nil && !slices.Contains(append(documented, fault.InsufficientFunds), fault.TypeOf(err)) && !killed(err) {
					t.Error(err)
				}
			}
		})
	}
	callers.Wait()
	close(done)
	others.Wait()
	r := testenv.Random(t, 1, 1)
	for tries := 0; len(waiting(t, db)) > 0; tries++ {
		if tries > 500 {
			t.Fatal("the work does not end")
		}
		for _, runID := range waiting(t, db) {
			endSomehow(t, db, r, runID)
		}
	}
	wantSound(t, db)
	s, err := db.Statement(t.Context(), a)
	must(t, err)
	all, total, err := db.Charges(t.Context(), a, billing.Filter{Limit: 1_000})
	must(t, err)
	var spent int64
	runs := map[string]bool{}
	for _, c := range all {
		if c.Kind == billing.KindCredit {
			credited -= c.AmountCents
			continue
		}
		spent += c.AmountCents
		if runs[c.RunID] {
			t.Errorf("%s is charged twice", c.RunID)
		}
		runs[c.RunID] = true
	}
	if total != len(all) || s.HeldCents != 0 || s.SpentCents != spent || s.RemainingCents != credited-spent {
		t.Errorf("%+v after charges of %d and credit of %d, %d of %d", s, spent, credited, len(all), total)
	}
	if refused == 0 || spent == 0 {
		t.Errorf("%d refused, %d spent: nothing was tried", refused, spent)
	}
}

// spend does one thing that may cost money.
func spend(ctx context.Context, db *postgres.DB, r *rand.Rand, d draft, key string) error {
	switch n := r.IntN(20); {
	case n < 11:
		return db.CreateRun(ctx, snapshotOf(d), 0)
	case n < 14:
		return db.CreateRun(ctx, newRun(d.model, d.build.ID, program.SourceManual), 0)
	case n < 16:
		b := newDraft(d.model.AccountID, "R").build
		b.ProgramID, b.Kind = d.model.ID, "rebuild"
		return rebuildModel(ctx, db, b, newRun(d.model, b.ID, program.SourceRebuild), "")
	case n < 17 && r.IntN(2) == 0:
		return db.DeleteModel(ctx, deletion(d.model.AccountID, d.model.ID), unbegun)
	case n < 19:
		return db.RestoreModel(ctx, d.model.AccountID, d.model.ID, trashed)
	default:
		_, err := db.Credit(ctx, d.model.AccountID, billing.Credit{Cents: 15, Key: key})
		return err
	}
}

// endSomehow advances a run, often to its end.
func endSomehow(t *testing.T, db *postgres.DB, r *rand.Rand, runID string) {
	ctx, cancel := perhapsKilled(context.Background(), r)
	defer cancel()
	fail := func(kind string, units int) error {
		return db.FailRun(ctx, runID, program.Ending{
			Failure: program.Failure{Type: kind, Message: "as told"}, Usage: program.Usage{Units: units, Base: min(units, 1)},
		})
	}
	run, _, _, err := db.StartRun(ctx, runID)
	switch {
	case fault.TypeOf(err) == fault.InsufficientFunds && err != nil:
		err = fail(program.FailureUnfunded, 0)
	case err != nil || run == nil:
	default:
		switch r.IntN(6) {
		case 0:
			err = fail("script_error", 1+r.IntN(9))
		case 1:
			err = fail(program.FailureInternal, r.IntN(3))
		case 2:
			err = db.YieldRun(ctx, runID)
		default:
			p := publication(runID)
			p.Usage.Seconds = r.IntN(6)
			p.Usage.Units = 1 + p.Usage.Seconds
			err = db.Publish(ctx, p)
		}
	}
	if err != nil && !killed(err) && !errors.Is(err, program.ErrAccountBusy) {
		t.Error(err)
	}
}

// perhapsKilled returns a context that is often canceled in the middle of the work.
func perhapsKilled(ctx context.Context, r *rand.Rand) (context.Context, context.CancelFunc) {
	if r.IntN(4) > 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(r.IntN(12_000))*time.Microsecond)
}

// killed reports whether an error comes from a canceled context.
func killed(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
