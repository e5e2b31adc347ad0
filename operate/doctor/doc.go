// Package doctor examines an installation: its database, bucket, queue, ledger, sandbox
// and machine. It reports what is wrong and what to do about it.
//
// A Check looks at one thing and returns its findings. Some checks can also repair what
// they find, if that loses nothing. Examine runs the checks one after another:
//
//	report := doctor.Examine(ctx, checks, true)
//	report.Sound() // nothing is left that must be fixed
package doctor
