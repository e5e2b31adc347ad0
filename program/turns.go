package program

import (
	"context"
	"runtime"
	"sync"
)

// longScript is the length in bytes from which the check of a script waits for its
// turn. Shorter ones take some milliseconds, and go on at once.
const longScript = 16 << 10

// checks are the turns of the checks of long scripts. There is one for the
// process, since what it shares out, processors and memory, is the process's.
var checks = newTurns(runtime.GOMAXPROCS(0))

// turnToCheck waits until a script of so many bytes may be checked, or ctx ends.
// The caller calls leave when the check is over.
func turnToCheck(ctx context.Context, accountID string, bytes int) (leave func(), err error) {
	if bytes < longScript {
		return func() {}, ctx.Err()
	}
	return checks.enter(ctx, accountID)
}

// turns lets so many work at a time, and of one account one at a time. Accounts
// that wait take turns, so that however many calls one of them makes, another
// waits for one piece of work at most.
type turns struct {
	mu      sync.Mutex
	free    int
	busy    map[string]bool            // accounts that work
	waiting map[string][]chan struct{} // of accounts that wait, the first call first
	order   []string                   // accounts that wait, the next one first
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
	if !waits { // its turn came at the same moment
		leave()
	}
	return nil, ctx.Err()
}

// next gives the free places to those whose turn it is; the lock is held.
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

// drop takes a call that waits out of the queue, and reports whether it was there;
// the lock is held.
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
