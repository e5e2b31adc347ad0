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
	// watched is how long the other exports are watched before one of them must end.
	watched = 2 * time.Second
	// slowest is the number of bytes that a caller must read in that time to keep its
	// slot while an account without a slot waits.
	slowest = 256 << 10
)

// ErrStalled ends an export whose caller reads too slowly while others wait.
var ErrStalled = errors.New("export: the client reads too slowly while others wait")

// slots limits the exports in progress at the same time, each of which takes about
// 35 MB. An account has at most a quarter of the slots. If all are taken, an account
// without a slot gets that of a caller who does not read.
type slots struct {
	most    int // slots of one account
	watched time.Duration

	mu      sync.Mutex
	free    int
	taken   map[*slot]bool
	waiting []*waiter // the one that has waited longest comes first
}

// slot is one export in progress.
type slot struct {
	account string
	evict   context.CancelCauseFunc

	mu      sync.Mutex
	sent    int64
	blocked time.Duration // spent in writes that have ended
	writing time.Time     // start of the write in progress, or zero
}

// waiter is an export that waits for its slot.
type waiter struct {
	*slot
	ready chan struct{} // closed when it has its slot
}

// newSlots returns n slots, or nil, which is no limit, if n is not above 0.
func newSlots(n int) *slots {
	if n <= 0 {
		return nil
	}
	return &slots{most: (n + 3) / 4, watched: watched, free: n, taken: map[*slot]bool{}}
}

// take waits for a slot. It returns fault.RateLimited if none becomes free in time. The
// context that it returns ends with ErrStalled when another account gets the slot.
func (s *slots) take(ctx context.Context, accountID string) (context.Context, *slot, error) {
	if s == nil {
		return ctx, nil, nil
	}
	s.mu.Lock()
	if n := s.of(accountID); n >= s.most {
		s.mu.Unlock()
		return nil, nil, fault.New(fault.RateLimited, "The account has %d exports in progress, which is its limit. Try again when one has ended.", n)
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
			return open, w.slot, nil // the slot became free at the last moment
		}
		evict(nil)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		return nil, nil, fault.New(fault.RateLimited, "The service has reached its limit of exports in progress. Try again in a moment.")
	}
}

// of counts the slots that an account has or waits for. The caller holds s.mu.
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

// serve gives free slots to waiting exports. The caller holds s.mu.
func (s *slots) serve() {
	for s.free > 0 && len(s.waiting) > 0 {
		s.free--
		s.taken[s.waiting[0].slot] = true
		close(s.waiting[0].ready)
		s.waiting = s.waiting[1:]
	}
}

// leave removes a waiter from the queue. It reports whether the waiter already has a
// slot.
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

// release gives a slot back. Calling it again has no effect.
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

// pace is how much a caller has read so far.
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

// makeRoom ends the export whose caller has read the least since before. It only ends
// an export that has spent nearly all that time waiting for its caller, and only if the
// waiter's account has no slot.
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

// watch returns a writer to w that measures how fast w accepts bytes.
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
