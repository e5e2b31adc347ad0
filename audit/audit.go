package audit

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Actor is the kind of who made a change.
type Actor string

// The actors.
const (
	Key      Actor = "key"      // an API key; the actor's id is the key's
	Session  Actor = "session"  // a signed-in session; the actor's id is the session's
	Operator Actor = "operator" // the command line; the actor's id is the system's user
	Visitor  Actor = "visitor"  // somebody who is signing in
)

// Entry records one change.
type Entry struct {
	ID            string // audit_…
	At            time.Time
	AccountID     string // the account whose things were changed; "" if they belong to none
	Actor         Actor
	ActorID       string
	Address       string   // the address that the request came from
	RequestID     string   // "" if no request made the change
	Operation     string   // id of the operation, or name of the command
	Targets       []string // ids, and names as the caller wrote them
	Before, After map[string]any
}

// Filter selects entries.
type Filter struct {
	AccountID    string // "" for all accounts
	Since, Until *time.Time
	Limit        int
	Offset       int
}

// Store stores entries.
type Store interface {
	// Record writes the entry of a note, unless a transaction has written it.
	Record(ctx context.Context, n *Note) error
	// Entries lists entries, newest first, and returns the total before paging.
	Entries(ctx context.Context, f Filter) ([]*Entry, int, error)
}

// Note collects what an entry will say. Its methods may be called from any goroutine.
type Note struct {
	mu      sync.Mutex
	entry   Entry
	written bool
}

type noteKey struct{}

// With begins a note and returns a context that carries it.
func With(ctx context.Context, e Entry) (context.Context, *Note) {
	n := &Note{entry: e}
	return context.WithValue(ctx, noteKey{}, n), n
}

// Of returns the context's note, or nil.
func Of(ctx context.Context) *Note {
	n, _ := ctx.Value(noteKey{}).(*Note)
	return n
}

// Concern adds to the context's note what is changed, and to which account it
// belongs ("" leaves the account as it is).
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
		if !slices.Contains(n.entry.Targets, target) { // a repeated transaction adds them again
			n.entry.Targets = append(n.entry.Targets, target)
		}
	}
}

// Change adds the value of a field before and after the change to the context's
// note. Equal values are left out.
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

// Entry returns the entry so far; due is false once it has been written.
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

// Wrote marks the entry as committed, so that it is not written again.
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
