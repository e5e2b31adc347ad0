package jobs

import (
	"sync"
	"time"
)

// shares divide the workers of a queue between accounts, so that what waits for
// the server of one holds up nobody else. Within an account they divide them
// between destinations.
type shares struct {
	total       int // workers of the queue
	account     int // the most of one account
	destination int // the most of one destination
	now         func() time.Time

	mu           sync.Mutex
	busy         int
	accounts     map[string]*share
	destinations map[string]*share
}

// share is what an account or a destination holds, and how long its next job has
// to wait where that is too much.
type share struct {
	busy int
	took time.Duration // by one job, of late
	next time.Time     // when the next of those that wait may have its turn
}

const (
	// fewest is what an account may hold in any case, once the others hold more than
	// half of the workers.
	fewest = 2
	// A job that waits looks again after these times, at the least and at the most.
	leastTurn, mostTurn = 50 * time.Millisecond, 30 * time.Second
	firstGuess          = 100 * time.Millisecond
	// forgotten bounds how many shares are kept that hold nothing: they know how
	// long jobs take.
	forgotten = 4096
)

func newShares(total, account, destination int) *shares {
	return &shares{
		total: total, account: account, destination: destination, now: time.Now,
		accounts: map[string]*share{}, destinations: map[string]*share{},
	}
}

// take takes a worker for an account and a destination of it. Where they hold
// their share it returns nil, and when to come back: each of many jobs that wait
// gets a time of its own, so that they do not all come back at once.
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

// turn gives a job that waits the next time of its own.
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
