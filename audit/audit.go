package audit

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Actor is what an entry's actor is known by.
type Actor string

// The actors.
const (
	Key      Actor = "key"      // an API key, by its id
	Session  Actor = "session"  // a signed-in session, by its id
	Operator Actor = "operator" // the command line, by the system's user
	Visitor  Actor = "visitor"  // somebody who signs in
)

// Entry is one change.
type Entry struct {
	ID            string // audit_…
	At            time.Time
	AccountID     string // whose things were changed; "" where nobody's
	Actor         Actor
	ActorID       string
	Address       string   // that the request came from
	RequestID     string   // "" where it was no request
	Operation     string   // operation id, or command
	Targets       []string // ids, and names as they were given
	Before, After map[string]any
}

// Filter chooses entries.
type Filter struct {
	AccountID    string // "" is all
	Since, Until *time.Time
	Limit        int
	Offset       int
}

// Store keeps entries.
type Store interface {
	// Record adds the entry of a note that no transaction has written.
	Record(ctx context.Context, n *Note) error
	// Entries lists entries, the newest first, with the total before paging.
	Entries(ctx context.Context, f Filter) ([]*Entry, int, error)
}

// Note is an entry in the making. Its methods may be called from any goroutine.
type Note struct {
	mu      sync.Mutex
	entry   Entry
	written bool
}

type noteKey struct{}

// With begins a note and puts it into the context.
func With(ctx context.Context, e Entry) (context.Context, *Note) {
	n := &Note{entry: e}
	return context.WithValue(ctx, noteKey{}, n), n
}

// Of is the context's note, nil without one.
func Of(ctx context.Context) *Note {
	n, _ := ctx.Value(noteKey{}).(*Note)
	return n
}

// Concern says what is changed: things of an account ("" leaves whose it is).
func Concern(ctx context.Context, accountID string, targets ...string) {
	n := Of(ctx)
	if n == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if accountID != "" {
		n.entry.AccountID = accountID
	}
	for _, target := range targets {
		if !slices.Contains(n.entry.Targets, target) { // a transaction may be tried again
			n.entry.Targets = append(n.entry.Targets, target)
		}
	}
}

// Change says what something was and is. What has not changed is left out.
func Change(ctx context.Context, field string, before, after any) {
	n := Of(ctx)
	if n == nil || before == after {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.entry.Before == nil {
		n.entry.Before, n.entry.After = map[string]any{}, map[string]any{}
	}
	n.entry.Before[field], n.entry.After[field] = before, after
}

// Entry is what the note says by now, unless it has been written.
func (n *Note) Entry() (e Entry, due bool) {
	if n == nil {
		return Entry{}, false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	e = n.entry
	e.Targets = slices.Clone(e.Targets)
	return e, !n.written
}

// Wrote says that the entry is committed; it is written once.
func (n *Note) Wrote() {
	if n != nil {
		n.mu.Lock()
		n.written = true
		n.mu.Unlock()
	}
}

// Written reports whether the entry is committed.
func (n *Note) Written() bool {
	_, due := n.Entry()
	return !due
}
