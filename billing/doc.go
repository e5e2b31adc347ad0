// Package billing says what work costs, what each plan includes, and what an
// account has been charged.
//
// Amounts are whole cents. Work is measured in units: one base unit, a unit a
// sandbox second and units for tokens, each rounded up; a unit costs a whole
// number of cents. Before work starts its projection is held (Policy.RunHold,
// Policy.BuildHold); when it ends the hold becomes one charge, never larger than
// itself, or is released (Settle). The ledger that keeps this is double entry:
// four accounts (spendable, held, spent, granted), and every entry adds up to zero.
//
// Default is the built-in policy; Read takes one from a file.
package billing
