package program

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestAccountsTakeTurns queues many long checks of one account: another account waits
// for only one of them.
func TestAccountsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(1)
		work := func(account string, done *atomic.Int64) {
			leave, err := turns.enter(t.Context(), account)
			if err != nil {
				t.Error(err)
				return
			}
			time.Sleep(time.Second)
			leave()
			done.Add(1)
		}
		var all sync.WaitGroup
		var busy, quiet atomic.Int64
		for range 50 {
			all.Go(func() { work("busy", &busy) })
		}
		synctest.Wait()
		begin := time.Now()
		all.Go(func() {
			work("quiet", &quiet)
			if waited := time.Since(begin); waited > 3*time.Second {
				t.Errorf("another account waited %v", waited)
			}
		})
		all.Wait()
		if busy.Load() != 50 || quiet.Load() != 1 || len(turns.busy)+len(turns.waiting)+len(turns.order) != 0 || turns.free != 1 {
			t.Errorf("done %d and %d, left %+v", busy.Load(), quiet.Load(), turns)
		}
	})
}

// TestOneAccountHoldsOnePlace leaves the other places to others.
func TestOneAccountHoldsOnePlace(t *testing.T) {
	t.Parallel()
	turns := newTurns(2)
	first, err := turns.enter(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := turns.enter(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second of the same account: %v", err)
	}
	other, err := turns.enter(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	other()
	first()
	if len(turns.busy)+len(turns.waiting)+len(turns.order) != 0 || turns.free != 2 {
		t.Errorf("left %+v", turns)
	}
}

// TestACallThatEndsLeavesTheQueue cancels calls at random moments.
func TestACallThatEndsLeavesTheQueue(t *testing.T) {
	t.Parallel()
	turns := newTurns(2)
	var all sync.WaitGroup
	var working atomic.Int64
	for i := range 400 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%7)*100*time.Microsecond)
			defer cancel()
			leave, err := turns.enter(ctx, string(rune('a'+i%5)))
			if err != nil {
				return
			}
			if working.Add(1) > 2 {
				t.Error("more than two at a time")
			}
			time.Sleep(50 * time.Microsecond)
			working.Add(-1)
			leave()
		})
	}
	all.Wait()
	if len(turns.busy)+len(turns.waiting)+len(turns.order) != 0 || turns.free != 2 {
		t.Errorf("left %+v", turns)
	}
}
