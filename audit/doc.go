// Package audit records who changed what.
//
// The code that begins a change puts a Note into its context. The stores that make
// the change add what it concerns, and write the entry in the same transaction as
// the change:
//
//	ctx, note := audit.With(ctx, audit.Entry{Actor: audit.Key, ActorID: keyID, Operation: "patch-run"})
//	err := store.PatchRun(ctx, runID, patch)   // calls audit.Concern and audit.Change
//	if err == nil && !note.Written() { … }     // a change by a single statement is recorded right after it
//
// Entries never change. They hold ids, roles, plans and switches, and never a
// secret, a script, a prompt or an amount.
package audit
