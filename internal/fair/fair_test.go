package fair_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"ballast/internal/fair"
)

func take(t testing.TB, s *fair.Shares, c fair.Claim) *fair.Place {
	t.Helper()
	p, err := s.Take(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// queue takes a place in the background and sends it to got.
func queue(t *testing.T, s *fair.Shares, c fair.Claim, got chan<- *fair.Place) {
	go func() {
		if p, err := s.Take(t.Context(), c); err == nil {
			got <- p
		}
	}()
	synctest.Wait() // so that waiters arrive one after another
}

func received(c <-chan *fair.Place) *fair.Place {
	synctest.Wait()
	select {
	case p := <-c:
		return p
	default:
		return nil
	}
}

func TestAnAccountWithoutAPlaceGetsAnExtraOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fair.New(fair.Size{Places: 2, Most: 3})
		first, second := take(t, s, fair.Claim{Account: "a"}), take(t, s, fair.Claim{Account: "a"})
		third, other := make(chan *fair.Place, 1), make(chan *fair.Place, 2)
		queue(t, s, fair.Claim{Account: "a"}, third)
		b := take(t, s, fair.Claim{Account: "b"})
		queue(t, s, fair.Claim{Account: "b"}, other)
		if received(third) != nil || received(other) != nil {
			t.Error("an account took an extra place beside others of its own")
		}
		first.Give()
		if received(third) != nil || received(other) != nil {
			t.Error("the extra place was taken by an account that holds one")
		}
		second.Give()
		fourth := received(third)
		if fourth == nil || received(other) != nil {
			t.Error("the place did not go to the account that holds the fewest")
		}
		b.Give()
		if p := received(other); p == nil {
			t.Error("no place for the second of b")
		} else {
			p.Give()
		}
		fourth.Give()
	})
}

func TestAccountsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fair.New(fair.Size{Places: 1})
		p := take(t, s, fair.Claim{Account: "z"})
		order := make(chan string, 4)
		for i, account := range []string{"a", "a", "b", "c"} {
			go func() {
				p, err := s.Take(t.Context(), fair.Claim{Account: account})
				if err == nil {
					time.Sleep(time.Second)
					order <- fmt.Sprint(account, i)
					p.Give()
				}
			}()
			synctest.Wait()
		}
		p.Give()
		var got []string
		for range 4 {
			got = append(got, <-order)
		}
		if want := []string{"a0", "b2", "c3", "a1"}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

func TestSlowWorkLeavesForAnAccountWithoutAPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fair.New(fair.Size{Places: 2, Most: 3, Long: 2})
		a1, a2, b := take(t, s, fair.Claim{Account: "a"}), take(t, s, fair.Claim{Account: "a"}), take(t, s, fair.Claim{Account: "b"})
		b.Slow()
		a2.Slow()
		c := make(chan *fair.Place, 1)
		queue(t, s, fair.Claim{Account: "c"}, c)
		select {
		case <-a2.Asked(): // a holds more than b
		default:
			t.Fatal("slow work was not asked to leave")
		}
		select {
		case <-a1.Asked():
			t.Error("short work was asked to leave")
		case <-b.Asked():
			t.Error("two were asked to leave for one")
		default:
		}
		a2.Give()
		if received(c) == nil {
			t.Fatal("the place went to nobody")
		}
		// a's work comes back as long work, gets a place in its turn and keeps it.
		again := make(chan *fair.Place, 1)
		queue(t, s, fair.Claim{Account: "a", Long: true}, again)
		a1.Give()
		back := received(again)
		if back == nil {
			t.Fatal("long work does not come back")
		}
		back.Slow()
		d := make(chan *fair.Place, 1)
		queue(t, s, fair.Claim{Account: "d"}, d)
		select {
		case <-back.Asked():
			t.Error("long work was asked twice")
		case <-b.Asked():
		}
	})
}

func TestLongWorkLeavesAPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fair.New(fair.Size{Places: 2, Most: 3, Long: 2})
		for _, account := range []string{"a", "b"} {
			take(t, s, fair.Claim{Account: account, Long: true}).Slow()
		}
		c := make(chan *fair.Place, 1)
		queue(t, s, fair.Claim{Account: "c", Long: true}, c)
		if received(c) != nil {
			t.Error("long work took the last place")
		}
		for _, account := range []string{"d", "e", "f"} {
			take(t, s, fair.Claim{Account: account}).Give()
		}
	})
}

func TestWhoGoesAwayWaitsNoMore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fair.New(fair.Size{Places: 1})
		p := take(t, s, fair.Claim{Account: "a"})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.Take(ctx, fair.Claim{Account: "b"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		p.Give()
		p.Give() // counts once
		one := take(t, s, fair.Claim{Account: "c"})
		c := make(chan *fair.Place, 1)
		queue(t, s, fair.Claim{Account: "c"}, c)
		if received(c) != nil {
			t.Error("a place that was given twice counts twice")
		}
		one.Give()
		received(c).Give()
	})
}

// TestEveryAccountComesToItsTurn checks that, whatever accounts do, the limits hold, no
// place is lost, and the first work of an account without a place waits only for the
// short work before it.
func TestEveryAccountComesToItsTurn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		places := rapid.IntRange(1, 3).Draw(r, "places")
		extra := rapid.IntRange(1, 3).Draw(r, "extra")
		spinning := rapid.IntRange(1, 9).Draw(r, "spinning accounts")
		each := rapid.IntRange(1, 5).Draw(r, "of each")
		synctest.Test(t, func(t *testing.T) {
			s := fair.New(fair.Size{Places: places, Most: places + extra, Long: places + extra - 1})
			ctx, cancel := context.WithCancel(t.Context())
			for i := range spinning * each {
				go spin(ctx, s, fmt.Sprint("spins", i%spinning))
			}
			time.Sleep(time.Minute)
			for i := range 5 {
				began := time.Now()
				p, err := s.Take(ctx, fair.Claim{Account: fmt.Sprint("short", i)})
				if err != nil {
					t.Fatal(err)
				}
				if waited := time.Since(began); waited > time.Second {
					r.Errorf("account %d waited for %s", i, waited)
				}
				time.Sleep(10 * time.Millisecond)
				p.Give()
				time.Sleep(100 * time.Millisecond)
			}
			cancel()
		})
	})
}

// spin does work of an hour, which is slow after a second, and comes back after it was
// asked to leave.
func spin(ctx context.Context, s *fair.Shares, account string) {
	for long := false; ; {
		p, err := s.Take(ctx, fair.Claim{Account: account, Long: long})
		if err != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
			p.Slow()
		}
		select {
		case <-ctx.Done():
		case <-p.Asked():
			long = true
		case <-time.After(time.Hour):
			long = false
		}
		p.Give()
	}
}
