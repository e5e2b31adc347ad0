// Package doctor examines an installation: whether what has to hold of its
// database, bucket, queue, ledger, sandbox and machine does, and what to do
// where it does not.
//
// A Check looks at one thing and returns what it has found; some can mend it,
// where mending loses nothing. Examine carries checks out one after another:
//
//	report := doctor.Examine(ctx, checks, true)
//	report.Sound() // nothing is left that has to be mended
package doctor
