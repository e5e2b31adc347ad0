package export

import (
	"context"
	"sync"
	"time"

	"ballast/internal/fault"
)

// slotPatience is how long an export waits for another to end.
const slotPatience = 10 * time.Second

// slots bound the exports at a time, each of which takes some 35 MB. An account
// has at most half of them, so that nobody keeps the others out.
type slots struct {
	free chan struct{}
	most int // of one account

	mu    sync.Mutex
	taken map[string]int // by account
}

// newSlots makes n slots, nil for no bound.
func newSlots(n int) *slots {
	if n <= 0 {
		return nil
	}
	return &slots{free: make(chan struct{}, n), most: (n + 1) / 2, taken: map[string]int{}}
}

// take takes a slot; fault.RateLimited where there is none.
func (s *slots) take(ctx context.Context, accountID string) (release func(), err error) {
	if s == nil {
		return func() {}, nil
	}
	s.mu.Lock()
	full := s.taken[accountID] >= s.most
	if !full {
		s.taken[accountID]++
	}
	s.mu.Unlock()
	if full {
		return nil, fault.New(fault.RateLimited, "The account has %d exports under way, which is as many as it may have at a time. Try again when one has ended.", s.most)
	}
	patience := time.NewTimer(slotPatience)
	defer patience.Stop()
	select {
	case s.free <- struct{}{}:
		return sync.OnceFunc(func() {
			<-s.free
			s.leave(accountID)
		}), nil
	case <-patience.C:
		err = fault.New(fault.RateLimited, "As many exports as fit are under way. Try again in a moment.")
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.leave(accountID)
	return nil, err
}

func (s *slots) leave(accountID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[accountID]--; s.taken[accountID] == 0 {
		delete(s.taken, accountID)
	}
}
