package program

import (
	"context"
	"runtime"
	"sync"
)

// longScript is the length from which the check of a script waits for its turn, in
// bytes. Shorter ones take a few milliseconds and start at once.
const longScript = 16 << 10

// checks are the turns for checking long scripts. They are shared by the whole
// process, because they share out its processors and memory.
var checks = newTurns(runtime.GOMAXPROCS(0))

// turnToCheck waits until a script of this many bytes may be checked, or until ctx
// ends. The caller must call leave after the check.
func turnToCheck(ctx context.Context, accountID string, bytes int) (leave func(), err error) {
	if bytes < longScript {
		return func() {}, ctx.Err()
	}
	return checks.enter(ctx, accountID)
}

// turns lets a limited number of callers work at a time, at most one per account.
// Waiting accounts take turns, so that an account waits for at most one piece of work
// of each other account, however many calls another one makes.
type turns struct {
	mu      sync.Mutex
	free    int
	busy    map[string]bool            // accounts that are working
	waiting map[string][]chan struct{} // waiting calls by account, in order
	order   []string                   // waiting accounts, in order
}

func newTurns(most int) *turns {
	return &turns{free: most, busy: make(map[string]bool), waiting: make(map[string][]chan struct{})}
}

// enter waits for the account's turn, or for the end of ctx.
func (t *turns) enter(ctx context.Context, account string) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	turn := make(chan struct{})
	t.mu.Lock()
	if len(t.waiting[account]) == 0 {
		t.order = append(t.order, account)
	}
	t.waiting[account] = append(t.waiting[account], turn)
	t.next()
	t.mu.Unlock()
	leave = func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.free++
		delete(t.busy, account)
		t.next()
	}
	select {
	case <-turn:
		return leave, nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	waits := t.drop(account, turn)
	t.mu.Unlock()
	if !waits { // its turn came at the same time
		leave()
	}
	return nil, ctx.Err()
}

// next gives free places to the accounts whose turn it is. The lock must be held.
func (t *turns) next() {
	for i := 0; i < len(t.order) && t.free > 0; {
		account := t.order[i]
		if t.busy[account] {
			i++
			continue
		}
		turn := t.waiting[account][0]
		t.order = append(t.order[:i], t.order[i+1:]...)
		if rest := t.waiting[account][1:]; len(rest) > 0 {
			t.waiting[account] = rest
			t.order = append(t.order, account)
		} else {
			delete(t.waiting, account)
		}
		t.free--
		t.busy[account] = true
		close(turn)
	}
}

// drop removes a waiting call from the queue and reports whether it was there. The
// lock must be held.
func (t *turns) drop(account string, turn chan struct{}) bool {
	calls := t.waiting[account]
	for i, c := range calls {
		if c != turn {
			continue
		}
		if calls = append(calls[:i:i], calls[i+1:]...); len(calls) > 0 {
			t.waiting[account] = calls
			return true
		}
		delete(t.waiting, account)
		for i, waits := range t.order {
			if waits == account {
				t.order = append(t.order[:i], t.order[i+1:]...)
				break
			}
		}
		return true
	}
	return false
}
