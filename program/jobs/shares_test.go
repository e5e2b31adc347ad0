package jobs

import (
	"fmt"
	"testing"
	"time"
)

func TestAccountsAndDestinationsHaveShares(t *testing.T) {
	t.Parallel()
	s := newShares(16, 4, 2)
	var held []func()
	take := func(account, destination string) bool {
		release, wait := s.take(account, destination)
		if release != nil {
			held = append(held, release)
		} else if wait < leastTurn || wait > mostTurn {
			t.Errorf("%s waits %v", account, wait)
		}
		return release != nil
	}
	for i, want := range []bool{true, true, false} {
		if got := take("ann", "dead"); got != want {
			t.Errorf("number %d to one destination: %v", i, got)
		}
	}
	for i, want := range []bool{true, true, false} {
		if got := take("ann", fmt.Sprint("other ", i)); got != want {
			t.Errorf("number %d of one account: %v", i+3, got)
		}
	}
	if !take("bob", "bob's") {
		t.Error("another account has no share")
	}
	for _, release := range held {
		release()
		release()
	}
	if !take("ann", "dead") {
		t.Error("what was given back is not free")
	}
}

// However many jobs one account has, and however long each takes, some workers are
// left for accounts that come later.
func TestManyAccountsLeaveWorkers(t *testing.T) {
	t.Parallel()
	s := newShares(128, 8, 2)
	busy := 0
	for account := range 20 {
		for job := range 100 {
			if release, _ := s.take(fmt.Sprint(account), fmt.Sprint(account, job)); release != nil {
				busy++
			}
		}
	}
	if busy > 128-2*8 {
		t.Errorf("20 accounts hold %d of 128 workers", busy)
	}
	if release, _ := s.take("late", "late"); release == nil {
		t.Error("an account that comes late has no worker")
	}
}

// Waiting jobs come back one after another, at the pace of the jobs before them.
func TestTurnsFollowEachOther(t *testing.T) {
	t.Parallel()
	s, now := newShares(16, 1, 1), time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	for range 40 { // each takes two seconds
		release, _ := s.take("ann", "slow")
		now = now.Add(2 * time.Second)
		release()
	}
	if release, _ := s.take("ann", "slow"); release == nil {
		t.Fatal("nothing is busy")
	}
	last := time.Duration(0)
	for i := range 10 {
		_, wait := s.take("ann", "slow")
		if wait-last < time.Second {
			t.Errorf("number %d waits %v, the one before it %v", i, wait, last)
		}
		last = wait
	}
	for range 1000 {
		if _, wait := s.take("ann", "slow"); wait > mostTurn {
			t.Fatalf("one waits %v", wait)
		}
	}
}

func TestSharesForgetIdleAccounts(t *testing.T) {
	t.Parallel()
	s := newShares(16, 4, 2)
	kept, _ := s.take("kept", "kept")
	for i := range 3 * forgotten {
		release, _ := s.take(fmt.Sprint(i), fmt.Sprint(i))
		release()
	}
	if len(s.accounts) > forgotten+1 || s.accounts["kept"] == nil || s.accounts["kept"].busy != 1 {
		t.Errorf("%d accounts are kept", len(s.accounts))
	}
	kept()
}
