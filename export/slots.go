package export

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"ballast/internal/fault"
)

const (
	// slotPatience is how long an export waits for another to end.
	slotPatience = 10 * time.Second
	// watched is how long others are watched before one of them has to make room.
	watched = 2 * time.Second
	// slowest is what a reader has to take in that time to keep its slot while an
	// account without any waits for one.
	slowest = 256 << 10
)

// ErrStalled ends an export whose caller reads too slowly while others wait.
var ErrStalled = errors.New("export: the client reads too slowly while others wait")

// slots bound the exports at a time, each of which takes some 35 MB. An account
// has at most a quarter of them. Where all are taken, an account that has none
// gets that of a caller who does not read.
type slots struct {
	most    int // of one account
	watched time.Duration

	mu      sync.Mutex
	free    int
	taken   map[*slot]bool
	waiting []*waiter // the longest first
}

// slot is one export under way.
type slot struct {
	account string
	evict   context.CancelCauseFunc

	mu      sync.Mutex
	sent    int64
	blocked time.Duration // in writes that have ended
	writing time.Time     // since when one is under way, zero without one
}

// waiter is an export that waits for its slot.
type waiter struct {
	*slot
	ready chan struct{} // closed when it has it
}

// newSlots makes n slots, nil for no bound.
func newSlots(n int) *slots {
	if n <= 0 {
		return nil
	}
	return &slots{most: (n + 3) / 4, watched: watched, free: n, taken: map[*slot]bool{}}
}

// take takes a slot; fault.RateLimited where there is none. The context that it
// returns ends with ErrStalled when the slot is given to somebody else.
func (s *slots) take(ctx context.Context, accountID string) (context.Context, *slot, error) {
	if s == nil {
		return ctx, nil, nil
	}
	s.mu.Lock()
	if n := s.of(accountID); n >= s.most {
		s.mu.Unlock()
		return nil, nil, fault.New(fault.RateLimited, "The account has %d exports in progress, the most that it may have at a time. Try again when one has ended.", n)
	}
	open, evict := context.WithCancelCause(ctx)
	w := &waiter{&slot{account: accountID, evict: evict}, make(chan struct{})}
	s.waiting = append(s.waiting, w)
	s.serve()
	s.mu.Unlock()

	patience := time.NewTimer(slotPatience)
	defer patience.Stop()
	for {
		before := s.measure()
		look := time.NewTimer(s.watched)
		select {
		case <-w.ready:
			look.Stop()
			return open, w.slot, nil
		case <-look.C:
			s.makeRoom(w, before)
			continue
		case <-patience.C:
		case <-ctx.Done():
		}
		look.Stop()
		if s.leave(w) {
			return open, w.slot, nil // it came at the last moment
		}
		evict(nil)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		return nil, nil, fault.New(fault.RateLimited, "The service already has the most exports in progress that it allows. Try again in a moment.")
	}
}

// of counts what an account has and waits for; s.mu is held.
func (s *slots) of(accountID string) int {
	n := 0
	for t := range s.taken {
		if t.account == accountID {
			n++
		}
	}
	for _, w := range s.waiting {
		if w.account == accountID {
			n++
		}
	}
	return n
}

// serve gives free slots to those that wait; s.mu is held.
func (s *slots) serve() {
	for s.free > 0 && len(s.waiting) > 0 {
		s.free--
		s.taken[s.waiting[0].slot] = true
		close(s.waiting[0].ready)
		s.waiting = s.waiting[1:]
	}
}

// leave takes a waiter out of the line; it reports whether it has a slot already.
func (s *slots) leave(w *waiter) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, w)
	if i < 0 {
		return true
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	return false
}

// release gives a slot back, once.
func (s *slots) release(t *slot) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[t] {
		delete(s.taken, t)
		s.free++
		s.serve()
	}
	t.evict(nil)
}

// pace is how far a caller has read at a moment.
type pace struct {
	sent    int64
	blocked time.Duration
}

func (s *slots) measure() map[*slot]pace {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make(map[*slot]pace, len(s.taken))
	for t := range s.taken {
		all[t] = t.pace()
	}
	return all
}

func (t *slot) pace() pace {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := pace{t.sent, t.blocked}
	if !t.writing.IsZero() {
		p.blocked += time.Since(t.writing)
	}
	return p
}

// makeRoom ends the export whose caller has read the least since before, where
// all that it has done since was to wait for its caller, and the waiter's account
// has none.
func (s *slots) makeRoom(w *waiter, before map[*slot]pace) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var victim *slot
	least := int64(slowest)
	for t := range s.taken {
		if t.account == w.account {
			return
		}
		was, known := before[t]
		if now := t.pace(); known && now.sent-was.sent < least && now.blocked-was.blocked >= s.watched*9/10 {
			victim, least = t, now.sent-was.sent
		}
	}
	if victim != nil {
		victim.evict(ErrStalled)
	}
}

// watch measures how fast a writer takes what is written.
func (t *slot) watch(w io.Writer) io.Writer {
	if t == nil {
		return w
	}
	return &watching{w, t}
}

type watching struct {
	w io.Writer
	t *slot
}

// Write implements io.Writer.
func (w *watching) Write(b []byte) (int, error) {
	began := time.Now()
	w.t.mu.Lock()
	w.t.writing = began
	w.t.mu.Unlock()
	n, err := w.w.Write(b)
	w.t.mu.Lock()
	defer w.t.mu.Unlock()
	w.t.writing = time.Time{}
	w.t.blocked += time.Since(began)
	w.t.sent += int64(n)
	return n, err
}
