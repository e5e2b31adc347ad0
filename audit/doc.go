// Package audit says who changed what.
//
// Whoever begins a change puts a Note into its context; the stores that carry
// the change out add what it concerns, and write the entry in the transaction of
// the change itself:
//
//	ctx, note := audit.With(ctx, audit.Entry{Actor: audit.Key, ActorID: keyID, Operation: "patch-run"})
//	err := store.PatchRun(ctx, runID, patch)   // calls audit.Concern and audit.Change
//	if err == nil && !note.Written() { … }     // a change of one statement: written right after
//
// Entries are never changed, and hold ids, roles, plans and switches: never a
// secret, a script, a prompt or an amount.
package audit
