// Package simulate carries money through many possible futures, month by month, and
// says how long it lasts.
//
// A Plan names the money, its members' monthly returns and how futures are drawn
// from them; a Rule decides what is paid out of it or into it. Run carries all
// paths and gives the tables and scalars of a Result. Path gives one of them whole.
//
//	months  the members' returns, from month end to month end
//	draw    a path's months: blocks of history, a fitted distribution, or every past start
//	carry   payment, return, fee; what a path has seen so far is its State
//	rules   what is paid: fixed, a percentage, guardrails, an annuity, dated flows
//	gather  quantiles over the paths, month by month; outcomes; rates
//
// Paths advance together, a year at a time, so that memory does not grow with the
// horizon. The random numbers of path p are those of the counter-based generator
// Philox 4x64-10 with the key (seed, p): more paths keep the earlier ones, and the
// number of workers changes nothing.
package simulate
