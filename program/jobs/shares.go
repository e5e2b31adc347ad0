package jobs

import (
	"sync"
	"time"
)

// shares divide the workers of a queue between accounts, so that waiting for the
// servers of one delays nobody else. Within an account they divide them between
// destinations.
type shares struct {
	total       int // workers of the queue
	account     int // most workers for one account
	destination int // most workers for one destination
	now         func() time.Time

	mu           sync.Mutex
	busy         int
	accounts     map[string]*share
	destinations map[string]*share
}

// share is what an account or a destination holds, and when its next job may run if
// it holds too much.
type share struct {
	busy int
	took time.Duration // recent average per job
	next time.Time     // when the next waiting job may try
}

const (
	// fewest is how many workers an account may always hold, even when the others
	// hold more than half of them.
	fewest = 2
	// Shortest and longest time until a waiting job looks again.
	leastTurn, mostTurn = 50 * time.Millisecond, 30 * time.Second
	firstGuess          = 100 * time.Millisecond
	// forgotten limits how many idle shares are kept. They are kept because they know
	// how long jobs take.
	forgotten = 4096
)

func newShares(total, account, destination int) *shares {
	return &shares{
		total: total, account: account, destination: destination, now: time.Now,
		accounts: map[string]*share{}, destinations: map[string]*share{},
	}
}

// take takes a worker for an account and one of its destinations. If they hold their
// full share, it returns nil and when to come back. Each waiting job gets a time of
// its own, so that they do not all come back at once.
func (s *shares) take(account, destination string) (release func(), wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	a, d := of(s.accounts, account), of(s.destinations, destination)
	most := s.account
	if s.busy-a.busy >= s.total/2 {
		most = min(fewest, most)
	}
	switch {
	case d.busy >= s.destination:
		return nil, d.turn(now, s.destination)
	case a.busy >= most:
		return nil, a.turn(now, most)
	}
	s.busy++
	a.busy++
	d.busy++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.busy--
		took := s.now().Sub(now)
		a.leave(took)
		d.leave(took)
	}), 0
}

// turn gives a waiting job the next free time.
func (s *share) turn(now time.Time, most int) time.Duration {
	if s.next.Before(now) {
		s.next = now
	}
	s.next = s.next.Add(s.took / time.Duration(most))
	if latest := now.Add(mostTurn); s.next.After(latest) {
		s.next = latest
	}
	return max(s.next.Sub(now), leastTurn)
}

func (s *share) leave(took time.Duration) {
	s.busy--
	s.took += (took - s.took) / 4
}

func of(all map[string]*share, key string) *share {
	s := all[key]
	if s == nil {
		if len(all) >= forgotten {
			for k, idle := range all {
				if idle.busy == 0 {
					delete(all, k)
				}
			}
		}
		s = &share{took: firstGuess}
		all[key] = s
	}
	return s
}
