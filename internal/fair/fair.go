package fair

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Size is the number of places.
type Size struct {
	Places int // regular places, all of which one account may take
	Most   int // places including the extra ones; at least Places
	Long   int // places that long work may take; 0 means Most
}

// Claim describes who asks for a place, and for what kind of work.
type Claim struct {
	Account string
	Long    bool // the work has already left a place for another account
}

// Shares hands out places. Its methods may be called by several goroutines.
type Shares struct {
	size Size

	mu      sync.Mutex
	held    map[string]int // places by account, without accounts that hold none
	back    map[string]int // waiting long work by account, without accounts that have none
	long    int            // places that long work holds
	taken   []*Place       // in the order in which they were taken
	waiting []*waiter      // in the order of their arrival
	clock   uint64         // counts arrivals and places given back
}

type waiter struct {
	claim Claim
	since uint64      // when it arrived, or its account gave back a place, whichever is later
	place chan *Place // receives one place
}

// New makes Shares.
func New(size Size) *Shares {
	size.Places = max(size.Places, 1)
	size.Most = max(size.Most, size.Places)
	if size.Long <= 0 {
		size.Long = size.Most
	}
	return &Shares{size: size, held: map[string]int{}, back: map[string]int{}}
}

// Place is a place that is held until Give.
type Place struct {
	shares *Shares
	claim  Claim
	slow   bool
	left   bool // it was asked to leave
	asked  chan struct{}
	give   sync.Once
}

// Take waits for a place. The only error is that of ctx.
func (s *Shares) Take(ctx context.Context, c Claim) (*Place, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w := &waiter{claim: c, place: make(chan *Place, 1)}
	s.mu.Lock()
	s.clock++
	w.since = s.clock
	s.waiting = append(s.waiting, w)
	if c.Long {
		s.back[c.Account]++
	}
	s.dispatch()
	s.mu.Unlock()
	select {
	case p := <-w.place:
		return p, nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	i := slices.Index(s.waiting, w)
	if i >= 0 {
		s.remove(i)
	}
	s.mu.Unlock()
	if i < 0 {
		(<-w.place).Give() // the place came at the same moment as the cancellation
	}
	return nil, ctx.Err()
}

// Give gives the place back. A second call does nothing.
func (p *Place) Give() {
	p.give.Do(func() {
		s := p.shares
		s.mu.Lock()
		defer s.mu.Unlock()
		s.taken = slices.DeleteFunc(s.taken, func(o *Place) bool { return o == p })
		less(s.held, p.claim.Account)
		if p.claim.Long {
			s.long--
		}
		s.clock++
		for _, w := range s.waiting {
			if w.claim.Account == p.claim.Account {
				w.since = s.clock
			}
		}
		s.dispatch()
	})
}

// Slow declares that the work takes long, so that it may be asked to leave. Long work
// is never asked.
func (p *Place) Slow() {
	s := p.shares
	s.mu.Lock()
	defer s.mu.Unlock()
	p.slow = true
	s.dispatch()
}

// Asked returns a channel that is closed when the work should leave its place to an
// account that holds none.
func (p *Place) Asked() <-chan struct{} { return p.asked }

// dispatch hands out free places, and asks slow work to leave for waiting accounts that
// hold no place. s.mu is held.
func (s *Shares) dispatch() {
	for {
		i := s.next()
		if i < 0 {
			break
		}
		w := s.remove(i)
		p := &Place{shares: s, claim: w.claim, asked: make(chan struct{})}
		s.taken = append(s.taken, p)
		s.held[w.claim.Account]++
		if w.claim.Long {
			s.long++
		}
		w.place <- p
	}
	for range s.unserved() - s.leaving() {
		p := s.slowest()
		if p == nil {
			return
		}
		p.left = true
		close(p.asked)
	}
}

// remove takes a waiter out of the queue.
func (s *Shares) remove(i int) *waiter {
	w := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	if w.claim.Long {
		less(s.back, w.claim.Account)
	}
	return w
}

func less(counts map[string]int, account string) {
	if counts[account]--; counts[account] == 0 {
		delete(counts, account)
	}
}

// next returns the index of the waiter that gets a place now, or -1.
func (s *Shares) next() int {
	best := -1
	for i, w := range s.waiting {
		if s.admits(w.claim) && (best < 0 || s.compare(w, s.waiting[best]) < 0) {
			best = i
		}
	}
	return best
}

// compare orders waiters. An account that has just given back a place, or that has
// waiting long work, comes after the others: otherwise it would take again each place
// that it was asked to leave.
func (s *Shares) compare(x, y *waiter) int {
	return cmp.Or(
		cmp.Compare(s.held[x.claim.Account], s.held[y.claim.Account]),
		cmp.Compare(min(s.back[x.claim.Account], 1), min(s.back[y.claim.Account], 1)),
		cmp.Compare(x.since, y.since),
	)
}

func (s *Shares) admits(c Claim) bool {
	if c.Long && s.long >= s.size.Long {
		return false
	}
	return len(s.taken) < s.size.Places || s.held[c.Account] == 0 && len(s.taken) < s.size.Most
}

// unserved counts the accounts that wait, hold no place and have not left one. It is
// called when no waiter can get a place.
func (s *Shares) unserved() int {
	accounts := map[string]struct{}{}
	for _, w := range s.waiting {
		if s.held[w.claim.Account] == 0 && s.back[w.claim.Account] == 0 {
			accounts[w.claim.Account] = struct{}{}
		}
	}
	return len(accounts)
}

// leaving counts the places whose work was asked to leave and has not left yet.
func (s *Shares) leaving() (n int) {
	for _, p := range s.taken {
		if p.left {
			n++
		}
	}
	return n
}

// slowest returns the place whose work to ask: among slow work, that of the account
// that holds the most places, the one taken first. It returns nil if no work is slow.
func (s *Shares) slowest() (found *Place) {
	for _, p := range s.taken {
		if p.slow && !p.left && !p.claim.Long && (found == nil || s.held[p.claim.Account] > s.held[found.claim.Account]) {
			found = p
		}
	}
	return found
}
