// Package optimizers keeps the optimizers of accounts: named rules for weights, in
// versions that never change.
//
// A script names an optimizer, and each run uses the version that is current when the run
// starts. A change makes a new version and queues the models whose live run has used the
// optimizer. One that a script names is neither deleted nor renamed. Solve computes
// weights for a universe at once and stores nothing.
package optimizers
