// Package billing defines what work costs, what each plan includes, and what an
// account is charged.
//
// Amounts are whole cents. Work is measured in units: one base unit, one unit per
// sandbox second, and units for tokens, each rounded up. A unit costs a whole
// number of cents. Before work starts, its projected cost is held (Prices.RunHold,
// Prices.BuildHold). When it ends, the hold becomes one charge, which is never
// larger than the hold, or is released (Prices.Settle). The ledger is double-entry:
// it has four accounts (spendable, held, spent, granted), and the lines of every
// entry add up to zero.
//
// Default is the built-in policy; Read takes one from a file.
package billing
