// Package optimizer turns a named rule for weights, as accounts keep it, into a problem of
// package optimize, and solves it.
//
//	d := optimizer.Definition{Objective: optimizer.MinVariance}
//	details := d.Check()                          // what is wrong with it; fills in defaults
//	a, err := d.Solve(optimizer.Input{Symbols: s, Returns: r, BarsPerYear: 252})
//	fmt.Println(a.Weights, a.Residual)
//
// A definition names members by symbol and ignores those that the input does not have, so
// it applies to any universe.
package optimizer
