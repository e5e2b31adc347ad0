// Package simulation runs scripts that simulate: it calls simulate(ctx) once a path and
// step, carries the money with package simulate, and returns its tables, scalars and
// figures.
//
//	Kind      what a simulation's script may contain, and the inputs that it has
//	Execute   plan, decisions and answer of one run; Family hands it to the sandbox
//	scripted  calls the script for every path and step
//	traced    calls the script once, if it only combines rules of the harness, and
//	          computes the rest in Go
//
// A path is a sequence of months. What the script sees in a step is the path's past
// alone. A rule of the harness remembers what it needs by path and by its place among
// the rules called in a step.
package simulation
